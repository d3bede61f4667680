"""The lines of a diff, as a page shows them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

from crscore_core.change import (
    ChangedLine,
    CodeChange,
    LineKind,
    normalise_language,
    parse_change,
)
from crscore_core.errors import DiffError, LanguageError
from pages.components.markup.syntax import coloured_lines
from pages.components.markup.visible import visible

__all__ = ["MOST_WIDTH", "DiffLine", "DiffLines", "diff_lines"]

MOST_WIDTH = 2_000
"""Characters of one line that are shown: longer ones are made by machines."""

_MOST_SECONDS = 2.0
"""Time for the colours of one diff, which a diff made to need more does not get."""

_HEADS = ("diff ", "index ", "--- ", "+++ ")
_KINDS = {kind.value: kind for kind in LineKind}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line: its kind, None where it belongs to a header, its numbers, and its text.

    `left_out` is how many characters of the end `markup` lacks.
    """

    kind: LineKind | None
    old: int | None
    new: int | None
    markup: Markup
    is_hunk_head: bool = False
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class DiffLines:
    """Lines to show, how many follow that are not, and why there are no numbers if so."""

    lines: tuple[DiffLine, ...]
    left_out: int
    problem: str | None


def diff_lines(diff: str, language: str | None, most_lines: int) -> DiffLines:
    """The first lines of a diff; of one that cannot be read, by the first character of each.

    Headers, and what is around the diff, stay as they are. `language` is that of files whose
    name does not tell; one that is not known is left out.
    """
    texts = diff.replace("\r\n", "\n").removesuffix("\n").split("\n")
    known: dict[int, DiffLine] = {}
    problem = None
    try:
        known = _known(parse_change(diff, language=_language(language)), most_lines)
    except DiffError as error:
        problem = str(error)
    shown = (
        known.get(at) or _by_first_character(text, is_read=problem is None)
        for at, text in enumerate(texts, 1)
    )
    return DiffLines(tuple(islice(shown, most_lines)), max(0, len(texts) - most_lines), problem)


def _language(name: str | None) -> str | None:
    try:
        return None if name is None else normalise_language(name)
    except LanguageError:
        return None


def _known(change: CodeChange, most_lines: int) -> dict[int, DiffLine]:
    """The lines of hunks by their place in the text of the diff, as far as they are shown."""
    known = {}
    until = time.monotonic() + _MOST_SECONDS
    for file in change.files:
        for hunk in file.hunks:
            lines = [line for line in hunk.lines if line.position <= most_lines]
            markups = _coloured(lines, file.language, until)
            for line, markup in zip(lines, markups, strict=True):
                known[line.position] = DiffLine(
                    line.kind,
                    line.old,
                    line.new,
                    markup,
                    left_out=max(0, len(line.text) - MOST_WIDTH),
                )
    return known


def _coloured(lines: Sequence[ChangedLine], language: str | None, until: float) -> list[Markup]:
    """Each line in the colours it has among those of its side, as a comment may span several."""
    sides = {
        gone: iter(
            coloured_lines(
                [line.text[:MOST_WIDTH] for line in lines if line.kind is not gone],
                language,
                until,
            )
        )
        for gone in (LineKind.ADDED, LineKind.REMOVED)
    }
    markups = []
    for line in lines:
        of_each = [next(side) for gone, side in sides.items() if line.kind is not gone]
        markups.append(of_each[-1])
    return markups


def _by_first_character(text: str, *, is_read: bool) -> DiffLine:
    """A line that is in no hunk, or of a diff that could not be read."""
    kind = None
    if not is_read and not text.startswith(_HEADS):
        kind = _KINDS.get(text[:1])
    # The mark has a place of its own beside a line that has a kind.
    whole = text if kind is None else text[1:]
    return DiffLine(
        kind,
        None,
        None,
        visible(whole[:MOST_WIDTH]),
        is_hunk_head=text.startswith("@@"),
        left_out=max(0, len(whole) - MOST_WIDTH),
    )
