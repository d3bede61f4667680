"""Clean lines of a diff -> files with their hunks.

What does not add up is an error with its line; what is no part of a diff and stands right
after a hunk, where it could be a damaged part of it, is a warning.
"""

import re
from dataclasses import dataclass, field

from crscore_core.change.cursor import Cursor
from crscore_core.change.git_header import BINARY, read_git_header, read_names
from crscore_core.change.hunks import read_hunks
from crscore_core.change.model import FileStatus, Hunk
from crscore_core.change.names import header_name, strip_prefixes
from crscore_core.change.text import DiffText

__all__ = ["FilePart", "parse_files"]

_FLOWED = re.compile(r"content-type:.*format=flowed", re.IGNORECASE)
_BETWEEN_FILES = (
    "Index: ", "=====", "Only in ", "Property changes on: ", "commit ", "From ", "diff ", "# ",
)  # fmt: skip


@dataclass(slots=True)
class FilePart:
    """What a diff says of one file, before its language is known."""

    old_path: str | None = None
    new_path: str | None = None
    status: FileStatus = FileStatus.MODIFIED
    hunks: list[Hunk] = field(default_factory=list)
    is_binary: bool = False
    old_mode: str | None = None
    new_mode: str | None = None


def parse_files(text: DiffText) -> list[FilePart]:
    """Read all files of a diff; what is ignored is added to `text.warnings`.

    Raises:
        DiffError: the text holds no diff, or a part of it cannot be read exactly.
    """
    cursor = Cursor(text)
    files: list[FilePart] = []
    after_hunk = False
    while not cursor.at_end:
        part = _read_part(cursor)
        if part is not None:
            files.append(part)
            after_hunk = bool(part.hunks)
            continue
        line = cursor.line.rstrip("\r")
        if line.rstrip() == "--":  # the signature of a mail
            after_hunk = False
        elif after_hunk and line:
            after_hunk = False
            _leave_hunk(cursor)
        cursor.at += 1
    if not files:
        raise cursor.error(
            "no diff found: neither a hunk (`@@ -1,2 +1,3 @@`) nor a file header "
            "(`diff --git a/x b/x`)",
            0,
        )
    return files


def _read_part(cursor: Cursor) -> FilePart | None:
    """Read the file that begins at the current line; None where none does."""
    line = cursor.line
    if line.startswith("diff --git "):
        return _git_file(cursor)
    if line.startswith("--- "):
        return _plain_file(cursor)
    if line.startswith(("@@@", "diff --cc ", "diff --combined ")):
        raise cursor.error("a combined diff of a merge; give the diff against one of its parents")
    if line.startswith("@@"):
        return FilePart(hunks=read_hunks(cursor))
    if line.startswith("+++ "):
        raise cursor.error("`+++` without a `---` line before it")
    if binary := BINARY.fullmatch(line):
        return _binary_file(cursor, binary[1], binary[2])
    if _FLOWED.match(line):
        raise cursor.error("this mail is format=flowed, which rewraps lines; attach the diff")
    return None


def _leave_hunk(cursor: Cursor) -> None:
    """Judge the first line after a complete hunk that begins nothing known."""
    if cursor.line[0] in " +-":
        raise cursor.error("more lines than the hunk above it says")
    if not cursor.line.startswith(_BETWEEN_FILES):
        cursor.warn("stands outside of any hunk and was ignored")


def _git_file(cursor: Cursor) -> FilePart:
    start = cursor.at
    header = read_git_header(cursor)
    fields = header.fields
    part = FilePart(
        header.old_path,
        header.new_path,
        is_binary=header.is_binary,
        old_mode=fields.get("old mode") or fields.get("deleted file mode"),
        new_mode=fields.get("new mode") or fields.get("new file mode"),
    )
    if "rename from" in fields:
        part.status = FileStatus.RENAMED
    elif "copy from" in fields:
        part.status = FileStatus.COPIED
    if cursor.line.startswith("@@"):
        if part.is_binary:
            raise cursor.error("a text hunk in a binary file")
        part.hunks = read_hunks(cursor)
    elif cursor.line.startswith("+++ "):
        raise cursor.error("`+++` without a `---` line before it")
    elif not (fields or part.is_binary):
        cursor.warn("names a file without any change", start)
    return _settle(cursor, part, start)


def _plain_file(cursor: Cursor) -> FilePart:
    start = cursor.at
    part = FilePart(*strip_prefixes(*read_names(cursor), cursor.number(start)))
    part.hunks = read_hunks(cursor)
    return _settle(cursor, part, start)


def _binary_file(cursor: Cursor, old: str, new: str) -> FilePart:
    start = cursor.at
    names = header_name(old, cursor.number()), header_name(new, cursor.number())
    part = FilePart(*strip_prefixes(*names, cursor.number()), is_binary=True)
    cursor.at += 1
    return _settle(cursor, part, start)


def _settle(cursor: Cursor, part: FilePart, start: int) -> FilePart:
    """Derive added and deleted from the absent side, and see that the hunks agree."""
    if part.old_path is None and part.new_path is None:
        raise cursor.error("neither side names a file", start)
    if part.old_path is None:
        part.status = FileStatus.ADDED
    elif part.new_path is None:
        part.status = FileStatus.DELETED
    for hunk in part.hunks:
        if part.status is FileStatus.ADDED and hunk.old_count:
            raise cursor.error("a new file with lines of an old one", start)
        if part.status is FileStatus.DELETED and hunk.new_count:
            raise cursor.error("a deleted file with lines left in it", start)
    return part
