"""What the changed code of a file is about, in the words that its names are made of."""

from collections import Counter
from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import Candidate, implication
from crscore_core.claims.symbolic.concerns import concern_of
from crscore_core.claims.symbolic.lexing import TokenKind
from crscore_core.claims.symbolic.naming import SYNTAX
from crscore_core.claims.symbolic.pairing import Block
from crscore_core.claims.symbolic.quoting import listed, spoken
from crscore_core.claims.symbolic.statement import Sort

__all__ = ["gist_of"]

MAX_NAMES = 9
"""Names whose words are told."""

WEIGHT = 45

MAX_BLOCKS = 10
"""Blocks whose names are looked at; more are about too many things to tell."""


def gist_of(blocks: Sequence[Block], line: int | None) -> list[Candidate]:
    """Return what names `blocks` deal with, and which concern those touch most.

    Nothing without any name.
    """
    names = _names(blocks[:MAX_BLOCKS])
    if not names:
        return []
    shown = listed(list(names)[:MAX_NAMES], MAX_NAMES)
    about = implication(f"This affects the handling of {shown}", WEIGHT, line)
    return [about, *concern_of(names, line)]


def _names(blocks: Sequence[Block]) -> Counter[str]:
    """The names in words, each with how often it occurs, those of added code first.

    Comments and strings do not count.
    """
    new = [s for b in blocks for s in (*b.added, *(p.new for p in b.pairs))]
    old = [s for b in blocks for s in (*b.removed, *(p.old for p in b.pairs))]
    names = (
        spoken(token.text)
        for statement in (*new, *old)
        if statement.sort is not Sort.COMMENT
        for token in statement.tokens
        if token.kind is TokenKind.NAME and token.text.casefold() not in SYNTAX
    )
    return Counter(name for name in names if len(name) > 1)
