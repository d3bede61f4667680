"""Read files row by row (JSON Lines, JSON, CSV, Parquet, XLSX), and write tables to files."""

import ast
import bz2
import gzip
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, TextIO
from warnings import catch_warnings

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from crscore_core.errors import InputError, quoted
from crscore_core.text import replace_surrogates, text_encoding
from crscore_eval.table.cells import (
    CHUNK,
    FORMATS,
    MAX_DOCUMENT,
    MAX_ROW,
    RawRow,
    RejectedRow,
    Row,
    escape_formula,
)
from crscore_eval.table.columns import RATINGS, roles_named
from crscore_eval.table.json_rows import GUARD, read_json_document, read_json_lines, rows_inside
from crscore_eval.table.sheets import read_csv, read_workbook

EXPORTS = ("csv", "jsonl", "parquet")
"""Extensions of the files that can be written."""

MAX_UNPACKED = 10 * MAX_DOCUMENT
"""Maximum size of an unpacked file in bytes."""

_JSON_LINES = {".jsonl", ".ndjson"}
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a]")  # rare in text, where a few may be damage
_INVALID_BYTE = re.compile("[\udc80-\udcff]")  # as the decoder reads it


def raw_rows(path: Path) -> Iterator[Row]:
    """Read a file row by row; memory does not grow with it, except for workbooks and JSON.

    Text is UTF-8, or UTF-16 with a byte order mark; CSV may also be Windows-1252. JSON may also be
    several lists or a list of lists (`gh api --paginate [--slurp]`), with rows nested deep in
    objects. CSV may start with a title. gzip, bzip2, zstandard and zip files are unpacked.

    Raises:
        InputError: the file is missing, damaged, too large or has another format.
    """
    file_name = f"file {quoted(path.name or str(path))}"
    if not path.is_file():
        problem = "it is not a regular file" if path.exists() else "No such file or directory"
        raise InputError(f"{file_name} cannot be read: {problem}", FORMATS)
    try:
        for row in _rows(path):
            yield row if isinstance(row, RejectedRow) else _checked(row)
    except InputError as error:
        raise error.within(file_name) from error
    except Exception as error:  # raised by decoders, zipfile, openpyxl and pyarrow
        is_told = not isinstance(error, AttributeError | LookupError | TypeError)
        reason = f": {str(error)[:300] or type(error).__name__}" * is_told
        problem = f"it cannot be read and may be damaged{reason}"
        raise InputError(problem, "check it, or save it again", file_name) from error


def no_usable_row_error(path: Path, rejected: RejectedRow | None) -> InputError:
    """Return the error for a file without usable rows; `rejected` is its first rejected row."""
    reason = f"{rejected.place}: {rejected.reason}" if rejected else "it has no rows"
    return InputError(f"no row can be used; {reason}", place=f"file {quoted(path.name)}")


def _checked(row: RawRow) -> Row:
    texts = [cell for cell in row.cells.values() if isinstance(cell, str)]
    if sum(map(len, texts)) > MAX_ROW:
        return row.rejected(f"it is longer than the limit of {MAX_ROW:,} characters")
    if any(map(_INVALID_BYTE.search, texts)):
        return row.rejected("it is not valid UTF-8; save the file as UTF-8")
    return row._replace(cells={replace_surrogates(name): one for name, one in row.cells.items()})


def _rows(path: Path, *, is_unpacked: bool = False) -> Iterator[Row]:
    """Yield the rows of a file, whose first bytes decide its format."""
    with path.open("rb") as file:
        start = file.read(CHUNK)
    ending, encoding = path.suffix.lower(), text_encoding(start)
    is_workbook = zipfile.is_zipfile(path) and zipfile.Path(path, "[Content_Types].xml").exists()
    opener = next((one for mark, one in PACKED.values() if start.startswith(mark)), None)
    if start.startswith(b"PAR1") or ending == ".parquet":
        yield from _read_parquet(path)
    elif ending == ".xlsx" or is_workbook:
        yield from _table_rows(read_workbook(path))
    elif opener:
        if is_unpacked:
            raise InputError("it is packed twice", "unpack it")
        with _unpacked(path, opener) as unpacked:
            yield from _rows(unpacked, is_unpacked=True)
    elif encoding != "utf-16" and len(_CONTROL.findall(start)) > 1 + len(start) // 100:
        raise InputError("it is a binary file, not text in UTF-8", FORMATS)
    else:
        errors = "strict" if encoding == "utf-16" else "surrogateescape"
        if encoding != "utf-16":
            encoding = "cp1252" if _is_windows_1252(start) else "utf-8-sig"
        with path.open(encoding=encoding, errors=errors, newline="") as text:
            reader = _reader_for(text, ending)
            yield from _table_rows(reader(text)) if reader is read_csv else reader(text)


def _table_rows(rows: Iterator[Row]) -> Iterator[Row]:
    """Yield the rows of a sheet, whose cells may hold lists and objects as text."""
    for row in rows:
        objects = {}
        for name, cell in () if isinstance(row, RejectedRow) else row.cells.items():
            if isinstance(cell, str) and cell.startswith(("{", "[")):
                value, roles = _literal(cell), roles_named(name).keys()
                are_texts = isinstance(value, list) and all(isinstance(one, str) for one in value)
                if value is not None and (are_texts or roles <= {"review", *RATINGS}):
                    objects[name] = value
        if isinstance(row, RawRow) and objects:
            yield from rows_inside(row.cells | objects, row)
        else:
            yield row


def _literal(text: str) -> object:
    """Return the value of JSON or of a Python literal, as pandas writes lists; None for others."""
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    failures = MemoryError, RecursionError, SyntaxError, TypeError, ValueError
    with suppress(*failures), catch_warnings(action="ignore"):
        return json.loads(json.dumps(ast.literal_eval(text[:CHUNK]), default=str))
    return None


def _is_windows_1252(start: bytes) -> bool:
    """Return True for a table with bytes beyond ASCII, but neither in UTF-8 nor four in a row."""
    is_other = start.isascii() or re.search(rb"[\xc2-\xf4][\x80-\xbf]|[\x80-\xff]{4}", start)
    return not is_other and not start.lstrip().startswith((b"{", b"["))


def _only_member(path: Path) -> IO[bytes]:
    archive = zipfile.ZipFile(path)
    names = [name for name in archive.namelist() if not name.startswith(("__MACOSX/", "."))]
    files = [name for name in names if not name.endswith("/")]
    if len(files) != 1:
        problem = f"it is an archive of {', '.join(files)[:300] or 'no file'}"
        raise InputError(problem, "give one file, or save a spreadsheet as XLSX or CSV")
    return archive.open(files[0])


PACKED: dict[str, tuple[bytes, Callable[[Path], Any]]] = {
    "gz": (b"\x1f\x8b", gzip.open),
    "bz2": (b"BZh", bz2.open),
    "zst": (b"\x28\xb5\x2f\xfd", lambda path: pa.input_stream(str(path), compression="zstd")),
    "zip": (b"PK\x03\x04", _only_member),
}
"""Maps the usual extension of packed files to their first bytes and the function to open them."""


@contextmanager
def _unpacked(path: Path, opener: Callable[[Path], Any]) -> Iterator[Path]:
    """Unpack a file into a temporary file."""
    with NamedTemporaryFile(suffix=Path(path.stem).suffix) as target:
        with opener(path) as source:
            while target.tell() <= MAX_UNPACKED and (chunk := source.read(CHUNK)):
                target.write(chunk)
        if target.tell() > MAX_UNPACKED:
            raise InputError(f"it unpacks to more than {MAX_UNPACKED:,} bytes")
        target.flush()
        yield Path(target.name)


def _reader_for(text: TextIO, ending: str) -> Callable[[TextIO], Iterator[Row]]:
    """Return the reader for text, chosen by its first lines and the file's extension."""
    lines = text.read(CHUNK).split("\n")
    text.seek(0)
    first, *others = [line.strip() for line in lines if line.strip()] or [""]
    if first.startswith("<"):
        raise InputError("it is HTML or XML", FORMATS)
    if ending in {".yaml", ".yml"}:
        raise InputError("it is YAML", FORMATS)
    if first.startswith("version https://git-lfs"):
        raise InputError("it only points to a file in Git LFS", "fetch that with `git lfs pull`")
    is_json = first.startswith(("{", "[", GUARD)) and ending not in {".csv", ".tsv"}
    if not is_json and ending not in {".json", *_JSON_LINES}:
        return read_csv
    try:
        is_json_lines = bool(others) and isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):  # damaged, or only the first line of a document
        is_json_lines = ending in _JSON_LINES and first[:1] != "[" and first != "{"
    return read_json_lines if is_json_lines else read_json_document


def _read_parquet(path: Path) -> Iterator[Row]:
    with parquet.ParquetFile(path) as file:
        rows = chain.from_iterable(batch.to_pylist() for batch in file.iter_batches(256))
        for number, row in enumerate(rows, start=1):
            yield from rows_inside(row, RawRow(number, {}))


def file_content(table: pd.DataFrame, ending: str) -> bytes:
    """Return a table as the content of a file; `ending` is one of `EXPORTS`.

    In CSV, an apostrophe precedes text that a spreadsheet would read as a formula; reading
    removes it.

    Raises:
        InputError: there is no such format.
    """
    if ending not in EXPORTS:
        problem = f"{quoted(ending)} is not an export format"
        raise InputError(problem, f"choose one of {', '.join(EXPORTS)}")
    if ending == "parquet":
        return table.to_parquet(compression="zstd", index=False)
    if ending == "jsonl":
        lines = table.to_json(orient="records", lines=True, force_ascii=False, double_precision=15)
        return lines.encode("utf-8", "replace")
    cells = table.map(escape_formula).rename(columns=escape_formula)
    return cells.to_csv(index=False, lineterminator="\r\n").encode("utf-8", "replace")
