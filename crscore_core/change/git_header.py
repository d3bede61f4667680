"""The header that git writes above the hunks of one file."""

import re
from dataclasses import dataclass, field

from crscore_core.change.cursor import Cursor
from crscore_core.change.names import git_names, header_name, strip_prefixes

__all__ = ["BINARY", "GitHeader", "read_git_header", "read_names"]

BINARY = re.compile(r"Binary files (.+) and (.+) differ\r?", re.DOTALL)
_BINARY_DATA = re.compile(r"(?:literal|delta) [0-9]+|[A-Za-z][!-~]+|", re.ASCII)
_MODE = re.compile(r"(?:100|120|160|040)[0-7]{3}", re.ASCII)
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


@dataclass(slots=True)
class GitHeader:
    """Names (None for an absent side) and the fields of the extended header by their names."""

    old_path: str | None = None
    new_path: str | None = None
    fields: dict[str, str] = field(default_factory=dict)
    is_binary: bool = False


def read_git_header(cursor: Cursor) -> GitHeader:
    """Read from `diff --git` to the first hunk, or to the end of a file without hunks.

    Raises:
        DiffError: a mode is invalid, or two parts contradict each other.
    """
    start = cursor.at
    pairs = git_names(cursor.line.removeprefix("diff --git "), cursor.number())
    cursor.at += 1
    header = GitHeader(fields=_read_fields(cursor))
    _check_fields(cursor, header.fields, start)
    header.is_binary = _skip_binary(cursor)
    has_old, has_new = (
        "new file mode" not in header.fields,
        "deleted file mode" not in header.fields,
    )
    if cursor.line.startswith("--- "):
        old, new = read_names(cursor)
        if (old is not None and not has_old) or (new is not None and not has_new):
            raise cursor.error("`---` and `+++` contradict the file mode above them", cursor.at - 1)
        has_old, has_new = old is not None, new is not None
        pairs = [pair for pair in pairs if old in {pair[0], None} and new in {pair[1], None}]
    name = _choose_names(cursor, header.fields, pairs, start)
    header.old_path = name[0] if has_old else None
    header.new_path = name[1] if has_new else None
    return header


def read_names(cursor: Cursor) -> tuple[str | None, str | None]:
    """Read the `---` and `+++` lines above a hunk; None for a side without file.

    Raises:
        DiffError: `+++` or the hunk is missing, or a name cannot be read.
    """
    old = header_name(cursor.line.removeprefix("--- "), cursor.number())
    cursor.at += 1
    if not cursor.line.startswith("+++ "):
        raise cursor.error("`---` without a `+++` line after it", cursor.at - 1)
    new = header_name(cursor.line.removeprefix("+++ "), cursor.number())
    cursor.at += 1
    if not cursor.line.startswith("@@"):
        raise cursor.error("file names without a hunk after them", cursor.at - 1)
    return old, new


def _read_fields(cursor: Cursor) -> dict[str, str]:
    fields: dict[str, str] = {}
    while not cursor.at_end:
        line = cursor.line.removesuffix("\r")
        name = next((name for name in _FIELDS if line.startswith(name + " ")), None)
        if name is not None:
            value = line.removeprefix(name + " ")
            if name in fields:
                raise cursor.error(f"a second `{name}`")
            if name.endswith("mode"):
                if not _MODE.fullmatch(value):
                    raise cursor.error(f"invalid file mode {value[:20]!r}")
                fields[name] = value
            else:
                fields[name] = header_name(value, cursor.number()) or "/dev/null"
        elif not line.startswith(_SKIPPED):
            break
        cursor.at += 1
    return fields


def _check_fields(cursor: Cursor, fields: dict[str, str], start: int) -> None:
    for one, other in _TOGETHER:
        if (one in fields) != (other in fields):
            raise cursor.error(f"`{one}` and `{other}` go together", start)
    for names in _EXCLUSIVE:
        given = [name for name in names if name in fields]
        if len(given) > 1:
            raise cursor.error(f"`{given[0]}` contradicts `{given[1]}`", start)


def _skip_binary(cursor: Cursor) -> bool:
    """Step over what git says of binary content; whether it said something."""
    if BINARY.fullmatch(cursor.line):
        cursor.at += 1
        return True
    if cursor.line.rstrip("\r") != "GIT binary patch":
        return False
    cursor.at += 1
    while not cursor.at_end and _BINARY_DATA.fullmatch(cursor.line.rstrip("\r")):
        cursor.at += 1
    return True


def _choose_names(
    cursor: Cursor, fields: dict[str, str], pairs: list[tuple[str, str]], start: int
) -> tuple[str | None, str | None]:
    """The reading of `diff --git` that agrees with everything else in the header."""
    stripped = [strip_prefixes(*pair, cursor.number(start)) for pair in pairs]
    for event in ("rename", "copy"):
        if f"{event} from" in fields:
            moved = (fields[f"{event} from"], fields[f"{event} to"])
            if moved in stripped or moved in pairs:
                return moved
            raise cursor.error("the header gives the file conflicting names", start)
    for old, new in stripped:
        if old == new:
            return old, new
    raise cursor.error("the header gives the file conflicting names", start)
