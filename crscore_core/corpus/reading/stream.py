"""A file of any size -> its rows, one after the other."""

import gzip
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from crscore_core.corpus.reading.formats import is_parquet, opened_rows_of_text
from crscore_core.corpus.reading.parquet import opened_parquet
from crscore_core.corpus.reading.table import OpenedRows, Row, TableRow
from crscore_core.corpus.reading.unpack import GZIP, gzip_damage
from crscore_core.errors import CorpusError

__all__ = ["RowStream"]

_ROWS_BETWEEN = 100
"""Rows after which progress is told."""


def _ignore(_: int) -> None:
    """Tell nobody."""


class RowStream:
    """The rows of a file, in order, as often as they are asked for, never all in memory.

    Files are those of `read_table`, without its limits on their size and number of rows: JSON
    Lines, CSV, TSV or Parquet, each also packed with gzip. `size` is that of the file as it lies
    on disk, in bytes.

    Raises:
        CorpusError: there is no such file, or it can be told at its beginning that none of its
            rows can be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            _check_is_file(path)
            with path.open("rb") as file, _opened(file, path) as opened:
                self.size = os.fstat(file.fileno()).st_size
                self._header = opened.columns
        except (CorpusError, OSError) as error:
            raise self._error(error, "") from error

    def columns(self, sample: int = 1_000) -> tuple[str, ...]:
        """The columns of the header or schema; of JSON Lines those of a sample.

        That is the first `sample` rows that can be read, however many others are among them.

        Raises:
            CorpusError: the file is damaged where they stand.
        """
        if self._header:
            return self._header
        with closing(self.rows()) as rows:
            readable = (row.cells for row in rows if isinstance(row, TableRow))
            found = islice(readable, sample)
            return tuple(dict.fromkeys(name for cells in found for name in cells))

    def rows(self, progress: Callable[[int], None] = _ignore) -> Generator[Row, None, None]:
        """Read the rows from the first on; those that cannot be read say why.

        `progress` is told now and then how many bytes of the file on disk were read; of Parquet
        that is an estimate.

        Raises:
            CorpusError: the file is damaged; the message names the last row that could be read.
        """
        with closing(self._placed_rows()) as placed:
            for count, (row, place) in enumerate(placed, start=1):
                yield row
                if count % _ROWS_BETWEEN == 0:
                    progress(place)
        progress(self.size)

    def _placed_rows(self) -> Generator[tuple[Row, int], None, None]:
        """Each row with how many bytes of the file were read up to it."""
        number = 0
        try:
            with self._path.open("rb") as file, _opened(file, self._path) as opened:
                for row in opened.rows:
                    number = row.number
                    total = opened.total
                    yield row, self.size * number // total if total else file.tell()
        except (CorpusError, OSError) as error:
            raise self._error(error, f", after row {number}") from error

    def _error(self, error: CorpusError | OSError, where: str) -> CorpusError:
        reason = error.strerror if isinstance(error, OSError) else error
        return CorpusError(f"file {self._path.name[:80]!r}{where}: {reason}")


def _check_is_file(path: Path) -> None:
    # Path.is_file raises for what can be no name, and to open a pipe would wait for its writer.
    if os.path.isdir(path):
        raise CorpusError("it is a folder; give one file")
    if not os.path.isfile(path):
        raise CorpusError("there is no such file")


@contextmanager
def _opened(file: BufferedReader, path: Path) -> Iterator[OpenedRows]:
    """The rows of a file, which lies at `path`."""
    is_packed = file.peek(len(GZIP)).startswith(GZIP)
    plain = cast("BinaryIO", gzip.GzipFile(fileobj=file) if is_packed else file)
    with gzip_damage():
        if not is_parquet(plain):
            with opened_rows_of_text(plain, path.name) as opened:
                yield opened
        elif is_packed:
            # Unpacked anew at each reading: a copy kept for the next one would take its space,
            # of memory where that holds temporary files, for as long as the stream is held.
            with tempfile.NamedTemporaryFile(suffix=".parquet") as copy:
                plain.seek(0)
                shutil.copyfileobj(plain, copy)
                copy.flush()
                with opened_parquet(Path(copy.name)) as opened:
                    yield opened
        else:
            with opened_parquet(path) as opened:
                yield opened
