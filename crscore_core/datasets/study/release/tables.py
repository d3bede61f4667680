"""Reading one spreadsheet of the study strictly: all of it, or an error that names the row."""

import csv
import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from crscore_core.errors import StudyError

__all__ = ["Row", "read_table"]

_POINT_ZERO = re.compile(r"(?<=[0-9])\.0+\Z")
_FETCH = "download the study again with 'crscore study fetch'"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a spreadsheet: its cells by column.

    `number` counts records of the file, not lines, and the header is record 1: what a
    spreadsheet program shows beside the row.
    """

    file: str
    number: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def has(self, column: str) -> bool:
        """Whether the cell holds more than blanks."""
        return bool(self.cells[column].strip())

    def whole(self, column: str) -> str:
        """What a cell holds, without the ".0" that spreadsheet programs add to whole numbers."""
        return _POINT_ZERO.sub("", self.cells[column].strip())

    def says(self, what: str) -> str:
        """A line about this row, which it names."""
        return f"{self.file}, row {self.number}: {what}"

    def odd_cell(self, column: str, expected: str) -> str:
        """A line that names this row and what is in a cell, made safe to print."""
        return self.says(f"{column} is {self._shown(column)}, not {expected}")

    def error(self, reason: str) -> StudyError:
        """An error that names this row."""
        return StudyError(self.says(reason))

    def bad_cell(self, column: str, expected: str) -> StudyError:
        """An error that names this row and what is in a cell, made safe to print."""
        return self.error(f"{column} is {self._shown(column)}; it must be {expected}")

    def _shown(self, column: str) -> str:
        value = self.cells[column]
        return repr(value if len(value) <= 40 else f"{value[:40]}...")


def read_table(
    release: Path, file: str, columns: Sequence[str], prefixed: Sequence[str] = ()
) -> tuple[Row, ...]:
    """The rows of a CSV file, with the cells of `columns` alone.

    `file` is relative to `release`. A column of `prefixed` is one whose header starts so; the
    cells bear the prefix as their name. Columns that nobody asks for are ignored; records
    without any cell are skipped.

    Raises:
        StudyError: the file is missing, not UTF-8, not CSV, has no such column or has it twice,
            or a row has more or fewer cells than the header, or a NUL character.
    """
    records = _records(file, _text(release, file))
    _, header = next(records, (1, []))
    positions = {name: _position(file, header, name, exact=True) for name in columns}
    positions |= {name: _position(file, header, name, exact=False) for name in prefixed}
    rows = []
    for number, cells in records:
        row = Row(file, number, {})
        if len(cells) != len(header):
            raise row.error(
                f"it has {len(cells)} cells, but the header has {len(header)}; {_FETCH}"
            )
        rows.append(Row(file, number, {name: cells[at] for name, at in positions.items()}))
    return tuple(rows)


def _text(release: Path, file: str) -> str:
    path = release / file
    # os.path.exists is False for what can be no name; a pipe would wait for ever.
    if not os.path.isfile(path):
        raise StudyError(f"{file}: there is no such file in {release}; {_FETCH}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StudyError(f"{file}: cannot be read: {error.strerror}") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", errors="ignore")
        # The character stands for the broken one, so that its record is counted too.
        row = sum(1 for _ in csv.reader(io.StringIO(f"{before}?", newline="")))
        raise StudyError(f"{file}, row {row}: not UTF-8; {_FETCH}") from error


def _records(file: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """The records that are not empty, each with its number."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            if any("\0" in cell for cell in cells):
                raise StudyError(f"{file}, row {number}: a cell holds a NUL character; {_FETCH}")
            if cells:
                yield number, cells
    except csv.Error as error:
        raise StudyError(f"{file}, row {number + 1}: not CSV: {error}; {_FETCH}") from error


def _position(file: str, header: Sequence[str], name: str, *, exact: bool) -> int:
    found = [
        at
        for at, cell in enumerate(header)
        if (cell.strip() == name if exact else cell.lstrip().startswith(name))
    ]
    if not found:
        raise StudyError(f"{file}, row 1: there is no column {name!r}; {_FETCH}")
    if len(found) > 1:
        raise StudyError(
            f"{file}, row 1: the column {name!r} is there {len(found)} times; {_FETCH}"
        )
    return found[0]
