"""Changes and reviews of a corpus by what a person remembers of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crscore_core.corpus.comparison import CorpusComparison

__all__ = ["Found", "find_changes", "find_reviews", "position_of_change", "position_of_review"]


@dataclass(frozen=True, slots=True)
class Found:
    """Positions in a comparison, at most as many as asked for, of `total` that fit."""

    positions: tuple[int, ...]
    total: int


def find_changes(comparison: CorpusComparison, words: str, most: int) -> Found:
    """Changes that have a review and whose id or title holds `words`, in their order."""
    wanted = words.strip().casefold()
    has_review = np.unique(comparison.change).tolist()
    fitting = [
        position
        for position in has_review
        if wanted in comparison.changes[position].id.casefold()
        or wanted in comparison.changes[position].title.casefold()
    ]
    return _found(fitting, most)


def find_reviews(comparison: CorpusComparison, change: int, words: str, most: int) -> Found:
    """Reviews of a change whose id, system or text holds `words`, in their order."""
    wanted = words.strip().casefold()
    fitting = []
    for position in np.flatnonzero(comparison.change == change).tolist():
        review = comparison.reviews[position]
        if any(wanted in text.casefold() for text in (review.id, review.system, review.text)):
            fitting.append(position)
    return _found(fitting, most)


def position_of_change(comparison: CorpusComparison, change_id: str) -> int | None:
    """Where a change is among those compared that have a review, None if it is not."""
    reviewed = set(np.unique(comparison.change).tolist())
    return next(
        (at for at, one in enumerate(comparison.changes) if one.id == change_id and at in reviewed),
        None,
    )


def position_of_review(comparison: CorpusComparison, review_id: str) -> int | None:
    """Where a review is among those compared, None if it is not."""
    return next((at for at, one in enumerate(comparison.reviews) if one.id == review_id), None)


def _found(positions: Sequence[int], most: int) -> Found:
    return Found(tuple(positions[:most]), len(positions))
