"""A file's content -> a table."""

import io

from crscore_core.corpus.reading.formats import is_parquet, opened_rows_of_text
from crscore_core.corpus.reading.parquet import read_parquet
from crscore_core.corpus.reading.table import Table, table_of
from crscore_core.corpus.reading.unpack import unpacked
from crscore_core.errors import CorpusError

__all__ = ["read_table"]


def read_table(content: bytes, name: str) -> Table:
    """Read JSON Lines, CSV, TSV or Parquet, each also packed with gzip.

    Of `name` only the ending counts, and only where the content does not tell. Text is UTF-8, or
    UTF-16 with a byte order mark. Rows that cannot be read are set aside with the reason.

    Raises:
        CorpusError: the file is too large or damaged, or none of its rows can be read.
    """
    try:
        return _read(unpacked(content), name)
    except CorpusError as error:
        raise CorpusError(f"file {name[:80]!r}: {error}") from error


def _read(content: bytes, name: str) -> Table:
    file = io.BytesIO(content)
    if is_parquet(file):
        return read_parquet(content)
    with opened_rows_of_text(file, name) as opened:
        return table_of(opened)
