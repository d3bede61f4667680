"""A row of a table as a review of a change, both checked to be usable."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from crscore_core.change import CodeChange, normalise_language, parse_change
from crscore_core.claims import Claim, parse_claims
from crscore_core.corpus.model import DIMENSIONS, CorpusChange, Ratings
from crscore_core.corpus.reading.mapping import ColumnMapping, label_name
from crscore_core.corpus.reading.table import Cell, cell_number, is_blank
from crscore_core.errors import InputError
from crscore_core.scoring.scorer import LONGEST_REVIEW
from crscore_core.scoring.smells import patched_files, whole_files

UNNAMED = "unnamed"
"""System of reviews without a system."""

_LONGEST_NAME = 200
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?", re.ASCII)
_NO_CLAIMS = re.compile(r"\s*\[\s*\]\s*")


@dataclass(frozen=True, slots=True)
class ChangeCells:
    """The cells of a row that describe its change; rows with equal cells are about one change.

    `language` is a name that `normalise_language` returned. Blank cells are None. `name` and
    `title` of the first such row count: rows that call one change by several names are about it
    all the same.
    """

    diff: str
    language: str | None
    claims: str | None
    new_file: str | None
    old_file: str | None
    name: str | None = field(default=None, compare=False)
    title: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A row as a review; `id` and `reference` are None where the row has none."""

    id: str | None
    system: str
    text: str
    ratings: Ratings
    reference: str | None
    change: ChangeCells
    labels: Mapping[str, float]


def read_row(
    cells: Mapping[str, Cell], mapping: ColumnMapping, labels: Iterable[str] = ()
) -> ReviewRow:
    """Read the fields of a row, and the columns that are labels.

    A missing review is an error. A blank review stays, as a system that says nothing would
    otherwise seem better than it is.

    Raises:
        InputError: no diff or review, a rating or label that is none, or too long a name or
            review.
        InputError: the language is too long.
    """

    def text(field: str) -> str | None:
        value = cells.get(mapping[field]) if field in mapping else None
        return _number_text(value) if isinstance(value, int | float) else value

    def filled(field: str) -> str | None:
        value = text(field)
        return value if value and value.strip() else None

    diff, review = filled("diff"), text("review")
    if diff is None:
        raise InputError("it has no diff")
    if review is None:
        raise InputError("it has no review")
    reference, language = filled("reference"), filled("language")
    for name, value in (("review", review), ("reference", reference)):
        if value is not None and len(value) > LONGEST_REVIEW:
            raise InputError(
                f"the {name} is longer than the limit of {LONGEST_REVIEW:,} characters"
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
            _words(text("change")) if len(text("change") or "") <= _LONGEST_NAME else None,
            (_words(text("title")) or "")[:_LONGEST_NAME] or None,
        ),
        {
            label_name(column): label
            for column in labels
            if (label := cell_number(cells.get(column), column)) is not None
        },
    )


def read_change(cells: ChangeCells) -> CorpusChange:
    """Read and check a change, its claims and its file; the result has no reviews.

    Its id is empty where the cells have no name. The file before the change gives the one after
    it, where that is missing.

    Raises:
        InputError: the diff cannot be read, the claims are none, or a file is not the one that
            the diff changes.
    """
    change = parse_change(cells.diff, language=cells.language)
    claims, new_file = _claims(cells.claims, change), _new_file(cells, change)
    name, title = cells.name or "", cells.title or ""
    return CorpusChange(name, cells.language, cells.diff, (), title, claims, new_file=new_file)


def known_change(cells: ChangeCells) -> CorpusChange:
    """Return what `read_change` gave before; a diff alone is not read again.

    Raises:
        InputError: as `read_change` does.
    """
    if cells.claims is None and cells.new_file is None and cells.old_file is None:
        return CorpusChange(cells.name or "", cells.language, cells.diff, (), cells.title or "")
    return read_change(cells)


def _claims(text: str | None, change: CodeChange) -> tuple[Claim, ...] | None:
    if text is None:
        return None
    if _NO_CLAIMS.fullmatch(text):
        return ()
    return parse_claims(text).generate(change).claims


def _new_file(cells: ChangeCells, change: CodeChange) -> str | None:
    if cells.new_file is None and cells.old_file is None:
        return None
    if len(change.files) != 1:
        raise InputError(
            f"the diff changes {len(change.files)} files, and a whole file can only be given "
            "where it changes one"
        )
    (file,) = change.files
    if cells.new_file is not None:
        whole_files(change, {file.new_path or "": cells.new_file})
        return cells.new_file
    patched = patched_files(change, {file.old_path or "": cells.old_file or ""})
    return next(iter(patched.values()), None)


def _number_text(number: float) -> str:
    """A number as people write it: 7, not 7.0, which a column of numbers with gaps makes of it."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 2**53:
        return str(int(number))
    return str(number)


def _words(text: str | None) -> str | None:
    """Text on one line, without NUL, at which programs in C end a text; None where it is blank."""
    return " ".join((text or "").replace("\0", "\ufffd").split()) or None


def _name(text: str | None, field: str) -> str | None:
    name = _words(text) or ""
    if len(name) > _LONGEST_NAME:
        raise InputError(
            f"the {field} is longer than {_LONGEST_NAME} characters; choose the column that "
            f"holds the {field}"
        )
    return name or None


def _rating(text: str | None, dimension: str) -> float | None:
    if is_blank(text):
        return None
    word = (text or "").strip().replace(",", ".")  # no rating has thousands to set off
    rating = float(word) if _NUMBER.fullmatch(word) else math.nan
    if not 1 <= rating <= 5:
        raise InputError(
            f"{dimension} is {word[:20]!r}; a rating is a number from 1 to 5, or blank; "
            "what is on another scale can be a label"
        )
    return rating
