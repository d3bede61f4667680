"""A program that prints a Parquet file as JSON.

The first line is the list of column names, each further one the list of values of a row, or null
where a text is not UTF-8. It stands alone: what it reads may abort it.
"""

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

_BATCH = 64
"""Rows read at once: few, as a small file may say a large text again in each."""


def main(path: str) -> None:
    """Print the file at `path`.

    Raises:
        Exception: whatever pyarrow finds wrong with the file.
    """
    # Others reserve address space far beyond what they use, and that is bounded here.
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        _print(file.schema_arrow.names)
        for batch in file.iter_batches(_BATCH, use_threads=False):
            for row in _rows(batch):
                _print_row(row)


def _rows(batch: Any) -> Iterator[tuple[object, ...] | None]:  # noqa: ANN401 - pyarrow has no types
    try:
        columns = [column.to_pylist() for column in batch.columns]
    except UnicodeDecodeError:
        if batch.num_rows == 1:
            yield None
            return
        for at in range(batch.num_rows):
            yield from _rows(batch.slice(at, 1))
        return
    yield from zip(*columns, strict=True)


def _print_row(row: tuple[object, ...] | None) -> None:
    try:
        _print(row)
    except UnicodeDecodeError:  # bytes in a column that is not one of text
        _print(None)


def _print(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, default=_text)
    sys.stdout.buffer.write(f"{text}\n".encode())


def _text(value: object) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


if __name__ == "__main__":
    main(sys.argv[1])
