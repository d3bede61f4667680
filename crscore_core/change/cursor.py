"""Decode a diff and walk over its lines; none is added or dropped, so their numbers stay."""

import html
import json
import re

from crscore_core.errors import InputError
from crscore_core.text import decoding_error_line, text_encoding

MAX_DIFF_BYTES = 2_000_000
"""Maximum size of a diff in bytes of UTF-8; anything larger is a corpus, not a change."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
_COLOURED_HEADER = re.compile(r"^(?:\x1b\[[0-9;]*[mK])+(?:diff |@@ |--- |\+\+\+ )", re.MULTILINE)
_ESCAPED_BREAK = re.compile(r"(?<!\\)(?:\\r)?\\n")
_ESCAPED_HUNK = re.compile(r"(?!\s*[\[{]).*?(?:^\W?|\\n)@@ -\d")
# Text with HTML entities, none of them next to a quote, and without a bare `<`, `>` or `&`.
_ESCAPED_HTML = re.compile(
    r"(?!.*(?:[<>]|&(?!(?:lt|gt|quot|amp|apos|#\d+|#x[\da-f]+);)|[\"'`]&\w+;|&\w+;[\"'`]))"
    r".*&(?:lt|gt|quot|#39|#x27|amp;&amp);",
    re.DOTALL | re.IGNORECASE,
)
_HEADER = r"(?:diff --git |--- [^-]|@@ -\d)"
# The start of a diff whose lines have a prefix, such as `> ` in an email.
_PREFIXED = re.compile(rf"^([^\w\n<]{{1,9}}?){_HEADER}", re.MULTILINE)
_PRE = re.compile(r"(\s*)<pre\b[^>]*>(?:<code\b[^>]*>)?(.*?)(?:</code>)?</pre>\s*", re.DOTALL)
# `"\n".join(difflib.unified_diff(...))`, which has an empty line after each header line.
_SPACED = re.compile(r"\s*---.*\n\n\+\+\+.*\n\n@@ .* @@\n\n")


class Cursor:
    """Decodes a diff, walks over its lines, and collects warnings.

    Bytes are UTF-8, or UTF-16 with a byte order mark. Byte order marks and terminal colours are
    removed, as are carriage returns if every line ends in CRLF. Only a line feed ends a line, or a
    carriage return in a text without line feeds.
    `header_step` is the distance between header lines.

    Raises:
        InputError: the diff is empty, or larger than `MAX_DIFF_BYTES`.
    """

    def __init__(self, diff: str | bytes) -> None:
        self.index = 0
        self.warnings: list[str] = []
        text = self._decode(diff)
        text = text if "\n" in text else text.replace("\r", "\n")
        if "\n" not in text.strip() and _ESCAPED_HUNK.match(text):
            text = _unescape(text.strip())
            self.warn(r"literal `\n` sequences were read as line breaks; there are no others", 0)
        page = _PRE.fullmatch(text)
        text = page[1] + page[2] if page else text
        if _ESCAPED_HTML.match(text) or (page and "&" in text and not re.search("[<>]", text)):
            text = html.unescape(text)
            self.warnings.append("the diff is HTML-escaped; `&lt;` was read as `<`, and so on")
        if not text.strip():
            advice = "give the output of `git diff`, or a hunk with its `@@` line"
            raise InputError("it is empty", advice, "diff")
        self.is_coloured = bool(_COLOURED_HEADER.search(text))
        if self.is_coloured:
            text = _COLOUR.sub("", text)
        lines = text.removesuffix("\n").split("\n")
        if prefix := _prefix(text):
            is_in = [line.startswith(prefix) or not line.strip(prefix) for line in lines]
            lines = [line[len(prefix) * cut :] for line, cut in zip(lines, is_in, strict=True)]
            self.warnings.append(f"a prefix of lines was ignored: {prefix!r}")
        if len(lines) > 1 and all(line.endswith("\r") for line in lines[:-1]):
            lines = [line.removesuffix("\r") for line in lines]
        self.lines = lines
        self.header_step = 2 if _SPACED.match(text) else 1

    def _decode(self, diff: str | bytes) -> str:
        content = diff.encode("utf-8", "surrogatepass") if isinstance(diff, str) else diff
        if not isinstance(content, bytes):
            raise InputError(f"it must be text or bytes, not {type(diff).__name__}", place="diff")
        if len(content) > MAX_DIFF_BYTES:
            problem = f"it is larger than the limit of {MAX_DIFF_BYTES:,} bytes"
            raise InputError(problem, "score its files one at a time", "diff")
        encoding = text_encoding(content)
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            text = content.decode(encoding, "replace")
            line = decoding_error_line(content, error) - 1
            self.warn("invalid bytes are shown as \ufffd", line, f"is not valid {encoding}")
        return text.lstrip("\ufeff")

    @property
    def at_end(self) -> bool:
        """True if no line is left."""
        return self.index >= len(self.lines)

    @property
    def line(self) -> str:
        """The current line, empty at the end."""
        return self.peek(0)

    def peek(self, ahead: int) -> str:
        """Return the line `ahead` lines after the current one, or "" past the end."""
        index = self.index + ahead
        return self.lines[index] if index < len(self.lines) else ""

    def error(self, reason: str, index: int | None = None) -> InputError:
        """Return an error about the current line, or the line at `index`."""
        line = (self.index if index is None else index) + 1
        return InputError(reason, place=f"diff, line {line}")

    def warn(self, kind: str, index: int | None = None, details: str = "") -> None:
        """Add a warning about the current line, or the line at `index`."""
        line = (self.index if index is None else index) + 1
        self.warnings.append(f"{kind}: line {line} {details}".rstrip())


def _prefix(text: str) -> str:
    """Return what stands in front of every header of a diff, such as `> `; empty if they differ."""
    found = [] if re.search(f"^{_HEADER}", text, re.MULTILINE) else _PREFIXED.findall(text)
    prefix = found[0] if found else ""
    # A line of a hunk may look like a header.
    return prefix if {*found} <= {prefix + mark for mark in ("", " ", "+", "-")} else ""


def _unescape(text: str) -> str:
    r"""Unescape a string literal; if it is invalid, replace only its `\n` sequences."""
    bare = text[1:-1] if text[:1] in {'"', "'"} and text[-1:] == text[:1] else text
    for candidate in (bare, bare.replace("\\'", "'").replace('"', '\\"')):
        try:
            return str(json.loads(f'"{candidate}"', strict=False))
        except ValueError:
            continue
    return _ESCAPED_BREAK.sub("\n", bare)
