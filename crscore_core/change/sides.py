"""Compute the full text of one side of a file from the other side."""

from enum import StrEnum

from crscore_core.change.model import FileChange, LineKind
from crscore_core.errors import InputError


class Side(StrEnum):
    """Side of a change: before or after it."""

    OLD = "old"
    NEW = "new"


def other_side(file: FileChange, text: str, side: Side) -> str:
    """Apply the hunks of `file` to `text`, its old side, or revert them in its new side.

    Lines end only at line feeds, as in a diff; a carriage return before one is ignored.

    Raises:
        InputError: a line of `text` differs from the hunk.
    """
    is_new = side is Side.NEW
    lines = text.split("\n")
    other: list[str] = []
    position = 0
    for hunk in file.hunks:
        start, count = (
            (hunk.new_start, hunk.new_count) if is_new else (hunk.old_start, hunk.old_count)
        )
        start -= bool(count)  # the header of an empty side gives the line before it
        numbered = [(line.new if is_new else line.old, line) for line in hunk.lines]
        if start > len(lines):
            numbers = (number for number, _ in numbered if number is not None)
            raise _misfit(file, side, min(numbers, default=start))
        other += lines[position:start]
        position = start
        for number, line in numbered:
            if number is None:
                other.append(line.text)
                continue
            if position >= len(lines) or _bare(lines[position]) != _bare(line.text):
                raise _misfit(file, side, number)
            if line.kind is LineKind.CONTEXT:
                other.append(lines[position])
            position += 1
    return "\n".join([*other, *lines[position:]])


def _bare(line: str) -> str:
    """Strip a byte order mark and a carriage return, which file readers may also strip."""
    return line.removeprefix("\ufeff").rstrip("\r")


def _misfit(file: FileChange, side: Side, number: int) -> InputError:
    when = "after" if side is Side.NEW else "before"
    return InputError(
        f"line {number} of the {side.value} file given for {(file.path or 'the hunk')[:80]!r} "
        f"differs from the diff; give the version {when} the change"
    )
