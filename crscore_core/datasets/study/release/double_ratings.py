"""Reviews that two people rated on their own, for how far people agree (paper, section 4.2)."""

from pathlib import Path

from crscore_core.datasets.study.model import DoubleRating
from crscore_core.datasets.study.release.annotators import INDEX, Columns, read_pairs
from crscore_core.datasets.study.release.layout import (
    DOUBLE_RATED_ROWS,
    Annotator,
    double_rating_file,
)
from crscore_core.datasets.study.release.ratings import RATING_COLUMNS, read_rating

__all__ = ["read_double_ratings"]

_COLUMNS = Columns(shared=(INDEX, "system"), own=RATING_COLUMNS)


def read_double_ratings(release: Path) -> tuple[DoubleRating, ...]:
    """The rows that both rated, of those that both were to rate alone; Marcus is the first.

    Raises:
        StudyError: a file is missing or damaged.
    """
    files = {annotator: double_rating_file(annotator) for annotator in Annotator}
    ratings = []
    change = -1
    for pair in read_pairs(release, files, _COLUMNS):
        marcus, atharva = pair[Annotator.MARCUS], pair[Annotator.ATHARVA]
        change += marcus.has(INDEX)
        ratings.append((change, read_rating(marcus), read_rating(atharva)))
    numbers: dict[int, int] = {}
    return tuple(
        DoubleRating(numbers.setdefault(change, len(numbers)), first, second)
        for change, first, second in ratings[DOUBLE_RATED_ROWS]
        if first and second
    )
