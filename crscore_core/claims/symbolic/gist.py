"""What the changed code of a file is about, in the words that its names are made of."""

from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import Candidate, implication
from crscore_core.claims.symbolic.lexing import TokenKind
from crscore_core.claims.symbolic.pairing import Block
from crscore_core.claims.symbolic.quoting import listed, spoken
from crscore_core.claims.symbolic.statement import Sort

__all__ = ["gist_of"]

MAX_NAMES = 5
"""Names whose words are told."""

MAX_BLOCKS = 10
"""Blocks whose names are looked at; more are about too many things to tell."""

_SYNTAX = frozenset(
    """
    if else elif for while do in of as with is not and or new return yield def function
    func fn var let const val self this super public private protected static final void
    int string boolean bool str true false null none nil undefined import from include
    require use using class try catch except finally throw raise pass break continue
    switch case default async await lambda end then unless package struct type override
    abstract instanceof typeof sizeof delete object throws extends implements export nullptr
    internal interface enum trait namespace readonly virtual sealed native volatile synchronized
    fi esac done endif
    foreach elif elsif elseif unless until begin defer go chan range make append len print println
    printf sprintf fprintf puts echo error exception dict set tuple double float long short byte
    char unsigned signed any unknown never number list isset cls nonlocal global del assert
    template typename auto operator std console enumerate zip
    """.split()
)


def gist_of(blocks: Sequence[Block], line: int | None) -> list[Candidate]:
    """Return one implication that names what `blocks` deal with, or none without any name.

    Added code is read before removed code; comments and strings do not count.
    """
    shown = blocks[:MAX_BLOCKS]
    new = [s for b in shown for s in (*b.added, *(p.new for p in b.pairs))]
    old = [s for b in shown for s in (*b.removed, *(p.old for p in b.pairs))]
    said: dict[str, None] = {}
    for statement in (*new, *old):
        if statement.sort is Sort.COMMENT:
            continue
        for token in statement.tokens:
            if token.kind is TokenKind.NAME and token.text.casefold() not in _SYNTAX:
                said.setdefault(spoken(token.text))
        if len(said) > 2 * MAX_NAMES:
            break
    names = [words for words in said if len(words) > 1][:MAX_NAMES]
    if not names:
        return []
    return [implication(f"This affects the handling of {listed(names, MAX_NAMES)}", 45, line)]
