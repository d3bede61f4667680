"""What may be put after the end of torn code."""

import re
from collections.abc import Iterable

from analyzers.syntax.grammar import Closing, Grammar
from analyzers.syntax.outline import DIRECTIVE, HOLE, Opener, Outline

__all__ = ["endings", "without_directives"]

_PAIRS = {"(": "()", "[": "[]"}
_MOST = 30
_ENDIF = "\n#endif\n"

_Costly = list[tuple[int, str]]


def endings(grammar: Grammar, shape: Outline, *, in_list: bool) -> _Costly:
    """Texts that may complete what `shape` leaves open, likeliest first, and how unlikely.

    `in_list` is whether the code that is in no open bracket is a list.
    """
    closings = [_closing(grammar, opener) for opener in shape.opened]
    lists = [in_list]
    for opener, closing in zip(shape.opened, closings, strict=True):
        lists.append(lists[-1] if opener.bracket == DIRECTIVE else closing.is_list)
    found: _Costly = [(0, "")]
    if not (shape.opened and shape.opened[-1].quote):
        found = _with(found, _ends(grammar, shape.rest, in_list=lists[-1]))
    for index in range(len(closings) - 1, -1, -1):
        opener, closing = shape.opened[index], closings[index]
        found = [(cost, text + closing.text) for cost, text in found]
        if not closing.ends:
            found = _with(found, _ends(grammar, _closed(opener), in_list=lists[index]))
    return found


def without_directives(ending: str) -> str:
    """One of those texts, for code without directives."""
    return ending.replace(_ENDIF, "")


def _closing(grammar: Grammar, opener: Opener) -> Closing:
    if opener.quote is not None:
        return Closing("", "", opener.quote.closing or "")
    if opener.bracket == DIRECTIVE:
        return Closing("", "", _ENDIF, ends=True)
    if opener.bracket == HOLE:
        return Closing("", "", "}", ends=True, is_list=True)
    return next(
        one
        for one in grammar.closings
        if one.bracket == opener.bracket and re.search(one.head, opener.head)
    )


def _closed(opener: Opener) -> str:
    """The statement with what `opener` opened."""
    if opener.quote is None:
        return f"{opener.head} {_PAIRS.get(opener.bracket, '{}')}".lstrip()
    return opener.head if opener.quote.is_comment else f'{opener.head} ""'.lstrip()


def _ends(grammar: Grammar, rest: str, *, in_list: bool) -> Iterable[tuple[int, str]]:
    table = grammar.list_endings if in_list else grammar.endings
    return enumerate(next(one.texts for one in table if re.search(one.rest, rest)))


def _with(starts: _Costly, ends: Iterable[tuple[int, str]]) -> _Costly:
    ends = list(ends)
    pairs = [(a + b, start + end) for a, start in starts for b, end in ends]
    return sorted(pairs, key=lambda pair: pair[0])[:_MOST]
