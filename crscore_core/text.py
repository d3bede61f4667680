"""Text that every encoder, file, terminal, spreadsheet and web page can take."""

import codecs
import re
import unicodedata

from markupsafe import Markup

from crscore_core.errors import InputError

__all__ = [
    "SURROGATE",
    "UNSEEN",
    "as_cell",
    "as_text",
    "code_point",
    "decode",
    "encoding_of",
    "text_of_file",
    "unseen_as_codes",
    "unseen_markup",
    "visible_text",
    "whole_text",
]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
_CODE = Markup('<span class="{}">{}</span>')

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which no UTF-8 can hold."""

UNSEEN = re.compile(
    "([\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff"
    "\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff])"
)
"""One character that nobody sees: of control, format, no width, or a turned order of writing.

Blanks, tabs and line feeds are none of them, nor the sign that makes a picture of an emoji.
"""


def whole_text(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair."""
    return SURROGATE.sub("\ufffd", text)


def visible_text(text: str) -> str:
    r"""The text on one line that cannot steer what shows it.

    Every control, format and line-separating character is written as its code, such as `\u001b`.
    """
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        return f"\\u{ord(character):04x}"
    return character


def code_point(character: str) -> str:
    """How a character is called that cannot be shown, such as `U+202E`."""
    return f"U+{ord(character):04X}"


def unseen_as_codes(text: str) -> str:
    """The text with the code of each character that nobody sees in its place."""
    return UNSEEN.sub(lambda found: code_point(found[0]), text)


def encoding_of(content: bytes) -> str:
    """UTF-16 where a byte order mark says so, else UTF-8."""
    return next((name for mark, name in _BOMS if content.startswith(mark)), "utf-8")


def decode(content: bytes) -> str:
    """Text of a file, without its byte order mark.

    Raises:
        UnicodeDecodeError: it is not in the encoding that `encoding_of` tells.
    """
    return content.decode(encoding_of(content)).removeprefix("\ufeff")


def text_of_file(content: bytes, what: str) -> str:
    """Text of a file, without its byte order mark; `what` is how a message calls the file.

    Raises:
        InputError: it is not in the encoding that `encoding_of` tells.
    """
    try:
        return decode(content)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{what}, line {line}: not valid {error.encoding.upper()}") from error


def as_text(value: str) -> str:
    """A text that no spreadsheet takes for a formula: behind an apostrophe if it looks like one."""
    return f"'{value}" if value.startswith(_BEGIN_FORMULAS) else value


def as_cell(value: object) -> object:
    """Any value for a cell: a text by `as_text`, all others as they are."""
    return as_text(value) if isinstance(value, str) else value


def unseen_markup(text: str, css_class: str) -> Markup:
    """The text escaped, each unseen character as its code in an element of a class.

    So no bidirectional control turns the order of what follows. Blanks and line ends stay as
    they are; where they are shown, `white-space: pre-wrap` has to keep them.
    """
    pieces = UNSEEN.split(text.replace("\r\n", "\n"))
    return Markup().join(
        # Every second piece is what the pattern found.
        _CODE.format(css_class, code_point(piece)) if at % 2 else piece
        for at, piece in enumerate(pieces)
    )
