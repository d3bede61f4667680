"""CSV and its relatives -> a table."""

import csv
import io
from collections.abc import Iterator

from crscore_core.corpus.reading.cells import column_names
from crscore_core.corpus.reading.table import LARGEST_FILE, LONGEST_LINE, Table, TableUnderWay
from crscore_core.errors import CorpusError
from crscore_core.unicode import SURROGATE

__all__ = ["read_delimited"]

_DELIMITERS = ",\t;|"
_LONGEST_HEADER = 200_000


def read_delimited(content: bytes) -> Table:
    """Read records under a header, with the delimiter that cuts the header into most cells.

    Cells in double quotes may hold delimiters, line ends and doubled quotes. Records without any
    content are skipped.

    Raises:
        CorpusError: there is no header, a line is too long, there are too many rows or columns,
            or no row can be read.
    """
    # Python's own limit of 131,072 characters is less than a diff may have. It is one for the
    # whole process, so it is never lowered.
    csv.field_size_limit(max(csv.field_size_limit(), LARGEST_FILE))
    start = content[:_LONGEST_HEADER]
    delimiter = max(_DELIMITERS, key=lambda one: len(_header(start, one)))
    names = column_names(_header(start, delimiter))
    if len(names) < 2:
        raise CorpusError(
            "its first line names fewer than two columns; give JSON Lines, Parquet, or CSV with "
            "a header such as `id,diff,review`"
        )
    table = TableUnderWay()
    table.add_columns(dict.fromkeys(names))
    records = _records(content, delimiter)
    next(records)  # the header
    for number, cells in records:
        text = " ".join(cells)
        if reason := _fault(cells, text, len(names)):
            table.reject(number, reason, text)
        else:
            table.add_row(number, dict(zip(names, cells, strict=True)))
    return table.table()


def _header(content: bytes, delimiter: str) -> list[str]:
    return next(_records(content, delimiter), (1, []))[1]


def _records(content: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The records that hold something, each with its number; one whose quotes fail has no cells."""
    reader = csv.reader(_lines(content), delimiter=delimiter, strict=True)
    number = 0
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:  # the reader goes on at the next line
            yield number, []
        else:
            if any(cell.strip() for cell in cells):
                yield number, cells


def _lines(content: bytes) -> Iterator[str]:
    # Bytes that are not UTF-8 become halves of surrogate pairs, by which their record is known.
    text = io.TextIOWrapper(io.BytesIO(content), "utf-8", "surrogateescape", newline="")
    for number, line in enumerate(text, start=1):
        if len(line) > LONGEST_LINE:
            raise CorpusError(
                f"line {number} is longer than the limit of {LONGEST_LINE:,} characters"
            )
        yield line


def _fault(cells: list[str], text: str, width: int) -> str | None:
    """Why a record is no row of a table with `width` columns; None if it is one."""
    if not cells:
        return (
            "its quotes do not match, so where it ends is not known; put cells with quotes in "
            "quotes, and double those inside"
        )
    if len(cells) != width:
        return f"it has {len(cells)} cells, but the header has {width}"
    if SURROGATE.search(text):
        return "it is not UTF-8; save the file as UTF-8"
    return None
