"""The second phase: pseudo-references as people edited them, and reviews as people rated them."""

import re
from dataclasses import dataclass
from pathlib import Path

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.datasets.study.model import SYSTEMS, StudyReference, StudyReview
from crscore_core.datasets.study.release.annotators import (
    INDEX,
    MATERIAL,
    ChangeRows,
    Columns,
    counting,
    read_phase,
)
from crscore_core.datasets.study.release.layout import PHASE_2, Annotator
from crscore_core.datasets.study.release.ratings import RATING_COLUMNS, check_scale, read_rating
from crscore_core.datasets.study.release.tables import Row
from crscore_core.scoring.references import ReferenceKind

__all__ = ["RatedChange", "read_phase2"]

_NECESSARY, _ADDRESSED = "necessary?", "claims addressed"
_COLUMNS = Columns(
    shared=(INDEX, "system"),
    own=(*MATERIAL, "review", "type", _NECESSARY, _ADDRESSED, *RATING_COLUMNS),
)
_NUMBER = re.compile("0*[1-9][0-9]{0,3}")  # from 1, and no change has 10,000 references
_IS_NECESSARY = {"0": False, "1": True, "": True}
_KINDS = {
    "claim": ReferenceKind.CLAIM,
    "issue": ReferenceKind.SMELL,
    "": ReferenceKind.CLAIM,
}
_SYSTEMS = {(f"{system}_pred" if system != GROUND_TRUTH else system): system for system in SYSTEMS}


@dataclass(frozen=True, slots=True)
class RatedChange:
    """What the second phase says of a change.

    `start` is the row that starts it; `rated_by` whose entries these are, None where nobody
    rated it. `oddities` are as in `HumanStudy`.
    """

    start: Row
    references: tuple[StudyReference, ...]
    reviews: tuple[StudyReview, ...]
    rated_by: Annotator | None
    oddities: tuple[str, ...]


def read_phase2(release: Path, language: str) -> dict[str, RatedChange]:
    """The changes of one language by index, in the order of the file.

    Raises:
        StudyError: a file is missing or damaged.
    """
    changes = read_phase(release, PHASE_2, language, _COLUMNS)
    counts = counting(changes, PHASE_2.switch[language], RATING_COLUMNS, {})
    return {change.index: _rated_change(change, counts[change.index]) for change in changes}


def _rated_change(change: ChangeRows, counts: Annotator) -> RatedChange:
    oddities: list[str] = []
    references = [_reference(row, oddities) for row in change.rows[counts]]
    reviews = _reviews(change.rows[counts], oddities)
    for rows in change.rows.values():
        for row in rows:
            check_scale(row)
    return RatedChange(
        change.first,
        tuple(reference for reference in references if reference),
        reviews,
        counts if any(review.rating for review in reviews) else None,
        tuple(oddities),
    )


def _reference(row: Row, oddities: list[str]) -> StudyReference | None:
    necessary, kind = row.whole(_NECESSARY), row["type"].strip().lower()
    if necessary not in _IS_NECESSARY:
        oddities.append(row.odd_cell(_NECESSARY, "0 or 1"))
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
    system, rating = row["system"].strip(), read_rating(row)
    if not system:
        if row.has("review"):
            raise row.error("it has a review but no system; name the system")
        if rating:
            oddities.append(row.says("it has a rating but no review"))
        return None
    if system not in _SYSTEMS:
        raise row.bad_cell("system", f"one of {', '.join(_SYSTEMS)}")
    return StudyReview(_SYSTEMS[system], row["review"], rating, _addressed(row, oddities))


def _addressed(row: Row, oddities: list[str]) -> tuple[int, ...]:
    """The numbers in a list with commas; people also wrote "-" for none."""
    words = [word.strip() for word in row[_ADDRESSED].split(",")]
    if not all(_NUMBER.fullmatch(word) for word in words if word not in {"", "-"}):
        oddities.append(row.odd_cell(_ADDRESSED, "numbers with commas between them"))
    return tuple(int(word) for word in words if _NUMBER.fullmatch(word))
