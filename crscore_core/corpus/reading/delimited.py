"""CSV and its relatives -> rows."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from crscore_core.corpus.reading.cells import column_names
from crscore_core.corpus.reading.table import (
    LONGEST_LINE,
    OpenedRows,
    Row,
    TableRow,
    UnreadableRow,
)
from crscore_core.corpus.reading.text import cut_lines
from crscore_core.errors import CorpusError
from crscore_core.text import SURROGATE

__all__ = ["delimited_rows"]

_DELIMITERS = ",\t;|"


def delimited_rows(text: TextIO) -> OpenedRows:
    """Read records under a header, with the delimiter that cuts the header into most cells.

    Cells in double quotes may hold delimiters, line ends and doubled quotes. Records without any
    content are skipped.

    Raises:
        CorpusError: there is no header, or it has too many columns.
    """
    # Python's own limit of 131,072 characters is less than a diff may have. It is one for the
    # whole process, so it is never lowered.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    headers = {delimiter: _header(text, delimiter) for delimiter in _DELIMITERS}
    delimiter = max(headers, key=lambda one: len(headers[one]))
    names = column_names(headers[delimiter])
    if len(names) < 2:
        raise CorpusError(
            "its first line names fewer than two columns; give JSON Lines, Parquet, or CSV with "
            "a header such as `id,diff,review`"
        )
    text.seek(0)
    return OpenedRows(names, _rows(text, delimiter, names))


def _header(text: TextIO, delimiter: str) -> list[str]:
    text.seek(0)
    first = next(_records(text, delimiter), None)
    return first.cells if first else []


def _rows(text: TextIO, delimiter: str, names: tuple[str, ...]) -> Iterator[Row]:
    records = _records(text, delimiter)
    next(records)  # the header
    for record in records:
        if fault := record.fault or _fault(record, len(names)):
            yield UnreadableRow.of(record.number, fault, record.text)
        else:
            yield TableRow(record.number, dict(zip(names, record.cells, strict=True)))


def _fault(record: "_Record", width: int) -> str | None:
    """Why a record is no row of a table with `width` columns; None if it is one."""
    if len(record.cells) != width:
        return f"it has {len(record.cells)} cells, but the header has {width}"
    if SURROGATE.search(record.text):
        return "it is not UTF-8; save the file as UTF-8"
    return None


@dataclass(frozen=True, slots=True)
class _Record:
    """A record, as cells and as it stands in the text; without cells it has a fault."""

    number: int
    cells: list[str]
    text: str
    fault: str | None = None


def _records(text: TextIO, delimiter: str) -> Iterator[_Record]:
    """The records that hold something."""
    lines = _RecordLines(text)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    number = 0
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:  # the reader goes on at the next line, here and below
            yield _Record(
                number,
                [],
                lines.taken(),
                "its quotes do not match, so where it ends is not known; put cells with quotes in "
                "quotes, and double those inside",
            )
        except CorpusError as error:
            yield _Record(number, [], lines.taken(), str(error))
        else:
            record = _Record(number, cells, lines.taken())
            if any(cell.strip() for cell in cells):
                yield record


class _RecordLines:
    """The lines of a text, and which of them were taken for the record that is being read."""

    def __init__(self, text: TextIO) -> None:
        self._lines = enumerate(cut_lines(text, ("\n", "\r")), start=1)
        self._taken: list[str] = []
        self._length = 0

    def __iter__(self) -> "_RecordLines":
        return self

    def __next__(self) -> str:
        number, line = next(self._lines)
        self._taken.append(line)
        self._length += len(line)
        if self._length > LONGEST_LINE:
            raise CorpusError(
                f"what it holds up to line {number} is longer than the limit of {LONGEST_LINE:,} "
                "characters; see whether a quote is not closed"
            )
        return line

    def taken(self) -> str:
        """What was taken since the last call, without the end of its last line."""
        text = "".join(self._taken)
        self._taken.clear()
        self._length = 0
        return text.rstrip("\r\n")
