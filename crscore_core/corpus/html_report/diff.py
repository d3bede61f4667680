"""The lines of a diff, as the report shows them."""

from dataclasses import dataclass

from crscore_core.change import ChangedLine, LineKind, parse_change
from crscore_core.errors import DiffError

__all__ = ["MOST_LINES", "DiffLine", "DiffView", "diff_view"]

MOST_LINES = 600
"""Lines of one diff that are shown: nobody reads more of it."""

_MOST_WIDE = 2_000
"""Characters of one line that are shown: longer ones are made by machines."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line: `kind` is a name of `LineKind`, or `HEAD`; `sign` and numbers are empty there."""

    kind: str
    sign: str
    old: int | str
    new: int | str
    text: str
    left_out: int


@dataclass(frozen=True, slots=True)
class DiffView:
    """The first `MOST_LINES` lines, and how many follow."""

    lines: tuple[DiffLine, ...]
    left_out: int


def diff_view(diff: str) -> DiffView:
    """A diff line by line, with the numbers that its hunks give; one that is none, without."""
    texts = diff.replace("\r\n", "\n").removesuffix("\n").split("\n")
    known: dict[int, ChangedLine] = {}
    try:
        change = parse_change(diff, guess=False)
    except DiffError:
        pass  # each line is then a head, as it stands
    else:
        known = {
            line.position: line
            for file in change.files
            for hunk in file.hunks
            for line in hunk.lines
            if line.position <= MOST_LINES
        }
    lines = tuple(
        _line(text, known.get(position)) for position, text in enumerate(texts[:MOST_LINES], 1)
    )
    return DiffView(lines, max(0, len(texts) - MOST_LINES))


def _line(text: str, line: ChangedLine | None) -> DiffLine:
    left_out = max(0, len(text) - _MOST_WIDE)
    if line is None:
        return DiffLine("HEAD", "", "", "", text[:_MOST_WIDE], left_out)
    kind: LineKind = line.kind
    shown = line.text[:_MOST_WIDE]
    return DiffLine(
        kind.name, kind.value, line.old or "", line.new or "", shown, len(line.text) - len(shown)
    )
