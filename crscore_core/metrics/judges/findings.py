"""The question of the judge `review`: which findings are right, and whether they are worth it.

The answer is JSON in the form of a schema and is read strictly, so that no number comes from prose.
A finding counts as right or wrong only with the line of the diff that shows it; else nobody can
tell.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from crscore_core.change import CodeChange
from crscore_core.claims.llm.prompt import shown_line
from crscore_core.metrics.judges.judge import HIGHEST, LOWEST, JudgedReview, Judgement, excerpt

TASK = """\
You are an experienced software engineer. Judge a review of a code change: is what it says right, \
is it worth saying, and is it about the change?

List the findings of the review: each problem, risk, fact or need that it states about the code. \
Asking for something states that the code needs it. Praise, greetings and words about nothing in \
the code are no findings; the list may be empty. Give each finding

finding: the finding in a few words
verdict: "right" if the change shows that it holds, "wrong" if the change shows that it does not, \
"cannot tell" if it shows neither, such as where code that is not shown decides
line: the one line of the change that shows it best, copied whole with its mark; "" if you cannot \
tell

Then give the review two grades, whole numbers.

worth, whether a colleague should spend time on it:
5: it finds something that must be settled before the change is merged
4: it finds something that makes the change clearly better
3: it helps a little
2: it hardly helps
1: it wastes the reader's time, or misleads

relevance, how much of it is about this change, and how much of what matters in the change it \
brings up:
5: all that matters about the change, and hardly anything else
4: most of what matters, with little beside it
3: about half of what matters, or much beside it
2: something about the change, but little of what matters
1: nothing about this change

Answer with one JSON object and nothing else:

{"findings": [{"finding": "...", "verdict": "right", "line": "..."}], "worth": 3, "relevance": 3}"""

_FENCE = re.compile(r"\s*(`{3,})(?:json)?\n(.*)\n\1\s*", re.DOTALL)

_Grade = Annotated[int, Field(ge=LOWEST, le=HIGHEST)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Finding(_Strict):
    finding: str = Field(min_length=1)
    verdict: Literal["right", "wrong", "cannot tell"]
    line: str


class _Answer(_Strict):
    findings: list[_Finding]
    worth: _Grade
    relevance: _Grade


SCHEMA: dict[str, Any] = _Answer.model_json_schema()
"""JSON schema of an answer."""


def read_findings(lines: Sequence[str], judged: JudgedReview) -> Judgement:
    """Read an answer: one JSON object, which may be in a fenced block."""
    text = "\n".join(lines)
    fenced = _FENCE.fullmatch(text)
    try:
        answer = _Answer.model_validate_json(fenced[2] if fenced else text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        return Judgement(
            reason=f"the model's answer is not the JSON asked for ({where or 'all of it'}: "
            f"{first['type'].replace('_', ' ')}): {excerpt(lines)}"
        )
    findings, unproved = [], 0
    for found in answer.findings:
        line = line_of_diff(found.line, judged.change)
        is_decided = bool(line) and found.verdict != "cannot tell"
        unproved += not is_decided and found.verdict != "cannot tell"
        verdict = found.verdict if is_decided else "cannot tell"
        findings.append({"finding": found.finding, "verdict": verdict, "line": line})
    verdicts = [found["verdict"] for found in findings]
    right, wrong = verdicts.count("right"), verdicts.count("wrong")
    values = {
        "right": right / (right + wrong) if right + wrong else None,
        "wrong": wrong,
        "worth": answer.worth,
        "relevance": answer.relevance,
        "findings": findings,
    }
    reason = "a verdict without a line of the diff counts as cannot tell" if unproved else ""
    return Judgement(values, reason)


def line_of_diff(quote: str, change: CodeChange) -> str:
    """Return the line of the diff that `quote` copies, with its mark; ignore white space.

    Models may put a line of code in backticks: prefer a line that matches exactly to one that
    differs in backticks at its ends. A line without a letter or digit is not evidence.
    """
    text = " ".join(quote.split())
    if not re.search(r"\w", text):
        return ""
    lines = [line for file in change.files for line in file.lines()]
    for ends in (" ", " `"):
        for line in lines:
            words = " ".join(shown_line(line.text).split())
            forms = (words, f"{line.kind}{words}", f"{line.kind} {words}")
            if text.strip(ends) in {form.strip(ends) for form in forms}:
                return f"{line.kind}{shown_line(line.text)}"
    return ""
