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
    Change.OLD: "The old code",
    Change.REMOVED: "The code no longer",
}


def in_plain_words(changed: Sequence[Changed], language: str | None) -> list[Candidate]:
    """Say of each statement what the code does now or did before, with names as words.

    What both sides do, in other words of code, is left out.
    """
    said = [(one, predicate(one.statement, language)) for one in changed[: 2 * MAX_PLAIN]]
    now = {does for one, does in said if one.change in {Change.NEW, Change.ADDED}}
    before = {does for one, does in said if one.change in {Change.OLD, Change.REMOVED}}
    return [
        claim(f"{_SUBJECTS[one.change]} {does}", WEIGHT, one.statement.line)
        for one, does in said
        if does and not (does in now and does in before)
    ][:MAX_PLAIN]
