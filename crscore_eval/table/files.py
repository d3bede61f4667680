"""Files of rows, read row by row or written: JSON Lines, JSON, CSV, Parquet, XLSX."""

import csv
import json
import re
import zipfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count, dropwhile, islice
from pathlib import Path
from statistics import mode
from tempfile import NamedTemporaryFile
from typing import IO, TextIO

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from crscore_core.errors import InputError
from crscore_core.text import counted, text_encoding
from crscore_eval.table.cells import escape_formula, unescape_formula
from crscore_eval.table.fields import PERSON_COLUMNS, PERSON_KEYS, TEXT_COLUMNS, TEXT_KEYS
from crscore_eval.table.json_rows import GUARD, read_json_document, read_json_lines
from crscore_eval.table.rows import (
    FORMATS,
    MAX_DOCUMENT,
    MAX_ROW,
    MAX_TITLE_ROWS,
    RawRow,
    RejectedRow,
    Row,
    checked_row,
    column_names,
    header_index,
    text_lines,
)
from crscore_eval.table.schema import EXPORT_ONLY, JUDGE_PREFIX
from crscore_eval.table.workbook import read_workbook

EXPORTS = ("csv", "jsonl", "parquet")
"""Endings of the files that are written."""

MAX_UNPACKED = 10 * MAX_DOCUMENT
"""Bytes of an unpacked file."""

_CODECS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
_ZIP = b"PK\x03\x04"
_UNREADABLE = {
    b"\xd0\xcf\x11\xe0": ("an old workbook or another document", "save it as XLSX or CSV"),
    b"\xfd7zX": ("packed with xz", "unpack it"),
    b"7z\xbc\xaf": ("a 7-Zip archive", "unpack it"),
    b"Rar!": ("a RAR archive", "unpack it"),
    b"%PDF": ("a PDF", "give the table that it was made from"),
}
_BLOCK = 2**13  # bytes, in which a binary file has a NUL
_MAX_LOST = 5_000  # lines after a quote that is not closed
_MAX_HEADER_LINES = 1_000  # lines that show where the header is
_CHUNK = 2**20
_JSON_LINES = (".jsonl", ".ndjson")


def raw_rows(path: Path) -> Iterator[Row]:
    """Read a file row by row; memory does not grow with it, except for a workbook.

    An object that names a person, such as GitHub's `user`, becomes a cell such as `user.login`.

    Text is UTF-8, or UTF-16 with a byte order mark. JSON may also be several lists or a list of
    lists (`gh api --paginate [--slurp]`), with rows deep inside of objects. CSV may begin with a
    title, or a line such as `sep=;`. A file may be packed with gzip, bzip2, zstandard or zip.

    Raises:
        InputError: the file is missing, damaged, too large or has another format.
    """
    file_name = f"file {(path.name or str(path))[:80]!r}"
    if not path.is_file():
        problem = "it is not a regular file" if path.exists() else "No such file or directory"
        raise InputError(f"{file_name} cannot be read: {problem}", FORMATS)
    number = 0
    try:
        for row in _rows(path):
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


def _rows(path: Path, *, is_unpacked: bool = False) -> Iterator[Row]:
    """Yield the rows of a file, whose first bytes decide its format."""
    with path.open("rb") as file:
        start, block = file.read(4), file.read(_BLOCK)
    ending = path.suffix.lower()
    if block[253:258] == b"ustar":
        raise InputError("it is a tar archive", "unpack it")
    if start == b"PAR1" or ending == ".parquet":
        yield from _read_parquet(path)
    elif start in _UNREADABLE:
        what, advice = _UNREADABLE[start]
        raise InputError(f"it is {what}", advice)
    elif not start.startswith((_ZIP, *_CODECS)):
        if b"\0" in start + block and text_encoding(start) != "utf-16" and ending != ".xlsx":
            raise InputError("it is a binary file, not text in UTF-8", FORMATS)
        yield from read_workbook(path) if ending == ".xlsx" else _read_text(path, start, ending)
    elif start == _ZIP and _is_workbook(path):
        yield from read_workbook(path)
    elif is_unpacked:
        raise InputError("it is packed twice", "unpack it")
    else:
        with _unpacked(path, start) as unpacked:
            yield from _rows(unpacked, is_unpacked=True)


def _is_workbook(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return "[Content_Types].xml" in archive.namelist()
    except zipfile.BadZipFile:
        return True  # which `read_workbook` reports


@contextmanager
def _unpacked(path: Path, start: bytes) -> Iterator[Path]:
    """Write what a packed file holds to a temporary file.

    Raises:
        InputError: it is damaged, unpacks to too much, or is an archive of several files.
    """
    codec = next((codec for mark, codec in _CODECS.items() if start.startswith(mark)), None)
    with NamedTemporaryFile(suffix=Path(path.stem).suffix if codec else "") as target:
        try:
            if codec:
                with pa.input_stream(str(path), compression=codec) as source:
                    _copy(source, target)
            else:
                with zipfile.ZipFile(path) as archive, archive.open(_member(archive)) as source:
                    _copy(source, target)
        except InputError:
            raise
        except Exception as error:  # raised by zipfile, its decoders and Arrow
            raise InputError(f"it cannot be unpacked: {error}") from error
        target.flush()
        yield Path(target.name)


def _member(archive: zipfile.ZipFile) -> str:
    names = archive.namelist()
    if "mimetype" in names:
        raise InputError("it is an OpenDocument file", "save it as XLSX or CSV")
    hidden = ("__MACOSX/", ".")
    files = [one for one in names if not one.endswith("/") and not one.startswith(hidden)]
    if len(files) != 1:
        raise InputError(
            f"it is an archive of {', '.join(files)[:300] or 'no file'}", "give one file"
        )
    return files[0]


def _copy(source: IO[bytes], target: IO[bytes]) -> None:
    size = 0
    while chunk := source.read(_CHUNK):
        size += target.write(chunk)
        if size > MAX_UNPACKED:
            raise InputError(f"it unpacks to more than {MAX_UNPACKED:,} bytes")


def _read_text(path: Path, start: bytes, ending: str) -> Iterator[Row]:
    is_utf_16 = text_encoding(start) == "utf-16"
    encoding, errors = ("utf-16", "strict") if is_utf_16 else ("utf-8-sig", "surrogateescape")
    with path.open(encoding=encoding, errors=errors, newline="") as text:
        has_guard = text.readline(_CHUNK).startswith(GUARD)
        position = text.tell() if has_guard else 0
        text.seek(position)
        filled_lines = (line.strip() for line in text_lines(text) if line.strip())
        first, second = next(filled_lines, ""), next(filled_lines, "")
        text.seek(position)
        yield from _reader_for(first, second, ending)(text)


def _reader_for(first: str, second: str, ending: str) -> Callable[[TextIO], Iterator[Row]]:
    """Return the reader for a text with these lines in a file with this ending."""
    is_json = first.startswith(("{", "[")) and ending not in {".csv", ".tsv"}
    if not is_json and ending not in {".json", *_JSON_LINES}:
        return _read_csv
    try:
        is_json_lines = bool(second) and isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):  # damaged, or only the first line of a document
        is_json_lines = ending in _JSON_LINES and first[:1] != "[" and first != "{"
    return read_json_lines if is_json_lines else read_json_document


def _read_csv(text: TextIO) -> Iterator[Row]:
    """Yield the records under a header; the delimiter is its most frequent one outside quotes."""
    csv.field_size_limit(max(csv.field_size_limit(), MAX_ROW))
    lines = text_lines(text)
    numbered = dropwhile(lambda one: not one[1].strip(), enumerate(lines, start=1))
    start = [*_first_lines(numbered)]
    if not start:
        raise InputError("the file is empty", FORMATS)
    separator = re.fullmatch(r"\s*sep=(.)\s*", start[0][1])
    start = start[1:] if separator else start
    start = start[_header_line([line for _, line in start], separator and separator[1]) :]
    header_row, first = start[0] if start else (1, "")
    lines = chain((line for _, line in start), lines)
    records = _records(lines, separator[1] if separator else _delimiter(first))
    head, _, problem = next(records, ([], "", ""))
    if problem:
        raise InputError(f"the header cannot be read: {problem}")
    unescape = unescape_formula if _is_exported(head) else str
    cells_by_number = {number: unescape(cell.strip()) for number, cell in enumerate(head, start=1)}
    names = [*column_names(cells_by_number).values()]
    if len(names) < 2:
        raise InputError("the first line names fewer than two columns", FORMATS)
    yield from _rows_of_records(records, names, unescape, header_row + 1)


def _delimiter(line: str) -> str:
    return max(",;\t|", key=re.sub('"[^"]*"', "", line).count)


def _first_lines(numbered: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines that show where the header is."""
    size = 0
    for number, line in islice(numbered, _MAX_HEADER_LINES):
        yield number, line
        size += len(line)
        if size > _CHUNK:
            return


def _header_line(lines: Sequence[str], separator: str | None) -> int:
    """Return which of the first lines is the header."""

    def records_from(index: int) -> Iterator[list[str]]:
        """Yield the records from a line on, as if it were the header."""
        delimiter = separator or _delimiter(lines[index])
        with suppress(csv.Error):
            yield from csv.reader(islice(lines, index, None), delimiter=delimiter)

    def fits(index: int) -> bool:
        """Return True if the line has as many cells as most records below it.

        A line within quotes, such as a line of a diff, does not fit.
        """
        if sum(line.count('"') for line in lines[:index]) % 2:
            return False
        sizes = [len(record) for record in islice(records_from(index), MAX_TITLE_ROWS) if record]
        return len(sizes) > 1 and sizes[0] == mode(sizes[1:])

    rows = (next(records_from(index), []) for index in range(min(len(lines), MAX_TITLE_ROWS)))
    return header_index([list(filter(None, map(str.strip, row))) for row in rows], fits)


def _records(lines: Iterator[str], delimiter: str) -> Iterator[tuple[list[str], str, str]]:
    """Yield the cells of each record, its source, and an error in it.

    After a record with an error, its second line is read as a record.
    """
    pending: deque[str] = deque()
    taken: list[str] = []

    def next_lines() -> Iterator[str]:
        while line := pending.popleft() if pending else next(lines, ""):
            taken.append(line)
            yield line

    while True:
        taken.clear()
        try:
            for record in csv.reader(next_lines(), delimiter=delimiter, strict=True):
                yield record, "".join(taken), ""
                taken.clear()
        except csv.Error as error:
            yield [], "".join(taken), f"a quote in it is not closed or not doubled: {error}"
            pending.extendleft(reversed(taken[1:]))
        else:
            return


def _rows_of_records(
    records: Iterator[tuple[list[str], str, str]],
    names: list[str],
    unescape: Callable[[str], str],
    number: int,
) -> Iterator[Row]:
    """Yield rows from `number` on.

    After an error, or several lines of another size, what follows belongs to that row as long as
    its size is another one, or it starts with a quote (or without one), as no row did.
    """
    starts: set[bool] = set()
    n_lost = 0
    for record, source, error in records:
        while len(record) > len(names) and not record[-1].strip():
            record.pop()  # of a separator at the end of the row
        is_odd = bool(error) or len(record) != len(names)
        is_quoted = source.startswith('"')
        if n_lost and (is_odd or is_quoted not in (starts or {is_quoted})):
            n_lost += 1
            if n_lost > _MAX_LOST:
                raise InputError(f"row {number - 1} opens a quote that is not closed", "close it")
            continue
        n_lost = int(is_odd and (bool(error) or "\n" in source.strip()))
        if not is_odd:
            starts.add(is_quoted)
        if error or any(map(str.strip, record)):
            size = f"it has {counted(len(record), 'cell')}, but the header has {len(names)}"
            reason = error or size + "; a quote in it may not be doubled" * n_lost
            cells = None if is_odd else dict(zip(names, map(unescape, record), strict=True))
            yield checked_row(number, cells, "".join(record), reason)
        number += 1


def _is_exported(columns: list[str]) -> bool:
    """Return True if `file_content` wrote the file, so that formulas in it are escaped."""
    judges = [column for column in columns if column.startswith(JUDGE_PREFIX)]
    return any(column.endswith("_reason") for column in judges) or {*columns} >= EXPORT_ONLY


def _read_parquet(path: Path) -> Iterator[Row]:
    try:
        with parquet.ParquetFile(path) as file:
            batches = (batch.to_pylist() for batch in file.iter_batches(256))
            yield from map(RawRow, count(1), chain.from_iterable(batches))
    except (pa.ArrowException, OSError, ValueError) as error:
        problem = f"it is damaged or not a Parquet file: {str(error)[:200]}"
        raise InputError(problem, "write it again") from error


def file_content(table: pd.DataFrame, ending: str) -> bytes:
    """Return a table as the content of a file with an ending, one of `EXPORTS`.

    In CSV, an apostrophe precedes a text that a spreadsheet would read as a formula; reading
    removes it.

    Raises:
        InputError: there is no such format.
    """
    if ending not in EXPORTS:
        raise InputError(
            f"{ending[:20]!r} is not a format of exports", f"choose one of {', '.join(EXPORTS)}"
        )
    if ending == "parquet":
        return table.to_parquet(compression="zstd", index=False)
    if ending == "jsonl":
        lines = table.to_json(orient="records", lines=True, force_ascii=False, double_precision=15)
        return lines.encode("utf-8", "replace")
    cells = table.map(escape_formula).rename(columns=escape_formula)
    return cells.to_csv(index=False, lineterminator="\r\n").encode("utf-8", "replace")
