"""A table as values, whatever file it was read from, and how large it may be."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from crscore_core.errors import CorpusError
from crscore_core.unicode import visible_text

__all__ = [
    "LARGEST_FILE",
    "LONGEST_LINE",
    "MOST_COLUMNS",
    "MOST_ROWS",
    "Cell",
    "RejectedRow",
    "Table",
    "TableRow",
    "TableUnderWay",
]

Cell = str | int | float | None
"""What a table holds: text that any encoder takes, a number that is not NaN, or nothing."""

LARGEST_FILE = 100_000_000
"""Size limit of a file in bytes, both as given and unpacked."""

LONGEST_LINE = 10_000_000
"""Size limit of a line of text. Cut into values, it may take twenty times as much memory."""

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
class Table:
    """The rows of a file that could be read, in its order, and those that could not."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    rejected: tuple[RejectedRow, ...] = ()


@dataclass(slots=True)
class TableUnderWay:
    """A table that is being read; it grows no larger than a table may be."""

    columns: dict[str, None] = field(default_factory=dict)
    rows: list[TableRow] = field(default_factory=list)
    rejected: list[RejectedRow] = field(default_factory=list)

    def add_columns(self, names: Mapping[str, object]) -> None:
        """Add those columns that are not known yet, in their order.

        Raises:
            CorpusError: there are too many.
        """
        self.columns |= dict.fromkeys(names)
        if len(self.columns) > MOST_COLUMNS:
            raise CorpusError(
                f"it has more than {MOST_COLUMNS:,} columns; give one row a review, and the same "
                "columns in each"
            )

    def add_row(self, number: int, cells: Mapping[str, Cell]) -> None:
        """Add a row that could be read.

        Raises:
            CorpusError: there are too many.
        """
        self._check_room()
        self.rows.append(TableRow(number, cells))

    def reject(self, number: int, reason: str, text: str) -> None:
        """Add a row that could not be read; `text` is what it holds.

        Raises:
            CorpusError: there are too many.
        """
        self._check_room()
        self.rejected.append(RejectedRow.of(number, reason, text))

    def table(self) -> Table:
        """The table, now that all is read.

        Raises:
            CorpusError: no row could be read.
        """
        if self.rows:
            return Table(tuple(self.columns), tuple(self.rows), tuple(self.rejected))
        if not self.rejected:
            raise CorpusError("it has no rows; give one row a review, with its diff")
        first = self.rejected[0]
        raise CorpusError(f"none of its rows can be read; row {first.number}: {first.reason}")

    def _check_room(self) -> None:
        if len(self.rows) + len(self.rejected) >= MOST_ROWS:
            raise CorpusError(f"it has more than {MOST_ROWS:,} rows; split it into several files")
