"""Rows of files and their cells: limits, blanks, numbers, texts, and formulas."""

import json
import math
import re
import sys
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from crscore_core.text import replace_surrogates, shorten

MAX_COLUMNS = 2_000
MAX_ROW = 10_000_000
"""Maximum number of characters in a row; a longer row is rejected."""

MAX_DOCUMENT = 100 * 2**20
"""Maximum bytes of an unpacked workbook or characters of a JSON document; both are read whole."""

CHUNK = 2**20
"""Number of characters or bytes read at once."""

FORMATS = "give JSON Lines, JSON, CSV, Parquet or XLSX, with one review per row"

_MAX_SHOWN_NAMES, _MAX_SHOWN_NAME = 20, 40

MAX_EXACT = 2**53
"""Larger whole numbers are not exact as floats."""

_BLANK = {"", "nan", "none", "null", "\\n", "na", "n/a", "-", "?", "unsure", "unclear", "not sure"}
_BLANK |= {"cannot tell", "can't tell", "can’t tell", "don't know", "don’t know", "weiß nicht"}
_YES = "yes y true t accept pass right correct ja wahr richtig oui vrai si sí sim verdadero "
_YES += "да верно sì tak はい 是 👍 ✅ ✔ ✓"
_NO = "no n false f reject fail wrong incorrect nein falsch non faux não falso нет неверно nie "
_NO += "いいえ 否 👎 ❌ ✗ ✘"
_WORD_NUMBERS = dict.fromkeys(_YES.split(), 1.0) | dict.fromkeys(_NO.split(), 0.0)
_NUMBER = re.compile(
    r"[+-]?(?:(?:0|[1-9][0-9]*)(?:[.,][0-9]+)?|[.,][0-9]+)(?:e[+-]?[0-9]+|st|nd|rd|th)?", re.ASCII
)
_AMBIGUOUS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}", re.ASCII)  # thousands or decimals
_GRADED = re.compile(r"(\d+(?:[.,]\d+)?)\s*(?:%|(?:/|out of|of|von|sur|de)\s*(\d+))", re.ASCII)
_SCALE_ENDS = {3, 4, 5, 7, 10, 20, 100}
_DIFF = re.compile(r"^(?:@@ -\d|diff --git |--- \S|Index: \S|={4} //)", re.MULTILINE)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class RejectedRow(NamedTuple):
    """A row that cannot be used: its number, from 1, the reason, and its sheet if it is named."""

    row: int
    reason: str
    sheet: str = ""

    @property
    def place(self) -> str:
        """The place of the row in its file, such as `row 3` or `Bots, row 8`."""
        return f"{self.sheet}, row {self.row}" if self.sheet else f"row {self.row}"


class RawRow(NamedTuple):
    """The number of a row, from 1, and its cells by column.

    Rows are numbered by line in JSON Lines, as in a spreadsheet in CSV and XLSX, and by item in
    other formats. Numbers continue over several sheets: `before` rows precede those of `sheet`.
    """

    row: int
    cells: dict[str, Any]
    sheet: str = ""
    before: int = 0

    def rejected(self, reason: str) -> RejectedRow:
        """Return the row as a rejected row, with its number in its own sheet."""
        return RejectedRow(self.row - self.before, reason, self.sheet)

    @property
    def place(self) -> str:
        """The place of the row in its file, see `RejectedRow`."""
        return self.rejected("").place


Row = RawRow | RejectedRow


def is_blank(cell: object) -> bool:
    """Return True for a missing value and for text that stands for one, such as `n/a`."""
    return _is_missing(cell) or (isinstance(cell, str) and cell.strip().lower() in _BLANK)


def cell_number(cell: object) -> float | None:
    """Return the number in a cell, None if it has none.

    Words such as yes, true and right, also in other languages, are 1, and their opposites 0. The
    comma in `4,5` is a decimal comma; `1,234` is ambiguous, so the result is None. `4/5` is 4, see
    `grade_of`, and `3rd` is 3.
    """
    if grade := grade_of(cell):
        return grade[0]
    if isinstance(cell, str | Decimal):
        text = str(cell).strip().lower()
        is_number = _NUMBER.fullmatch(text) and not _AMBIGUOUS.fullmatch(text)
        number = text.rstrip("stndrh").replace(",", ".")
        cell = float(number) if is_number else _WORD_NUMBERS.get(text)
    if isinstance(cell, int | float) and abs(cell) <= sys.float_info.max:
        return float(cell)
    return None


def grade_of(cell: object) -> tuple[float, int] | None:
    """Return the number and the top of its scale in text such as `4/5` or `80 %`."""
    text = cell.strip().lower() if isinstance(cell, str) else ""
    graded = _GRADED.fullmatch(text)
    number, end = graded.groups() if graded else ("0", "0")
    grade = float(number.replace(",", ".")), int(end or 100)
    return grade if grade[1] in _SCALE_ENDS and grade[0] <= grade[1] else None


def cell_text(cell: object) -> str:
    """Return a cell as text: lists and objects as JSON, 7.0 as 7, missing values as "".

    Strings are unchanged. Times are in ISO format, without the time of day at midnight.
    """
    if _is_missing(cell):
        return ""
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    if isinstance(cell, datetime):
        return cell.isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < MAX_EXACT:
        return str(int(cell))
    if isinstance(cell, list | dict | bool):
        return replace_surrogates(json.dumps(cell, ensure_ascii=False, default=str))
    return replace_surrogates(str(cell))


def has_diff(cell: object) -> bool:
    """Return True for text with a line that starts a diff or a hunk."""
    return isinstance(cell, str) and bool(_DIFF.search(cell))


def cell_hash(cell: object) -> int | str:
    """Return the hash of a stripped cell: a number if the cell has a diff, or else text."""
    text_hash = hash(cell_text(cell).strip())
    return text_hash if has_diff(cell) else str(text_hash)


def escape_formula(value: object) -> object:
    """Put an apostrophe before text that a spreadsheet would read as a formula.

    Text that already has an apostrophe there gets another, so that `unescape_formula` restores it.
    """
    is_formula = isinstance(value, str) and value.lstrip("'").startswith(_FORMULA_STARTS)
    return f"'{value}" if is_formula else value


def unescape_formula(cell: str) -> str:
    """Remove the apostrophe that `escape_formula`, or a person, put before a formula."""
    return cell[1:] if cell[:1] == "'" and escape_formula(cell) != cell else cell


def list_columns(names: Iterable[str]) -> str:
    """List column names for a message: only the first ones, with long names shortened."""
    first = [shorten(name, _MAX_SHOWN_NAME) for name in names]
    n_more = len(first) - _MAX_SHOWN_NAMES
    return ", ".join(first[:_MAX_SHOWN_NAMES]) + (f" and {n_more:,} more" if n_more > 0 else "")


def _is_missing(cell: object) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))
