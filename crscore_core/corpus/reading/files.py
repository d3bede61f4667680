"""Files of rows, of any size, read row by row."""

import gzip
import io
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import islice
from pathlib import Path
from threading import TIMEOUT_MAX
from typing import BinaryIO, cast

from crscore_core.corpus.reading.parquet import opened_parquet
from crscore_core.corpus.reading.table import (
    LARGEST_FILE,
    OpenedRows,
    Row,
    Table,
    TableRow,
    table_of,
)
from crscore_core.corpus.reading.text_rows import opened_text_rows
from crscore_core.errors import InputError

_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_ZIP = b"PK\x03\x04"

_ROWS_BETWEEN = 100
"""Rows between two calls that tell progress."""

_SECONDS = 60.0
"""Limit of the time in which Parquet is read into memory."""


def read_table(path: Path) -> Table:
    """Read all rows of JSON Lines, JSON, CSV, TSV or Parquet into memory; see `RowStream`.

    Raises:
        InputError: the file is missing, too large or damaged, or none of its rows can be read.
    """
    return RowStream(path, seconds=_SECONDS).table()


class RowStream:
    """The rows of a file, in order, as often as they are asked for, never all in memory.

    Files are JSON Lines, JSON, CSV, TSV or Parquet, each also packed with gzip. The ending of the
    name decides where the content does not tell the format. Text is UTF-8, or UTF-16 with a byte
    order mark. Rows that cannot be read are set aside with the reason. `size` is that of the file
    as it is given, in bytes.
    """

    def __init__(
        self,
        source: Path | bytes,
        name: str | None = None,
        *,
        most: int | None = None,
        seconds: float = TIMEOUT_MAX,
    ) -> None:
        """Take the file at a path, or the content of one; `name` is that of a path by default.

        Content unpacks to at most `LARGEST_FILE`. With `most` a child process reads as many rows
        at once, or fewer if they are large; else `seconds` bounds the reading of Parquet alone.

        Raises:
            InputError: there is no such file, or its beginning shows that none of its rows can be
                read, or content is too large.
        """
        self._source, self._seconds = source, seconds
        self._first: Sequence[Row] | None = None
        self._name = (source.name if isinstance(source, Path) else "") if name is None else name
        try:
            self.size = _size_unpacked(source) if isinstance(source, bytes) else _size_of(source)
            if most is None:
                with self._opened() as (_, opened):
                    self._header = opened.columns
        except (InputError, OSError) as error:
            raise self._error(error, "") from error
        if most is not None:
            from crscore_core.corpus.reading.preview import first_rows

            content = source if isinstance(source, bytes) else source.read_bytes()
            read = first_rows(content, self._name, most, seconds)
            self._header, self._first = read

    def table(self) -> Table:
        """Collect all rows in memory.

        Raises:
            InputError: they are too many or too large, the file is damaged, or no row can be read.
        """
        try:
            with self._opened() as (_, opened):
                return table_of(opened)
        except (InputError, OSError) as error:
            raise self._error(error, "") from error

    def columns(self, sample: int = 1_000) -> tuple[str, ...]:
        """The columns of the header or schema; of JSON Lines those of a sample.

        The sample is the first `sample` rows that can be read, however many others are among them.

        Raises:
            InputError: the file is damaged within the sample.
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
            InputError: the file is damaged; the message names the last row that could be read.
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
            with self._opened() as (file, opened):
                for row in opened.rows:
                    number, total = row.number, opened.total
                    yield row, self.size * number // total if total else file.tell()
        except (InputError, OSError) as error:
            raise self._error(error, f", after row {number}") from error

    @contextmanager
    def _opened(self) -> Iterator[tuple[BinaryIO, OpenedRows]]:
        """Open the file and its rows."""
        source = self._source
        if self._first is not None:
            yield _buffered(b""), OpenedRows(self._header, iter(self._first))
            return
        with (
            _buffered(source) if isinstance(source, bytes) else source.open("rb") as file,
            self.opened(file) as opened,
        ):
            yield file, opened

    @contextmanager
    def opened(self, file: io.BufferedReader) -> Iterator[OpenedRows]:
        """Open the rows of the file, which is open for reading."""
        plain: BinaryIO = file
        path = self._source if isinstance(self._source, Path) else None
        if file.peek(len(_GZIP)).startswith(_GZIP):
            plain, path = cast("BinaryIO", gzip.GzipFile(fileobj=file)), None
        with _gzip_damage(), _opened_rows(plain, self._name, path, self._seconds) as opened:
            yield opened

    def _error(self, error: InputError | OSError, where: str) -> InputError:
        reason = error.strerror if isinstance(error, OSError) else error
        return InputError(f"file {self._name[:80]!r}{where}: {reason}")


@contextmanager
def _opened_rows(
    plain: BinaryIO, name: str, path: Path | None, seconds: float
) -> Iterator[OpenedRows]:
    """The rows of an unpacked file; `path` is where it lies unpacked, if it does on disk.

    Raises:
        InputError: the file is of a kind that is never read, or its beginning is damaged.
    """
    plain.seek(0)
    start = plain.read(len(_PARQUET))
    if start.startswith(_ZIP):
        raise InputError(
            "it is a workbook or a zip archive; save it as CSV, or give the file inside it"
        )
    if start.startswith(_GZIP):
        raise InputError("it is packed with gzip twice; unpack it once")
    if start != _PARQUET and name.lower().removesuffix(".gz").endswith(".parquet"):
        raise InputError("it is named .parquet and is no Parquet; write it again, or name it anew")
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
        yield stack.enter_context(opened_parquet(path, seconds))


def _buffered(content: bytes) -> io.BufferedReader:
    return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(content)))


@contextmanager
def _gzip_damage() -> Iterator[None]:
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"its gzip data is damaged ({error}); pack it again") from error


def _size_unpacked(content: bytes) -> int:
    """Return the size of content; refuse it if it unpacks to too much, as a gzip bomb does."""
    if content.startswith(_GZIP):
        with _gzip_damage(), gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            if file.seek(LARGEST_FILE + 1) > LARGEST_FILE:
                raise InputError(
                    f"it is larger unpacked than the limit of {LARGEST_FILE:,} bytes; split it "
                    "into several files"
                )
    return len(content)


def _size_of(path: Path) -> int:
    # Path.is_file raises for impossible names; opening a pipe would wait for its writer.
    if os.path.isdir(path):
        raise InputError("it is a folder; give one file")
    if not os.path.isfile(path):
        is_there = os.path.exists(path)
        raise InputError("it is a device or a pipe" if is_there else "there is no such file")
    return path.stat().st_size
