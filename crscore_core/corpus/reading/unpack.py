"""Gzip, taken off within bounds."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from crscore_core.corpus.reading.table import LARGEST_FILE
from crscore_core.errors import CorpusError

__all__ = ["GZIP", "gzip_damage", "unpacked"]

GZIP = b"\x1f\x8b"
"""How content packed with gzip begins."""


@contextmanager
def gzip_damage() -> Iterator[None]:
    """Call damage by its name.

    Raises:
        CorpusError: the gzip data that was read is damaged.
    """
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise CorpusError(f"its gzip data is damaged ({error}); pack it again") from error


def unpacked(content: bytes, most: int = LARGEST_FILE) -> bytes:
    """The content itself, or what it holds where it is packed with gzip.

    Raises:
        CorpusError: it is larger than `most` bytes, as given or unpacked, or is damaged.
    """
    _check_size(content, most, "")
    if not content.startswith(GZIP):
        return content
    with gzip_damage(), gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        # No more than shows that it is too much: a bomb unpacks to any size.
        plain = file.read(most + 1)
    _check_size(plain, most, " unpacked")
    return plain


def _check_size(content: bytes, most: int, how: str) -> None:
    if len(content) > most:
        raise CorpusError(
            f"it is larger{how} than the limit of {most:,} bytes; split it into several files"
        )
