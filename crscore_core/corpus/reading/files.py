"""Files of rows: a small one read whole, one of any size read row by row."""

import gzip
import io
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from analyzers.process import Limits
from crscore_core.corpus.reading.parquet import STREAM_LIMITS, TABLE_LIMITS, opened_parquet
from crscore_core.corpus.reading.table import (
    LARGEST_FILE,
    OpenedRows,
    Row,
    Table,
    TableRow,
    table_of,
)
from crscore_core.corpus.reading.text_rows import opened_text_rows
from crscore_core.errors import CorpusError

_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_ZIP = b"PK\x03\x04"

_ROWS_BETWEEN = 100
"""Rows between two calls that tell progress."""


def read_table(content: bytes, name: str) -> Table:
    """Read JSON Lines, CSV, TSV or Parquet, each also packed with gzip.

    The ending of `name` decides where the content does not tell the format. Text is UTF-8, or
    UTF-16 with a byte order mark. Rows that cannot be read are set aside with the reason.

    Raises:
        CorpusError: the file is too large or damaged, or none of its rows can be read.
    """
    try:
        plain = io.BytesIO(_unpacked(content))
        with _opened_rows(plain, name, None, TABLE_LIMITS) as opened:
            return table_of(opened)
    except CorpusError as error:
        raise CorpusError(f"file {name[:80]!r}: {error}") from error


def read_table_file(path: Path) -> Table:
    """Read the table of a file, see `read_table`.

    Raises:
        CorpusError: there is no such file, it cannot be read, or `read_table` refuses it.
    """
    try:
        _check_is_file(path)
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise CorpusError(f"file {path.name[:80]!r} cannot be read: {error.strerror}") from error
    except CorpusError as error:
        raise CorpusError(f"file {path.name[:80]!r}: {error}") from error
    return read_table(content, path.name)


class RowStream:
    """The rows of a file, in order, as often as they are asked for, never all in memory.

    Files are those of `read_table`, without its limits of size and of the number of rows. `size`
    is that of the file on disk, in bytes.

    Raises:
        CorpusError: there is no such file, or its beginning shows that none of its rows can be
            read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            _check_is_file(path)
            self.size = path.stat().st_size
            with path.open("rb") as file, self.opened(file) as opened:
                self._header = opened.columns
        except (CorpusError, OSError) as error:
            raise self._error(error, "") from error

    def columns(self, sample: int = 1_000) -> tuple[str, ...]:
        """The columns of the header or schema; of JSON Lines those of a sample.

        The sample is the first `sample` rows that can be read, however many others are among them.

        Raises:
            CorpusError: the file is damaged within the sample.
        """
        if self._header:
            return self._header
        with closing(self.rows()) as rows:
            readable = (row.cells for row in rows if isinstance(row, TableRow))
            return tuple({name: None for cells in islice(readable, sample) for name in cells})

    def rows(self, progress: Callable[[int], None] = lambda _: None) -> Generator[Row, None, None]:
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
        """Each row with the number of bytes of the file read up to it."""
        number = 0
        try:
            with self._path.open("rb") as file, self.opened(file) as opened:
                for row in opened.rows:
                    number, total = row.number, opened.total
                    yield row, self.size * number // total if total else file.tell()
        except (CorpusError, OSError) as error:
            raise self._error(error, f", after row {number}") from error

    @contextmanager
    def opened(self, file: io.BufferedReader) -> Iterator[OpenedRows]:
        """Open the rows of the file, which is open for reading."""
        if file.peek(len(_GZIP)).startswith(_GZIP):
            plain, path = cast("BinaryIO", gzip.GzipFile(fileobj=file)), None
        else:
            plain, path = cast("BinaryIO", file), self._path
        with _gzip_damage(), _opened_rows(plain, self._path.name, path, STREAM_LIMITS) as opened:
            yield opened

    def _error(self, error: CorpusError | OSError, where: str) -> CorpusError:
        reason = error.strerror if isinstance(error, OSError) else error
        return CorpusError(f"file {self._path.name[:80]!r}{where}: {reason}")


@contextmanager
def _opened_rows(
    plain: BinaryIO, name: str, path: Path | None, limits: Limits
) -> Iterator[OpenedRows]:
    """The rows of an unpacked file; `path` is where it lies unpacked, if it does on disk.

    Raises:
        CorpusError: the file is of a kind that is never read, or its beginning is damaged.
    """
    plain.seek(0)
    start = plain.read(len(_PARQUET))
    if start.startswith(_ZIP):
        raise CorpusError(
            "it is a workbook or a zip archive; save it as CSV, or give the file inside it"
        )
    if start.startswith(_GZIP):
        raise CorpusError("it is packed with gzip twice; unpack it once")
    with ExitStack() as stack:
        if start != _PARQUET:
            yield stack.enter_context(opened_text_rows(plain, name))
            return
        if path is None:
            # Written anew at each reading: a copy kept for the next one would take its space,
            # of memory where that holds temporary files, for as long as a stream is held.
            copy = stack.enter_context(tempfile.NamedTemporaryFile(suffix=".parquet"))
            plain.seek(0)
            shutil.copyfileobj(plain, copy)
            copy.flush()
            path = Path(copy.name)
        yield stack.enter_context(opened_parquet(path, limits))


def _unpacked(content: bytes) -> bytes:
    """The content, gzip taken off, no larger than `LARGEST_FILE` before or after."""
    _check_size(content, "")
    if not content.startswith(_GZIP):
        return content
    with _gzip_damage(), gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        # Read just beyond the limit: a gzip bomb unpacks to any size.
        plain = file.read(LARGEST_FILE + 1)
    _check_size(plain, " unpacked")
    return plain


def _check_size(content: bytes, how: str) -> None:
    if len(content) > LARGEST_FILE:
        raise CorpusError(
            f"it is larger{how} than the limit of {LARGEST_FILE:,} bytes; split it into several "
            "files"
        )


@contextmanager
def _gzip_damage() -> Iterator[None]:
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise CorpusError(f"its gzip data is damaged ({error}); pack it again") from error


def _check_is_file(path: Path) -> None:
    # Path.is_file raises for impossible names; opening a pipe would wait for its writer.
    if os.path.isdir(path):
        raise CorpusError("it is a folder; give one file")
    if not os.path.isfile(path):
        raise CorpusError("there is no such file")
