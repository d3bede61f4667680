"""Read file names in diff headers: quoting, time stamps, prefixes."""

import re
from collections.abc import Iterable

from crscore_core.errors import DiffError

_LONGEST_NAME = 4096
_LONGEST_TEXT = 5 * _LONGEST_NAME
"""Octal quoting turns one character into four; a time stamp takes the rest."""
_LONGEST_STAMP = 60
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)
_PREFIX = re.compile(r"[abciow12]/")
_ORIGINAL = re.compile(r"([^/]+)\.orig/(.+)", re.DOTALL)
_ABSENT = re.compile(r"\(revision 0\)|\(nonexistent\)")
_DATE = re.compile(
    r"[ \t]+([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]+)?))?"
    r"(?: ([+-])([0-9]{2}):?([0-9]{2}))?$"
)
_EPOCH_DAYS = {"1970-01-01": 0, "1969-12-31": -1}
_BINARY_START, _BINARY_END = "Binary files ", " differ"
_BOTH = " and "
ABSENT = "/dev/null"


def header_name(text: str, line: int) -> str | None:
    r"""Read the name after `--- ` or `+++ `; return None if the file does not exist.

    A name may be quoted as in git (octal bytes, `\t`, `\n`). A time stamp or revision follows a
    tab; a time at the end is a time stamp even if spaces replaced the tab. Some revisions mean
    that the file does not exist.
    """
    text = text.removesuffix("\r")
    if not text.startswith('"'):
        text, tab, stamp = text.partition("\t")
        if _ABSENT.search(stamp) or text.rstrip() == ABSENT:
            return None
        if not tab and (date := _DATE.search(text[-_LONGEST_STAMP:])):
            text = text.removesuffix(date[0])
    name = plain_name(text, line)
    return None if name == ABSENT else name


def plain_name(text: str, line: int) -> str:
    """Read a name that is either the whole text, or quoted with other text after it."""
    if len(text) > _LONGEST_TEXT:
        raise _too_long(line)
    name = _unquote(text, line)[0] if text.startswith('"') else text
    if not name.strip():
        raise DiffError("the file name is empty", line)
    if len(name) > _LONGEST_NAME:
        raise _too_long(line)
    return name


def has_epoch_stamp(text: str) -> bool:
    """Return True if a `--- ` or `+++ ` line ends in the Unix epoch, in any time zone.

    GNU diff prints this time for a file that does not exist; build systems also set it on files
    that do.
    """
    date = _DATE.search(text.removesuffix("\r")[-_LONGEST_STAMP:])
    if not date or date[1] not in _EPOCH_DAYS or float(date[4] or 0):
        return False
    zone = 60 * int(date[6] or 0) + int(date[7] or 0)
    minutes = 1440 * _EPOCH_DAYS[date[1]] + 60 * int(date[2]) + int(date[3])
    return minutes == (-zone if date[5] == "-" else zone)


def git_names(text: str, line: int, lengths: Iterable[int]) -> list[tuple[str, str]]:
    """List possible readings of the two names after `diff --git `, which spaces make ambiguous.

    Names without spaces or with quotes have one reading. Other names are read as the same name
    twice, up to prefixes, and split at each of the given lengths of the first name if a space
    follows there.
    """
    if len(text) > 2 * _LONGEST_TEXT:
        raise _too_long(line)
    if text.startswith('"'):
        old, rest = _unquote(text, line)
        new = rest.removeprefix(" ")
        pairs = [(old, _unquote(new, line)[0] if new.startswith('"') else new)]
    elif text.endswith('"') and (start := text.find(' "')) >= 0:
        pairs = [(text[:start], _unquote(text[start + 1 :], line)[0])]
    elif text.count(" ") == 1:
        old, _, new = text.partition(" ")
        pairs = [(old, new)]
    else:
        splits = {length for length in lengths if text[length : length + 1] == " "}
        pairs = [(text[:split], text[split + 1 :]) for split in sorted(splits)]
        pairs += _alike(text, " ", line)
    pairs = [(old, new) for old, new in pairs if old.strip() and new.strip()]
    if not pairs:
        if text.count(" ") > 1:
            raise _ambiguous(line)
        raise DiffError("`diff --git` needs two file names", line)
    if any(len(name) > _LONGEST_NAME for pair in pairs for name in pair):
        raise _too_long(line)
    return pairs


def is_binary_note(text: str) -> bool:
    """Return True if a line reads `Binary files A and B differ`."""
    text = text.removesuffix("\r")
    return text.startswith(_BINARY_START) and text.endswith(_BINARY_END) and _BOTH in text


def binary_names(text: str, line: int) -> tuple[str, str]:
    """Split the names in `Binary files A and B differ`, still quoted."""
    names = text.removesuffix("\r").removeprefix(_BINARY_START).removesuffix(_BINARY_END)
    if len(names) > 2 * _LONGEST_TEXT:
        raise _too_long(line)
    old, _, new = names.partition(_BOTH)
    if _BOTH not in new or old == ABSENT:
        return old, new
    if new.endswith(_BOTH + ABSENT):
        return names.removesuffix(_BOTH + ABSENT), ABSENT
    if alike := _alike(names, _BOTH, line):
        return alike[0]
    raise _ambiguous(line)


def strip_prefixes(old: str | None, new: str | None, line: int) -> tuple[str | None, str | None]:
    """Strip the prefixes of two names: `a/` and `b/`, git's mnemonic ones, or quilt's.

    Names without prefixes are unchanged. Strip prefixes if both sides have one and the two differ
    (quilt: `x.orig/` and `x/`); if one side is None, strip only `a/` or `b/` from the other.
    """
    if old is not None and new is not None:
        if _PREFIX.match(old) and _PREFIX.match(new) and old[0] != new[0]:
            old, new = old[2:], new[2:]
        for first, second in ((old, new), (new, old)):
            if (match := _ORIGINAL.fullmatch(first)) and second == f"{match[1]}/{match[2]}":
                old = new = match[2]
    else:
        old = old.removeprefix("a/") if old is not None else None
        new = new.removeprefix("b/") if new is not None else None
    if "" in (old, new):
        raise DiffError("the file name is empty", line)
    return old, new


def strip_git_prefixes(old: str, new: str, line: int) -> tuple[str | None, str | None]:
    """Strip the prefixes of the names after `diff --git`, where users may choose any prefix.

    If the names differ only in their first folder, that folder is the prefix.
    """
    stripped = strip_prefixes(old, new, line)
    old_tail, new_tail = (name.partition("/")[2] for name in (old, new))
    if old != new and stripped == (old, new) and old_tail == new_tail != "":
        return old_tail, new_tail
    return stripped


def _alike(text: str, between: str, line: int) -> list[tuple[str, str]]:
    """Read `text` as the same name twice, with prefixes of the same length or none."""
    middle = (len(text) - len(between)) // 2
    old, gap, new = text[:middle], text[middle : -middle or None], text[len(text) - middle :]
    if not old or gap != between:
        return []
    stripped = strip_git_prefixes(old, new, line)
    return [(old, new)] if stripped[0] == stripped[1] else []


def _too_long(line: int) -> DiffError:
    return DiffError(f"the file name is longer than {_LONGEST_NAME} characters", line)


def _ambiguous(line: int) -> DiffError:
    return DiffError("cannot tell where the first of two file names with spaces ends", line)


def _unquote(text: str, line: int) -> tuple[str, str]:
    """Split a quoted name at the start of `text` from the text after it."""
    match = _QUOTED.match(text)
    if not match:
        raise DiffError("the quoted file name has no closing quote", line)

    def byte(escape: re.Match[bytes]) -> bytes:
        code = escape[1].decode("latin-1")
        if len(code) == 3:
            return bytes([int(code, 8)])
        if code not in _ESCAPES:
            raise DiffError(f"the quoted file name contains the unknown escape \\{code}", line)
        return bytes([_ESCAPES[code]])

    raw = match[1].encode("utf-8", "surrogatepass")
    return _ESCAPE.sub(byte, raw).decode("utf-8", "replace"), text[match.end() :]
