"""Headers of files: names above hunks, and the extended header of git."""

import re
from dataclasses import dataclass, field

from crscore_core.change.cursor import Cursor
from crscore_core.change.names import (
    git_names,
    has_epoch_stamp,
    header_name,
    is_binary_note,
    plain_name,
    strip_git_prefixes,
)

_BINARY_DATA = re.compile(r"(?:literal|delta) [0-9]+|[A-Za-z][!-~]+|", re.ASCII)
_MODE = re.compile(r"(?:100|120|160|040)[0-7]{3}", re.ASCII)
_INDEX = re.compile(r"index [0-9a-f]+\.\.[0-9a-f]+ (.+)")
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


@dataclass(slots=True)
class GitHeader:
    """Names of a file (None for an absent side), and fields of the extended header by name.

    The field `index` is the mode at the end of the `index` line, which both sides have.
    """

    old_path: str | None = None
    new_path: str | None = None
    fields: dict[str, str] = field(default_factory=dict)
    is_binary: bool = False

    @property
    def moved(self) -> tuple[str, str] | None:
        """Both names of a rename or a copy."""
        for event in ("rename", "copy"):
            if f"{event} from" in self.fields:
                return self.fields[f"{event} from"], self.fields[f"{event} to"]
        return None


def read_git_header(cursor: Cursor) -> GitHeader:
    """Read from `diff --git` to the first hunk, or to the end of a file without hunks.

    Raises:
        DiffError: a mode is invalid, or parts of the header contradict each other.
    """
    start = cursor.index
    cursor.index += 1
    header = GitHeader(fields=_read_fields(cursor))
    _check_fields(cursor, header.fields, start)
    header.is_binary = _skip_binary(cursor)
    has_old = "new file mode" not in header.fields
    has_new = "deleted file mode" not in header.fields
    written: tuple[str | None, str | None] = (None, None)
    if cursor.line.startswith("--- "):
        written = old, new = read_names(cursor)
        if (old is not None and not has_old) or (new is not None and not has_new):
            raise cursor.error(
                "`---` and `+++` contradict the file mode above them", cursor.index - 1
            )
        has_old, has_new = old is not None, new is not None
        if header.moved and not (has_old and has_new):
            raise cursor.error("a rename or copy without one of its files", cursor.index - 1)
    names = _choose_names(cursor, header.moved, written, start)
    header.old_path = names[0] if has_old else None
    header.new_path = names[1] if has_new else None
    return header


def read_names(cursor: Cursor) -> tuple[str | None, str | None]:
    """Read the `---` and `+++` lines above a hunk; a name is None for a side without a file.

    Raises:
        DiffError: `+++` or the hunk is missing, or a name cannot be read.
    """
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
    """Step over a note about binary content or a binary patch; return False if there is none."""
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
    if moved:  # both names have prefixes of one length, or none
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
    """Return True if `name` is `path`, behind a prefix or not."""
    return name == path or name.endswith("/" + path)
