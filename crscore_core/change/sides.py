"""Compute the full text of one side of a file from the other side."""

from crscore_core.change.model import FileChange, LineKind
from crscore_core.errors import InputError


def apply_hunks(file: FileChange, old_text: str) -> str:
    """Return the new side of a file from its old side.

    Lines end only at line feeds, as in a diff; a carriage return before one is ignored.

    Raises:
        InputError: a line of the text differs from the hunk.
    """
    return _other_side(file, old_text, is_new=False)


def revert_hunks(file: FileChange, new_text: str) -> str:
    """Return the old side of a file from its new side; see `apply_hunks`."""
    return _other_side(file, new_text, is_new=True)


def _other_side(file: FileChange, text: str, *, is_new: bool) -> str:
    lines = text.split("\n")
    other: list[str] = []
    position = 0
    for hunk in file.hunks:
        start = hunk.new_start if is_new else hunk.old_start
        # The header of an empty side gives the line before it.
        start -= bool(hunk.new_count if is_new else hunk.old_count)
        other += lines[position:start]
        position = start
        fits = start <= len(lines)
        for line in hunk.lines:
            if fits and (line.new if is_new else line.old) is None:
                other.append(line.text)
                continue
            given_line = "".join(lines[position : position + 1])
            if not fits or position >= len(lines) or _bare(given_line) != _bare(line.text):
                side, when = ("new", "after") if is_new else ("old", "before")
                raise InputError(
                    f"line {position + 1} of the {side} file given for "
                    f"{(file.path or 'the hunk')[:80]!r} differs from the diff",
                    f"give the version {when} the change",
                )
            if line.kind is LineKind.CONTEXT:
                other.append(given_line)
            position += 1
    return "\n".join([*other, *lines[position:]])


def _bare(line: str) -> str:
    """Strip a byte order mark and a carriage return, which file readers may also strip."""
    return line.removeprefix("\ufeff").rstrip("\r")
