"""Rows of a workbook: those of the sheet that holds the reviews."""

import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from crscore_core.errors import InputError
from crscore_eval.table.rows import (
    MAX_DOCUMENT,
    MAX_TITLE_ROWS,
    RawRow,
    column_names,
    header_index,
    list_columns,
    names_reviews,
)
from crscore_eval.table.summary import has_diff

_MAX_ROWS, _MAX_COLUMNS, _MAX_CELLS = 2**20, 1_000, 5_000_000  # filled cells only
_Cells = tuple[int, dict[int, Any]]  # the number of a row, and its values by column
_Rows = list[list[Any]]  # the values of the first rows


def read_workbook(path: Path) -> Iterator[RawRow]:
    """Yield the rows of a sheet, under a header; a cell with only a format is empty.

    Raises:
        InputError: the workbook is damaged or too large, or several sheets may hold the reviews.
    """
    try:
        filled = _filled_rows(path)
    except InputError:
        raise
    except Exception as error:  # raised by zipfile, openpyxl and its XML parsers
        raise InputError("it is damaged or not a workbook", "save it again, or as CSV") from error
    filled = filled[_header_row(filled) :]
    used = sorted({column for _, cells in filled for column in cells})
    if len(used) > _MAX_COLUMNS:
        raise InputError(f"it has more than {_MAX_COLUMNS:,} columns", "save it as CSV")
    head = filled[0][1] if filled else {}
    names = column_names({column: str(head.get(column, "")).strip() for column in used})
    for number, cells in filled[1:]:
        yield RawRow(number, {name: cells.get(column, "") for column, name in names.items()})


def _header_row(filled: list[_Cells]) -> int:
    """Return which of the filled rows is the header; it fits if it names most cells below it."""
    columns = [cells.keys() for _, cells in filled[: 2 * MAX_TITLE_ROWS]]

    def fits(index: int) -> bool:
        below = columns[index + 1 :]
        return sum(row <= columns[index] for row in below) * 2 > len(below)

    return header_index(_first_rows(filled), fits)


def _first_rows(filled: list[_Cells]) -> _Rows:
    return [[*cells.values()] for _, cells in filled[:MAX_TITLE_ROWS]]


def _filled_rows(path: Path) -> list[_Cells]:
    """Return the rows of the only sheet with the signs of reviews that a sheet of the book has."""
    from openpyxl import load_workbook

    with zipfile.ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > MAX_DOCUMENT:
            raise InputError(f"it unpacks to more than {MAX_DOCUMENT:,} bytes", "save it as CSV")
    book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
    with closing(book):
        starts = [
            _first_rows([*islice(_cells(sheet), MAX_TITLE_ROWS)]) for sheet in book.worksheets
        ]
        found = [number for number, rows in enumerate(starts) if rows]
        for is_like_reviews in _SIGNS:
            found = [number for number in found if is_like_reviews(starts[number])] or found
        if len(found) > 1:
            sheets = list_columns(book.worksheets[number].title for number in found)
            raise InputError(
                f"it is unclear which sheet holds the reviews: {sheets}", "save that sheet as CSV"
            )
        return [*_cells(book.worksheets[found[0]])] if found else []


def _has_diff_and_text(rows: _Rows) -> bool:
    """Return True if a row has a diff and another text."""
    texts = ([cell for cell in row if isinstance(cell, str)] for row in rows)
    return any(len(row) > 1 and any(map(has_diff, row)) for row in texts)


def _is_table(rows: _Rows, size: int) -> bool:
    return sum(len(row) >= size for row in rows) >= size


_SIGNS: tuple[Callable[[_Rows], bool], ...] = (
    lambda rows: any(map(names_reviews, rows[:-1])),
    _has_diff_and_text,
    lambda rows: _is_table(rows, 2),
    lambda rows: _is_table(rows, 3),
)
"""Marks of the sheet with the reviews, the surest first."""


def _cells(sheet: Any) -> Iterator[_Cells]:  # noqa: ANN401 - openpyxl has no types
    """Yield the number of each row of a sheet, and its values by the number of the column.

    The rows of openpyxl would have every cell up to the last one, of which a file needs only one.
    """
    from openpyxl.worksheet._reader import WorkSheetParser

    n_cells = 0
    with sheet._get_source() as source:  # noqa: SLF001 - see above
        parser = WorkSheetParser(
            source,
            sheet._shared_strings,  # noqa: SLF001
            data_only=True,
            epoch=sheet.parent.epoch,
            date_formats=sheet.parent._date_formats,  # noqa: SLF001
            timedelta_formats=sheet.parent._timedelta_formats,  # noqa: SLF001
        )
        for number, cells in parser.parse():
            values = {
                cell["column"]: None if cell["data_type"] == "e" else cell["value"]
                for cell in cells
                if cell["value"] not in {None, ""}
            }
            n_cells += len(values)
            if n_cells > _MAX_CELLS or number > _MAX_ROWS:
                limits = f"{_MAX_CELLS:,} cells or {_MAX_ROWS:,} rows"
                raise InputError(f"it has more than {limits}", "save it as CSV")
            if values:
                yield number, values
