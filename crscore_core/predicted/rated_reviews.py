"""Rated reviews as rows of numbers, to fit and to evaluate."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES

__all__ = ["RatedReviews"]


@dataclass(frozen=True, eq=False)
class RatedReviews:
    """Reviews that people rated: arrays of (n,), and `features` of (n, n features).

    `features` are NaN throughout where a review has no content and cannot be scored. `ratings`
    are from 1 to 5, `changes` number the changes from 0, `systems` name what wrote the review,
    and `claims` the pseudo-references that it was compared with: the same review may come once
    for each kind of them.

    Raises:
        CalibrationError: the lengths differ.
    """

    features: NDArray[np.float64]
    ratings: NDArray[np.intp]
    changes: NDArray[np.intp]
    systems: NDArray[np.str_]
    claims: NDArray[np.str_]

    def __post_init__(self) -> None:
        n = len(self.ratings)
        others = {len(self.changes), len(self.systems), len(self.claims)}
        if self.features.shape != (n, len(FEATURES)) or others != {n}:
            raise CalibrationError("rated reviews: a column is longer than another")

    @property
    def can_be_scored(self) -> NDArray[np.bool_]:
        """Which of them have features."""
        return np.asarray(np.isfinite(self.features).all(axis=1))

    def where(self, chosen: NDArray[np.bool_]) -> "RatedReviews":
        """Those of them that are chosen."""
        return RatedReviews(
            self.features[chosen],
            self.ratings[chosen],
            self.changes[chosen],
            self.systems[chosen],
            self.claims[chosen],
        )
