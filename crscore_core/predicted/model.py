"""The model: proportional odds of ratings, over a sum of curves of the features.

The strength of a review is the sum of its features' curves. The probability that a person rates
the review higher than k is 1 / (1 + exp(threshold_k - strength)) for k from 1 to 4 (McCullagh,
"Regression models for ordinal data", Journal of the Royal Statistical Society B 42, 1980). The
expected rating is 1 + the sum of the four.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES
from crscore_core.statistics.bootstrap import Estimate

RATINGS = (1, 2, 3, 4, 5)
"""The rating scale of the human study."""


@dataclass(frozen=True, slots=True)
class Curve:
    """How one feature counts: straight lines between `values` at rising `points`.

    Before the first point and after the last, the ends of the fitted range, the curve is flat.
    Values are log odds relative to those of a typical review.

    Raises:
        CalibrationError: there are no points, not one value for each, or points do not rise.
    """

    points: tuple[float, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.points or len(self.points) != len(self.values):
            raise CalibrationError("a curve needs points, and one value for each of them")
        if not np.isfinite([*self.points, *self.values]).all():
            raise CalibrationError("a point or a value of a curve is not a finite number")
        if not _rises(self.points):
            raise CalibrationError(f"the points of a curve have to rise: {self.points}")

    @property
    def never_falls(self) -> bool:
        """Return True if no value is lower than the one before it."""
        return all(later >= earlier for earlier, later in itertools.pairwise(self.values))

    def at(self, feature: ArrayLike) -> NDArray[np.float64]:
        """Log odds at each value of the feature; same shape."""
        values = np.asarray(feature, dtype=np.float64)
        return np.asarray(np.interp(values, self.points, self.values))


@dataclass(frozen=True, slots=True)
class Contribution:
    """Effect of one feature on the prediction for one review.

    `value` is the feature's value. `contribution` is what the feature adds to the log odds of
    every higher rating, relative to a typical review of the study (the median feature there).
    """

    name: str
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class OrdinalModel:
    """`curves`, one for each of `FEATURES` in their order, and `thresholds` between the ratings.

    Raises:
        CalibrationError: the number of curves is not that of the features, the curve of a
            monotone feature falls, or the thresholds are not four that rise.
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
            or not _rises(self.thresholds)
        ):
            raise CalibrationError(
                f"{len(RATINGS)} ratings need {len(RATINGS) - 1} thresholds that rise, "
                f"not {self.thresholds}"
            )

    def score(self, features: ArrayLike) -> NDArray[np.float64]:
        """Predict (expected rating - 1) / 4, in [0, 1], for rows of features, (..., n features).

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
        """Contributions of the features of one review, (n features,), in their order."""
        row = np.asarray(features, dtype=np.float64)
        return tuple(
            Contribution(feature.name, float(value), float(curve.at(value)))
            for feature, curve, value in zip(FEATURES, self.curves, row, strict=True)
        )


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Agreement with people on what each fit left out: `left_out` is `change` or `system`.

    `claims` names the pseudo-references that the reviews were compared with. `spearman` is rho of
    predicted with human relevance; its interval resamples changes and holds predictions fixed.
    """

    left_out: str
    claims: str
    reviews: int
    spearman: Estimate


@dataclass(frozen=True, slots=True)
class Provenance:
    """The data that a model was fitted to, and how.

    `data` describes the data in words, `sha256` is their checksum; `changes` and `ratings` count
    them; `claims` names the kinds of pseudo-references that reviews were compared with, one
    after the other. `ridge` is the weight of the penalty, `version` that of this package,
    `command` the command line that makes the same file again.
    """

    data: str
    sha256: str
    changes: int
    ratings: int
    claims: tuple[str, ...]
    ridge: float
    held_out: tuple[HeldOut, ...]
    version: str
    command: str


@dataclass(frozen=True, slots=True)
class CalibratedModel:
    """A model of predicted relevance for the similarities of one `encoder`."""

    encoder: str
    ordinal: OrdinalModel
    provenance: Provenance


def logistic(log_odds: ArrayLike) -> NDArray[np.float64]:
    """Compute 1 / (1 + exp(-x)) without overflow."""
    return np.asarray(0.5 + 0.5 * np.tanh(np.asarray(log_odds, dtype=np.float64) / 2))


def _rises(numbers: tuple[float, ...]) -> bool:
    return all(later > earlier for earlier, later in itertools.pairwise(numbers))
