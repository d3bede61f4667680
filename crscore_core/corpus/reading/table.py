"""Rows and cells as values, whatever file they come from, and how many a table may have."""

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from crscore_core.errors import InputError
from crscore_core.text import visible_text, whole_text

Cell = str | int | float | None
"""Text that any encoder takes, a number that is not NaN, or nothing."""

LARGEST_FILE = 100 * 2**20
"""Size limit of a file that is given to the app, in bytes, also unpacked, and of the rows that are
held in memory, in characters."""

LONGEST_LINE = 10_000_000
"""Size limit of a row as text. Cut into values, it may take twenty times as much memory."""

MOST_ROWS = 100_000
"""Limit of rows, those set aside included."""

MOST_COLUMNS = 1_000
"""Limit of columns."""

MOST_CELLS = 3_000_000
"""Limit of cells in all rows together; each takes about a hundred bytes."""

_EXCERPT = 80

_COMMA = re.compile(r"[+-]?(?:0*|[0-9]*(?=,(?![0-9]{3}$))),[0-9]+", re.ASCII)
_BLANK = {"", "nan", "none", "null", "na", "n/a", "-", "cannot tell"}
_WORDS = {"yes": 1.0, "true": 1.0, "pass": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0}


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row with its cells by column.

    `number` counts from 1: lines of JSON Lines, rows of Parquet, records of CSV, where the header
    is the first, as a spreadsheet program shows it.
    """

    number: int
    cells: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class RejectedRow:
    r"""A row that is set aside, and why.

    `number` is that of `TableRow`. `content` is the row as text, cut after `LONGEST_LINE`
    characters; bytes that are not UTF-8 are written as `\xff`.
    """

    number: int
    reason: str
    content: str

    @classmethod
    def of(cls, number: int, reason: str, text: str) -> "RejectedRow":
        """The row that holds `text`, where a byte that is not UTF-8 is half a surrogate pair."""
        # Cut before the bytes are written out, which makes the text longer, and after.
        raw = text[:LONGEST_LINE].encode("utf-8", "surrogateescape")
        return cls(number, reason, raw.decode("utf-8", "backslashreplace")[:LONGEST_LINE])

    @property
    def excerpt(self) -> str:
        """The beginning of the row, on one line and without control characters."""
        shown = visible_text(" ".join(self.content[: 2 * _EXCERPT].split()))
        return shown if len(shown) <= _EXCERPT else f"{shown[: _EXCERPT - 1]}…"


Row = TableRow | RejectedRow
"""A row as it is read from a file."""


@dataclass(frozen=True, slots=True)
class OpenedRows:
    """The rows of an open file, read one by one.

    `columns` are those that the file names at its beginning, empty where each row names its own.
    `total` is the number of rows, where the file tells.
    """

    columns: tuple[str, ...]
    rows: Iterator[Row]
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file that could be read, in its order, and those that could not."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    rejected: tuple[RejectedRow, ...] = ()


def size_of(row: Row) -> int:
    """Count the characters of a row."""
    if isinstance(row, RejectedRow):
        return len(row.content)
    return sum(len(cell) for cell in row.cells.values() if isinstance(cell, str))


def table_of(opened: OpenedRows) -> Table:
    """Collect all rows; the columns are those that the file or any row names.

    Raises:
        InputError: there are too many rows, columns, cells or characters, or no row could be read.
    """
    columns = dict.fromkeys(opened.columns)
    n_cells = n_characters = 0
    rows: list[TableRow] = []
    rejected: list[RejectedRow] = []
    for row in opened.rows:
        if len(rows) + len(rejected) >= MOST_ROWS:
            raise InputError(f"it has more than {MOST_ROWS:,} rows; split it into several files")
        n_characters += size_of(row)
        if isinstance(row, RejectedRow):
            rejected.append(row)
        else:
            columns |= dict.fromkeys(row.cells)
            check_columns(columns)
            n_cells += len(row.cells)
            if n_cells > MOST_CELLS:
                raise InputError(
                    f"it has more than {MOST_CELLS:,} cells; split it into several files, or "
                    "leave out columns that nobody needs"
                )
            rows.append(row)
        if n_characters > LARGEST_FILE:
            raise InputError(
                f"it is larger than the limit of {LARGEST_FILE:,} characters; give only the "
                "columns needed, or split it into several files"
            )
    if rows:
        return Table(tuple(columns), tuple(rows), tuple(rejected))
    if not rejected:
        raise InputError("it has no rows; give one row a review, with its diff")
    first = rejected[0]
    raise InputError(f"none of its rows can be read; row {first.number}: {first.reason}")


def check_columns(names: Collection[str]) -> None:
    """Check that there are no more columns than `MOST_COLUMNS`.

    Raises:
        InputError: there are more.
    """
    if len(names) > MOST_COLUMNS:
        raise InputError(
            f"it has more than {MOST_COLUMNS:,} columns; give one row a review, and the same "
            "columns in each"
        )


def column_names(header: Sequence[str]) -> tuple[str, ...]:
    """A distinct name for each column: the header's, stripped, or the column's number.

    A name that another column has gets the number too.

    Raises:
        InputError: there are too many.
    """
    check_columns(header)
    names: dict[str, None] = {}
    for number, cell in enumerate(header, start=1):
        name = whole_text(cell).strip() or f"column {number}"
        while name in names:
            name = f"{name} ({number})"
        names[name] = None
    return tuple(names)


def cell_of(value: object) -> Cell:
    """The cell that holds a value of JSON.

    NaN becomes None; true and false become words, so that nobody takes them for 1 and 0; lists and
    objects become JSON, as such a cell would read in CSV.

    Raises:
        RecursionError: a list or an object nested too deeply.
    """
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value
    return None if value is None else whole_text(json.dumps(value, ensure_ascii=False))


def is_blank(cell: Cell) -> bool:
    """Return True if a cell is empty, or its word says that it holds no value."""
    return _word(cell) in _BLANK


def is_truth_word(cell: Cell) -> bool:
    """Return True if a cell holds yes, true or pass, or no, false or fail."""
    return _word(cell) in _WORDS


def cell_number(cell: Cell, name: str) -> float | None:
    """Return the number in a cell; yes, true and pass are 1; no, false and fail 0; None if blank.

    Raises:
        InputError: the cell holds something else; the message calls it `name`.
    """
    if is_blank(cell):
        return None
    word = _word(cell)
    try:
        value = _WORDS[word] if word in _WORDS else float(with_point(word))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        comma = "its comma may set off thousands, so write a point; " if "," in word else ""
        raise InputError(
            f"{name} is {word[:20]!r}; {comma}it takes a number, yes or no, true or false, "
            "pass or fail, or blank"
        )
    return value


def with_point(number: str) -> str:
    """Write a decimal comma, as many spreadsheets do, as a point.

    Not before three digits, where the comma may set off thousands, unless only zeros precede it.
    """
    return number.replace(",", ".") if _COMMA.fullmatch(number) else number


def _word(cell: Cell) -> str:
    return "" if cell is None else str(cell).strip().lower()
