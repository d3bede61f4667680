"""Make text safe for encoders, files, terminals, spreadsheets and web pages; stop words."""

import codecs
import csv
import errno
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO

from markupsafe import Markup

from crscore_core.errors import InputError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_CODE_POINT = Markup('<span class="{}">{}</span>')

STOP_WORDS = frozenset(
    """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself
    she her hers herself it its itself they them their theirs themselves what which who whom
    this that these those am is are was were be been being have has had having do does did
    doing a an the and but if or because as until while of at by for with about against
    between into through during before after above below to from up down in out on off over
    under again further then once here there when where why how all any both each few more
    most other some such no nor not only own same so than too very s t can will just don
    should now d ll m o re ve y ain aren couldn didn doesn hadn hasn haven isn ma mightn mustn
    needn shan shouldn wasn weren won wouldn . ,
    """.split()
)
"""Tokens that pooling leaves out: English stop words, `.` and `,`.

This is NLTK's list, used by the original, without words that contain an apostrophe, which no
tokenizer returns as a single token.
"""

_ENGLISH = frozenset(
    """
    the this that these those and are it its be been by but can could does should with from which
    when why what how there not you your we our will would if than into only use to of for or is a
    in an as i
    """.split()
)
"""Frequent English words."""

_CODE = re.compile(r"(`+).*?\1|<[^<>]*>", re.DOTALL)
_PLAIN_WORD = re.compile(r"(?<!\S)[^\W\d_]+(?=[.,;:!?)]*(?:\s|\Z))")
_LATIN_END = "\u024f"

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which UTF-8 cannot encode."""

UNSEEN = re.compile(
    "([\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff"
    "\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff])"
)
"""One invisible character: a control, format, zero-width or bidirectional character.

Spaces, tabs, line feeds and the emoji variation selector do not count.
"""


def whole_text(text: str) -> str:
    """Replace each half of a surrogate pair with U+FFFD."""
    return SURROGATE.sub("\ufffd", text)


def is_english(text: str) -> bool:
    """Return False if a text with Markdown is surely not English; True for short texts and code.

    Not English are texts with over 30 % of their letters outside the Latin script, and those of
    enough words of which fewer than 10 % are frequent English ones.
    """
    prose = _CODE.sub(" ", text)
    letters = [character for character in prose if character.isalpha()]
    if sum(letter > _LATIN_END for letter in letters) > 0.3 * len(letters):
        return False
    words = _PLAIN_WORD.findall(prose.lower())
    enough = 10 if all(map(str.isascii, letters)) else 4
    return len(words) < enough or sum(word in _ENGLISH for word in words) >= 0.1 * len(words)


def visible_text(text: str) -> str:
    r"""Put text on one line that cannot control a terminal or page.

    Control, format and line-separating characters, and those that XML lacks, are written as
    escapes, such as `\u001b`.
    """
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if (
        unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        or character in "\ufffe\uffff"
    ):
        return f"\\u{ord(character):04x}"
    return character


def code_point(character: str) -> str:
    """Return the name of an invisible character, such as `U+202E`."""
    return f"U+{ord(character):04X}"


def unseen_as_codes(text: str) -> str:
    """Replace each invisible character with its code point."""
    return UNSEEN.sub(lambda match: code_point(match[0]), text)


def encoding_of(content: bytes) -> str:
    """Return the encoding of a file: UTF-16 if a byte order mark indicates it, else UTF-8."""
    return next((name for mark, name in _BOMS if content.startswith(mark)), "utf-8")


def decode(content: bytes) -> str:
    """Decode a file and strip its byte order mark.

    Raises:
        UnicodeDecodeError: the content is not valid in the encoding from `encoding_of`.
    """
    return content.decode(encoding_of(content)).removeprefix("\ufeff")


def read_at_most(source: Path | BinaryIO, most: int = 10_000_000) -> bytes:
    """Read a file, by its path or open; it may be a device, which has no end.

    Raises:
        OSError: it cannot be read, or is larger than `most` bytes.
        ValueError: the path is no name of a file.
    """
    with source.open("rb") if isinstance(source, Path) else nullcontext(source) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes")
    return content


def text_of_file(content: bytes, what: str) -> str:
    """Decode a file and strip its byte order mark; `what` names the file in messages.

    Raises:
        InputError: the content is not valid in the encoding from `encoding_of`.
    """
    try:
        return decode(content)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{what}, line {line}: not valid {error.encoding.upper()}") from error


def as_text(value: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula.

    Text that already starts with one gets another, so that `text_of_cell` restores both.
    """
    return f"'{value}" if value.lstrip("'").startswith(_BEGIN_FORMULAS) else value


def text_of_cell(value: str) -> str:
    """Strip the apostrophe added by `as_text`."""
    return value[1:] if value.startswith("'") and as_text(value) != value else value


def as_cell(value: object) -> object:
    """Make a value safe for a cell: pass text through `as_text`, return others unchanged."""
    return as_text(value) if isinstance(value, str) else value


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Write rows as CSV with cells from `as_cell`; None is an empty cell."""
    text = io.StringIO()
    csv.writer(text).writerows(map(as_cell, row) for row in rows)
    return text.getvalue()


def unseen_markup(text: str, css_class: str) -> Markup:
    """Escape text for HTML; write each invisible character as its code point in a `span`.

    No bidirectional control is left to reorder the following text. Spaces and line ends stay; the
    page has to preserve them with `white-space: pre-wrap`.
    """
    pieces = UNSEEN.split(text.replace("\r\n", "\n"))
    return Markup().join(
        # Every second piece is an invisible character.
        _CODE_POINT.format(css_class, code_point(piece)) if index % 2 else piece
        for index, piece in enumerate(pieces)
    )


def short_name(name: str, most: int = 60) -> str:
    """Return a name as one line of at most so many characters."""
    line = " ".join(name.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def listed(names: Sequence[str], most: int = 5) -> str:
    """List the first names, and say how many more there are."""
    more = f"; and {len(names) - most:,} more" if len(names) > most else ""
    return f"{'; '.join(names[:most])}{more}"


def counted(number: int, thing: str) -> str:
    """Return a number with the name of what it counts, such as `1 review` or `2,000 reviews`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def capital(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
