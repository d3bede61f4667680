"""Read the hunks of a file.

The counts in the header determine where a hunk ends, not the look of its lines: a removed SQL
comment that reads `--- x` stays a removed line.
"""

import dataclasses
import re

from crscore_core.change.cursor import Cursor
from crscore_core.change.model import ChangedLine, Hunk, LineKind

_HEADER = re.compile(
    r"@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@(.*)", re.DOTALL | re.ASCII
)
_MOST_DIGITS = 10
_LARGEST = 2**31 - 1
_MARKER = "\\ "
_STRIPPED = {"", "\r"}
"""Empty context lines from which an editor or mail program stripped the space."""
_MARKED_WORDS = re.compile(r"\[-.*?-\]|\{\+.*?\+\}", re.DOTALL)
_WORD_DIFF = "this is a word diff (`git diff --word-diff`); give a line diff"
_KINDS = {kind.value: kind for kind in LineKind}


def read_hunks(cursor: Cursor, hunks: list[Hunk]) -> None:
    """Append hunks that start at the current line to the earlier `hunks` of the same file."""
    while cursor.line.startswith("@@"):
        start = cursor.index
        hunk = _read_hunk(cursor)
        _check_changed(cursor, hunk, start)
        if hunks:
            hunk = _without_overlap(hunks[-1], hunk)
            _check_order(cursor, hunks[-1], hunk, start)
        if cursor.line.startswith("@@") and _ends_like_names(hunk):
            cursor.warn(
                "and the one above it look like file names, but belong to the hunk by its "
                "counts and were read as changed lines",
                cursor.index - 1,
            )
        hunks.append(hunk)


def _ends_like_names(hunk: Hunk) -> bool:
    """Return True if the last lines look like names of the next file: the hunk may be cut off."""
    if len(hunk.lines) < 2:
        return False
    old, new = hunk.lines[-2:]
    return (
        (old.kind, new.kind) == (LineKind.REMOVED, LineKind.ADDED)
        and old.text.startswith("-- ")
        and new.text.startswith("++ ")
    )


def _check_changed(cursor: Cursor, hunk: Hunk, start: int) -> None:
    """Reject a word diff in a hunk without changed lines; otherwise warn about such a hunk."""
    if all(line.kind is LineKind.CONTEXT for line in hunk.lines):
        if _MARKED_WORDS.search(hunk.new_text):
            raise cursor.error(_WORD_DIFF, start)
        cursor.warn("starts a hunk without a changed line, which no line diff prints", start)


def _without_overlap(before: Hunk, hunk: Hunk) -> Hunk:
    """Drop the first lines if they repeat context, as printed by `git diff -W`."""
    count = before.old_start + before.old_count - hunk.old_start
    if not 0 < count < len(hunk.lines):
        return hunk
    ends, starts = (
        [(line.old, line.new, line.text) for line in lines if line.kind is LineKind.CONTEXT]
        for lines in (before.lines[-count:], hunk.lines[:count])
    )
    if len(starts) < count or ends != starts:
        return hunk
    return Hunk(
        hunk.old_start + count,
        hunk.old_count - count,
        hunk.new_start + count,
        hunk.new_count - count,
        hunk.section,
        hunk.lines[count:],
    )


def _check_order(cursor: Cursor, before: Hunk, hunk: Hunk, start: int) -> None:
    if (
        _first(hunk.old_start, hunk.old_count) < _end(before.old_start, before.old_count)
        or _first(hunk.new_start, hunk.new_count) < _end(before.new_start, before.new_count)
    ):  # fmt: skip
        raise cursor.error(
            "the hunk overlaps or precedes the one before it; "
            "if it belongs to another file, put that file's header above it",
            start,
        )
    if any(line.ends_without_newline for line in before.lines):
        raise cursor.error("a hunk after the end of the file", start)


def _first(start: int, count: int) -> int:
    """Return the first line of a range; the header of an empty one gives the line before it."""
    return start if count else start + 1


def _end(start: int, count: int) -> int:
    return _first(start, count) + count


def _read_hunk(cursor: Cursor) -> Hunk:
    start = cursor.number()
    header = _read_header(cursor)
    cursor.index += 1
    old, new = header.old_start, header.new_start
    old_end, new_end = old + header.old_count, new + header.new_count
    lines: list[ChangedLine] = []
    while old < old_end or new < new_end:
        if cursor.at_end:
            raise cursor.error(
                f"the text ends inside the hunk on line {start} (old lines missing: "
                f"{old_end - old}, new: {new_end - new})",
                cursor.index - 1,
            )
        line = cursor.lines[cursor.index]
        if line.startswith(_MARKER):
            _mark_last(cursor, lines, old_goes_on=old < old_end, new_goes_on=new < new_end)
            continue
        if line in _STRIPPED:
            line = " " + line
        kind = _KINDS.get(line[0])
        if kind is None:
            if line == "~" or _MARKED_WORDS.search(line):
                raise cursor.error(_WORD_DIFF)
            raise cursor.error(
                f"not a line of a hunk, but the hunk on line {start} is incomplete (old lines "
                f"missing: {old_end - old}, new: {new_end - new})"
            )
        old_number = old if kind is not LineKind.ADDED else None
        new_number = new if kind is not LineKind.REMOVED else None
        if old_number == old_end or new_number == new_end:
            raise cursor.error(f"more lines than the hunk header on line {start} declares")
        cursor.index += 1
        lines.append(ChangedLine(kind, line[1:], old_number, new_number, cursor.index))
        old += old_number is not None
        new += new_number is not None
    if cursor.line.startswith(_MARKER):
        _mark_last(cursor, lines, old_goes_on=False, new_goes_on=False)
    return dataclasses.replace(header, lines=tuple(lines))


def _read_header(cursor: Cursor) -> Hunk:
    """Read a hunk header into a hunk without lines."""
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
        raise cursor.error("the hunk header declares no lines")
    if (old_start == 0 and old_count) or (new_start == 0 and new_count):
        raise cursor.error("lines are numbered from 1, but the hunk header starts at 0")
    return Hunk(old_start, old_count, new_start, new_count, match[5].strip(), ())


def _mark_last(
    cursor: Cursor, lines: list[ChangedLine], *, old_goes_on: bool, new_goes_on: bool
) -> None:
    r"""Record `\ No newline at end of file`, in any language."""
    if not lines or lines[-1].ends_without_newline:
        raise cursor.error("a no-newline marker without a line before it")
    last = lines[-1]
    if last.kind is LineKind.CONTEXT and old_goes_on != new_goes_on:
        side = "new" if old_goes_on else "old"
        cursor.warn(f"applies only to the {side} file, as printed by `git diff --ignore-cr-at-eol`")
    elif (old_goes_on and last.old is not None) or (new_goes_on and last.new is not None):
        raise cursor.error("a no-newline marker, but the hunk header declares more lines")
    else:
        lines[-1] = dataclasses.replace(last, ends_without_newline=True)
    cursor.index += 1
