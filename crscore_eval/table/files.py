"""Files of rows, read one row after another: JSON Lines, JSON, CSV, Parquet, XLSX."""

import codecs
import csv
import json
import re
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from crscore_core.errors import InputError
from crscore_core.text import SURROGATE, replace_surrogates
from crscore_eval.table.cells import text_of_cell

MAX_ROW = 10_000_000
"""Characters of a row; a longer row is rejected."""

MAX_DOCUMENT = 100 * 2**20
"""Bytes of a workbook, and of a JSON value; both are read whole."""

_CHUNK = 2**20
_BETWEEN_ITEMS = re.compile(r"[\s,\[\]]*+")
_FORMATS = "give JSON Lines, JSON, CSV, Parquet or XLSX, with one review per row"
_JSON_LINES = (".jsonl", ".ndjson")


class RejectedRow(NamedTuple):
    """A rejected row: its number in the file, from 1, and the reason."""

    row: int
    reason: str


RawRow = tuple[int, dict[str, Any]] | RejectedRow
"""The number of a row and its cells by column, or why the row cannot be read.

The number is that of the line in JSON Lines, of the row in a spreadsheet (the header is row 1), and
of the item in other formats.
"""


def raw_rows(path: Path) -> Iterator[RawRow]:
    """Read a file row by row; memory does not grow with it, except for a workbook.

    Text is UTF-8, or UTF-16 with a byte order mark. Lists one after another and lists of lists (`gh
    api --paginate [--slurp]`), a first line such as `sep=;`, and pandas' `to_json` are read.

    Raises:
        InputError: the file is missing, damaged or too large, or of another format.
    """
    where = f"file {path.name[:80]!r}"
    if not path.is_file():
        raise InputError(f"{where}: there is no such file; {_FORMATS}")
    ending = path.suffix.lower()
    number = 0
    try:
        with path.open("rb") as file:
            start = file.read(4)
        if start == b"PAR1" or ending == ".parquet":
            rows = _parquet(path)
        elif start == b"PK\x03\x04" or ending == ".xlsx":
            rows = _workbook(path)
        else:
            rows = _text(path, start, ending)
        for row in rows:
            yield row
            number = row[0]
    except InputError as error:
        raise InputError(f"{where}{f', after row {number}' if number else ''}: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{where}: it cannot be read: {error}") from error


def no_usable_row(path: Path, rejected: RejectedRow | None) -> InputError:
    """Return the error about a file in which every row is rejected; `rejected` is the first."""
    reason = f"row {rejected.row}: {rejected.reason}" if rejected else "it has no rows"
    return InputError(f"file {path.name[:80]!r}: no row can be used; {reason}")


def _text(path: Path, start: bytes, ending: str) -> Iterator[RawRow]:
    is_utf16 = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encoding, errors = ("utf-16", "strict") if is_utf16 else ("utf-8-sig", "surrogateescape")
    with path.open(encoding=encoding, errors=errors, newline="") as text:
        filled = (line.strip() for line in _lines(text) if line.strip())
        first, second = next(filled, ""), next(filled, "")
        text.seek(0)
        is_json = first.startswith(("{", "[")) and ending not in {".csv", ".tsv"}
        if not is_json and ending not in {".json", *_JSON_LINES}:
            yield from _csv(text)
        elif _is_json_lines(first, second, ending):
            yield from _json_lines(text)
        else:
            yield from _json_document(text)


def _lines(text: TextIO) -> Iterator[str]:
    """Yield lines. Of one that is too long for a row, a part is yielded that is too long as well.

    Cells of CSV with doubled quotes are half as long as their line.
    """
    while line := text.readline(3 * MAX_ROW):
        yield line
        while line and not line.endswith(("\n", "\r")):
            line = text.readline(_CHUNK)


def _is_json_lines(first: str, second: str, ending: str) -> bool:
    """Decide by the first two filled lines; a whole object and more is JSON Lines."""
    try:
        return bool(second) and isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return ending in _JSON_LINES and first[:1] != "[" and first != "{"


def _json_lines(text: TextIO) -> Iterator[RawRow]:
    for number, line in enumerate(_lines(text), start=1):
        if line.strip():
            try:
                yield _checked(number, json.loads(line[:MAX_ROW]), line)
            except (ValueError, RecursionError) as error:
                yield _checked(number, None, line, f"invalid JSON: {error}")


def _json_document(text: TextIO) -> Iterator[RawRow]:
    """Yield the objects of lists, of lists in a list, and of several values in a row."""
    decoder, buffer, place, depth, number = json.JSONDecoder(), "", 0, 0, 0
    while True:
        if between := _BETWEEN_ITEMS.match(buffer, place):
            depth += between[0].count("[") - between[0].count("]")
            place = between.end()
        try:
            item, end = decoder.raw_decode(buffer, place)
        except ValueError as error:
            buffer, place = buffer[place:], 0
            more = text.read(max(_CHUNK, len(buffer)))
            if not more and not buffer and not depth:
                return
            if not more:
                raise InputError(f"invalid JSON: {error}") from error
            buffer += more
            if len(buffer) > MAX_DOCUMENT:
                raise InputError("a value is too large; give JSON Lines") from error
            continue
        except RecursionError as error:
            raise InputError("invalid JSON: nested too deeply") from error
        if not depth and (rows := _pandas_rows(item)):
            yield from enumerate(rows, start=1)
            return
        number += 1
        yield _checked(number, item, buffer[place:end])
        place = end


def _pandas_rows(table: object) -> list[dict[str, Any]]:
    """Return the rows of `DataFrame.to_json()`, an object of columns; none for other JSON."""
    columns = list(table.values()) if isinstance(table, dict) else []
    if not isinstance(table, dict) or not all(isinstance(column, dict) for column in columns):
        return []
    if any(column.keys() != columns[0].keys() for column in columns):
        return []
    return [{name: table[name][key] for name in table} for key in columns[0]]


def _checked(
    number: int,
    cells: object,
    source: str,
    reason: str = "not a JSON object with a value for each column",
) -> RawRow:
    """Return a row that was read from a text, or reject it; `reason` is for one without cells."""
    if len(source) > MAX_ROW:
        return RejectedRow(number, f"longer than the limit of {MAX_ROW:,} characters")
    if SURROGATE.search(source):
        return RejectedRow(number, "not valid UTF-8; save the file as UTF-8")
    if not isinstance(cells, dict):
        return RejectedRow(number, reason)
    return number, {replace_surrogates(name): cell for name, cell in cells.items()}


def _csv(text: TextIO) -> Iterator[RawRow]:
    """Yield records under a header, with the delimiter that cuts the header into most cells."""
    csv.field_size_limit(max(csv.field_size_limit(), MAX_ROW))
    lines = _lines(text)
    first = next(filter(str.strip, lines), "")
    if separator := re.fullmatch(r"\s*sep=(.)\s*", first):
        delimiter = separator[1]
    else:
        delimiter = max(",;\t|", key=first.count)
        lines = chain([first], lines)
    records = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        names = _header(next(records, []))
    except csv.Error as error:
        raise InputError(f"its header cannot be read: {error}") from error
    if not first:
        raise InputError(f"it is empty; {_FORMATS}")
    if len(names) < 2:
        raise InputError(f"its first line names fewer than two columns; {_FORMATS}")
    for number in count(2):
        try:
            cells = next(records)
        except StopIteration:
            return
        except csv.Error as error:  # the reader continues at the next line
            yield RejectedRow(number, f"it cannot be read: {error}")
            continue
        if any(map(str.strip, cells)):
            texts = map(text_of_cell, cells)
            row = dict(zip(names, texts, strict=True)) if len(cells) == len(names) else None
            reason = f"it has {len(cells)} cells, but the header has {len(names)}"
            yield _checked(number, row, "".join(cells), reason)


def _header(cells: list[str]) -> list[str]:
    """Return a distinct name for each column; a column without one has its number."""
    names: dict[str, int] = {}
    for number, cell in enumerate(cells, start=1):
        name = text_of_cell(cell.strip()) or f"column {number}"
        names[f"{name} ({number})" if name in names else name] = number
    return [*names]


def _parquet(path: Path) -> Iterator[RawRow]:
    try:
        with parquet.ParquetFile(path) as file:
            batches = (batch.to_pylist() for batch in file.iter_batches(256))
            yield from enumerate(chain.from_iterable(batches), start=1)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"it is not a Parquet file, or damaged: {str(error)[:200]}") from error


def _workbook(path: Path) -> Iterator[RawRow]:
    """Yield the rows of the first sheet, under a header."""
    if path.stat().st_size > MAX_DOCUMENT:
        raise InputError(f"the workbook is larger than {MAX_DOCUMENT:,} bytes; save it as CSV")
    try:
        table = pd.read_excel(path, dtype=object, keep_default_na=False)
    except Exception as error:  # of zipfile, openpyxl and its XML parsers
        raise InputError(f"it is not a workbook, or damaged: {str(error)[:200]}") from error
    for number, row in enumerate(table.to_dict("records"), start=2):
        if any(cell != "" for cell in row.values()):
            yield number, {str(name): cell for name, cell in row.items()}
