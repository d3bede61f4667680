"""A table as values, whatever file it was read from, and how large it may be."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from crscore_core.errors import CorpusError
from crscore_core.text import visible_text

__all__ = [
    "LARGEST_FILE",
    "LONGEST_LINE",
    "MOST_COLUMNS",
    "MOST_ROWS",
    "Cell",
    "OpenedRows",
    "RejectedRow",
    "Row",
    "Table",
    "TableRow",
    "UnreadableRow",
    "check_columns",
    "table_of",
]

Cell = str | int | float | None
"""What a table holds: text that any encoder takes, a number that is not NaN, or nothing."""

LARGEST_FILE = 100_000_000
"""Size limit of a file in bytes, both as given and unpacked."""

LONGEST_LINE = 10_000_000
"""Size limit of a row as text. Cut into values, it may take twenty times as much memory."""

MOST_ROWS = 100_000
"""Limit of rows, those set aside included."""

MOST_COLUMNS = 1_000
"""Limit of columns."""

_EXCERPT = 80


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row that was set aside, and why.

    `number` is that of `TableRow`. `excerpt` is the beginning of what it holds, on one line and
    without control characters.
    """

    number: int
    reason: str
    excerpt: str

    @classmethod
    def of(cls, number: int, reason: str, text: str) -> "RejectedRow":
        """The row with an excerpt of `text`."""
        shown = visible_text(" ".join(text[: 2 * _EXCERPT].split()))
        short = shown if len(shown) <= _EXCERPT else f"{shown[: _EXCERPT - 1]}…"
        return cls(number, reason, short)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: its cells by column, those that it has.

    `number` counts from 1: lines of JSON Lines, rows of Parquet, records of CSV, where the header
    is the first, as a spreadsheet program shows it.
    """

    number: int
    cells: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class UnreadableRow:
    r"""A row that could not be read, and why.

    `number` is that of `TableRow`. `content` is all of what the row holds, as text, cut after
    `LONGEST_LINE` characters; bytes that are not UTF-8 are written as `\xff`.
    """

    number: int
    reason: str
    content: str

    @classmethod
    def of(cls, number: int, reason: str, text: str) -> "UnreadableRow":
        """The row that holds `text`, where a byte that is not UTF-8 is half a surrogate pair."""
        # A text that is too long before it is written out is even longer afterwards.
        raw = text[:LONGEST_LINE].encode("utf-8", "surrogateescape")
        return cls(number, reason, raw.decode("utf-8", "backslashreplace")[:LONGEST_LINE])


Row = TableRow | UnreadableRow
"""A row as it is read from a file."""


@dataclass(frozen=True, slots=True)
class OpenedRows:
    """The rows of an open file, each read when it is asked for.

    `columns` are those that the file names at its beginning; none where each row names its own.
    `total` is how many rows there are, where the file tells.
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


def check_columns(names: Collection[str]) -> None:
    """See to it that there are no more columns than a table may have.

    Raises:
        CorpusError: there are more.
    """
    if len(names) > MOST_COLUMNS:
        raise CorpusError(
            f"it has more than {MOST_COLUMNS:,} columns; give one row a review, and the same "
            "columns in each"
        )


def table_of(opened: OpenedRows) -> Table:
    """Collect all rows; a column is any that the file or one of its rows names.

    Raises:
        CorpusError: there are too many rows or columns, or no row could be read.
    """
    columns = dict.fromkeys(opened.columns)
    rows: list[TableRow] = []
    rejected: list[RejectedRow] = []
    for row in opened.rows:
        if len(rows) + len(rejected) >= MOST_ROWS:
            raise CorpusError(f"it has more than {MOST_ROWS:,} rows; split it into several files")
        if isinstance(row, UnreadableRow):
            rejected.append(RejectedRow.of(row.number, row.reason, row.content))
        else:
            columns |= dict.fromkeys(row.cells)
            check_columns(columns)
            rows.append(row)
    if rows:
        return Table(tuple(columns), tuple(rows), tuple(rejected))
    if not rejected:
        raise CorpusError("it has no rows; give one row a review, with its diff")
    first = rejected[0]
    raise CorpusError(f"none of its rows can be read; row {first.number}: {first.reason}")
