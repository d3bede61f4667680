"""Read hunks.

The counts in the header determine where a hunk ends, not the look of its lines: a removed SQL
comment that reads `--- x` stays a removed line.
"""

import re

from crscore_core.change.cursor import Cursor
from crscore_core.change.model import ChangedLine, Hunk, LineKind
from crscore_core.errors import InputError

FENCE = re.compile(r" {0,3}(?:`{3}|~{3})")
"""The start of a line that opens or closes a Markdown fence."""

_HEADER = re.compile(
    r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)", re.DOTALL | re.ASCII
)
_MARKER = "\\ "
_MARKED_WORDS = re.compile(r"\[-.*?-\]|\{\+.*?\+\}", re.DOTALL)
_MAX_MARKED = 4_000
_MAX_SEARCHED = 200  # lines of a hunk that does not fit its header to search for marked words
_WORD_DIFF = "this is a word diff (`git diff --word-diff`); give a line diff"
_KINDS = {kind.value: kind for kind in LineKind}
_STRIPPED_LINES = {"", "\r"}
"""Empty context lines from which an editor or mail program stripped the space."""


def read_hunk(cursor: Cursor) -> Hunk:
    """Read the hunk that starts at the current line.

    If the text or its Markdown fence ends before the hunk does, the hunk is an excerpt, as in
    review comments of GitHub: its ranges are computed from its lines, and a warning is added.
    """
    start, header = cursor.index, _HEADER.fullmatch(cursor.line)
    if not header:
        raise cursor.error("malformed hunk header; it should read like `@@ -12,5 +12,7 @@`")
    old, n_old, new, n_new = (int(number or 1) for number in header.groups()[:4])
    if n_old == n_new == 0:
        raise cursor.error("the hunk header declares no lines")
    if (old == 0 and n_old) or (new == 0 and n_new):
        raise cursor.error("lines are numbered from 1, but the hunk header starts at 0")
    cursor.index += cursor.header_step
    lines = _read_lines(cursor, range(old, old + n_old), range(new, new + n_new))
    old_missing = n_old - sum(line.old is not None for line in lines)
    new_missing = n_new - sum(line.new is not None for line in lines)
    if old_missing or new_missing:
        missing = f"(missing: {old_missing} old and {new_missing} new lines)"
        if not lines or not (cursor.at_end or FENCE.match(cursor.line)):
            raise _incomplete_hunk_error(cursor, start, missing)
        cursor.warn(f"starts a hunk that is shorter than its header says {missing}", start)
    old -= n_old == old_missing > 0  # the header of an empty range gives the line before it
    new -= n_new == new_missing > 0
    ranges = old, n_old - old_missing, new, n_new - new_missing
    hunk = Hunk(*ranges, header[5].strip(), tuple(lines))
    if all(line.kind is LineKind.CONTEXT for line in lines):
        if _MARKED_WORDS.search(hunk.new_text[:_MAX_MARKED]):
            raise cursor.error(_WORD_DIFF, start)
        cursor.warn("starts a hunk without a changed line", start)
    return hunk


def _read_lines(cursor: Cursor, olds: range, news: range) -> list[ChangedLine]:
    """Read the lines of a hunk, as many as these ranges or the text have."""
    old, new = olds.start, news.start
    lines: list[ChangedLine] = []
    while not cursor.at_end:
        line = cursor.line
        if line.startswith(_MARKER):
            cursor.index += 1
            continue
        if line in _STRIPPED_LINES:
            line = " " + line
        kind = _KINDS.get(line[0])
        old_number = old if kind is not LineKind.ADDED else None
        new_number = new if kind is not LineKind.REMOVED else None
        if kind is None or old_number == olds.stop or new_number == news.stop:
            break
        cursor.index += 1
        lines.append(ChangedLine(kind, line[1:], old_number, new_number, cursor.index))
        old += old_number is not None
        new += new_number is not None
    return lines


def follows(before: Hunk, hunk: Hunk) -> bool:
    """Return True if a hunk can follow the hunk `before` in the same file."""
    # The header of an empty range gives the line before it.
    old_gap = hunk.old_start + (not hunk.old_count) - before.old_start - (before.old_count or 1)
    new_gap = hunk.new_start + (not hunk.new_count) - before.new_start - (before.new_count or 1)
    return old_gap >= 0 and new_gap >= 0


def _incomplete_hunk_error(cursor: Cursor, start: int, missing: str) -> InputError:
    """Return the error about the line at which an incomplete hunk stops."""
    for index, line in enumerate(cursor.lines[start + 1 : start + _MAX_SEARCHED], start + 1):
        if line.startswith(("@@ ", "diff ")):
            break
        if line == "~" or _MARKED_WORDS.search(line[:_MAX_MARKED]):
            return cursor.error(_WORD_DIFF, index)
    if cursor.at_end:
        return cursor.error(f"the text ends inside the hunk on line {start + 1} {missing}", start)
    return cursor.error(f"it does not fit the header of the hunk on line {start + 1} {missing}")
