"""A program that prints a Parquet file as JSON, or the checksums of several that it can read.

The first line is an object with the names of the columns and the number of rows. Each further line
is the list of values of a row; a row with a text that is not UTF-8 is one text instead. Dates and
times are texts, in UTC. A value that Python has no object for is null. The program imports nothing
of ours, since a damaged file may abort it.
"""

import hashlib
import io
import json
import os
import resource
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

_BATCH = 64
"""Rows read at once: few, as a small file may repeat a large text in each."""

_NOT_HELD = (ArithmeticError, LookupError, NotImplementedError, TypeError, ValueError)
"""Errors of pyarrow for a value that Python has no object for; its own are subclasses."""

_MOST_SAID = 1_000_000
"""Limit of the file that is standard error, in bytes."""

_LARGEST_TABLE = 1_000_000_000
"""Limit of a checked file once it is read, in bytes: far more than 1,000 reviews take."""


def main(memory: int, what: str, *paths: str) -> None:
    """Do `what` within `memory` bytes of address space; 0 sets no bound.

    `rows` prints the file at a path; `check` reads files and prints the SHA-256 of each.

    Raises:
        Exception: any error that pyarrow finds in a file.
    """
    bound(resource.RLIMIT_CORE, 0)
    bound(resource.RLIMIT_FSIZE, _MOST_SAID)
    if memory:
        bound(resource.RLIMIT_AS, memory)
    # Other pools reserve far more address space than they use, which would exceed the bound.
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    for path in paths:
        if what == "check":
            _check(path)
        else:
            _print_rows(path)


def _print_rows(path: str) -> None:
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        _print({"columns": file.schema_arrow.names, "rows": file.metadata.num_rows})
        for batch in file.iter_batches(_BATCH, use_threads=False):
            columns = [_told_times(column) for column in batch.columns]
            for row in _rows(columns, batch.num_rows):
                try:
                    _print(row)
                except UnicodeDecodeError:  # bytes in a column that is not one of text
                    _print(" ".join(map(_visible, row)))


def _check(path: str) -> None:
    from pyarrow.parquet import ParquetFile

    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise ValueError("it is a link or no file")
    content = Path(path).read_bytes()
    size = 0
    with ParquetFile(io.BytesIO(content)) as file:
        for batch in file.iter_batches(_BATCH, use_threads=False):
            batch.validate(full=True)
            size += batch.nbytes
            if size > _LARGEST_TABLE:
                raise MemoryError(f"its table is larger than {_LARGEST_TABLE:,} bytes")
    _print(hashlib.sha256(content).hexdigest())


def bound(what: int, most: int) -> None:
    """Set a limit of this process, if that is possible."""
    # Setting fails where a stricter bound holds already, or the system has none.
    with suppress(ValueError, OSError):
        resource.setrlimit(what, (most, most))


def _told_times(column: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """The column, as text where it holds dates or times: Python's own end with the year 9999."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_timestamp(kind):
        # Only zones as numbers are known where a machine has no list of zones.
        column = column.cast(pa.timestamp(kind.unit, "+00:00" if kind.tz else None))
    return column.cast(pa.string()) if pa.types.is_temporal(kind) else column


def _rows(columns: list[Any], n_rows: int) -> Iterator[Any]:
    try:
        values = [_values(column) for column in columns]
    except UnicodeDecodeError:
        if n_rows == 1:
            yield " ".join(map(_raw_text, columns))
            return
        for row in range(n_rows):
            yield from _rows([column.slice(row, 1) for column in columns], 1)
    else:
        yield from zip(*values, strict=True)


def _values(column: Any) -> list[object]:  # noqa: ANN401
    """The values of a column; a value that Python cannot hold is None and costs no other.

    Raises:
        UnicodeDecodeError: a text is not UTF-8.
    """
    try:
        values: list[object] = column.to_pylist()
    except UnicodeDecodeError:
        raise
    except _NOT_HELD:
        if len(column) == 1:
            return [None]
        return [value for row in range(len(column)) for value in _values(column.slice(row, 1))]
    return values


def _raw_text(column: Any) -> str:  # noqa: ANN401
    """The text of a column of one row, with its bytes escaped where they are not UTF-8."""
    import pyarrow as pa

    with suppress(UnicodeDecodeError):
        return _visible(_values(column)[0])
    with suppress(pa.ArrowException):
        return _visible(column.cast(pa.binary()).to_pylist()[0])
    return str(column)  # a list or an object of texts


def _visible(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return "" if value is None else str(value)


def _print(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, default=_text)
    sys.stdout.buffer.write(f"{text}\n".encode())


def _text(value: object) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
