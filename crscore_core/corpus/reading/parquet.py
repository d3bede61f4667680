"""Parquet -> a table."""

import io
from collections.abc import Iterator
from typing import Any

from crscore_core.corpus.reading.cells import cell_of, column_names
from crscore_core.corpus.reading.table import LARGEST_FILE, MOST_ROWS, Table, TableUnderWay
from crscore_core.errors import CorpusError

__all__ = ["PARQUET", "read_parquet"]

PARQUET = b"PAR1"
"""How the content of a Parquet file begins."""

_BATCH = 64
"""Rows read at once: few, as a small file may say a large text again in each."""

_MOST_VALUES = 10_000_000
"""Limit of values in all columns, those in lists included."""


def read_parquet(content: bytes) -> Table:
    """Read all columns; rows with bytes that are not UTF-8 are set aside.

    Raises:
        CorpusError: the file is damaged, too large once unpacked, has too many rows or columns,
            or no row can be read.
    """
    import pyarrow as pa  # type: ignore[import-untyped]

    try:
        return _read(content)
    except (
        pa.ArrowException,
        OSError,
        ValueError,
        TypeError,
        ArithmeticError,
        LookupError,
        MemoryError,
        RecursionError,
    ) as error:
        reason = " ".join(str(error).split())[:200]
        raise CorpusError(f"its Parquet data is damaged ({reason}); write it again") from error


def _read(content: bytes) -> Table:
    from pyarrow.parquet import ParquetFile  # type: ignore[import-untyped]

    table = TableUnderWay()
    with ParquetFile(io.BytesIO(content)) as file:
        _check_size(file.metadata)
        names = column_names(file.schema_arrow.names)
        table.add_columns(dict.fromkeys(names))
        unpacked, number = 0, 0
        for batch in file.iter_batches(_BATCH, use_threads=False):
            unpacked += batch.nbytes
            _check_unpacked(unpacked)
            for values in _rows(batch):
                number += 1
                _add(table, number, names, values)
    return table.table()


def _check_size(metadata: Any) -> None:  # noqa: ANN401 - pyarrow has no types
    """Refuse by what the file says of itself, before any of it is unpacked."""
    if metadata.num_rows > MOST_ROWS:
        raise CorpusError(f"it has more than {MOST_ROWS:,} rows; split it into several files")
    groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
    chunks = [group.column(at) for group in groups for at in range(group.num_columns)]
    if sum(chunk.num_values for chunk in chunks) > _MOST_VALUES:
        raise CorpusError(f"it has more than {_MOST_VALUES:,} values; give only the columns needed")
    _check_unpacked(sum(chunk.total_uncompressed_size for chunk in chunks))


def _check_unpacked(size: int) -> None:
    if size > LARGEST_FILE:
        raise CorpusError(
            f"it is larger unpacked than the limit of {LARGEST_FILE:,} bytes; give only the "
            "columns needed, or split it into several files"
        )


def _rows(batch: Any) -> Iterator[tuple[object, ...] | None]:  # noqa: ANN401 - pyarrow has no types
    """The values of each row; None for one with text that is not UTF-8."""
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


def _add(
    table: TableUnderWay, number: int, names: tuple[str, ...], values: tuple[object, ...] | None
) -> None:
    try:
        if values is not None:
            cells = {name: cell_of(value) for name, value in zip(names, values, strict=True)}
            table.add_row(number, cells)
            return
    except UnicodeDecodeError:
        pass  # bytes in a column that is not one of text
    table.reject(number, "it is not UTF-8", "")
