"""What the changed lines of a file are about, in the words that their names are made of."""

from collections.abc import Iterable

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.candidate import Candidate, implication
from crscore_core.claims.symbolic.lexing import TokenKind, tokenize
from crscore_core.claims.symbolic.quoting import spoken

__all__ = ["gist_of"]

MAX_NAMES = 5
"""Names whose words are told."""

MAX_LINES = 40
"""Changed lines whose names are looked at; more are about too many things to tell."""

_SYNTAX = frozenset(
    "if else elif for while do in of is not and or new return yield def function func fn var let "
    "const val self this super public private protected static final void int string boolean bool "
    "str true false null none nil undefined import from include require use using class try catch "
    "except finally throw raise pass break continue switch case default async await lambda end "
    "then unless package struct type override abstract".split()
)


def gist_of(hunks: Iterable[Hunk], language: str | None, line: int | None) -> list[Candidate]:
    """Return one implication that names what `hunks` deal with, or none without any name.

    Added lines are read before removed ones; comments and strings do not count.
    """
    changed = [each for h in hunks for each in h.lines if each.kind is not LineKind.CONTEXT]
    changed = changed[:MAX_LINES]
    ordered = sorted(changed, key=lambda each: each.kind is LineKind.REMOVED)
    said: dict[str, None] = {}
    for changed_line in ordered:
        for token in tokenize(changed_line.text, language):
            if token.kind is TokenKind.NAME and token.text.casefold() not in _SYNTAX:
                said.setdefault(spoken(token.text))
        if len(said) >= MAX_NAMES:
            break
    names = [words for words in said if words][:MAX_NAMES]
    if not names:
        return []
    return [implication(f"This affects the handling of {', '.join(names)}", 45, line)]
