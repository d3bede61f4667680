"""What a file's content is, and its rows."""

import string
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO

from crscore_core.corpus.reading.delimited import delimited_rows
from crscore_core.corpus.reading.json_lines import json_line_rows
from crscore_core.corpus.reading.parquet import PARQUET
from crscore_core.corpus.reading.table import OpenedRows
from crscore_core.corpus.reading.text import cut_lines, opened_text
from crscore_core.corpus.reading.unpack import GZIP
from crscore_core.errors import CorpusError

__all__ = ["is_parquet", "opened_rows_of_text"]

_JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
_DELIMITED_ENDINGS = (".csv", ".tsv", ".tab")
_ZIP = b"PK\x03\x04"


def is_parquet(file: BinaryIO) -> bool:
    """Whether a file, gzip taken off, is Parquet; if not, it can only be text.

    Raises:
        CorpusError: it is of a kind that is never read.
    """
    file.seek(0)
    start = file.read(len(PARQUET))
    if start.startswith(_ZIP):
        raise CorpusError(
            "it is a workbook or a zip archive; save it as CSV, or give the file inside it"
        )
    if start.startswith(GZIP):
        raise CorpusError("it is packed with gzip twice; unpack it once")
    return start == PARQUET


@contextmanager
def opened_rows_of_text(file: BinaryIO, name: str) -> Iterator[OpenedRows]:
    """The rows of JSON Lines or CSV; the ending of `name` counts where the content does not tell.

    Raises:
        CorpusError: it is empty, one JSON list, without a header, or no UTF-16 as its mark says.
    """
    ending = name.lower().removesuffix(".gz")
    with opened_text(file, "\n") as text:
        is_json = _first_line(text).startswith(("{", "["))
    if ending.endswith(_JSON_ENDINGS) or (is_json and not ending.endswith(_DELIMITED_ENDINGS)):
        with opened_text(file, "\n") as text:
            yield json_line_rows(text)
    else:
        with opened_text(file, "") as text:
            yield delimited_rows(text)


def _first_line(text: TextIO) -> str:
    """The first line that holds something, without blanks around it."""
    for line in cut_lines(text):
        if stripped := line.strip(string.whitespace):
            return stripped
    raise CorpusError("it is empty; give JSON Lines, CSV or Parquet with one row a review")
