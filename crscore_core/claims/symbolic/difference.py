"""Differences between two texts of code: edits, contrasts and names."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from crscore_core.claims.symbolic.lexing import Token, TokenKind, tokenize
from crscore_core.claims.symbolic.statement import Sort, Statement


@dataclass(frozen=True, slots=True)
class Edit:
    """Source that became other source; one of them is empty for an insertion or deletion."""

    old: str
    new: str


def edits_between(
    old: Sequence[Token], old_text: str, new: Sequence[Token], new_text: str
) -> tuple[Edit, ...]:
    """Return the differing stretches of two tokenized texts, in order."""
    matcher = SequenceMatcher(None, [t.text for t in old], [t.text for t in new], autojunk=False)
    return tuple(
        Edit(_source(old, old_text, i1, i2), _source(new, new_text, j1, j2))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    )


def _source(tokens: Sequence[Token], text: str, first: int, last: int) -> str:
    return text[tokens[first].start : tokens[last - 1].end] if last > first else ""


def text_edits(old: str, new: str) -> tuple[Edit, ...]:
    """Return the differing stretches of two pieces of prose, word by word."""
    before, after = old.split(), new.split()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return tuple(
        Edit(" ".join(before[i1:i2]), " ".join(after[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    )


def renamed_names(old: Sequence[Token], new: Sequence[Token]) -> tuple[str, str] | None:
    """Return the one identifier that became another everywhere, where that is all."""
    if len(old) != len(new):
        return None
    changed = {(a.text, b.text) for a, b in zip(old, new, strict=True) if a.text != b.text}
    kinds = {t.kind for a, b in zip(old, new, strict=True) if a.text != b.text for t in (a, b)}
    if len(changed) != 1 or kinds != {TokenKind.NAME}:
        return None
    return changed.pop()


def balanced(code: str) -> bool:
    """Whether every bracket in `code` has its partner there."""
    return all(code.count(a) == code.count(b) for a, b in ("()", "[]", "{}"))


MAX_WHOLE = 90
"""Characters up to which both versions of an expression are shown whole."""


def contrast(old: str, new: str, language: str | None) -> tuple[str, str]:
    """Return the parts of two versions of an expression that show how they differ.

    Short ones are returned whole; of longer ones the first stretch that differs, with the name
    before it.
    """
    if max(len(old), len(new)) <= MAX_WHOLE:
        return old, new
    before, after = tokenize(old, language), tokenize(new, language)
    same = 0
    for one, other in zip(before, after, strict=False):
        if one.text != other.text:
            break
        same += 1
    first = max(0, same - 3)
    return _source(before, old, first, len(before)), _source(after, new, first, len(after))


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
