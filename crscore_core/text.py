"""Make text safe for encoders, files, terminals and web pages."""

import errno
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO

from crscore_core.errors import InputError

STOP_WORDS = frozenset(
    Path(__file__).with_name("stop_words.txt").read_text(encoding="utf-8").split()
)
"""Tokens that pooling leaves out: `.`, `,` and NLTK's English stop words, as in the original, minus
words with an apostrophe, which no tokenizer returns as a single token."""

INVISIBLE = re.compile(
    "([\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff"
    "\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff])"
)
"""One invisible character: a control, format, zero-width or bidirectional character, but not a
space, tab, line feed or the emoji variation selector."""

_MAX_LISTED = 5
_NOT_ON_A_LINE = re.compile(rf"{INVISIBLE.pattern}|[\t\n\ufffe\uffff]")


def replace_surrogates(text: str) -> str:
    """Replace each half of a surrogate pair, which UTF-8 cannot encode, with U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def escape_invisible(text: str, *, keeps_lines: bool = False) -> str:
    """Replace each invisible character with its code point, such as `U+202E`.

    Unless `keeps_lines` is true, also replace tabs, line feeds and characters that XML forbids.
    """
    invisible = INVISIBLE if keeps_lines else _NOT_ON_A_LINE
    return invisible.sub(lambda match: f"U+{ord(match[0]):04X}", text)


def read_at_most(source: Path | BinaryIO, max_bytes: int = 10_000_000) -> bytes:
    """Read at most `max_bytes` from a path or an open file; a device may never end.

    Raises:
        OSError: the file cannot be read, or is larger than `max_bytes`.
        ValueError: the path is not a valid file name.
    """
    with source.open("rb") if isinstance(source, Path) else nullcontext(source) as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {max_bytes:,} bytes")
    return content


def text_encoding(content: bytes) -> str:
    """Return the encoding of a file: UTF-16 if it has that byte order mark, else UTF-8."""
    return "utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8"


def decoding_error_line(content: bytes, error: UnicodeDecodeError) -> int:
    """Return the number of the first line that cannot be decoded."""
    return content[: error.start].decode(error.encoding, "replace").count("\n") + 1


def decode_file(content: bytes, name: str) -> str:
    """Decode a file with its `text_encoding`, or raise an InputError that mentions `name`."""
    try:
        return content.decode(text_encoding(content)).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line, encoding = decoding_error_line(content, error), error.encoding.upper()
        raise InputError(f"not valid {encoding}", place=f"{name}, line {line}") from error


def on_one_line(text: str) -> str:
    """Return text on one line, without control or invisible characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def shorten(text: str, width: int = 60) -> str:
    """Return text as one line of at most `width` characters, cut between words if possible."""
    line = on_one_line(text)
    if len(line) <= width:
        return line
    start = line[: width - 2]
    end = max(start.rfind(mark) + len(mark.strip()) for mark in (" ", "(", ","))
    return f"{start[:end].rstrip() if end > width // 2 else start} …"


def listed(names: Sequence[str]) -> str:
    """Join the first names with semicolons, and say how many more there are."""
    more = f"; and {len(names) - _MAX_LISTED:,} more" if len(names) > _MAX_LISTED else ""
    return f"{'; '.join(names[:_MAX_LISTED])}{more}"


def in_words(names: Sequence[str]) -> str:
    """Join names as in `A, B and C`; of many names, list the first ones and count the rest."""
    more = [f"{len(names) - _MAX_LISTED:,} more"] if len(names) > _MAX_LISTED else []
    *first, last = [*names[:_MAX_LISTED], *more]
    return f"{', '.join(first)} and {last}" if first else last


def counted(number: int, thing: str) -> str:
    """Return a number and its noun, such as `1 review` or `2,000 reviews`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
