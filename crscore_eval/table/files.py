"""Files of rows, read one row after another: JSON Lines, JSON, CSV, Parquet, XLSX."""

import codecs
import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from crscore_core.errors import InputError
from crscore_core.text import SURROGATE

LONGEST_ROW = 10_000_000
"""Most characters of a row; a longer one is set aside."""

LARGEST_DOCUMENT = 100 * 2**20
"""Most bytes of a file that has to be read whole: a workbook, or JSON that is one object."""

_MOST_UNPACKED = 10 * LARGEST_DOCUMENT
_MOST_VALUES = 1_000_000
_MOST_COLUMNS = 1_000
_DEEPEST_LIST = 2
_CHUNK = 2**20
_GAP = re.compile(r"(?:[\s,]|\[\s*\])*+")
_FORMATS = "give JSON Lines, JSON, CSV, Parquet or XLSX, a row a review"
_JSON_LINES = (".jsonl", ".ndjson")


class RejectedRow(NamedTuple):
    """A row that is set aside: its number in the file, from 1, and the reason."""

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
        is_folder = path.is_dir()
        kind = "a folder" if is_folder else "a device or pipe" if path.exists() else "missing"
        raise InputError(f"{where}: it is {kind}; {_FORMATS}")
    number = 0
    try:
        for row in _rows(path):
            yield row
            number = row[0]
    except InputError as error:
        raise InputError(f"{where}{f', after row {number}' if number else ''}: {error}") from error
    except OSError as error:
        raise InputError(f"{where}: it cannot be read: {error}") from error


def _rows(path: Path) -> Iterator[RawRow]:
    with path.open("rb") as file:
        start = file.read(4)
    if start == b"PAR1":
        return _parquet(path)
    if start == b"PK\x03\x04":
        return _workbook(path)
    if start.startswith(b"\x1f\x8b"):
        raise InputError(f"it is packed with gzip; unpack it, and {_FORMATS}")
    if path.suffix.lower() in {".parquet", ".xlsx"}:
        raise InputError(f"it is not a {path.suffix[1:].capitalize()} file; write it again")
    return _text(path, start)


def _text(path: Path, start: bytes) -> Iterator[RawRow]:
    is_utf16 = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encoding, errors = ("utf-16", "strict") if is_utf16 else ("utf-8-sig", "surrogateescape")
    try:
        with path.open(encoding=encoding, errors=errors, newline="") as text:
            filled = (line for line in _cut_lines(text) if line.strip())
            first, second = next(filled, "").strip(), next(filled, "")
            if not first:
                raise InputError(f"it is empty; {_FORMATS}")
            text.seek(0)
            ending = path.suffix.lower()
            looks_like_json = first.startswith(("{", "[")) and ending not in {".csv", ".tsv"}
            if not looks_like_json and ending not in {".json", *_JSON_LINES}:
                yield from _csv(text)
            elif _is_json_lines(first, second, ending):
                yield from _json_lines(text)
            else:
                yield from _json_document(text)
    except UnicodeDecodeError as error:
        raise InputError(f"it is not valid {error.encoding.upper()}; save it as UTF-8") from error


def _cut_lines(text: TextIO) -> Iterator[str]:
    """Yield lines, each cut after `LONGEST_ROW` and one character; the rest is skipped."""
    while line := text.readline(LONGEST_ROW + 1):
        yield line
        while line and not line.endswith(("\n", "\r")):
            line = text.readline(_CHUNK)


def _is_json_lines(first: str, second: str, ending: str) -> bool:
    """Decide by the first two filled lines; a whole object and more is JSON Lines."""
    if first.startswith("[") or (first.startswith("{") and not second):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return ending in _JSON_LINES and first != "{"


def _json_lines(text: TextIO) -> Iterator[RawRow]:
    for number, line in enumerate(_cut_lines(text), start=1):
        if not line.strip():
            continue
        if len(line) > LONGEST_ROW:
            yield _too_long(number)
            continue
        try:
            yield _object_row(number, json.loads(line), line)
        except (ValueError, RecursionError) as error:
            is_deep = isinstance(error, RecursionError)
            yield RejectedRow(number, "nested too deeply" if is_deep else f"invalid JSON: {error}")


def _json_document(text: TextIO) -> Iterator[RawRow]:
    """Yield the objects of lists, of lists in a list, and of several values in a row."""
    for number, (item, source, depth) in enumerate(_json_items(text), start=1):
        columns = _pandas_rows(item) if not depth and isinstance(item, dict) else None
        if columns is not None:
            yield from enumerate(columns, start=1)
            return
        is_long = len(source) > LONGEST_ROW
        yield _too_long(number) if is_long else _object_row(number, item, source)


def _json_items(text: TextIO) -> Iterator[tuple[object, str, int]]:
    """Yield values, as they stand in the text, and how many lists each stands in."""
    decoder, buffer, place, depth = json.JSONDecoder(), "", 0, 0
    while True:
        gap = _GAP.match(buffer, place)
        place = gap.end() if gap else place
        if buffer[place : place + 1] in {"[", "]"}:
            depth += 1 if buffer[place] == "[" else -1
            if depth not in range(_DEEPEST_LIST + 1):
                raise InputError("invalid JSON: its lists are nested too deeply or do not match")
            place += 1
            continue
        try:
            item, end = decoder.raw_decode(buffer, place)
        except ValueError as error:
            buffer, place = buffer[place:], 0
            more = text.read(max(_CHUNK, len(buffer)))
            if not more and not buffer:
                break
            buffer += more
            if not more:
                raise InputError(f"invalid JSON: {error}") from error
            if (
                max(sum(map(buffer.count, "[{,")) / _MOST_VALUES, len(buffer) / LARGEST_DOCUMENT)
                > 1
            ):
                reason = "one object is too large; give JSON Lines, an object a line"
                raise InputError(reason) from error
        except RecursionError as error:
            raise InputError("invalid JSON: nested too deeply") from error
        else:
            yield item, buffer[place:end], depth
            place = end
    if depth:
        raise InputError("invalid JSON: a list is not closed")


def _pandas_rows(table: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of `DataFrame.to_json()`, an object of columns; None for other JSON."""
    columns = list(table.values())
    if not all(isinstance(column, dict) and column for column in columns) or not columns:
        return None
    if any(column.keys() != columns[0].keys() for column in columns):
        return None
    return [{name: table[name][key] for name in table} for key in columns[0]]


def _object_row(number: int, item: object, source: str) -> RawRow:
    if SURROGATE.search(source):
        return RejectedRow(number, "not valid UTF-8; save the file as UTF-8")
    if not isinstance(item, dict):
        return RejectedRow(number, "not a JSON object with a value for each column")
    return number, item


def _csv(text: TextIO) -> Iterator[RawRow]:
    """Yield records under a header, with the delimiter that cuts the header into most cells."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_ROW))
    first = text.readline(LONGEST_ROW)
    rest: Iterator[str] = chain([first], text)
    if named := re.fullmatch(r"\s*sep=(.)\s*", first):
        delimiter, rest = named[1], iter(text)
    else:
        cut = {mark: next(csv.reader([first], delimiter=mark), []) for mark in ",;\t|"}
        delimiter = max(cut, key=lambda mark: len(cut[mark]))
    lines = _Lines(rest)
    records = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        names = _header(next(records, []))
    except csv.Error as error:
        raise InputError(f"its header cannot be read: {error}") from error
    if len(names) < 2:
        raise InputError(f"its first line names fewer than two columns; {_FORMATS}")
    number = 1
    while True:
        number += 1
        lines.length = 0
        try:
            cells = next(records)
        except StopIteration:
            return
        except csv.Error as error:  # the reader goes on at the next line
            long = lines.length > LONGEST_ROW
            yield _too_long(number) if long else RejectedRow(number, f"its quotes: {error}")
            continue
        if SURROGATE.search("".join(cells)):
            yield RejectedRow(number, "not valid UTF-8; save the file as UTF-8")
        elif len(cells) == len(names):
            yield number, dict(zip(names, cells, strict=True))
        elif any(map(str.strip, cells)):
            reason = f"it has {len(cells)} cells, but the header has {len(names)}"
            yield RejectedRow(number, reason)


class _Lines:
    """Lines of a text; an unclosed quote may take at most `LONGEST_ROW` characters of them."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.length = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.length += len(line)
        if self.length > LONGEST_ROW:
            raise csv.Error
        return line


def _header(cells: Sequence[object]) -> list[str]:
    """Return a distinct name for each column; a column without one has its number."""
    if len(cells) > _MOST_COLUMNS:
        raise InputError(f"it has more than {_MOST_COLUMNS:,} columns; keep those that are needed")
    names: list[str] = []
    for number, cell in enumerate(cells, start=1):
        name = "" if cell is None else str(cell).strip()
        name = name or f"column {number}"
        names.append(f"{name} ({number})" if name in names else name)
    return names


def _parquet(path: Path) -> Iterator[RawRow]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            if len(file.schema_arrow) > _MOST_COLUMNS:
                raise InputError(f"it has more than {_MOST_COLUMNS:,} columns")
            number = 0
            for batch in file.iter_batches(256):
                for row in batch.to_pylist():
                    number += 1
                    size = sum(len(cell) for cell in row.values() if isinstance(cell, str))
                    yield _too_long(number) if size > LONGEST_ROW else (number, row)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"it is a damaged Parquet file: {str(error)[:200]}") from error


def _workbook(path: Path) -> Iterator[RawRow]:
    """Yield the rows of the first sheet, under a header."""
    import openpyxl

    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if path.stat().st_size > LARGEST_DOCUMENT or unpacked > _MOST_UNPACKED:
            raise InputError(
                f"a workbook may have {LARGEST_DOCUMENT:,} bytes, {_MOST_UNPACKED:,} unpacked; "
                "save it as CSV"
            )
        with io.BytesIO(path.read_bytes()) as content:
            book = openpyxl.load_workbook(content, read_only=True, data_only=True)
            rows = book.worksheets[0].iter_rows(values_only=True)
            names = _header(next(rows, ()))
            for number, cells in enumerate(rows, start=2):
                if any(cell is not None for cell in cells):
                    blank = [None] * (len(names) - len(cells))
                    yield number, dict(zip(names, [*cells, *blank], strict=False))
    except (KeyError, IndexError, ValueError, TypeError, zipfile.BadZipFile, OSError) as error:
        raise InputError("it is a zip archive, not a workbook; unpack it") from error


def _too_long(number: int) -> RejectedRow:
    return RejectedRow(number, f"longer than the limit of {LONGEST_ROW:,} characters")
