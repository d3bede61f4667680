"""Read a diff into lines, and walk over them.

Mail, terminals, chat and editors add things to diffs. Strip what can be stripped from every line
without guessing, and warn if something is lost. No line is added or dropped, so line numbers
match the given text.
"""

import re

from crscore_core.errors import DiffError
from crscore_core.text import SURROGATE, encoding_of, whole_text

MAX_BYTES = 2_000_000
"""Size limit of a diff in bytes of UTF-8; anything larger is a corpus, not a change."""

_ANSI = re.compile(r"\x1b\[[0-9;]*[mK]")
_COLOURED_HEADER = re.compile(r"^(?:\x1b\[[0-9;]*[mK])+(?:diff |@@ |--- |\+\+\+ )", re.MULTILINE)
_INVISIBLE = {
    "NUL": re.compile("\0"),
    "bidirectional control": re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"),
    "zero-width": re.compile("[\u200b\u200c\u200d\u2060\ufeff]"),
}


class Cursor:
    """Walks over the lines of a diff and collects warnings about them.

    Lines contain no line feeds; their numbers in errors and warnings count from 1.
    """

    def __init__(self, lines: list[str], warnings: list[str]) -> None:
        self.index = 0
        self.lines = lines
        self.warnings = warnings

    @property
    def at_end(self) -> bool:
        """True if no line is left."""
        return self.index >= len(self.lines)

    @property
    def line(self) -> str:
        """The current line, empty at the end."""
        return "" if self.at_end else self.lines[self.index]

    def number(self, index: int | None = None) -> int:
        """Number of the current line, or of the one at `index`."""
        return (self.index if index is None else index) + 1

    def error(self, reason: str, index: int | None = None) -> DiffError:
        """Return an error about the current line, or the one at `index`."""
        return DiffError(reason, self.number(index))

    def warn(self, reason: str, index: int | None = None) -> None:
        """Add a warning about the current line, or the one at `index`."""
        self.warnings.append(f"line {self.number(index)} {reason}")


def read_diff(diff: str | bytes, max_bytes: int = MAX_BYTES) -> Cursor:
    """Decode and unwrap a diff; return a cursor at its first line.

    Bytes are UTF-8, or UTF-16 with a byte order mark. Strip the byte order mark, terminal colours,
    and the carriage return if every line ends in CRLF (if only some do, it belongs to the file).
    Only a line feed ends a line, as in diff itself.

    Raises:
        DiffError: the text is empty, or larger than `max_bytes`.
    """
    warnings: list[str] = []
    _check_size(diff, max_bytes)
    text = _decode(diff, warnings) if isinstance(diff, bytes) else diff
    text = text.lstrip("\ufeff")
    if surrogate := SURROGATE.search(text):
        warnings.append(
            f"line {_line_of(text, surrogate.start())} contains half of a surrogate pair, "
            "shown as U+FFFD"
        )
        text = whole_text(text)
    if not text.strip():
        raise DiffError("it is empty; give the output of `git diff`, or a hunk that starts with @@")
    if _COLOURED_HEADER.search(text):
        text = _ANSI.sub("", text)
    for name, pattern in _INVISIBLE.items():
        if match := pattern.search(text):
            warnings.append(f"line {_line_of(text, match.start())} contains a {name} character")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if all(line.endswith("\r") for line in lines[:-1]) and len(lines) > 1:
        lines = [line.removesuffix("\r") for line in lines]
    return Cursor(lines, warnings)


def _check_size(diff: str | bytes, max_bytes: int) -> None:
    size = len(diff)
    if isinstance(diff, str) and size <= max_bytes:
        size = len(diff.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise DiffError(
            f"it is larger than the limit of {max_bytes:,} bytes; score its files one at a time"
        )


def _decode(diff: bytes, warnings: list[str]) -> str:
    encoding = encoding_of(diff)
    try:
        return diff.decode(encoding)
    except UnicodeDecodeError as error:
        line = _line_of(diff[: error.start].decode(encoding, "replace"), error.start)
        warnings.append(
            f"line {line} is not valid {encoding.upper()}; undecodable bytes are shown as U+FFFD"
        )
        return diff.decode(encoding, "replace")


def _line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
