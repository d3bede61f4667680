"""Rows of files: what they have in common in every format."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TextIO

from crscore_core.text import SURROGATE, replace_surrogates, shorten
from crscore_eval.table.cells import cell_number
from crscore_eval.table.fields import FIELDS, bare_name
from crscore_eval.table.summary import has_diff

MAX_ROW = 10_000_000
"""Characters of a row; a longer row is rejected."""

MAX_DOCUMENT = 100 * 2**20
"""Bytes of an unpacked workbook and characters of a JSON value, which are read whole."""

FORMATS = "give JSON Lines, JSON, CSV, Parquet or XLSX, with one review per row"
MAX_TITLE_ROWS = 20
_MAX_HEADER_NAME = 60  # characters
_MAX_SHOWN_NAMES, _MAX_SHOWN_NAME = 20, 40
_REVIEWS, _SUBJECTS = {*FIELDS["review"]}, {*FIELDS["diff"], *FIELDS["reference"]}
_CHUNK = 2**20


class RawRow(NamedTuple):
    """The number of a row, from 1, and its cells by column.

    Rows are numbered by lines in JSON Lines, as in a spreadsheet in CSV and XLSX (the header is row
    1 if no blank line precedes it), and by items in other formats.
    """

    row: int
    cells: dict[str, Any]


class RejectedRow(NamedTuple):
    """The number of a row that cannot be used, from 1, and the reason."""

    row: int
    reason: str


Row = RawRow | RejectedRow


def text_lines(text: TextIO) -> Iterator[str]:
    """Yield lines; a line that is too long for a row is cut, but stays too long for a row.

    The limit is a multiple of a row's, since cells of CSV may be half as long as their line.
    """
    while line := text.readline(3 * MAX_ROW):
        yield line
        while line and not line.endswith(("\n", "\r")):
            line = text.readline(_CHUNK)


def checked_row(
    number: int,
    cells: object,
    source: str,
    reason: str = "it is not a JSON object with a value for each column",
) -> Row:
    """Return the row that was read from `source`, or reject it.

    `reason` is why a row is rejected if `cells` are not an object.
    """
    if len(source) > MAX_ROW:
        return RejectedRow(number, f"it is longer than the limit of {MAX_ROW:,} characters")
    if SURROGATE.search(source):
        return RejectedRow(number, "it is not valid UTF-8; save the file as UTF-8")
    if not isinstance(cells, dict):
        return RejectedRow(number, reason)
    return RawRow(number, {replace_surrogates(name): cell for name, cell in cells.items()})


def column_names(cells: Mapping[int, str]) -> dict[int, str]:
    """Return a distinct name for each column by number; a column without a name gets its number."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for number, cell in cells.items():
        name = cell or f"column {number}"
        while name in taken:
            name += f" ({number})"
        names[number] = name
        taken.add(name)
    return names


def list_columns(names: Iterable[str]) -> str:
    """Return the names of columns for a message: the first of them, each cut if it is long."""
    first = [shorten(name, _MAX_SHOWN_NAME) for name in names]
    n_more = len(first) - _MAX_SHOWN_NAMES
    return ", ".join(first[:_MAX_SHOWN_NAMES]) + (f" and {n_more:,} more" if n_more > 0 else "")


def names_reviews(names: Sequence[object]) -> bool:
    """Return True if there are usual names of reviews, and of diffs or references."""
    known = {bare_name(name) for name in names if isinstance(name, str)}
    return len(known) > 1 and not (known.isdisjoint(_REVIEWS) or known.isdisjoint(_SUBJECTS))


def header_index(rows: Sequence[Sequence[object]], fits: Callable[[int], bool]) -> int:
    """Return which of the first rows, given by their filled cells, is the header.

    It has usual names or else distinct short texts, and its size fits the rows below it. A title
    does not fit, or has none of the usual names if the header has them. If no row fits, the header
    is the first with usual names, or else the first with several cells.
    """
    named = [index for index, cells in enumerate(rows) if names_reviews(cells)]
    wide = [index for index, cells in enumerate(rows[:-1]) if len(cells) > 1]
    like_names = (index for index in wide if _are_names(rows[index]) and fits(index))
    return next(chain(filter(fits, named), named, like_names, wide), 0)


def _are_names(cells: Sequence[object]) -> bool:
    texts = {cell for cell in cells if isinstance(cell, str) and len(cell) <= _MAX_HEADER_NAME}
    is_content = (cell_number(text) is not None or has_diff(text) for text in texts)
    return len(texts) == len(cells) and not any(is_content)
