"""Read tables in CSV and workbooks: find the delimiter or sheet, the header, and the rows."""

import csv
import zipfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.table.cells import (
    CHUNK,
    FORMATS,
    MAX_COLUMNS,
    MAX_DOCUMENT,
    MAX_ROW,
    RawRow,
    RejectedRow,
    Row,
    cell_number,
    has_diff,
    list_columns,
    unescape_formula,
)
from crscore_eval.table.columns import names_reviews, roles_named
from crscore_eval.table.schema import EXPORT_ONLY, JUDGE_PREFIX

_FIRST_ROWS = 20  # which may contain the header
_MAX_HEADER_NAME = 60  # characters
_MAX_PARTS = 1_000  # of a workbook, such as sheets and pictures
_RULE = " \t\r\n-:"  # under the header of a Markdown table

MAX_ROWS, MAX_CELLS = 2**20, 50_000_000
"""Maximum numbers of rows and cells of a sheet, empty ones included."""

SHEET = "sheet"
"""Prefix of the name of the column with sheet names."""

Filled = dict[int, Any]
"""Filled cells of a row, keyed by column number, from 1."""


def _header(rows: Sequence[Filled]) -> tuple[bool, bool, int, int, int]:
    """Return how likely the first rows include the table's header, then its index times -1.

    A header has usual names, or else distinct short texts in adjacent cells, and most text below it
    is in rows that end in the same column; the amount of that text comes last. Titles end in
    other columns.
    """

    def likeness(index: int) -> tuple[bool, bool, int, int, int]:
        head = {number: cell for number, cell in rows[index].items() if cell != ""}
        is_named = names_reviews(head.values())
        are_names = len(head) > 1 and (is_named or _are_names([*head.values()]))
        has_gaps = len(head) <= max(head, default=0) - min(head, default=0)  # as of merged cells
        end = max(rows[index], default=0)
        below = [row for row in rows[index + 1 :] if max(row, default=0) <= end]
        below *= any(max(row, default=0) == end for row in below)
        text = len(str([*map(dict.values, below)]))
        weighed = text if are_names and not has_gaps else text // 2
        return len(head) > 1, is_named and not has_gaps, weighed, text, -index

    return max(map(likeness, range(len(rows) - 1)), default=(False, False, 0, 0, 0))


def _are_names(cells: Sequence[object]) -> bool:
    texts = {cell for cell in cells if isinstance(cell, str) and len(cell) <= _MAX_HEADER_NAME}
    is_usual = any(map(roles_named, texts))
    numbers = (text for text in texts if not (is_usual or text.isalpha()))  # `true` may be a name
    is_content = any(map(has_diff, texts)) or {*map(cell_number, numbers)} - {None}
    return len(texts) == len(cells) and not is_content


def _column_names(cells: Mapping[int, object]) -> dict[int, str]:
    """Return a distinct name for each column by number; a column without a name gets its number."""
    if len(cells) > MAX_COLUMNS:
        raise InputError(f"it has more than {MAX_COLUMNS:,} columns", "delete unneeded columns")
    if any(map(has_diff, cells.values())):
        raise InputError("its first row has a diff", "put a row with the columns' names above it")
    numbers: dict[str, int] = {}
    for number, cell in cells.items():
        name = str(cell).strip() or f"unnamed {number}"
        while name in numbers:
            name += f" ({number})"
        numbers[name] = number
    return {number: name for name, number in numbers.items()}


def read_csv(text: TextIO) -> Iterator[Row]:
    """Yield the rows under the header, which may follow titles or a line such as `sep=;`.

    Raises:
        InputError: the header names fewer than two columns.
    """
    csv.field_size_limit(max(csv.field_size_limit(), MAX_ROW))
    start = text.read(CHUNK).splitlines(keepends=True)
    text.seek(0)
    headers = {mark: _header([*_first_rows(start, mark)]) for mark in ",;\t|"}
    delimiter = max(headers, key=lambda mark: (*headers[mark][:2], headers[mark][3]))
    index = -headers[delimiter][-1]
    lines = iter(text)
    head = next(islice(csv.reader(lines, delimiter=delimiter), index, None), [])
    # `file_content` escapes formulas.
    is_judged = any(name.startswith(JUDGE_PREFIX) and name.endswith("_reason") for name in head)
    unescape = unescape_formula if is_judged or {*head} >= EXPORT_ONLY else str
    names = _column_names(dict(enumerate(map(unescape, head), start=1)))
    if len(names) < 2:
        raise InputError("it is empty, or its header names fewer than two columns", FORMATS)
    for number, record, problem in _records(lines, delimiter, len(names)):
        if problem:
            yield RejectedRow(number + index + 1, problem)
        elif "".join(record).strip(_RULE):
            cells = dict(zip(names.values(), map(unescape, record), strict=True))
            yield RawRow(number + index + 1, cells)


def _first_rows(lines: Iterable[str], delimiter: str) -> Iterator[Filled]:
    with suppress(csv.Error):
        for record in islice(csv.reader(lines, delimiter=delimiter), _FIRST_ROWS):
            yield {number: cell.strip() for number, cell in enumerate(record, start=1)}


def _records(
    lines: Iterator[str], delimiter: str, size: int
) -> Iterator[tuple[int, list[str], str]]:
    """Yield the number of each record, from 1, its cells, and why it is not a row.

    An unclosed quote swallows rows until another quote closes it. So after an error, reading
    resumes at the second line of the record. After an error, or a record of several lines with the
    wrong size, what follows belongs to the torn row as long as it has the wrong size, or starts
    with a quote (or without one) as no row so far did.
    """
    pending: deque[str] = deque()
    taken: list[str] = []

    def take_lines() -> Iterator[str]:
        while line := pending.popleft() if pending else next(lines, ""):
            taken.append(line)
            yield line

    starts: set[bool] = set()
    is_torn, number = False, 1
    while True:
        taken.clear()
        problem = ""
        try:
            record = next(csv.reader(take_lines(), delimiter=delimiter, strict=True), None)
        except csv.Error as error:
            record, problem = [], f"a quote in it is not closed or not doubled: {error}"
            pending.extendleft(reversed(taken[1:]))
        if record is None:
            return
        while len(record) > size and not record[-1].strip():
            record.pop()  # from a separator at the end of the row
        is_odd, is_quoted = len(record) != size, taken[0].startswith('"')
        if is_torn and (is_odd or is_quoted not in (starts or {is_quoted})):
            continue
        is_torn = is_odd and (bool(problem) or len(taken) > 1)
        if not is_odd:
            starts.add(is_quoted)
        elif record:
            problem = f"it has {counted(len(record), 'cell')}, but the header has {size}"
            problem += "; a quote in it may not be doubled" * is_torn
        yield number, record, problem
        number += 1


class _Sheet(NamedTuple):
    """A sheet of a workbook: the rows below its header, and how much it looks like reviews."""

    title: str
    names: dict[int, str]
    header: set[str]
    rows: list[tuple[int, Filled]]
    likeness: tuple[bool, bool, bool, int]  # visible sheets come first


def read_workbook(path: Path) -> Iterator[RawRow]:
    """Yield the rows of the sheet that looks most like reviews, and of sheets with the same header.

    If the workbook has several sheets, a column has the name of each row's sheet, the column's name
    lists the sheets that are not read, and row numbers continue over sheets. A cell with only a
    format is empty.

    Raises:
        InputError: the workbook is too large, or several sheets may hold the reviews.
    """
    sheets = _filled_sheets(path)
    best = max((sheet.likeness for sheet in sheets), default=None)
    found = [sheet for sheet in sheets if sheet.likeness == best]
    if any(sheet.header != found[0].header for sheet in found):
        titles = list_columns(sheet.title for sheet in found)
        advice = "give them the same header, delete the others, or save one sheet as CSV"
        raise InputError(f"it is unclear which sheet holds the reviews: {titles}", advice)
    read = [one for one in sheets if one.header == found[0].header]
    read = [one for one in read if one.likeness[0] == found[0].likeness[0]]
    others = list_columns(sheet.title for sheet in sheets if sheet not in read)
    title, last = f"{SHEET} (not read: {others})" if others else SHEET, 0
    for sheet in read:
        own = {title: sheet.title} if len(sheets) > 1 else {}
        for number, cells in sheet.rows:
            named = {name: cells.get(column, "") for column, name in sheet.names.items()}
            yield RawRow(last + number, own | named, sheet.title if own else "", last)
        last += sheet.rows[-1][0] if sheet.rows else 0


def _filled_sheets(path: Path) -> list[_Sheet]:
    """Return the sheets that are not empty."""
    from openpyxl import load_workbook

    with zipfile.ZipFile(path) as archive:
        parts = archive.infolist()
    if sum(part.file_size for part in parts) > MAX_DOCUMENT or len(parts) > _MAX_PARTS:
        limits = f"more than {MAX_DOCUMENT:,} bytes or {_MAX_PARTS:,} parts, such as sheets"
        raise InputError(f"it unpacks to {limits}", "save it as CSV")
    load = partial(load_workbook, path, read_only=True, keep_links=False)
    with closing(load(data_only=True)) as values, closing(load()) as formulas:
        sheets = zip(values.worksheets, formulas.worksheets, strict=True)
        filled = [(one, [*_filled_rows(one, of)]) for one, of in sheets]
        return [_sheet(one.title, one.sheet_state, rows) for one, rows in filled if rows]


def _sheet(title: str, state: str, rows: list[tuple[int, Filled]]) -> _Sheet:
    first = [cells for _, cells in rows[:_FIRST_ROWS]]
    _, is_named, *_, index = _header(first)
    used = sorted({column for _, cells in rows[-index:] for column in cells})
    names = _column_names({column: rows[-index][1].get(column, "") for column in used})
    has_diffs = any(len(row) > 1 and any(map(has_diff, row.values())) for row in first)
    size = min(len(first), max(map(len, first)), 3)
    likeness = state == "visible", is_named, has_diffs, size
    title += " (hidden)" * (state != "visible")
    return _Sheet(title, names, {*names.values()}, rows[1 - index :], likeness)


def _filled_rows(
    sheet: Any,  # noqa: ANN401 - openpyxl has no types
    formulas: Any,  # noqa: ANN401
) -> Iterator[tuple[int, Filled]]:
    """Yield the number and the filled cells of each row of a sheet; error values are skipped.

    A formula that no program has computed, such as text that starts with `=`, is text.
    """
    from openpyxl.cell.cell import ERROR_CODES

    empty, n_cells = {None, "", *ERROR_CODES}, 0
    for one in (sheet, formulas):
        one.reset_dimensions()  # which a file may exaggerate
    both = (one.iter_rows(values_only=True) for one in (sheet, formulas))
    for number, rows in enumerate(zip(*both, strict=True), start=1):
        row = [value if value is not None else text for value, text in zip(*rows, strict=True)]
        n_cells += len(row)
        length = sum(len(cell) for cell in row if isinstance(cell, str))
        if n_cells > MAX_CELLS or number > MAX_ROWS or length > MAX_ROW:
            size = f"{MAX_CELLS:,} cells, {MAX_ROWS:,} rows or {MAX_ROW:,} characters in a row"
            raise InputError(f"sheet {sheet.title!r} has more than {size}", "save it as CSV")
        if cells := {n: cell for n, cell in enumerate(row, start=1) if cell not in empty}:
            yield number, cells
