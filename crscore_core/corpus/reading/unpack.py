"""Gzip, taken off within bounds."""

import gzip
import io
import zlib

from crscore_core.corpus.reading.table import LARGEST_FILE
from crscore_core.errors import CorpusError

__all__ = ["unpacked"]

_GZIP = b"\x1f\x8b"


def unpacked(content: bytes, most: int = LARGEST_FILE) -> bytes:
    """The content itself, or what it holds where it is packed with gzip.

    Raises:
        CorpusError: it is larger than `most` bytes, as given or unpacked, or is damaged.
    """
    _check_size(content, most, "")
    if not content.startswith(_GZIP):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            # No more than shows that it is too much: a bomb unpacks to any size.
            plain = file.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"its gzip data is damaged ({error}); pack it again") from error
    _check_size(plain, most, " unpacked")
    if plain.startswith(_GZIP):
        raise CorpusError("it is packed with gzip twice; unpack it once")
    return plain


def _check_size(content: bytes, most: int, how: str) -> None:
    if len(content) > most:
        raise CorpusError(
            f"it is larger{how} than the limit of {most:,} bytes; split it into several files"
        )
