"""Read file headers: the names above hunks, and git's extended header."""

import re
from dataclasses import replace

from crscore_core.change.cursor import Cursor
from crscore_core.change.model import FileChange, FileStatus, LanguageSource
from crscore_core.change.names import (
    ABSENT,
    binary_names,
    git_names,
    has_epoch_stamp,
    header_name,
    is_binary_note,
    plain_name,
    strip_git_prefixes,
    strip_prefixes,
)

_BINARY_DATA = re.compile(r"(?:literal|delta) [0-9]+|[A-Za-z][!-~]+|", re.ASCII)
_MODE = re.compile(r"(?:100|120|160|040)[0-7]{3}", re.ASCII)
_INDEX = re.compile(r"index [0-9a-f]+\.\.[0-9a-f]+ (.+)")
"""The `index` line of a file with an unchanged mode, which it ends in."""

_FIELDS = (
    "old mode", "new mode", "new file mode", "deleted file mode",
    "rename from", "rename to", "copy from", "copy to",
)  # fmt: skip
_SKIPPED = ("index ", "similarity index ", "dissimilarity index ")
_TOGETHER = (("old mode", "new mode"), ("rename from", "rename to"), ("copy from", "copy to"))
_EXCLUSIVE = (
    ("new file mode", "deleted file mode", "rename from", "copy from"),
    ("new file mode", "old mode"),
    ("deleted file mode", "old mode"),
)
_OLD_ABSENT = re.compile(r"@@ -0,0 ")
_NEW_ABSENT = re.compile(r"@@ -[0-9,]+ \+0,0 ", re.ASCII)


def read_header(cursor: Cursor) -> FileChange | None:
    """Read a file header up to the first hunk; return None if the line starts no header.

    The file has no hunks and no language yet.
    """
    line, start = cursor.line, cursor.index
    if line.startswith("diff --git "):
        return _read_git_header(cursor)
    if line.startswith("--- "):
        return _file(cursor, strip_prefixes(*_read_names(cursor), cursor.number(start)), start)
    if line.startswith(("@@@", "diff --cc ", "diff --combined ")):
        raise cursor.error("a combined diff of a merge; give the diff against one of its parents")
    if line.startswith("+++ "):
        raise cursor.error("`+++` without a `---` line before it")
    if not is_binary_note(line):
        return None
    old, new = (
        None if name == ABSENT else plain_name(name, cursor.number())
        for name in binary_names(line, cursor.number())
    )
    file = _file(cursor, strip_prefixes(old, new, cursor.number()), start, is_binary=True)
    cursor.index += 1
    return file


def _file(
    cursor: Cursor,
    names: tuple[str | None, str | None],
    start: int,
    *,
    is_binary: bool = False,
) -> FileChange:
    """Return the file with these names; one that lacks a side is added or deleted."""
    old, new = names
    if old is None and new is None:
        raise cursor.error("neither side names a file", start)
    if "\ufffd" in f"{old}{new}":
        cursor.warn("starts a file whose name is not valid UTF-8 and is shown with U+FFFD", start)
    status = FileStatus.MODIFIED
    if old is None or new is None:
        status = FileStatus.ADDED if old is None else FileStatus.DELETED
    return FileChange(old, new, status, (), None, LanguageSource.UNKNOWN, is_binary)


def _read_git_header(cursor: Cursor) -> FileChange:
    start = cursor.index
    cursor.index += 1
    fields = _read_fields(cursor)
    _check_fields(cursor, fields, start)
    is_binary = _skip_binary(cursor)
    moved: tuple[str, str] | None = None
    status = FileStatus.MODIFIED
    for event, moving in (("rename", FileStatus.RENAMED), ("copy", FileStatus.COPIED)):
        if f"{event} from" in fields:
            moved, status = (fields[f"{event} from"], fields[f"{event} to"]), moving
    has_old, has_new = "new file mode" not in fields, "deleted file mode" not in fields
    written: tuple[str | None, str | None] = (None, None)
    if cursor.line.startswith("--- "):
        written = old, new = _read_names(cursor)
        if (old is not None and not has_old) or (new is not None and not has_new):
            raise cursor.error(
                "`---` and `+++` contradict the file mode above them", cursor.index - 1
            )
        has_old, has_new = old is not None, new is not None
        if moved and not (has_old and has_new):
            raise cursor.error("a rename or copy without one of its files", cursor.index - 1)
    old, new = _choose_names(cursor, moved, written, start)
    names = old if has_old else None, new if has_new else None
    file = _file(cursor, names, start, is_binary=is_binary)
    has_change = fields.keys() - {"index"} or is_binary or cursor.line.startswith("@@")
    if not has_change:
        cursor.warn("names a file without any change", start)
    return replace(
        file,
        status=status if moved else file.status,
        old_mode=fields.get("old mode") or fields.get("deleted file mode") or fields.get("index"),
        new_mode=fields.get("new mode") or fields.get("new file mode") or fields.get("index"),
    )


def _read_names(cursor: Cursor) -> tuple[str | None, str | None]:
    """Read the `---` and `+++` lines above a hunk; a name is None if the file does not exist."""
    old_text = cursor.line.removeprefix("--- ")
    old = header_name(old_text, cursor.number())
    cursor.index += 1
    if not cursor.line.startswith("+++ "):
        raise cursor.error("`---` without a `+++` line after it", cursor.index - 1)
    new_text = cursor.line.removeprefix("+++ ")
    new = header_name(new_text, cursor.number())
    cursor.index += 1
    if not cursor.line.startswith("@@"):
        raise cursor.error("file names without a hunk after them", cursor.index - 1)
    if _OLD_ABSENT.match(cursor.line) and has_epoch_stamp(old_text):
        old = None
    if _NEW_ABSENT.match(cursor.line) and has_epoch_stamp(new_text):
        new = None
    return old, new


def _read_fields(cursor: Cursor) -> dict[str, str]:
    fields: dict[str, str] = {}
    while not cursor.at_end:
        line = cursor.line.removesuffix("\r")
        name = next((name for name in _FIELDS if line.startswith(name + " ")), None)
        if name is not None:
            if name in fields:
                raise cursor.error(f"a second `{name}`")
            value = line.removeprefix(name + " ")
            if name.endswith("mode"):
                fields[name] = _mode(cursor, value)
            else:
                fields[name] = plain_name(value, cursor.number())
        elif index := _INDEX.fullmatch(line):
            fields["index"] = _mode(cursor, index[1])
        elif not line.startswith(_SKIPPED):
            break
        cursor.index += 1
    return fields


def _mode(cursor: Cursor, value: str) -> str:
    if not _MODE.fullmatch(value):
        raise cursor.error(f"invalid file mode {value[:20]!r}")
    return value


def _check_fields(cursor: Cursor, fields: dict[str, str], start: int) -> None:
    for first, second in _TOGETHER:
        if (first in fields) != (second in fields):
            raise cursor.error(f"`{first}` and `{second}` go together", start)
    for names in _EXCLUSIVE:
        present = [name for name in names if name in fields]
        if len(present) > 1:
            raise cursor.error(f"`{present[0]}` contradicts `{present[1]}`", start)


def _skip_binary(cursor: Cursor) -> bool:
    """Skip a note about binary content or a binary patch; return False if there is none."""
    if is_binary_note(cursor.line):
        cursor.index += 1
        return True
    if cursor.line.rstrip("\r") != "GIT binary patch":
        return False
    cursor.index += 1
    while not cursor.at_end and _BINARY_DATA.fullmatch(cursor.line.rstrip("\r")):
        cursor.index += 1
    return True


def _choose_names(
    cursor: Cursor,
    moved: tuple[str, str] | None,
    written: tuple[str | None, str | None],
    start: int,
) -> tuple[str | None, str | None]:
    """Choose the reading of the `diff --git` line that agrees with the rest of the header.

    `moved` holds the names of a rename or copy, `written` the names in `---` and `+++`.
    """
    text = cursor.lines[start].removesuffix("\r").removeprefix("diff --git ")
    old, new = written
    lengths = []
    if old is not None:
        lengths.append(len(old))
    if new is not None:
        lengths.append(len(text) - len(new) - 1)
    if moved:  # both names have prefixes of the same length, or none
        lengths.append((len(text) - 1 + len(moved[0]) - len(moved[1])) // 2)
    readings = [
        pair
        for pair in git_names(text, cursor.number(start), [n for n in lengths if n > 0])
        if old in {pair[0], None}
        and new in {pair[1], None}
        and (not moved or all(map(_is_prefixed, pair, moved)))
    ]
    if not readings:
        raise cursor.error("the header gives the file conflicting names", start)
    return moved or strip_git_prefixes(*readings[0], cursor.number(start))


def _is_prefixed(name: str, path: str) -> bool:
    """Return True if `name` is `path`, with or without a prefix."""
    return name == path or name.endswith("/" + path)
