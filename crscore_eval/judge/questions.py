"""The questions to a judge, the columns of its answers, and how they are read.

Reviews and changes are untrusted. Each is between fences that its text cannot close, and the prompt
calls it data.
"""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from crscore_core.change import CodeChange
from crscore_core.claims import Answer
from crscore_core.claims.llm.prompt import shown_line
from crscore_core.errors import InputError
from crscore_core.reasoning import without_reasoning
from crscore_core.text import escape_invisible
from crscore_eval.table import JUDGE_PREFIX

PROMPT = Template(files("crscore_eval.judge").joinpath("prompt.txt").read_text(encoding="utf-8"))
"""The prompt about a change and a review, with the requested form of the answer."""

COLUMNS = ("right", "wrong", "worth", "relevance", "findings")
"""Names of the columns for an answer, after the prefix of the judge."""


def column_prefix(name: str = "") -> str:
    """Return the beginning of the names of a judge's columns; `name` distinguishes judges.

    Raises:
        InputError: the name has other characters than lower-case letters, digits and `_`, or is too
            long.
    """
    if name and not re.fullmatch(r"[a-z0-9_]{1,40}", name):
        raise InputError(
            f"{name[:80]!r} cannot name a judge", "use at most 40 lower-case letters, digits and _"
        )
    return f"{JUDGE_PREFIX}{name}_" if name else JUDGE_PREFIX


_Grade = Annotated[int, Field(ge=1, le=5)]

_FENCE = re.compile(r"\s*(`{3,})(?:json)?\n(.*)\n\1\s*", re.DOTALL)

Judgement = dict[str, Any]
"""The cells of a judgement by column; `reason` is why it is missing, or a warning about it."""


class _Finding(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    finding: Annotated[str, Field(min_length=1)]
    verdict: Literal["right", "wrong", "cannot tell"]
    line: str


class _ReviewAnswer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    findings: Annotated[list[_Finding], Field(max_length=100)]
    worth: _Grade
    relevance: _Grade


def answer_schema() -> dict[str, Any]:
    """Return the JSON schema of the answers."""
    return _ReviewAnswer.model_json_schema()


def read_answer(answer: Answer, lines: Mapping[str, str]) -> Judgement:
    """Read an answer; `lines` are the `lines_by_quote` of the change.

    Raises:
        ValueError: the answer does not have the requested form.
    """
    if answer.cut_off_by:
        raise ValueError("the model's answer was cut off")
    text = without_reasoning(answer.text)
    block = _FENCE.fullmatch(text)
    try:
        review = _ReviewAnswer.model_validate_json(block[2] if block else text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "all of it"
        excerpt = escape_invisible(" ".join(text.split()))[:80]
        problem = f"not the requested JSON ({place}: {first['type']})"
        raise ValueError(f"the model's answer is {problem}: {excerpt!r}") from error
    findings = [_with_checked_line(finding, lines) for finding in review.findings]
    verdicts = [finding["verdict"] for finding in findings]
    right, wrong = verdicts.count("right"), verdicts.count("wrong")
    has_lines = verdicts == [finding.verdict for finding in review.findings]
    return {
        "right": right / (right + wrong) if right + wrong else None,
        "wrong": wrong,
        "worth": review.worth,
        "relevance": review.relevance,
        "findings": json.dumps(findings, ensure_ascii=False),
        "reason": "" if has_lines else "a verdict without a line of the diff counts as cannot tell",
    }


def _with_checked_line(finding: _Finding, lines: Mapping[str, str]) -> dict[str, str]:
    """Return a finding; its verdict counts only if it quotes a line of the diff."""
    line = lines.get(_comparable(finding.line), "")
    verdict = finding.verdict if line else "cannot tell"
    return finding.model_dump() | {"verdict": verdict, "line": line}


def lines_by_quote(change: CodeChange) -> dict[str, str]:
    """Return the lines of a diff by the quotes that are accepted, with or without `+` and `-`."""
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
