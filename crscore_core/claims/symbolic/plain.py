"""What changed statements do, in plain words: claims that need no reading of code."""

from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import Candidate, claim
from crscore_core.claims.symbolic.changed import Change, Changed
from crscore_core.claims.symbolic.speech import predicate

__all__ = ["in_plain_words"]

MAX_PLAIN = 2
"""Statements of one block that are told in plain words."""

WEIGHT = 40

_SUBJECTS = {
    Change.NEW: "The code now",
    Change.ADDED: "The code now",
    Change.REMOVED: "The code no longer",
}


def in_plain_words(changed: Sequence[Changed], language: str | None) -> list[Candidate]:
    """Say of each statement what the code does now or no longer, with names as words.

    What a rewritten statement was before is left to the claims that show both. What the new code
    does in other words, as if nothing had changed, is left out too.
    """
    said = [(one, predicate(one.statement, language)) for one in changed[:MAX_PLAIN]]
    return [
        claim(f"{_SUBJECTS[one.change]} {does}", WEIGHT, one.statement.line)
        for one, does in said
        if does and (one.before is None or does != predicate(one.before, language))
    ]
