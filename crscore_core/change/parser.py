"""Clean lines of a diff -> files with their hunks.

What does not add up is an error with its line; what is no part of a diff is stepped over.
"""

from dataclasses import dataclass, field

from crscore_core.change.cursor import Cursor
from crscore_core.change.git_header import read_git_header, read_names
from crscore_core.change.hunks import read_hunks
from crscore_core.change.model import FileStatus, Hunk
from crscore_core.change.names import binary_names, is_binary_note, plain_name, strip_prefixes
from crscore_core.change.outside import Outside
from crscore_core.change.text import DiffText

__all__ = ["FilePart", "parse_files"]


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

    @property
    def has_name(self) -> bool:
        """Whether a header named the file."""
        return self.old_path is not None or self.new_path is not None


def parse_files(text: DiffText) -> list[FilePart]:
    """Read all files of a diff; what is ignored is added to `text.warnings`.

    Raises:
        DiffError: the text holds no diff, or a part of it cannot be read exactly.
    """
    cursor = Cursor(text)
    outside = Outside(cursor)
    files: list[FilePart] = []
    while not cursor.at_end:
        line = cursor.line
        if line.startswith("@@") and not line.startswith("@@@"):
            _read_bare_hunks(cursor, outside, files)
        elif part := _read_part(cursor):
            files.append(part)
        else:
            outside.skip()
            continue
        outside.after_part()
    if not files:
        raise cursor.error(
            "no diff found: neither a hunk (`@@ -1,2 +1,3 @@`) nor a file header "
            "(`diff --git a/x b/x`)",
            0,
        )
    return files


def _read_bare_hunks(cursor: Cursor, outside: Outside, files: list[FilePart]) -> None:
    """Read hunks without a file header: more of the file before, or of a file without name."""
    if outside.file_goes_on and files[-1].has_name:
        _add_hunks(cursor, files[-1])
        return
    outside.before_bare_hunk()
    files.append(FilePart())
    _add_hunks(cursor, files[-1])


def _read_part(cursor: Cursor) -> FilePart | None:
    """Read the file whose header begins at the current line; None where none does."""
    line = cursor.line
    if line.startswith("diff --git "):
        return _git_file(cursor)
    if line.startswith("--- "):
        return _plain_file(cursor)
    if line.startswith(("@@@", "diff --cc ", "diff --combined ")):
        raise cursor.error("a combined diff of a merge; give the diff against one of its parents")
    if line.startswith("+++ "):
        raise cursor.error("`+++` without a `---` line before it")
    if is_binary_note(line):
        return _binary_file(cursor)
    return None


def _git_file(cursor: Cursor) -> FilePart:
    start = cursor.at
    header = read_git_header(cursor)
    fields = header.fields
    part = FilePart(
        header.old_path,
        header.new_path,
        is_binary=header.is_binary,
        old_mode=fields.get("old mode") or fields.get("deleted file mode") or fields.get("index"),
        new_mode=fields.get("new mode") or fields.get("new file mode") or fields.get("index"),
    )
    if "rename from" in fields:
        part.status = FileStatus.RENAMED
    elif "copy from" in fields:
        part.status = FileStatus.COPIED
    _settle(cursor, part, start)
    if cursor.line.startswith("@@"):
        _add_hunks(cursor, part)
    elif not (fields.keys() - {"index"} or part.is_binary):
        cursor.warn("names a file without any change", start)
    return part


def _plain_file(cursor: Cursor) -> FilePart:
    start = cursor.at
    part = FilePart(*strip_prefixes(*read_names(cursor), cursor.number(start)))
    _settle(cursor, part, start)
    _add_hunks(cursor, part)
    return part


def _binary_file(cursor: Cursor) -> FilePart:
    old, new = binary_names(cursor.line, cursor.number())
    names = _or_absent(cursor, old), _or_absent(cursor, new)
    part = FilePart(*strip_prefixes(*names, cursor.number()), is_binary=True)
    _settle(cursor, part, cursor.at)
    cursor.at += 1
    return part


def _or_absent(cursor: Cursor, text: str) -> str | None:
    return None if text == "/dev/null" else plain_name(text, cursor.number())


def _settle(cursor: Cursor, part: FilePart, start: int) -> None:
    """Derive added and deleted from the absent side."""
    if not part.has_name:
        raise cursor.error("neither side names a file", start)
    if "\ufffd" in f"{part.old_path}{part.new_path}":
        cursor.warn("begins a file whose name is not UTF-8 and is shown with U+FFFD", start)
    if part.old_path is None:
        part.status = FileStatus.ADDED
    elif part.new_path is None:
        part.status = FileStatus.DELETED


def _add_hunks(cursor: Cursor, part: FilePart) -> None:
    """Read the hunks that begin at the current line and see that the file can have them."""
    start, known = cursor.at, len(part.hunks)
    if part.is_binary:
        raise cursor.error("a text hunk in a binary file")
    read_hunks(cursor, part.hunks)
    for hunk in part.hunks[known:]:
        if part.status is FileStatus.ADDED and hunk.old_count:
            raise cursor.error("a new file with lines of an old one", start)
        if part.status is FileStatus.DELETED and hunk.new_count:
            raise cursor.error("a deleted file with lines left in it", start)
