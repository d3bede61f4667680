"""A file's content -> a table."""

import codecs

from crscore_core.corpus.reading.delimited import read_delimited
from crscore_core.corpus.reading.json_lines import read_json_lines
from crscore_core.corpus.reading.parquet import PARQUET, read_parquet
from crscore_core.corpus.reading.table import Table
from crscore_core.corpus.reading.unpack import unpacked
from crscore_core.errors import CorpusError
from crscore_core.unicode import decode, encoding_of

__all__ = ["read_table"]

_JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
_DELIMITED_ENDINGS = (".csv", ".tsv", ".tab")
_ZIP = b"PK\x03\x04"


def read_table(content: bytes, name: str) -> Table:
    """Read JSON Lines, CSV, TSV or Parquet, each also packed with gzip.

    Of `name` only the ending counts, and only where the content does not tell. Text is UTF-8, or
    UTF-16 with a byte order mark. Rows that cannot be read are set aside with the reason.

    Raises:
        CorpusError: the file is too large or damaged, or none of its rows can be read.
    """
    try:
        return _read(unpacked(content), name.lower().removesuffix(".gz"))
    except CorpusError as error:
        raise CorpusError(f"file {name[:80]!r}: {error}") from error


def _read(content: bytes, name: str) -> Table:
    if content.startswith(PARQUET):
        return read_parquet(content)
    if content.startswith(_ZIP):
        raise CorpusError(
            "it is a workbook or a zip archive; save it as CSV, or give the file inside it"
        )
    text = _as_utf8(content)
    if not text.strip():
        raise CorpusError("it is empty; give JSON Lines, CSV or Parquet with one row a review")
    is_json = text.lstrip().startswith((b"{", b"["))
    if name.endswith(_JSON_ENDINGS) or (is_json and not name.endswith(_DELIMITED_ENDINGS)):
        return read_json_lines(text)
    return read_delimited(text)


def _as_utf8(content: bytes) -> bytes:
    """The text as UTF-8 without a byte order mark; bytes that are not stay as they are."""
    encoding = encoding_of(content)
    if encoding == "utf-8":
        return content.removeprefix(codecs.BOM_UTF8)
    try:
        return decode(content).encode()
    except UnicodeDecodeError as error:
        raise CorpusError(f"it is not valid {encoding.upper()}; save it as UTF-8") from error
