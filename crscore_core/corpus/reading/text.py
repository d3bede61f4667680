"""Text of any size, line by line."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO

from crscore_core.corpus.reading.table import LONGEST_LINE
from crscore_core.errors import CorpusError
from crscore_core.text import encoding_of

__all__ = ["cut_lines", "opened_text"]

_MARK = 4
_CHUNK = 65_536


@contextmanager
def opened_text(file: BinaryIO, newline: str) -> Iterator[TextIO]:
    r"""The text of a file from its beginning, in UTF-8, or UTF-16 with a byte order mark.

    Bytes that are not UTF-8 become halves of surrogate pairs, by which their row is known. Lines
    end as `newline` says: "\n" alone, or "" for those of any system; nothing is translated.

    Raises:
        CorpusError: what was read of the text is not UTF-16 although its mark says so.
    """
    file.seek(0)
    is_utf8 = encoding_of(file.read(_MARK)) == "utf-8"
    file.seek(0)
    text = io.TextIOWrapper(
        file,
        "utf-8-sig" if is_utf8 else "utf-16",
        "surrogateescape" if is_utf8 else "strict",
        newline=newline,
    )
    try:
        yield text
    except UnicodeDecodeError as error:
        raise CorpusError(f"it is not valid {error.encoding.upper()}; save it as UTF-8") from error
    finally:
        text.detach()  # else the file would be closed with it


def cut_lines(text: TextIO, ends: str | tuple[str, ...] = "\n") -> Iterator[str]:
    """The lines with their `ends`, of each no more than shows that it is too long.

    That is `LONGEST_LINE` and one character; the rest of such a line is skipped.
    """
    while line := text.readline(LONGEST_LINE + 1):
        yield line
        while line and not line.endswith(ends):
            line = text.readline(_CHUNK)
