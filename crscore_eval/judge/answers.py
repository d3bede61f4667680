"""Answers of a judge: their form, and how they are read."""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from crscore_core.change import CodeChange
from crscore_core.claims import Answer
from crscore_core.claims.llm.prompt import shown_line
from crscore_core.reasoning import without_reasoning
from crscore_core.text import escape_invisible

HIGHEST_GRADE = 5

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
    worth: Annotated[int, Field(ge=1, le=HIGHEST_GRADE)]
    relevance: Annotated[int, Field(ge=1, le=HIGHEST_GRADE)]


def answer_schema() -> dict[str, Any]:
    """Return the JSON schema of the answers."""
    return _ReviewAnswer.model_json_schema()


def read_answer(answer: Answer, lines: Mapping[str, str]) -> Judgement:
    """Read an answer; `lines` are the `lines_by_quote` of the change.

    Raises:
        ValueError: the answer does not have the requested form.
    """
    if not answer.is_complete:
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
