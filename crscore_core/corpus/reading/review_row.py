"""A row of a table -> a review and the change that it is about."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from crscore_core.change import normalise_language
from crscore_core.corpus.model import DIMENSIONS, Ratings
from crscore_core.corpus.reading.mapping import ColumnMapping
from crscore_core.corpus.reading.table import Cell
from crscore_core.errors import CorpusError
from crscore_core.scoring.scorer import LONGEST_REVIEW

__all__ = ["UNNAMED", "ChangeCells", "ReviewRow", "read_row"]

UNNAMED = "unnamed"
"""The system of reviews of which nobody said who wrote them."""

_LONGEST_NAME = 200
_BLANK = {"", "nan", "none", "null", "na", "n/a", "-"}
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ChangeCells:
    """What a row says of its change; rows that say the same are about one change.

    `language` is a name that `crscore_core.change` knows. What is blank is None.
    """

    diff: str
    language: str | None
    claims: str | None
    new_file: str | None
    old_file: str | None


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A row as a review; `id` and `reference` are None where the row has none."""

    id: str | None
    system: str
    text: str
    ratings: Ratings
    reference: str | None
    change: ChangeCells


def read_row(cells: Mapping[str, Cell], mapping: ColumnMapping) -> ReviewRow:
    """Read the fields of a row.

    A missing review is an error. One that is there but blank is what a system said of the change,
    and stays: without it a system that says nothing would seem better than it is.

    Raises:
        CorpusError: no diff or review, a rating that is none, or too long a name or review.
        LanguageError: the language is not known.
    """

    def text(field: str) -> str | None:
        column = mapping.column_of(field)
        value = cells.get(column) if column is not None else None
        return _shortest(value) if isinstance(value, int | float) else value

    def filled(field: str) -> str | None:
        value = text(field)
        return value if value and value.strip() else None

    diff, review = filled("diff"), text("review")
    if diff is None:
        raise CorpusError("it has no diff")
    if review is None:
        raise CorpusError("it has no review")
    reference, language = filled("reference"), filled("language")
    for what, value in (("review", review), ("reference", reference)):
        if value is not None and len(value) > LONGEST_REVIEW:
            raise CorpusError(
                f"the {what} is longer than the limit of {LONGEST_REVIEW:,} characters"
            )
    return ReviewRow(
        _name(text("id"), "id"),
        _name(text("system"), "system") or UNNAMED,
        review,
        Ratings(*(_rating(text(dimension), dimension) for dimension in DIMENSIONS)),
        reference,
        ChangeCells(
            diff,
            None if language is None else normalise_language(language),
            filled("claims"),
            filled("new_file"),
            filled("old_file"),
        ),
    )


def _shortest(number: float) -> str:
    """A number as people write it: 7, not 7.0, which a column of numbers with gaps makes of it."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 2**53:
        return str(int(number))
    return str(number)


def _name(text: str | None, what: str) -> str | None:
    """A name on one line, without NUL, at which programs in C end a text."""
    name = " ".join((text or "").replace("\0", "\ufffd").split())
    if len(name) > _LONGEST_NAME:
        raise CorpusError(
            f"the {what} is longer than {_LONGEST_NAME} characters; choose the column that "
            f"holds the {what}"
        )
    return name or None


def _rating(text: str | None, dimension: str) -> float | None:
    word = (text or "").strip()
    if word.lower() in _BLANK:
        return None
    rating = float(word) if _NUMBER.fullmatch(word) else math.nan
    if not 1 <= rating <= 5:
        raise CorpusError(
            f"{dimension} is {word[:20]!r}; a rating is a number from 1 to 5, or blank"
        )
    return rating
