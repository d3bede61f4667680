"""File names in diff headers: quoting, time stamps, prefixes."""

import re

from crscore_core.errors import DiffError

__all__ = ["git_names", "header_name", "strip_prefixes"]

_LONGEST_NAME = 4096
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_PREFIX = re.compile(r"[abciow12]/")
_ABSENT = re.compile(r"1970-01-01 |1969-12-31 |\(revision 0\)|\(nonexistent\)")


def header_name(text: str, line: int) -> str | None:
    r"""Name in a `--- ` or `+++ ` line, given without its mark; None for a side without file.

    A name may be quoted as git does (octal bytes, `\t`, `\n`). What follows a tab is a time
    stamp or a revision; the epoch, or a revision that says so, means that there is no file.

    Raises:
        DiffError: the name is empty, too long or badly quoted.
    """
    if text.startswith('"'):
        name = _unquote(text, line)[0]
    else:
        name, _, stamp = text.partition("\t")
        name = name.removesuffix("\r")
        if _ABSENT.search(stamp):
            return None
    if not name.strip():
        raise DiffError("the file name is empty", line)
    if len(name) > _LONGEST_NAME:
        raise DiffError(f"the file name is longer than {_LONGEST_NAME} characters", line)
    return None if name == "/dev/null" else name


def git_names(text: str, line: int) -> list[tuple[str, str]]:
    """All readings of the two names after `diff --git `; names with blanks make several.

    Raises:
        DiffError: there are no two names, or they are too long or badly quoted.
    """
    text = text.removesuffix("\r")
    if len(text) > 2 * _LONGEST_NAME:
        raise DiffError(f"the file name is longer than {_LONGEST_NAME} characters", line)
    pairs: list[tuple[str, str]]
    if text.startswith('"'):
        old, rest = _unquote(text, line)
        rest = rest.removeprefix(" ")
        pairs = [(old, _unquote(rest, line)[0] if rest.startswith('"') else rest)]
    elif text.endswith('"') and (start := text.find(' "')) >= 0:
        pairs = [(text[:start], _unquote(text[start + 1 :], line)[0])]
    else:
        blanks = [index for index, character in enumerate(text) if character == " "]
        pairs = [(text[:blank], text[blank + 1 :]) for blank in blanks]
    pairs = [(old, new) for old, new in pairs if old and new]
    if not pairs:
        raise DiffError("`diff --git` needs two file names", line)
    return pairs


def strip_prefixes(old: str | None, new: str | None, line: int) -> tuple[str | None, str | None]:
    """Take the prefixes off a pair of names: `a/` and `b/`, or git's mnemonic ones.

    Names without prefixes stay as they are: a prefix is one where both sides have one and the
    two differ. Where a side is None, only `a/` or `b/` counts as a prefix of the other.

    Raises:
        DiffError: nothing is left of a name.
    """
    if old is not None and new is not None:
        if _PREFIX.match(old) and _PREFIX.match(new) and old[0] != new[0]:
            old, new = old[2:], new[2:]
    else:
        old = old.removeprefix("a/") if old is not None else None
        new = new.removeprefix("b/") if new is not None else None
    if "" in (old, new):
        raise DiffError("the file name is empty", line)
    return old, new


def _unquote(text: str, line: int) -> tuple[str, str]:
    """A quoted name at the start of `text`, and what follows it."""
    match = _QUOTED.match(text)
    if not match:
        raise DiffError("the quoted file name has no end", line)

    def byte(escape: re.Match[bytes]) -> bytes:
        code = escape[1].decode("latin-1")
        if len(code) == 3:
            return bytes([int(code, 8) & 255])
        if code not in _ESCAPES:
            raise DiffError(f"the quoted file name holds the unknown escape \\{code}", line)
        return bytes([_ESCAPES[code]])

    raw = match[1].encode("utf-8", "surrogatepass")
    return _ESCAPE.sub(byte, raw).decode("utf-8", "replace"), text[match.end() :]
