"""Rows of a workbook: those of the sheet that holds the reviews."""

import zipfile
from collections.abc import Iterator
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
    names_reviews,
)

_MAX_ROWS, _MAX_COLUMNS, _MAX_CELLS = 2**20, 1_000, 5_000_000  # filled cells only
_Cells = tuple[int, dict[int, Any]]  # the number of a row, and its values by column


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
    filled = filled[header_index(_first_rows(filled)) :]
    used = sorted({column for _, cells in filled for column in cells})
    if len(used) > _MAX_COLUMNS:
        raise InputError(f"it has more than {_MAX_COLUMNS:,} columns", "save it as CSV")
    head = filled[0][1] if filled else {}
    names = column_names({column: str(head.get(column, "")).strip() for column in used})
    for number, cells in filled[1:]:
        yield RawRow(number, {name: cells.get(column, "") for column, name in names.items()})


def _first_rows(filled: list[_Cells]) -> list[list[Any]]:
    return [[*cells.values()] for _, cells in filled[:MAX_TITLE_ROWS]]


def _filled_rows(path: Path) -> list[_Cells]:
    """Return the rows of the sheet with usual names of columns, or else the only filled sheet."""
    from openpyxl import load_workbook

    with zipfile.ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > MAX_DOCUMENT:
            raise InputError(f"it unpacks to more than {MAX_DOCUMENT:,} bytes", "save it as CSV")
    book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
    with closing(book):
        starts = [
            _first_rows([*islice(_cells(sheet), MAX_TITLE_ROWS)]) for sheet in book.worksheets
        ]
        named = [number for number, rows in enumerate(starts) if any(map(names_reviews, rows))]
        found = named or [number for number, rows in enumerate(starts) if rows]
        if len(found) > 1:
            sheets = ", ".join(book.worksheets[number].title for number in found)[:500]
            raise InputError(
                f"it is unclear which sheet holds the reviews: {sheets}", "save that sheet as CSV"
            )
        return [*_cells(book.worksheets[found[0]])] if found else []


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
