"""Names within a function that the change replaces throughout a hunk."""

from collections.abc import Sequence
from itertools import pairwise

from crscore_core.claims.symbolic.lexing import Token, TokenKind
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["only_renames", "renamed_in"]

MIN_PLACES = 2
"""Statements in which one name takes the place of another before it is told as renamed."""

_MEMBER = frozenset({".", "->", "?.", "::"})


def renamed_in(
    pairs: Sequence[tuple[Statement, Statement]],
    olds: Sequence[Statement],
    news: Sequence[Statement],
) -> dict[str, str]:
    """Return which name of `olds` is which one of `news`, where all that use it show that.

    A name counts that is assigned in the hunk, or is a parameter; a member of another is none.
    """
    counted: dict[tuple[str, str], int] = {}
    for old, new in pairs:
        for change in _changes(old.tokens, new.tokens):
            counted[change] = counted.get(change, 0) + 1
    if not counted:
        return {}
    before, after = ({t.text for s in side for t in s.tokens} for side in (olds, news))
    local = {s.subject for s in olds if s.sort is Sort.ASSIGNMENT}
    local |= {p.name for s in olds if s.heading for p in s.heading.parameters}
    return {
        old: new
        for (old, new), count in counted.items()
        if count >= MIN_PLACES and old in local and old not in after and new not in before
    }


def _changes(old: Sequence[Token], new: Sequence[Token]) -> set[tuple[str, str]]:
    """The names that differ between two statements alike otherwise; none where more differs."""
    if len(old) != len(new):
        return set()
    found = set()
    for (link, one), other in zip(pairwise((None, *old)), new, strict=True):
        if one is None or one.text == other.text:
            continue
        if {one.kind, other.kind} != {TokenKind.NAME} or (link and link.text in _MEMBER):
            return set()
        found.add((one.text, other.text))
    return found


def only_renames(old: Statement, new: Statement, renamed: dict[str, str]) -> bool:
    """Whether nothing but the names in `renamed` differs."""
    if not renamed or len(old.tokens) != len(new.tokens):
        return False
    return [renamed.get(t.text, t.text) for t in old.tokens] == [t.text for t in new.tokens]
