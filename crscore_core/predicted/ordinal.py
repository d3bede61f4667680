"""The model: proportional odds of ratings, over a sum of curves of the features.

With the strength of a review, the sum of its features' curves, the probability that a person
rates it higher than k is 1 / (1 + exp(threshold_k - strength)) for k from 1 to 4 (McCullagh,
"Regression models for ordinal data", Journal of the Royal Statistical Society B 42, 1980). The
expected rating is 1 + the sum of the four.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.curve import Curve
from crscore_core.predicted.features import FEATURES

__all__ = ["RATINGS", "Contribution", "OrdinalModel", "logistic"]

RATINGS = (1, 2, 3, 4, 5)
"""The scale of the human study."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one feature does to the score of one review.

    `value` is the feature's; `contribution` what it adds to the log odds of every higher rating,
    relative to a typical review of the study (its median there).
    """

    name: str
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class OrdinalModel:
    """`curves`, one for each of `FEATURES` in their order, and `thresholds` between the ratings.

    Raises:
        CalibrationError: not one curve for each feature, one falls that must not, or the
            thresholds are not four that rise.
    """

    curves: tuple[Curve, ...]
    thresholds: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.curves) != len(FEATURES):
            raise CalibrationError(f"{len(FEATURES)} features need as many curves")
        for feature, curve in zip(FEATURES, self.curves, strict=True):
            if feature.is_monotone and not curve.never_falls:
                raise CalibrationError(f"the curve of {feature.name} must not fall, and does")
        if (
            len(self.thresholds) != len(RATINGS) - 1
            or not np.isfinite(self.thresholds).all()
            or any(high <= low for low, high in itertools.pairwise(self.thresholds))
        ):
            raise CalibrationError(
                f"{len(RATINGS)} ratings need {len(RATINGS) - 1} thresholds that rise, "
                f"not {self.thresholds}"
            )

    def score(self, features: ArrayLike) -> NDArray[np.float64]:
        """(Expected rating - 1) / 4, in [0, 1], of each row of features, (..., n features).

        Rows are those of `review_features`; the result has their shape without the last axis.
        """
        rows = np.asarray(features, dtype=np.float64)
        strength = sum(
            (curve.at(rows[..., column]) for column, curve in enumerate(self.curves)),
            start=np.zeros(rows.shape[:-1]),
        )
        higher = logistic(np.asarray(strength)[..., None] - np.array(self.thresholds))
        score: NDArray[np.float64] = higher.mean(axis=-1)
        return score

    def contributions(self, features: ArrayLike) -> tuple[Contribution, ...]:
        """What each feature of one review, (n features,), does to its score."""
        row = np.asarray(features, dtype=np.float64)
        return tuple(
            Contribution(feature.name, float(value), float(curve.at(value)))
            for feature, curve, value in zip(FEATURES, self.curves, row, strict=True)
        )


def logistic(log_odds: ArrayLike) -> NDArray[np.float64]:
    """1 / (1 + exp(-x)), without an overflow."""
    return np.asarray(0.5 + 0.5 * np.tanh(np.asarray(log_odds, dtype=np.float64) / 2))
