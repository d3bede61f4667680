"""Ask a language model about reviews; its judgements become columns of the table.

If a review has no judgement, a column has the reason. Reviews and changes are untrusted, so each
stands between fences that its text cannot close, and the prompt calls it data.
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated, Any, Literal

import pandas as pd
from pydantic import BaseModel, Field, ValidationError

from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import Answer, LanguageModel
from crscore_core.claims.llm.prompt import fenced, shown_change, shown_line
from crscore_core.errors import InputError, ModelError, quoted
from crscore_core.reasoning import without_reasoning
from crscore_core.rendered import render_review
from crscore_core.scoring.scorer import Progress, ignore_progress
from crscore_core.text import counted, escape_invisible, listed, shorten
from crscore_eval.run.folder import (
    SETTINGS,
    finished_settings,
    is_new,
    part_numbers,
    read_part,
    read_settings,
    write_part,
)
from crscore_eval.table import JUDGE_PREFIX, is_by_system, split_judge_column

MAX_DIFF_TOKENS = 3000
"""Maximum number of tokens of a diff that the prompt shows."""

MAX_TEXT_TOKENS = 2000
"""Maximum number of tokens of a review; longer reviews are not judged."""

_BATCH_SIZE = 16

PROMPT = Template(files("crscore_eval.judge").joinpath("prompt.txt").read_text(encoding="utf-8"))
"""The prompt about a change and a review, with the requested answer format."""

COLUMNS = ("right", "wrong", "worth", "relevance", "findings")
"""Names of the columns for an answer, without the judge's prefix."""


def column_prefix(name: str = "") -> str:
    """Return the prefix of a judge's columns; `name` distinguishes judges.

    Raises:
        InputError: the name is too long, or has characters other than a to z, digits and `_`.
    """
    if name and not re.fullmatch(r"[a-z0-9_]{1,40}", name):
        advice = "use at most 40 lower-case letters, digits and _"
        raise InputError(f"{quoted(name)} cannot name a judge", advice)
    return f"{JUDGE_PREFIX}{name}_" if name else JUDGE_PREFIX


def describe_unjudged(reviews: pd.DataFrame, measure: str) -> str:
    """Count the systems' reviews without a judgement by the judge of a measure, or return ""."""
    if not measure.startswith(JUDGE_PREFIX):
        return ""
    prefix = column_prefix(split_judge_column(measure)[0])
    columns = [f"{prefix}{name}" for name in (*COLUMNS, "reason")]
    judged = reviews[is_by_system(reviews)].reindex(columns=columns)
    missing = judged[judged[columns[:-1]].isna().all(axis="columns")]
    if missing.empty:
        return ""
    not_asked = "not asked about, which `crscore judge` does if repeated"
    unknown = not_asked if f"{prefix}model" in reviews else "no reason is given"
    reasons = missing[columns[-1]].astype(object).fillna(unknown).value_counts()
    parts = [f"{shorten(str(reason), 100)} ({n:,})" for reason, n in reasons.items()]
    return f"Without a judgement: {counted(len(missing), 'review')}; {listed(parts)}."


_Grade = Annotated[int, Field(ge=1, le=5)]

_FENCE = re.compile(r"\s*(`{3,})(?:json)?\n(.*)\n\1\s*", re.DOTALL)

Judgement = dict[str, Any]
"""The cells of a judgement by column; `reason` explains its absence, or is a warning about it."""


class _Finding(BaseModel, extra="forbid", strict=True):
    finding: Annotated[str, Field(min_length=1)]
    verdict: Literal["right", "wrong", "cannot tell"]
    line: str


class _ReviewAnswer(BaseModel, extra="forbid", strict=True):
    findings: Annotated[list[_Finding], Field(max_length=100)]
    worth: _Grade
    relevance: _Grade


def judge_reviews(
    model: LanguageModel, reviews: pd.DataFrame, on_progress: Progress = ignore_progress
) -> pd.DataFrame:
    """Judge reviews and return their judgements, with the same index.

    Reviews have the columns `review` and `diff`, judgements `COLUMNS`, `reason` and `model`.
    `findings` is a JSON list of objects with finding, verdict and line.

    Raises:
        InputError: the reviews have no diffs.
        UnavailableError, ModelError: the model is unavailable, or fails permanently.
    """
    if "diff" not in reviews:
        raise InputError("the reviews have no diffs, which a judge needs")
    judgements: list[Judgement] = []
    texts = reviews[["review", "diff"]].fillna("").astype(str).to_dict("records")
    for start in range(0, len(texts), _BATCH_SIZE):
        judgements += _judge(texts[start : start + _BATCH_SIZE], model)
        on_progress(len(judgements), len(texts))
    table = pd.DataFrame(judgements, reviews.index, [*COLUMNS, "reason"])
    return table.assign(model=model.name)


def judge_run(
    source: Path,
    out: Path,
    model: LanguageModel,
    prefix: str,
    on_progress: Progress = ignore_progress,
) -> tuple[int, int]:
    """Add a judge's columns (see `column_prefix`) to the reviews of a run, or of a copy of it.

    `out` is a new or empty folder for the copy, an earlier copy, or `source`. Reviews that already
    have a judgement by this model in these columns are not judged again, so a repeated call
    resumes. Returns the numbers of reviews and of reviews without a judgement.

    Raises:
        InputError: `source` is not a finished run, or `out` is neither empty nor a copy of it.
    """
    settings = finished_settings(source)
    if is_new(out):
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in filter(Path.is_file, [*source.iterdir()]):
            shutil.copy(path, out)
    elif not (out / SETTINGS).is_file() or read_settings(out) != settings:
        raise InputError(f"{str(out)!r} is not an empty folder", "choose another folder")
    done = n_without = 0
    for number in part_numbers(out):
        reviews, changes = read_part(out, number)
        diffs = changes.set_index("change")["diff"]
        earlier = _judgements(reviews, prefix, model.name)
        missing = reviews.drop(earlier.index)
        missing = missing.assign(diff=missing["change"].map(diffs))
        judgements = pd.concat([judge_reviews(model, missing), earlier]).reindex(reviews.index)
        n_without += int(judgements[list(COLUMNS)].isna().all(axis=1).sum())
        columns = judgements.add_prefix(prefix)
        reviews = reviews.drop(columns=columns.columns, errors="ignore").join(columns)
        write_part(out, number, reviews, changes)
        done += len(reviews)
        on_progress(done)
    return done, n_without


def _judgements(reviews: pd.DataFrame, prefix: str, model: str) -> pd.DataFrame:
    names = [*COLUMNS, "reason", "model"]
    columns = [f"{prefix}{name}" for name in names]
    judgements = reviews.reindex(columns=columns).set_axis(names, axis=1)
    is_judged = judgements[list(COLUMNS)].notna().any(axis=1) & (judgements["model"] == model)
    return judgements[is_judged]


def _judge(rows: Sequence[Mapping[Any, str]], model: LanguageModel) -> list[Judgement]:
    """Ask about the reviews that can be judged; for the others, return the reason."""
    judgements: list[Judgement] = []
    asked: list[tuple[Judgement, str, Mapping[str, str]]] = []
    for row in rows:
        judgements.append({})
        try:
            change = parse_change(row["diff"])
            shown, warnings = shown_change(change, model.count_tokens, MAX_DIFF_TOKENS)
            review = _shown_review(render_review(row["review"]), model)
        except InputError as error:
            judgements[-1]["reason"] = str(error)
            continue
        text = PROMPT.substitute(change=shown, review=review)
        judgements[-1]["reason"] = "; ".join(warnings)
        asked.append((judgements[-1], text, _lines_by_quote(change)))
    schema = _ReviewAnswer.model_json_schema()
    answers = model.answer([text for _, text, _ in asked], schema) if asked else ()
    for (judgement, _, lines), answer in zip(asked, answers, strict=True):
        judgement.update(_judgement(answer, lines, judgement["reason"]))
    return judgements


def _judgement(answer: Answer | ModelError, lines: Mapping[str, str], warning: str) -> Judgement:
    """Read an answer; `lines` maps each accepted quote to its line of the change."""
    if isinstance(answer, ModelError):
        return {"reason": str(answer)}
    if answer.cut_off_by:
        return {"reason": f"the model's answer was cut off: {answer.cut_off_by}"}
    text = without_reasoning(answer.text)
    block = _FENCE.fullmatch(text)
    try:
        review = _ReviewAnswer.model_validate_json(block[2] if block else text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        problem = ".".join(map(str, [*first["loc"], first["type"]]))
        excerpt = quoted(escape_invisible(" ".join(text.split())) or "only reasoning, or nothing")
        return {"reason": f"the model's answer is not the requested JSON, {problem}: {excerpt}"}
    findings = [_with_checked_line(finding, lines) for finding in review.findings]
    verdicts = [finding["verdict"] for finding in findings]
    right, wrong = verdicts.count("right"), verdicts.count("wrong")
    if verdicts != [finding.verdict for finding in review.findings]:
        no_line = "a verdict without a line of the diff counts as cannot tell"
        warning = "; ".join(filter(None, [warning, no_line]))
    return {
        "right": right / (right + wrong) if right + wrong else None,
        "wrong": wrong,
        "worth": review.worth,
        "relevance": review.relevance,
        "findings": json.dumps(findings, ensure_ascii=False),
        "reason": warning,
    }


def _with_checked_line(finding: _Finding, lines: Mapping[str, str]) -> dict[str, str]:
    """Return a finding; its verdict counts only if it quotes a line of the diff."""
    line = lines.get(_comparable(finding.line), "")
    verdict = finding.verdict if line else "cannot tell"
    return finding.model_dump() | {"verdict": verdict, "line": line}


def _lines_by_quote(change: CodeChange) -> dict[str, str]:
    """Map each accepted quote, with or without `+` or `-`, to its line of the diff."""
    lines: dict[str, str] = {}
    for line in (line for file in change.files for line in file.lines()):
        text = shown_line(line.text)
        if re.search(r"\w", text):
            lines.setdefault(_comparable(text), f"{line.kind}{text}")
            lines.setdefault(_comparable(f"{line.kind}{text}"), f"{line.kind}{text}")
    return lines


def _comparable(line: str) -> str:
    """Return a line without white space, and without backticks at its ends."""
    return "".join(line.split()).strip("`")


def _shown_review(text: str, model: LanguageModel) -> str:
    """Return a review between fences, if it is neither empty nor too long."""
    if not text.strip():
        raise InputError("the review is empty")
    if len(text) > 20 * MAX_TEXT_TOKENS or model.count_tokens(text) > MAX_TEXT_TOKENS:
        raise InputError(f"the review is longer than {MAX_TEXT_TOKENS:,} tokens")
    return fenced("\n".join(map(shown_line, text.split("\n"))), "review")
