"""The cells of both phases' tables -> codes of claims, pseudo-references, reviews and ratings."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from crscore_core.corpus.model import GROUND_TRUTH, Ratings
from crscore_core.datasets.study.location import (
    ADDED,
    ADDRESSED,
    CODE,
    DOUBLE_RATED_ROWS,
    INDEX,
    NECESSARY,
    PHASE_1,
    PHASE_2,
    RATINGS,
    SYSTEM,
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
    Row,
    odd_cell,
    read_changes,
    read_pair,
    rows_of,
    says,
)
from crscore_core.errors import StudyError
from crscore_core.scoring.references import ReferenceKind

_CODES = {str(code.value): code for code in ClaimCode}
_NUMBER = re.compile("0*[1-9][0-9]{0,3}")  # from 1, and no change has 10,000 references
_IS_NECESSARY = {"0": False, "1": True, "": True}
_KINDS = {"claim": ReferenceKind.CLAIM, "issue": ReferenceKind.SMELL, "": ReferenceKind.CLAIM}
_SYSTEMS = {(f"{system}_pred" if system != GROUND_TRUTH else system): system for system in SYSTEMS}


@dataclass(frozen=True, slots=True)
class PhaseChange:
    """A change of one phase, whose first row in Marcus's file is `start`.

    `rated_by` is the annotator whose ratings these are, None if there are none. `oddities` are as
    in `HumanStudy`.
    """

    start: Row
    oddities: tuple[str, ...]
    coded_claims: tuple[CodedClaim, ...] = ()
    added_claims: tuple[str, ...] = ()
    references: tuple[StudyReference, ...] = ()
    reviews: tuple[StudyReview, ...] = ()
    rated_by: Annotator | None = None


def read_phase1(
    release: Path, language: str, known: Mapping[str, Annotator]
) -> dict[str, PhaseChange]:
    """Read the coded changes of one language by index, in the order of the file.

    `known` tells whose entries count where the files cannot (see `read_changes`).
    """
    found = {}
    for change in read_changes(release, PHASE_1, language, known):
        oddities: list[str] = []
        for row in change.rows:
            if row[CODE] and row[CODE] not in _CODES:
                oddities.append(odd_cell(row, CODE, f"one of {', '.join(_CODES)}"))
            elif row[CODE] and not row["claim"]:
                oddities.append(says(row, "it has a code but no claim"))
        claims = [
            CodedClaim(row["claim"], _CODES.get(row[CODE])) for row in change.rows if row["claim"]
        ]
        added = [row[ADDED] for row in change.rows if row[ADDED]]
        found[change.index] = PhaseChange(
            change.start, tuple(oddities), coded_claims=tuple(claims), added_claims=tuple(added)
        )
    return found


def read_phase2(release: Path, language: str) -> dict[str, PhaseChange]:
    """Read the rated changes of one language by index, in the order of the file."""
    found = {}
    for change in read_changes(release, PHASE_2, language, {}):
        oddities: list[str] = []
        references = [_reference(row, oddities) for row in change.rows]
        reviews: dict[str, StudyReview] = {}
        for row in change.rows:
            if (review := _review(row, oddities)) is None:
                continue
            if review.system in reviews:
                raise StudyError(says(row, f"this change has a review of {review.system} already"))
            reviews[review.system] = review
        is_rated = any(review.rating for review in reviews.values())
        found[change.index] = PhaseChange(
            change.start,
            tuple(oddities),
            references=tuple(filter(None, references)),
            reviews=tuple(reviews.values()),
            rated_by=change.annotator if is_rated else None,
        )
    return found


def read_double_ratings(release: Path) -> tuple[SharedRating, ...]:
    """Read both annotators' ratings of the rows of `DOUBLE_RATED_ROWS` that both rated.

    Marcus's rating is the first.
    """
    columns = (INDEX, SYSTEM, *RATINGS)
    marcus, atharva = read_pair(release, double_rating_files(), columns)
    changes = (marcus[INDEX] != "").cumsum()
    pairs = zip(changes, map(_rating, rows_of(marcus)), map(_rating, rows_of(atharva)), strict=True)
    numbers: dict[int, int] = {}
    return tuple(
        SharedRating(numbers.setdefault(change, len(numbers)), (first, second))
        for change, first, second in [*pairs][DOUBLE_RATED_ROWS]
        if first and second
    )


def _reference(row: Row, oddities: list[str]) -> StudyReference | None:
    necessary, kind = row[NECESSARY], row["type"].lower()
    if necessary not in _IS_NECESSARY:
        oddities.append(odd_cell(row, NECESSARY, "0 or 1"))
    if kind not in _KINDS:
        oddities.append(odd_cell(row, "type", "claim or issue"))
    if not row["claim"]:
        return None
    return StudyReference(
        row["claim"], _KINDS.get(kind, _KINDS[""]), _IS_NECESSARY.get(necessary, True)
    )


def _review(row: Row, oddities: list[str]) -> StudyReview | None:
    system, rating = row[SYSTEM], _rating(row)
    if not system:
        if row["review"].strip():
            raise StudyError(says(row, "it has a review but no system; name the system"))
        if rating:
            oddities.append(says(row, "it has a rating but no review"))
        return None
    if system not in _SYSTEMS:
        raise StudyError(odd_cell(row, SYSTEM, f"one of {', '.join(_SYSTEMS)}"))
    # Annotators wrote "-" for none.
    words = [word.strip() for word in row[ADDRESSED].split(",") if word.strip() not in {"", "-"}]
    addressed = tuple(int(word) for word in words if _NUMBER.fullmatch(word))
    if len(addressed) < len(words):
        oddities.append(odd_cell(row, ADDRESSED, "numbers with commas between them"))
    return StudyReview(_SYSTEMS[system], row["review"], rating, addressed)


def _rating(row: Row) -> Ratings | None:
    """Read the rating in a row; None if all three cells are empty."""
    filled = [column for column in RATINGS if row[column]]
    if filled and len(filled) < len(RATINGS):
        empty = next(column for column in RATINGS if not row[column])
        raise StudyError(
            says(row, f"{empty} is empty, but {filled[0]} is not; fill all three or none")
        )
    return Ratings(*(int(row[column]) for column in RATINGS)) if filled else None
