"""The model: proportional odds of graded labels, over a sum of curves of the features.

The strength of a review is the sum of its features' curves. The probability that people grade the
review higher than the k-th grade is 1 / (1 + exp(threshold_k - strength)) (McCullagh, "Regression
models for ordinal data", Journal of the Royal Statistical Society B 42, 1980). Ratings from 1 to 5
have four thresholds, and a label that is 0 or 1 has one: a logistic regression.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES
from crscore_core.predicted.seen import SeenChanges
from crscore_core.statistics.bootstrap import Estimate

RATINGS = (1, 2, 3, 4, 5)
"""The rating scale of the human study."""

_NEARLY = 0.01  # share of a fitted range by which a feature may leave the range and not count


@dataclass(frozen=True, slots=True)
class Curve:
    """Effect of one feature: straight lines between `values` at rising `points`.

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

    def is_outside(self, feature: float) -> bool:
        """Return True if a value lies outside the fitted range, beyond a hundredth of it.

        A curve of one point is of a feature that the model does not read.
        """
        margin = _NEARLY * (self.points[-1] - self.points[0])
        return (
            len(self.points) > 1
            and not self.points[0] - margin <= feature <= self.points[-1] + margin
        )


@dataclass(frozen=True, slots=True)
class Contribution:
    """Effect of one feature on the prediction for one review.

    `value` is the feature's value. `contribution` is what the feature adds to the log odds of
    every higher grade, relative to a typical review (the median feature of the fitted reviews).
    """

    name: str
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class AdditiveModel:
    """`curves`, one for each of `FEATURES` in their order, and `thresholds` between the grades.

    Raises:
        CalibrationError: the number of curves is not that of the features, the curve of a
            monotone feature falls, or the thresholds are none, not finite, or do not rise.
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
            not self.thresholds
            or not np.isfinite(self.thresholds).all()
            or not _rises(self.thresholds)
        ):
            raise CalibrationError(f"thresholds have to be numbers that rise: {self.thresholds}")

    def score(self, features: ArrayLike) -> NDArray[np.float64]:
        """Predict the mean over the thresholds of the probability to be above, in [0, 1].

        For ratings from 1 to 5 that is (expected rating - 1) / 4, for a label of 0 and 1 the
        probability of 1. `features` are rows, (..., n features), of `review_features`; the result
        has their shape without the last axis.
        """
        score: NDArray[np.float64] = self.above(features).mean(axis=-1)
        return score

    def above(self, features: ArrayLike) -> NDArray[np.float64]:
        """Probability of a grade above each threshold, (..., n thresholds); see `score`."""
        rows = np.asarray(features, dtype=np.float64)
        strength = sum(
            (curve.at(rows[..., column]) for column, curve in enumerate(self.curves)),
            start=np.zeros(rows.shape[:-1]),
        )
        return logistic(np.asarray(strength)[..., None] - np.array(self.thresholds))

    def contributions(self, features: ArrayLike) -> tuple[Contribution, ...]:
        """Contributions of the features of one review, (n features,), in their order."""
        row = np.asarray(features, dtype=np.float64)
        return tuple(
            Contribution(feature.name, float(value), float(curve.at(value)))
            for feature, curve, value in zip(FEATURES, self.curves, row, strict=True)
        )

    def outside(self, features: ArrayLike) -> tuple[str, ...]:
        """Names of the features of one review that lie outside what the model was fitted to."""
        row = np.asarray(features, dtype=np.float64)
        return tuple(
            feature.name
            for feature, curve, value in zip(FEATURES, self.curves, row, strict=True)
            if curve.is_outside(float(value))
        )


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Agreement with people on what each fit left out: `left_out` is change, patch or system.

    `data` names the data set, `claims` the pseudo-references that its reviews were compared with.
    `measure` is `spearman` (rho with ratings), `auc` (of a label of 0 and 1) or
    `balanced accuracy`; the interval resamples changes and holds predictions fixed.
    """

    left_out: str
    data: str
    claims: str
    reviews: int
    measure: str
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Transfer:
    """Agreement of a model of relevance with people: fitted to data sets, measured on one."""

    fitted_to: str
    measured: HeldOut


@dataclass(frozen=True, slots=True)
class BesideRel:
    """Agreement of predicted relevance with people, and that of Rel on the same reviews.

    `difference` is that of predicted relevance less `rel`, in the same resamples.
    """

    measured: HeldOut
    rel: Estimate
    difference: Estimate


@dataclass(frozen=True, slots=True)
class Provenance:
    """The data that a model was fitted to, and how.

    `data` describes the data in words, `sha256` is their checksum; `changes` and `ratings` count
    them, `seen` describes the changes; `claims` names the kinds of pseudo-references that reviews
    were compared with. `added` says which made-up reviews were added. `beside_rel`, of relevance
    alone, has figures on reviews that no fit saw, with Rel at the encoder's preset tau_gt. `ridge`
    is the weight of the penalty, `version` that of this package, `command` the command line that
    makes the same file again.
    """

    data: str
    sha256: str
    changes: int
    ratings: int
    seen: SeenChanges
    claims: tuple[str, ...]
    added: str
    ridge: float
    held_out: tuple[HeldOut, ...]
    beside_rel: tuple[BesideRel, ...]
    version: str
    command: str


@dataclass(frozen=True, slots=True)
class FittedModel:
    """A model of one prediction for the similarities of one `encoder`.

    `predicts` is one of `crscore_core.predicted.PREDICTIONS`.
    """

    predicts: str
    encoder: str
    model: AdditiveModel
    provenance: Provenance


def logistic(log_odds: ArrayLike) -> NDArray[np.float64]:
    """Compute 1 / (1 + exp(-x)) without overflow."""
    return np.asarray(0.5 + 0.5 * np.tanh(np.asarray(log_odds, dtype=np.float64) / 2))


def _rises(numbers: tuple[float, ...]) -> bool:
    return all(later > earlier for earlier, later in itertools.pairwise(numbers))
