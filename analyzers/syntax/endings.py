"""What may be put after the end of torn code."""

import re
from collections.abc import Sequence

from analyzers.syntax.grammar import Ending, Grammar
from analyzers.syntax.outline import Outline

__all__ = ["endings"]

_PAIRS = {"(": "()", "[": "[]", "{": "{}"}
_MOST = 24


def endings(grammar: Grammar, shape: Outline, *, in_list: bool) -> list[str]:
    """Texts that may complete what `shape` leaves open, likeliest first.

    `in_list` is whether the code that is in no open bracket is a list.
    """
    start = shape.open_quote.closing if shape.open_quote else None
    # A torn text may hold anything, so that nothing is known of what came after it.
    results = [start or ""]
    levels = [("", in_list), *((one.bracket, one.bracket != "{") for one in shape.opened)]
    results = _with(results, _endings(grammar, shape.rest, *levels[-1]))
    for index in range(len(shape.opened) - 1, -1, -1):
        opener = shape.opened[index]
        closing = next(
            one
            for one in grammar.closings
            if one.bracket == opener.bracket and re.search(one.head, opener.head)
        )
        results = [text + closing.text for text in results]
        if not closing.ends:
            statement = f"{opener.head} {_PAIRS[opener.bracket]}".lstrip()
            results = _with(results, _endings(grammar, statement, *levels[index]))
    return results


def _endings(grammar: Grammar, rest: str, bracket: str, in_list: bool) -> list[str]:  # noqa: FBT001
    tables = [grammar.list_endings if in_list else grammar.endings]
    if bracket == "{":  # a block or a list of values
        tables.append(grammar.list_endings)
    texts = [text for table in tables for text in _first_fit(table, rest)]
    return list(dict.fromkeys(texts))


def _first_fit(table: Sequence[Ending], rest: str) -> tuple[str, ...]:
    return next((one.texts for one in table if re.search(one.rest, rest)), ("",))


def _with(starts: list[str], ends: list[str]) -> list[str]:
    """All pairs, those of likely parts first."""
    pairs = sorted(
        ((i + j, start + end) for i, start in enumerate(starts) for j, end in enumerate(ends)),
        key=lambda pair: pair[0],
    )
    return [text for _, text in pairs[:_MOST]]
