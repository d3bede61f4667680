"""A program that prints a Parquet file as JSON.

The first line is an object with the names of the columns and the number of rows. Each further line
is the list of values of a row; a row with a text that is not UTF-8 is one text instead. A value
that Python has no object for becomes text, or null where it is nested. The program imports nothing
of ours, since a damaged file may abort it.
"""

import json
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

_BATCH = 64
"""Rows read at once: few, as a small file may repeat a large text in each."""

_NOT_HELD = (ArithmeticError, LookupError, NotImplementedError, TypeError, ValueError)
"""Errors of pyarrow for a value that Python has no object for; its own are subclasses."""

_UTC = "+00:00"
"""Time zone that is known on machines without a list of zones too."""

_MOST_SAID = 1_000_000
"""Limit of the file that is standard error, in bytes."""


def main(path: str, memory: int) -> None:
    """Print the file at `path`, within `memory` bytes of address space; 0 sets no bound.

    Raises:
        Exception: any error that pyarrow finds in the file.
    """
    _bound(resource.RLIMIT_CORE, 0)
    _bound(resource.RLIMIT_FSIZE, _MOST_SAID)
    if memory:
        _bound(resource.RLIMIT_AS, memory)
    # Other pools reserve far more address space than they use, which would exceed the bound.
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        _print({"columns": file.schema_arrow.names, "rows": file.metadata.num_rows})
        for batch in file.iter_batches(_BATCH, use_threads=False):
            for row in _rows(batch):
                _print_row(row)


def _bound(what: int, most: int) -> None:
    # Setting fails where a stricter bound holds already, or the system has none.
    with suppress(ValueError, OSError):
        resource.setrlimit(what, (most, most))


def _rows(batch: Any) -> Iterator[object]:  # noqa: ANN401 - pyarrow has no types
    try:
        columns = [_values(column) for column in batch.columns]
    except UnicodeDecodeError:
        if batch.num_rows == 1:
            yield " ".join(_raw_text(column) for column in batch.columns)
            return
        for at in range(batch.num_rows):
            yield from _rows(batch.slice(at, 1))
        return
    yield from zip(*columns, strict=True)


def _values(column: Any) -> list[object]:  # noqa: ANN401
    """The values of a column; a value that Python cannot hold leaves the others whole.

    Times in an unknown zone become UTC.

    Raises:
        UnicodeDecodeError: a text is not UTF-8.
    """
    import pyarrow as pa

    try:
        return cast("list[object]", column.to_pylist())
    except UnicodeDecodeError:
        raise
    except _NOT_HELD as error:
        kind = column.type
        has_zone = pa.types.is_timestamp(kind) and kind.tz not in (None, _UTC)
        if has_zone and not isinstance(error, OverflowError):
            # All at once, as each vain search for the zone takes long.
            return _values(column.cast(pa.timestamp(kind.unit, _UTC)))
        if len(column) == 1:
            return [_told(column)]
        return [value for at in range(len(column)) for value in _values(column.slice(at, 1))]


def _told(column: Any) -> str | None:  # noqa: ANN401
    """The text of a value that Python cannot hold, the only one in `column`.

    An object with two fields of one name becomes pairs, a date beyond the year 9999 is told as out
    of range. A list or an object that holds such a value becomes None, as pyarrow would abridge it.

    Raises:
        UnicodeDecodeError: a text within it is not UTF-8.
    """
    import pyarrow as pa

    try:
        return str(column[0])
    except UnicodeDecodeError:
        raise
    except _NOT_HELD:
        if pa.types.is_nested(column.type):
            return None
        return str(column.to_string(skip_new_lines=True)).removeprefix("[").removesuffix("]")


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


def _print_row(row: Any) -> None:  # noqa: ANN401
    try:
        _print(row)
    except UnicodeDecodeError:  # bytes in a column that is not one of text
        _print(" ".join(map(_visible, row)))


def _print(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, default=_text)
    sys.stdout.buffer.write(f"{text}\n".encode())


def _text(value: object) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
