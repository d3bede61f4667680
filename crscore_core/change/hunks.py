"""Hunks of one file.

A hunk is read by the counts of its header, never by how its lines look, so a removed SQL
comment that reads `--- x` stays a removed line.
"""

import dataclasses
import re

from crscore_core.change.cursor import Cursor
from crscore_core.change.model import ChangedLine, Hunk, LineKind

__all__ = ["read_hunks"]

_HEADER = re.compile(
    r"@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@(.*)", re.DOTALL | re.ASCII
)
_MOST_DIGITS = 10
_LARGEST = 2**31 - 1
_KINDS = {kind.value: kind for kind in LineKind}


def read_hunks(cursor: Cursor) -> list[Hunk]:
    """Read the hunks that begin at the current line; they must come in order.

    Raises:
        DiffError: a hunk is malformed, cut off, longer than it says, or overlaps another.
    """
    hunks: list[Hunk] = []
    old_end = new_end = 0
    while cursor.line.startswith("@@"):
        start = cursor.at
        hunk = _read_hunk(cursor)
        # A side without lines is numbered by the line before it.
        old_first = hunk.old_start + (hunk.old_count == 0)
        new_first = hunk.new_start + (hunk.new_count == 0)
        if old_first < old_end or new_first < new_end:
            raise cursor.error(
                "the hunk overlaps or precedes the one before it; "
                "if it belongs to another file, put that file's header above it",
                start,
            )
        old_end, new_end = old_first + hunk.old_count, new_first + hunk.new_count
        hunks.append(hunk)
    return hunks


def _read_hunk(cursor: Cursor) -> Hunk:
    start = cursor.number()
    header = _read_header(cursor)
    cursor.at += 1
    old, new = header.old_start, header.new_start
    old_left, new_left = header.old_count, header.new_count
    lines: list[ChangedLine] = []
    while old_left or new_left or cursor.line.startswith("\\"):
        if cursor.at_end:
            raise cursor.error(
                f"the text ends inside the hunk of line {start}, "
                f"which lacks {old_left} old and {new_left} new lines",
                cursor.at - 1,
            )
        line = cursor.line
        if line.startswith("\\"):
            _mark_last(cursor, lines)
            cursor.at += 1
            continue
        kind, text = _split_mark(line)
        if kind is None:
            raise cursor.error(
                f"not a line of a hunk, but the hunk of line {start} "
                f"lacks {old_left} old and {new_left} new lines"
            )
        on_old, on_new = kind is not LineKind.ADDED, kind is not LineKind.REMOVED
        if old_left < on_old or new_left < on_new:
            raise cursor.error(f"more lines than the hunk of line {start} says")
        lines.append(
            ChangedLine(
                kind, text, old if on_old else None, new if on_new else None, cursor.number()
            )
        )
        old, old_left = old + on_old, old_left - on_old
        new, new_left = new + on_new, new_left - on_new
        cursor.at += 1
    return dataclasses.replace(header, lines=tuple(lines))


def _read_header(cursor: Cursor) -> Hunk:
    """The hunk that a header promises, still without lines."""
    if cursor.line.startswith("@@@"):
        raise cursor.error("a combined diff of a merge; give the diff against one of its parents")
    match = _HEADER.fullmatch(cursor.line)
    if not match:
        raise cursor.error("malformed hunk header; it should read like `@@ -12,5 +12,7 @@`")
    numbers = [digits for digits in match.groups()[:4] if digits is not None]
    if any(len(digits) > _MOST_DIGITS or int(digits) > _LARGEST for digits in numbers):
        raise cursor.error("a number in the hunk header is too large")
    old_start, new_start = int(match[1]), int(match[3])
    old_count = 1 if match[2] is None else int(match[2])
    new_count = 1 if match[4] is None else int(match[4])
    if old_count == new_count == 0:
        raise cursor.error("the hunk header says that the hunk has no lines")
    if (old_start == 0 and old_count) or (new_start == 0 and new_count):
        raise cursor.error("lines are numbered from 1, but the hunk header starts at 0")
    return Hunk(old_start, old_count, new_start, new_count, match[5].strip(), ())


def _split_mark(line: str) -> tuple[LineKind | None, str]:
    """Kind and text of a line; editors and mail strip the blank of an empty context line."""
    if line in {"", "\r"}:
        return LineKind.CONTEXT, line
    return _KINDS.get(line[0]), line[1:]


def _mark_last(cursor: Cursor, lines: list[ChangedLine]) -> None:
    r"""Note `\ No newline at end of file`, in whatever language it is written."""
    if not lines or lines[-1].ends_without_newline:
        raise cursor.error("a no-newline marker that follows no line")
    lines[-1] = dataclasses.replace(lines[-1], ends_without_newline=True)
