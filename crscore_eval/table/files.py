"""Files of rows, read row by row or written: JSON Lines, JSON, CSV, Parquet, XLSX."""

import csv
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import chain, count, starmap
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from crscore_core.errors import InputError
from crscore_core.text import SURROGATE, counted, replace_surrogates, text_encoding
from crscore_eval.table.cells import escape_formula, unescape_formula
from crscore_eval.table.fields import PERSON_COLUMNS, PERSON_KEYS, TEXT_COLUMNS, TEXT_KEYS
from crscore_eval.table.schema import EXPORT_ONLY, JUDGE_PREFIX

EXPORTS = ("csv", "jsonl", "parquet")
"""Endings of the files that are written."""

MAX_ROW = 10_000_000
"""Characters of a row; a longer row is rejected."""

MAX_DOCUMENT = 100 * 2**20
"""Bytes of an unpacked workbook and characters of a JSON value, which are read whole."""

_MAX_ROWS, _MAX_COLUMNS, _MAX_CELLS = 2**20, 1_000, 5_000_000  # of a workbook; filled cells only

_CHUNK = 2**20
_BETWEEN_ITEMS = re.compile(r"[\s,\[\]]*+")
_FORMATS = "give JSON Lines, JSON, CSV, Parquet or XLSX, with one review per row"
_JSON_LINES = (".jsonl", ".ndjson")


class RawRow(NamedTuple):
    """The number of a row, from 1, and its cells by column.

    Rows are numbered by lines in JSON Lines, as in a spreadsheet in CSV and XLSX (the header is row
    1 if no blank line precedes it), and by items in other formats.
    """

    row: int
    cells: dict[str, Any]


class RejectedRow(NamedTuple):
    """The number of a row that cannot be used, from 1, and the reason."""

    row: int
    reason: str


Row = RawRow | RejectedRow
RowReader = Callable[[TextIO], Iterator[Row]]


def raw_rows(path: Path) -> Iterator[Row]:
    """Read a file row by row; memory does not grow with it, except for a workbook.

    An object that names a person, such as GitHub's `user`, becomes a cell such as `user.login`.

    Text is UTF-8, or UTF-16 with a byte order mark. JSON may also be several lists or a list of
    lists (`gh api --paginate [--slurp]`). CSV may begin with a line such as `sep=;`.

    Raises:
        InputError: the file is missing, damaged, too large or has another format.
    """
    file_name = f"file {(path.name or str(path))[:80]!r}"
    if not path.is_file():
        problem = "it is not a regular file" if path.exists() else "No such file or directory"
        raise InputError(f"{file_name} cannot be read: {problem}", _FORMATS)
    ending = path.suffix.lower()
    number = 0
    try:
        with path.open("rb") as file:
            start = file.read(4)
        if start == b"PAR1" or ending == ".parquet":
            rows = _read_parquet(path)
        elif start == b"PK\x03\x04" or ending == ".xlsx":
            rows = _read_workbook(path)
        else:
            rows = _read_text(path, start, ending)
        for row in rows:
            yield row if isinstance(row, RejectedRow) else _with_names(row)
            number = row.row
    except InputError as error:
        raise error.within(f"{file_name}, after row {number}" if number else file_name) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"it cannot be read: {error}", place=file_name) from error


def no_usable_row_error(path: Path, rejected: RejectedRow | None) -> InputError:
    """Return the error about a file without a usable row; `rejected` is its first row."""
    reason = f"row {rejected.row}: {rejected.reason}" if rejected else "it has no rows"
    return InputError(f"no row can be used; {reason}", place=f"file {path.name[:80]!r}")


def _with_names(row: RawRow) -> RawRow:
    cells = dict(row.cells)
    for columns, keys in ((PERSON_COLUMNS, PERSON_KEYS), (TEXT_COLUMNS, TEXT_KEYS)):
        for column in columns:
            inner = cells.get(column)
            key = next((key for key in keys if isinstance(inner, dict) and inner.get(key)), "")
            if key:
                cells[f"{column}.{key}"] = cells.pop(column)[key]
    return row._replace(cells=cells)


def _read_text(path: Path, start: bytes, ending: str) -> Iterator[Row]:
    is_utf_16 = text_encoding(start) == "utf-16"
    encoding, errors = ("utf-16", "strict") if is_utf_16 else ("utf-8-sig", "surrogateescape")
    with path.open(encoding=encoding, errors=errors, newline="") as text:
        filled_lines = (line.strip() for line in _lines(text) if line.strip())
        first, second = next(filled_lines, ""), next(filled_lines, "")
        text.seek(0)
        yield from _reader_for(first, second, ending)(text)


def _lines(text: TextIO) -> Iterator[str]:
    """Yield lines; a line that is too long for a row is cut, but stays too long for a row.

    The limit is a multiple of a row's, since cells of CSV may be half as long as their line.
    """
    while line := text.readline(3 * MAX_ROW):
        yield line
        while line and not line.endswith(("\n", "\r")):
            line = text.readline(_CHUNK)


def _reader_for(first: str, second: str, ending: str) -> RowReader:
    """Return the reader for a text with these lines in a file with this ending."""
    is_json = first.startswith(("{", "[")) and ending not in {".csv", ".tsv"}
    if not is_json and ending not in {".json", *_JSON_LINES}:
        return _read_csv
    try:
        is_json_lines = bool(second) and isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):  # damaged, or only the first line of a document
        is_json_lines = ending in _JSON_LINES and first[:1] != "[" and first != "{"
    return _read_json_lines if is_json_lines else _read_json_document


def _read_json_lines(text: TextIO) -> Iterator[Row]:
    for number, line in enumerate(_lines(text), start=1):
        if line.strip():
            try:
                yield _checked_row(number, json.loads(line[:MAX_ROW]), line)
            except (ValueError, RecursionError) as error:
                reason = str(error).replace("line 1 column", "at character").partition(" (")[0]
                yield _checked_row(number, None, line, f"it is invalid JSON: {reason}")


def _read_json_document(text: TextIO) -> Iterator[Row]:
    """Yield the objects of one or several lists, of lists in a list, in an object, or of no list.

    Only an object that stands in no list may be an answer around the rows; see `_inner_rows`.
    """
    is_object = text.read(_CHUNK).lstrip().startswith("{")
    text.seek(0)
    values = _json_values(text)
    if is_object:
        values = chain.from_iterable(starmap(_inner_rows, values))
    for number, (value, source) in enumerate(values, start=1):
        yield _checked_row(number, value, source)


def _inner_rows(value: object, source: str) -> list[tuple[object, str]]:
    """Return the rows inside of an object such as `{"data": [...]}`, or the value if it is a row.

    An object with a text of several lines, such as a diff, is a row, and so is one that its lists
    of objects are the smaller part of. Items such as `{"row_idx": 0, "row": {...}}` are unwrapped.
    """
    lists = dict(_lists_of_objects(value))
    size = sum(len(json.dumps(items, ensure_ascii=False)) for items in lists.values())
    texts = value.values() if isinstance(value, dict) else []
    has_diff = any(isinstance(text, str) and "\n" in text for text in texts)
    if has_diff or 2 * size < len(json.dumps(value, ensure_ascii=False)):
        return [(value, source)]
    wrapped = {
        key: [item["row"] for item in items]
        for key, items in lists.items()
        if all(isinstance(item.get("row"), dict) for item in items)
    }
    lists = wrapped or lists
    if len(lists) > 1:
        keys = [f".{key}"[:80] for key in lists]
        raise InputError(
            f"it is unclear which list holds the reviews: {', '.join(keys)[:500]}",
            f"give the file that a command such as `jq '{keys[0]}'` prints",
        )
    return [(row, json.dumps(row, ensure_ascii=False)) for rows in lists.values() for row in rows]


def _lists_of_objects(value: object, key: str = "") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the lists of objects in an object and in the objects inside of it, with their keys."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _lists_of_objects(inner, f"{key}.{name}" if key else name)
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        yield key, value


def _json_values(text: TextIO) -> Iterator[tuple[object, str]]:
    """Yield each value outside or inside of lists, with its source."""
    decoder, buffer, position, n_open_lists = json.JSONDecoder(), "", 0, 0
    while True:
        if separators := _BETWEEN_ITEMS.match(buffer, position):
            n_open_lists += separators[0].count("[") - separators[0].count("]")
            position = separators.end()
        try:
            value, end = decoder.raw_decode(buffer, position)
        except ValueError as error:  # the value may continue in the next chunk
            buffer, position = buffer[position:], 0
            chunk = text.read(max(_CHUNK, len(buffer)))
            if not chunk and not buffer and not n_open_lists:
                return
            if not chunk:
                raise InputError(f"invalid JSON: {error}") from error
            buffer += chunk
            if len(buffer) > MAX_DOCUMENT:
                raise InputError("a JSON value is too large", "give JSON Lines") from error
        except RecursionError as error:
            raise InputError("invalid JSON: nested too deeply") from error
        else:
            yield value, buffer[position:end]
            position = end


def _checked_row(
    number: int,
    cells: object,
    source: str,
    reason: str = "it is not a JSON object with a value for each column",
) -> Row:
    """Return the row that was read from `source`, or reject it.

    `reason` is why a row is rejected if `cells` are not an object.
    """
    if len(source) > MAX_ROW:
        return RejectedRow(number, f"it is longer than the limit of {MAX_ROW:,} characters")
    if SURROGATE.search(source):
        return RejectedRow(number, "it is not valid UTF-8; save the file as UTF-8")
    if not isinstance(cells, dict):
        return RejectedRow(number, reason)
    return RawRow(number, {replace_surrogates(name): cell for name, cell in cells.items()})


def _read_csv(text: TextIO) -> Iterator[Row]:
    """Yield the records under a header; the delimiter is its most frequent one outside quotes."""
    csv.field_size_limit(max(csv.field_size_limit(), MAX_ROW))
    lines = _lines(text)
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    header_row, first = next(numbered, (1, ""))
    if separator := re.fullmatch(r"\s*sep=(.)\s*", first):
        delimiter = separator[1]
    else:
        delimiter = max(",;\t|", key=re.sub('"[^"]*"', "", first).count)
        lines = chain([first], lines)
    records = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        head = next(records, [])
    except csv.Error as error:
        raise InputError(f"the header cannot be read: {error}") from error
    if not first:
        raise InputError("the file is empty", _FORMATS)
    unescape = unescape_formula if _is_exported(head) else str
    cells_by_number = {number: unescape(cell.strip()) for number, cell in enumerate(head, start=1)}
    names = [*_column_names(cells_by_number).values()]
    if len(names) < 2:
        raise InputError("the first line names fewer than two columns", _FORMATS)
    for number in count(header_row + 1):
        try:
            cells = next(records)
        except StopIteration:
            return
        except csv.Error as error:  # the reader continues at the next line
            yield RejectedRow(number, f"it cannot be read: {error}")
            continue
        if any(map(str.strip, cells)):
            texts = map(unescape, cells)
            row = dict(zip(names, texts, strict=True)) if len(cells) == len(names) else None
            reason = f"it has {counted(len(cells), 'cell')}, but the header has {len(names)}"
            yield _checked_row(number, row, "".join(cells), reason)


def _is_exported(columns: list[str]) -> bool:
    """Return True if `file_content` wrote the file, so that formulas in it are escaped."""
    judges = [column for column in columns if column.startswith(JUDGE_PREFIX)]
    return any(column.endswith("_reason") for column in judges) or {*columns} >= EXPORT_ONLY


def _column_names(cells: Mapping[int, str]) -> dict[int, str]:
    """Return a distinct name for each column by number; a column without a name gets its number."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for number, cell in cells.items():
        name = cell or f"column {number}"
        while name in taken:
            name += f" ({number})"
        names[number] = name
        taken.add(name)
    return names


def _read_parquet(path: Path) -> Iterator[Row]:
    try:
        with parquet.ParquetFile(path) as file:
            batches = (batch.to_pylist() for batch in file.iter_batches(256))
            yield from map(RawRow, count(1), chain.from_iterable(batches))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"it is damaged or not a Parquet file: {str(error)[:200]}") from error


def _read_workbook(path: Path) -> Iterator[Row]:
    """Yield the rows of the first sheet, under a header; a cell with only a format is empty."""
    try:
        filled = list(_filled_cells(path))
    except InputError:
        raise
    except Exception as error:  # raised by zipfile, openpyxl and its XML parsers
        raise InputError("it is damaged or not a workbook", "save it again, or as CSV") from error
    used = sorted({column for _, cells in filled for column in cells})
    if len(used) > _MAX_COLUMNS:
        raise InputError(f"it has more than {_MAX_COLUMNS:,} columns", "save it as CSV")
    head = filled[0][1] if filled else {}
    names = _column_names({column: str(head.get(column, "")).strip() for column in used})
    for number, cells in filled[1:]:
        yield RawRow(number, {name: cells.get(column, "") for column, name in names.items()})


def _filled_cells(path: Path) -> Iterator[tuple[int, dict[int, Any]]]:
    """Yield the number of each row of the first sheet, and its values by the number of the column.

    The rows of openpyxl would have every cell up to the last one, of which a file needs only one.
    """
    from openpyxl import load_workbook
    from openpyxl.worksheet._reader import WorkSheetParser

    with zipfile.ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > MAX_DOCUMENT:
            raise InputError(f"it unpacks to more than {MAX_DOCUMENT:,} bytes", "save it as CSV")
    book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
    n_cells = 0
    with closing(book), book.worksheets[0]._get_source() as source:  # noqa: SLF001 - see above
        parser = WorkSheetParser(
            source,
            book.worksheets[0]._shared_strings,  # noqa: SLF001
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,  # noqa: SLF001
            timedelta_formats=book._timedelta_formats,  # noqa: SLF001
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


def file_content(table: pd.DataFrame, ending: str) -> bytes:
    """Return a table as the content of a file with an ending, one of `EXPORTS`.

    In CSV, an apostrophe precedes a text that a spreadsheet would read as a formula; reading
    removes it.

    Raises:
        InputError: there is no such format.
    """
    if ending not in EXPORTS:
        raise InputError(
            f"there is no format {ending[:20]!r}", f"choose one of {', '.join(EXPORTS)}"
        )
    if ending == "parquet":
        return table.to_parquet(compression="zstd", index=False)
    if ending == "jsonl":
        lines = table.to_json(orient="records", lines=True, force_ascii=False, double_precision=15)
        return lines.encode("utf-8", "replace")
    cells = table.map(escape_formula).rename(columns=escape_formula)
    return cells.to_csv(index=False, lineterminator="\r\n").encode("utf-8", "replace")
