"""Read file headers: the names above hunks, and git's extended header."""

import re

from crscore_core.change.cursor import Cursor
from crscore_core.change.model import FileChange, FileStatus

_ABSENT = "/dev/null"
_GIT = "diff --git "
_COMBINED = re.compile(r"@@@|diff --(?:cc|combined) ")
_FIELD = re.compile(
    r"((?:old|new|new file|deleted file) mode|(?:rename|copy) (?:from|to)"
    r"|(?:(?:dis)?similarity )?index) (.+)"
)
_MOVES = ("rename from", "rename to", "copy from", "copy to")
_BINARY = re.compile(r"Binary files? |GIT binary patch")
_BINARY_DATA = re.compile(r"(?:literal|delta) [0-9]+|[A-Za-z][!-~]+|")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_ESCAPE = re.compile(rb'\\(?:[0-3][0-7]{2}|[abtnvfr"\\])')
_PREFIX = re.compile(r"[abciow12]/|(?:src|dst)://")
_ONLY_PREFIX = re.compile(r"^(?:[ab]/|(?:src|dst)://)")
# A date or revision after a name whose tab became blanks or nothing.
_STAMP = re.compile(
    r"\s+(?:\d{2,4}[-/]\d\d[-/]\d\d|(?:[A-Z][a-z]{2},? )?(?:\d\d? )?[A-Z][a-z]{2} +\d{1,4})"
    r" +\d\d:\d\d[\d:.+ -]*$|\s+//\S.*#\d+$|\s*\((?:revision \d+|working copy|nonexistent)\)$"
)
# Marks of a missing file in svn and GNU diff headers, in any time zone.
_NO_FILE = re.compile(r"\((?:rev(?:ision)? 0|nonexistent)\)|1970-01-01 0|1969-12-31 [12]")
_PERFORCE_NAME = r"(<none>|(?:/|\w:\\).+?|.+?(?=#\d))(?:#\d+)?(?: \(\S+\))?"
_PERFORCE = re.compile(rf"==== {_PERFORCE_NAME}(?: - {_PERFORCE_NAME})? ====.*")

# The old and new names: `/dev/null` if the file does not exist, empty if it has no name.
_Names = tuple[str, str]


def read_header(cursor: Cursor) -> FileChange | None:
    """Read a file header, without hunks or language; return None if the line starts none."""
    start, line = cursor.index, cursor.line.removesuffix("\r")
    if _COMBINED.match(line):
        raise cursor.error("a combined diff of a merge; give the diff against one parent")
    if line.startswith(_GIT):
        return _read_git(cursor, line.removeprefix(_GIT))
    if perforce := _PERFORCE.fullmatch(line):
        cursor.index += 1
        while cursor.line == "" and not cursor.at_end:
            cursor.index += 1
    if header_names := _read_names(cursor):
        return _file(cursor, start, _strip_prefixes(*header_names), {})
    if not perforce or cursor.line.startswith("--- "):
        cursor.index = start
        return None
    names = (perforce[1], perforce[2] or perforce[1])
    old, new = (_ABSENT if name == "<none>" else name for name in names)
    return _file(cursor, start, (old, new), {})


def _read_git(cursor: Cursor, text: str) -> FileChange:
    """Read git's header, with `text` after `diff --git`; names in later lines take precedence."""
    start = cursor.index
    cursor.index += 1
    fields: dict[str, str] = {}
    while match := _FIELD.fullmatch(cursor.line.removesuffix("\r")):
        fields[match[1]] = match[2]
        cursor.index += 1
    is_binary = bool(_BINARY.match(cursor.line))
    cursor.index += is_binary
    while is_binary and not cursor.at_end and _BINARY_DATA.fullmatch(cursor.line.rstrip("\r")):
        cursor.index += 1
    moved_names = [_read_name(fields[key]) for key in _MOVES if key in fields]
    header_names = _read_names(cursor, is_git=True) or ()
    names = {*moved_names, *header_names} - {_ABSENT}
    is_fitting = '"' in text or all(name in text for name in names)
    if len(moved_names) not in {0, 2} or not is_fitting:
        raise cursor.error("the header gives the file conflicting names", start)
    old, new = moved_names or header_names or (_ABSENT, _ABSENT)
    if not moved_names:
        if _ABSENT in {old, new}:
            old, new = _split_names(text) or (old, new)
        if (old, new) == (_ABSENT, _ABSENT):
            raise cursor.error("cannot tell the two file names apart", start)
        old, new = _strip_prefixes(old, new)
    if "new file mode" in fields or _ABSENT in header_names[:1]:
        old = _ABSENT
    if "deleted file mode" in fields or _ABSENT in header_names[1:]:
        new = _ABSENT
    return _file(cursor, start, (old, new), fields, is_binary=is_binary)


def _file(
    cursor: Cursor, start: int, names: _Names, fields: dict[str, str], *, is_binary: bool = False
) -> FileChange:
    old, new = (None if name == _ABSENT else name for name in names)
    if old is None and new is None:
        raise cursor.error("neither side names a file", start)
    status = FileStatus.MODIFIED
    if old is None or new is None:
        status = FileStatus.ADDED if old is None else FileStatus.DELETED
    elif "rename to" in fields or "copy to" in fields:
        status = FileStatus.RENAMED if "rename to" in fields else FileStatus.COPIED
    if not (fields.keys() - {"index"} or is_binary or cursor.line.startswith("@@")):
        cursor.warn("a file has no change", start)
    mode = fields.get("index", "").partition(" ")[2] or None
    old_mode = fields.get("old mode") or fields.get("deleted file mode") or mode
    new_mode = fields.get("new mode") or fields.get("new file mode") or mode
    return FileChange(old or None, new or None, status, (), None, is_binary, old_mode, new_mode)


def _read_names(cursor: Cursor, *, is_git: bool = False) -> _Names | None:
    """Read the `---` and `+++` lines; return None if they are prose, since no hunk follows."""
    line, after = cursor.line, cursor.peek(cursor.header_step)
    if line.startswith(("--- ", "+++ ")) and after.startswith("@@"):
        raise cursor.error("`---` and `+++` go together; is this a unified diff?")
    hunk = cursor.peek(2 * cursor.header_step)
    is_svn = cursor.index > 0 and cursor.peek(-1).startswith("=====")  # properties have no hunk
    are_names = line[:4].rstrip() == "---" and after[:4].rstrip() == "+++"
    if not (are_names and (is_git or is_svn or hunk.startswith("@@"))):
        return None
    # svn may print `(revision 0)` for both sides of a new file.
    old, new = _header_name(line[4:]), _header_name(after[4:].replace("(revision 0)", ""))
    cursor.index += 2 * cursor.header_step
    return old or new, new or old


def _header_name(text: str) -> str:
    """Read the name after `--- ` or `+++ `, without the timestamp or revision that may follow."""
    name, tab, stamp = text.removesuffix("\r").partition("\t")
    if not tab and (match := _STAMP.search(name[-200:])):
        stamp = match[0]
        name = name.removesuffix(stamp).rstrip()
    is_absent = name.rstrip() == _ABSENT or _NO_FILE.search(stamp)
    return _ABSENT if is_absent else _read_name(name)


def _read_name(text: str) -> str:
    r"""Read a name; git quotes unusual names and escapes their bytes (octal, `\t`, `\n`)."""
    if quoted := _QUOTED.match(text):
        name = _ESCAPE.sub(
            lambda escape: escape[0].decode("unicode_escape").encode("latin-1"), quoted[1].encode()
        )
        text = name.decode("utf-8", "replace")
    return text if text.strip() else ""


def _split_names(text: str) -> _Names | None:
    """Split names that differ only in prefixes of equal length; others appear in later lines."""
    middle = len(text) // 2
    old, new = _read_name(text[:middle]), _read_name(text[middle + 1 :])
    is_same_name = text[middle : middle + 1] == " " and len({*_strip_prefixes(old, new)}) == 1
    return (old, new) if old and new and is_same_name else None


def _strip_prefixes(old: str, new: str) -> _Names:
    """Strip prefixes such as `a/` and `b/`, or first folders that are the only difference."""
    if _ABSENT in {old, new}:
        return _ONLY_PREFIX.sub("", old), _ONLY_PREFIX.sub("", new)
    tails = [name.partition("/")[2].lstrip("/") for name in (old, new)]
    if old != new and tails[0] and tails[0] == tails[1]:
        return tails[0], tails[1]
    first, second = _PREFIX.match(old), _PREFIX.match(new)
    if first and second and first[0] != second[0]:
        return old[first.end() :], new[second.end() :]
    return old, new
