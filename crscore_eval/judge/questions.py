"""Questions to a judge, with the columns of their answers and how often they are asked.

Reviews and changes are untrusted. Each is between fences that its text cannot close,
and the prompt calls it data.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from crscore_core.errors import InputError


class JudgeQuestion(NamedTuple):
    """A question about a review.

    title: the question in a few words.
    task: the beginning of the prompt, with the requested form of the answer.
    columns: names for the answer, after the prefix of the judge.
    tries: maximum number of answers asked for, until one has the requested form.
    """

    title: str
    task: str
    columns: tuple[str, ...]
    tries: int = 1


_REVIEW = """\
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

_RELEVANCE = """\
You are an experienced software engineer who has read many reviews of code. Grade how relevant \
the review below is to the code change below.

A relevant review is two things at once. It is concise: hardly a word of it is about anything but \
this change. It is comprehensive: it brings up all that a good review of this change has to say.

5: all that matters about the change, and hardly anything else
4: most of what matters, with little beside it
3: about half of what matters, or much beside it
2: something about the change, but little of what matters
1: nothing about this change

Answer with one line and nothing else, where N is the grade, a whole number:

Grade: N"""

JUDGE_QUESTIONS: Mapping[str, JudgeQuestion] = {
    "review": JudgeQuestion(
        "Are its findings right, and is it worth saying?",
        _REVIEW,
        ("right", "wrong", "worth", "relevance", "findings"),
        tries=2,
    ),
    "relevance": JudgeQuestion("How relevant is the review?", _RELEVANCE, ("grade",)),
}
"""Questions by name.

`review` was written for this project. `relevance` follows the CRScore paper, appendix D.4.
"""


def column_prefix(question: str, name: str = "") -> str:
    """Return the beginning of the names of a judge's columns.

    `name` distinguishes judges with the same question.

    Raises:
        InputError: the name has other characters than lower-case letters, digits and `_`, is too
            long, or begins like the name of a question.
    """
    if name and (
        not re.fullmatch(r"[a-z0-9_]{1,40}", name) or name.partition("_")[0] in JUDGE_QUESTIONS
    ):
        raise InputError(
            f"{name[:80]!r} cannot name a judge",
            "use at most 40 lower-case letters, digits and _, "
            "and do not begin with the name of a question",
        )
    return "_".join(filter(None, ["judge", question if question != "review" else "", name]))
