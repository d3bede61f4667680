"""Rows of files: what they have in common in every format."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from crscore_core.text import shorten

MAX_ROW = 10_000_000
"""Characters of a row; a longer row is rejected."""

MAX_DOCUMENT = 100 * 2**20
"""Bytes of an unpacked workbook and characters of a JSON document, which are read whole."""

CHUNK = 2**20
"""Characters or bytes that are read at once."""

FORMATS = "give JSON Lines, JSON, CSV, Parquet or XLSX, with one review per row"
TOO_LONG = f"it is longer than the limit of {MAX_ROW:,} characters"

_MAX_SHOWN_NAMES, _MAX_SHOWN_NAME = 20, 40


class RawRow(NamedTuple):
    """The number of a row, from 1, and its cells by column.

    Rows are numbered by lines in JSON Lines, as in a spreadsheet in CSV and XLSX, and by items in
    other formats.
    """

    row: int
    cells: dict[str, Any]


class RejectedRow(NamedTuple):
    """The number of a row that cannot be used, from 1, and the reason."""

    row: int
    reason: str


Row = RawRow | RejectedRow


def list_columns(names: Iterable[str]) -> str:
    """Return the names of columns for a message: the first of them, each cut if it is long."""
    first = [shorten(name, _MAX_SHOWN_NAME) for name in names]
    n_more = len(first) - _MAX_SHOWN_NAMES
    return ", ".join(first[:_MAX_SHOWN_NAMES]) + (f" and {n_more:,} more" if n_more > 0 else "")
