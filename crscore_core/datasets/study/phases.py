"""The cells of both phases' tables -> codes of claims, pseudo-references, reviews and ratings."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from crscore_core.corpus.model import GROUND_TRUTH, Ratings
from crscore_core.datasets.study.location import (
    DOUBLE_RATED_ROWS,
    PHASE_1,
    PHASE_2,
    Annotator,
    double_rating_files,
)
from crscore_core.datasets.study.model import (
    SYSTEMS,
    ClaimCode,
    CodedClaim,
    SharedRating,
    StudyReference,
    StudyReview,
)
from crscore_core.datasets.study.tables import (
    INDEX,
    MATERIAL,
    SYSTEM,
    ChangeRows,
    Row,
    counting,
    read_pairs,
    read_phase,
)
from crscore_core.scoring.references import ReferenceKind

CODE, ADDED = "Correctness", "additional claims"
"""Columns of the first phase that annotators fill in."""

_PHASE_1_COLUMNS = (INDEX, *MATERIAL, ADDED, CODE)
_CODES = {str(code.value): code for code in ClaimCode}

RATINGS = ("Con (P)", "Comp (R)", "Rel (F)")
"""Columns of ratings, in the order of `Ratings`."""

NECESSARY, ADDRESSED = "necessary?", "claims addressed"
"""Columns of the second phase that annotators fill in beside the ratings."""

_SCALE = {str(number): number for number in range(1, 6)}
_PHASE_2_COLUMNS = (
    INDEX, SYSTEM, *MATERIAL, "review", "type", NECESSARY, ADDRESSED, *RATINGS,
)  # fmt: skip
_DOUBLE_RATING_COLUMNS = (INDEX, SYSTEM, *RATINGS)
_NUMBER = re.compile("0*[1-9][0-9]{0,3}")  # from 1, and no change has 10,000 references
_IS_NECESSARY = {"0": False, "1": True, "": True}
_KINDS = {"claim": ReferenceKind.CLAIM, "issue": ReferenceKind.SMELL, "": ReferenceKind.CLAIM}
_SYSTEMS = {(f"{system}_pred" if system != GROUND_TRUTH else system): system for system in SYSTEMS}


@dataclass(frozen=True, slots=True)
class CodedChange:
    """A change of the first phase; `start` is the row that starts it.

    `oddities` are as in `HumanStudy`.
    """

    start: Row
    coded_claims: tuple[CodedClaim, ...]
    added_claims: tuple[str, ...]
    oddities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RatedChange:
    """A change of the second phase; `start` is the row that starts it.

    `rated_by` is the annotator whose entries these are, None if nobody rated the change.
    `oddities` are as in `HumanStudy`.
    """

    start: Row
    references: tuple[StudyReference, ...]
    reviews: tuple[StudyReview, ...]
    rated_by: Annotator | None
    oddities: tuple[str, ...]


def read_phase1(
    release: Path, language: str, known: Mapping[str, Annotator]
) -> dict[str, CodedChange]:
    """Read the coded changes of one language by index, in the order of the file.

    `known` tells whose entries count where the files cannot (see `counting`).
    """
    changes = read_phase(release, PHASE_1, language, _PHASE_1_COLUMNS)
    counts = counting(changes, PHASE_1.switch[language], [CODE, ADDED], known)
    return {change.index: _coded_change(change, counts[change.index]) for change in changes}


def read_phase2(release: Path, language: str) -> dict[str, RatedChange]:
    """Read the rated changes of one language by index, in the order of the file."""
    changes = read_phase(release, PHASE_2, language, _PHASE_2_COLUMNS)
    counts = counting(changes, PHASE_2.switch[language], RATINGS, {})
    return {change.index: _rated_change(change, counts[change.index]) for change in changes}


def read_double_ratings(release: Path) -> tuple[SharedRating, ...]:
    """Read both annotators' ratings of the rows of `DOUBLE_RATED_ROWS` that both rated.

    Marcus's rating is the first.
    """
    ratings = []
    change = -1
    for pair in read_pairs(release, double_rating_files(), _DOUBLE_RATING_COLUMNS):
        marcus, atharva = pair[Annotator.MARCUS], pair[Annotator.ATHARVA]
        change += marcus.has(INDEX)
        ratings.append((change, _rating(marcus), _rating(atharva)))
    numbers: dict[int, int] = {}
    return tuple(
        SharedRating(numbers.setdefault(change, len(numbers)), (first, second))
        for change, first, second in ratings[DOUBLE_RATED_ROWS]
        if first and second
    )


def _coded_change(change: ChangeRows, counts: Annotator) -> CodedChange:
    oddities: list[str] = []
    claims = [_claim(row, oddities) for row in change.rows[counts]]
    return CodedChange(
        change.first,
        tuple(claim for claim in claims if claim),
        tuple(row[ADDED].strip() for row in change.rows[counts] if row.has(ADDED)),
        tuple(oddities),
    )


def _claim(row: Row, oddities: list[str]) -> CodedClaim | None:
    cell = row.whole(CODE)
    if cell and cell not in _CODES:
        oddities.append(row.odd_cell(CODE, f"one of {', '.join(_CODES)}"))
    elif cell and not row.has("claim"):
        oddities.append(row.says("it has a code but no claim"))
    return CodedClaim(row["claim"].strip(), _CODES.get(cell)) if row.has("claim") else None


def _rated_change(change: ChangeRows, counts: Annotator) -> RatedChange:
    oddities: list[str] = []
    references = [_reference(row, oddities) for row in change.rows[counts]]
    reviews = _reviews(change.rows[counts], oddities)
    for rows in change.rows.values():
        for row in rows:
            _check_scale(row)
    return RatedChange(
        change.first,
        tuple(reference for reference in references if reference),
        reviews,
        counts if any(review.rating for review in reviews) else None,
        tuple(oddities),
    )


def _reference(row: Row, oddities: list[str]) -> StudyReference | None:
    necessary, kind = row.whole(NECESSARY), row["type"].strip().lower()
    if necessary not in _IS_NECESSARY:
        oddities.append(row.odd_cell(NECESSARY, "0 or 1"))
    if kind not in _KINDS:
        oddities.append(row.odd_cell("type", "claim or issue"))
    if not row.has("claim"):
        return None
    is_necessary = _IS_NECESSARY.get(necessary, _IS_NECESSARY[""])
    return StudyReference(row["claim"].strip(), _KINDS.get(kind, _KINDS[""]), is_necessary)


def _reviews(rows: tuple[Row, ...], oddities: list[str]) -> tuple[StudyReview, ...]:
    reviews: dict[str, StudyReview] = {}
    for row in rows:
        review = _review(row, oddities)
        if review is None:
            continue
        if review.system in reviews:
            raise row.error(f"this change has a review of {review.system} already")
        reviews[review.system] = review
    return tuple(reviews.values())


def _review(row: Row, oddities: list[str]) -> StudyReview | None:
    system, rating = row[SYSTEM].strip(), _rating(row)
    if not system:
        if row.has("review"):
            raise row.error("it has a review but no system; name the system")
        if rating:
            oddities.append(row.says("it has a rating but no review"))
        return None
    if system not in _SYSTEMS:
        raise row.bad_cell(SYSTEM, f"one of {', '.join(_SYSTEMS)}")
    return StudyReview(_SYSTEMS[system], row["review"], rating, _addressed(row, oddities))


def _addressed(row: Row, oddities: list[str]) -> tuple[int, ...]:
    """Read numbers from a list with commas; annotators also wrote "-" for none."""
    words = [word.strip() for word in row[ADDRESSED].split(",")]
    if not all(_NUMBER.fullmatch(word) for word in words if word not in {"", "-"}):
        oddities.append(row.odd_cell(ADDRESSED, "numbers with commas between them"))
    return tuple(int(word) for word in words if _NUMBER.fullmatch(word))


def _rating(row: Row) -> Ratings | None:
    """Read the rating in a row; None if all three cells are empty."""
    filled = [column for column in RATINGS if row.has(column)]
    if not filled:
        return None
    _check_scale(row)
    for column in RATINGS:
        if column not in filled:
            raise row.error(f"{column} is empty, but {filled[0]} is not; fill all three or none")
    return Ratings(*(_SCALE[row.whole(column)] for column in RATINGS))


def _check_scale(row: Row) -> None:
    """Check the ratings of a row, whether or not they count."""
    for column in RATINGS:
        if row.has(column) and row.whole(column) not in _SCALE:
            raise row.bad_cell(column, "a whole number from 1 to 5")
