"""Read rows that change only in their layout as unchanged rows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice, product

from crscore_core.change import ChangedLine, Hunk, LineKind
from crscore_core.claims.symbolic import lexer
from crscore_core.claims.symbolic.patterns import languages

_MAX_COMPARED = 100  # consecutive changed rows of a side that are compared


def without_layout(hunk: Hunk, language: str | None) -> Hunk:
    """Return a hunk in which rows that change only in their layout are unchanged."""
    if language not in languages("free_form by_line"):
        return hunk
    sides = (LineKind.REMOVED, LineKind.ADDED)
    old_codes, new_codes = (iter(_codes(hunk.lines, side, language)) for side in sides)
    lines: list[ChangedLine] = []
    for is_context, group in groupby(hunk.lines, lambda line: line.kind is LineKind.CONTEXT):
        changed = list(group)
        if is_context:
            lines += changed
            continue
        old, new = ([line for line in changed if line.kind is side] for side in sides)
        was, now = list(islice(old_codes, len(old))), list(islice(new_codes, len(new)))
        start = new_start = 0
        for before, after in _same_runs(was, now):
            lines += (*old[start : before.start], *new[new_start : after.start])
            lines += (replace(new[row], kind=LineKind.CONTEXT) for row in after)
            start, new_start = before.stop, after.stop
        lines += (*old[start:], *new[new_start:])
    return replace(hunk, lines=tuple(lines))


def _same_runs(old: Sequence[list[str]], new: Sequence[list[str]]) -> Iterator[tuple[range, range]]:
    """Yield runs of rows on both sides that have the same code and indentation, in order."""
    before = after = range(0)
    is_short = max(len(old), len(new)) <= _MAX_COMPARED
    for start, new_start in product(range(len(old)), range(len(new))) if is_short else ():
        if start < before.stop or new_start < after.stop:
            continue
        end, new_end = start + 1, new_start + 1
        was, now = old[start], new[new_start]
        while was != now:
            if was == now[: len(was)] and end < len(old):
                was, end = was + old[end][1:], end + 1
            elif now == was[: len(now)] and new_end < len(new):
                now, new_end = now + new[new_end][1:], new_end + 1
            else:
                break
        if was == now and len(was) > 1:
            end += next((i for i, code in enumerate(old[end:]) if code[1:]), len(old) - end)
            blank = (i for i, code in enumerate(new[new_end:]) if code[1:])
            new_end += next(blank, len(new) - new_end)
            before, after = range(start, end), range(new_start, new_end)
            yield before, after


def _codes(lines: Sequence[ChangedLine], side: LineKind, language: str | None) -> list[list[str]]:
    """Return the indentation and the code of each changed line of a side, without needless signs.

    If line breaks end statements, a row outside brackets has its indentation twice.
    """
    side_lines = [line for line in lines if line.kind in {LineKind.CONTEXT, side}]
    texts = [line.text for line in side_lines]
    tokens = lexer.tokenize("\n".join(texts), language)
    needless = lexer.needless(tokens)
    codes = [[text[: -len(text.lstrip()) or None]] for text in texts]
    depth, end = 0, -1
    for index, token in enumerate(tokens):
        is_start = depth == 0 and token.text not in {*lexer.CLOSERS, *lexer.LINKS}
        if is_start and token.row > end and language in languages("by_line"):
            codes[token.row].append(codes[token.row][0])
        depth = max(depth - lexer.closing_surplus([token]), 0)
        codes[token.row] += [token.text] * (index not in needless)
        end = token.row + token.extra_rows
        for row in range(token.row + 1, end + 1):
            codes[row].append(texts[row])
    return [code for code, line in zip(codes, side_lines, strict=True) if line.kind is side]
