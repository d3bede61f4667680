"""Compute the full text of one side of a file from the other side."""

from collections.abc import Iterator
from enum import StrEnum

from crscore_core.change.model import FileChange, Hunk, LineKind
from crscore_core.errors import WholeFileError


class Side(StrEnum):
    """Side of a change: before or after it."""

    OLD = "old"
    NEW = "new"


_ONLY_IN = {Side.OLD: LineKind.REMOVED, Side.NEW: LineKind.ADDED}


def other_side(file: FileChange, text: str, side: Side) -> str:
    """Apply the hunks of `file` to `text`, its old side, or revert them in its new side.

    Lines end only at line feeds, as in a diff; a carriage return before one is ignored.

    Raises:
        WholeFileError: a line of `text` differs from the hunk.
    """
    lines = text.split("\n")
    other: list[str] = []
    position = 0
    for hunk in file.hunks:
        start = _start(hunk, side)
        if start > len(lines):
            numbers = [number for _, _, number in _lines(hunk, side) if number is not None]
            raise _misfit(file, side, min(numbers, default=start))
        other += lines[position:start]
        position = start
        for kind, expected, number in _lines(hunk, side):
            if kind is LineKind.CONTEXT or kind is _ONLY_IN[side]:
                line = lines[position] if position < len(lines) else None
                if line is None or _bare(line) != _bare(expected):
                    raise _misfit(file, side, number)
                position += 1
                if kind is LineKind.CONTEXT:
                    other.append(line)
            else:
                other.append(expected)
    return "\n".join([*other, *lines[position:]])


def _bare(line: str) -> str:
    """Strip a byte order mark and a carriage return, which file readers may also strip."""
    return line.removeprefix("\ufeff").rstrip("\r")


def _misfit(file: FileChange, side: Side, number: int | None) -> WholeFileError:
    when = "after" if side is Side.NEW else "before"
    return WholeFileError(
        f"line {number} of the {side.value} file given for {(file.path or 'the hunk')[:80]!r} "
        f"differs from the diff; give the version {when} the change"
    )


def _start(hunk: Hunk, side: Side) -> int:
    """Count lines before a hunk; the header of an empty side gives the line before it."""
    start, count = (
        (hunk.new_start, hunk.new_count) if side is Side.NEW else (hunk.old_start, hunk.old_count)
    )
    return start - 1 if count else start


def _lines(hunk: Hunk, side: Side) -> Iterator[tuple[LineKind, str, int | None]]:
    for line in hunk.lines:
        yield line.kind, line.text, line.new if side is Side.NEW else line.old
