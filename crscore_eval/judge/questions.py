"""The question to a judge, and the columns of its answers.

Reviews and changes are untrusted. Each is between fences that its text cannot close,
and the prompt calls it data.
"""

import re

from crscore_core.errors import InputError
from crscore_eval.table import JUDGE_PREFIX

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
"""The beginning of the prompt, with the requested form of the answer."""

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
