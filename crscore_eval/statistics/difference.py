"""Difference of two mean scores, with a t interval over changes.

A mean is the mean over changes of the mean within a change, so a change with many reviews counts
once. Resamples of a dozen changes give intervals that are too narrow, and their number limits how
small a p-value can be. The difference of two means is a sum of contributions, one of each change;
over six or more independent changes it closely follows Student's t.
"""

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from crscore_eval.statistics.bootstrap import (
    CONFIDENCE_LEVEL,
    MIN_CHANGES,
    ROUNDING,
    Array,
    ClusterBootstrap,
    Estimate,
    Interval,
    holm,
    ratio,
    t_test,
)

SIGNIFICANCE_LEVEL = 0.05
"""Two-sided p-value below which a difference is significant."""

MAX_SYSTEMS = 40
"""Maximum number of systems compared, those with the most reviews: time grows as its square."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoresByChange:
    """The mean score of each change, both (n changes,).

    change: names or numbers, in increasing order; resampling needs numbers from 0.
    """

    change: NDArray[Any]
    scores: Array

    @classmethod
    def from_reviews(cls, scores: ArrayLike, change: ArrayLike) -> "ScoresByChange":
        """Group finite scores, at least one, by change, both (n reviews,)."""
        changes, position = np.unique(np.asarray(change), return_inverse=True)
        sums, counts = (np.bincount(position, weights) for weights in (scores, None))
        return cls(changes, (sums / counts).astype(np.float64))

    @property
    def mean(self) -> float:
        """The mean over the changes."""
        return float(self.scores.mean())

    def means(self, weights: Array) -> Array:
        """Return the mean in each resample, (n resamples,); NaN if no change was drawn.

        `weights` is (n resamples, n clusters); if there are more changes than clusters, several
        share one.
        """
        n_clusters = weights.shape[1]
        cluster = self.change % n_clusters
        sums, counts = (
            np.bincount(cluster, weights, minlength=n_clusters) for weights in (self.scores, None)
        )
        return ratio(weights @ sums, weights @ counts)

    def restricted_to(self, changes: NDArray[Any]) -> "ScoresByChange":
        """Return the scores of some of the changes."""
        is_in = np.isin(self.change, changes)
        return ScoresByChange(self.change[is_in], self.scores[is_in])

    @property
    def contributions(self) -> "pd.Series[float]":
        """Deviation of each change's score from the mean, over the number of changes."""
        return pd.Series((self.scores - self.mean) / self.scores.size, self.change)

    def estimate(self, lowest: float | None, highest: float | None) -> Estimate:
        """Return the mean and its interval, clipped to a range.

        It has no interval with fewer than `MIN_CHANGES`, or if all changes have the same mean.
        """
        n = self.change.size
        error = _standard_error(self.contributions, n) if n >= MIN_CHANGES else 0.0
        if error < ROUNDING:
            return Estimate(self.mean)
        half_width = _t_quantile(n) * error
        low, high = np.clip([self.mean - half_width, self.mean + half_width], lowest, highest)
        return Estimate(self.mean, (float(low), float(high)))


def scores_by_system(
    scores: ArrayLike, system: ArrayLike, change: ArrayLike
) -> dict[str, ScoresByChange]:
    """Group scores by system, in order of first occurrence, and by change, all (n reviews,).

    NaN is left out.
    """
    has_score = ~np.isnan(np.asarray(scores, np.float64))
    values, names, changes = (np.asarray(column)[has_score] for column in (scores, system, change))
    return {
        str(name): ScoresByChange.from_reviews(values[names == name], changes[names == name])
        for name in dict.fromkeys(names.tolist())
    }


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """Two means and their difference, the first minus the second.

    first, second: the two means.
    p: two-sided; None with fewer than `MIN_CHANGES`; from the sign test if every change has the
        same difference.
    standard_error: of the difference; 0 if every change has the same difference.
    changes: number of changes; the smaller number if the means are over different changes.
    same_changes: True if both means use only the changes that both sides have.
    probability: share of resamples in which the first mean is higher, None without resamples.
    """

    first: float
    second: float
    p: float | None
    standard_error: float
    changes: int
    same_changes: bool
    probability: float | None = None

    @property
    def difference(self) -> float:
        """The first mean minus the second."""
        return self.first - self.second

    @property
    def interval(self) -> Interval | None:
        """The t interval of the difference, which needs a p-value and a standard error."""
        if self.p is None or not self.standard_error:
            return None
        half_width = _t_quantile(self.changes) * self.standard_error
        return self.difference - half_width, self.difference + half_width

    @property
    def sign(self) -> int:
        """1 if the first mean is significantly higher, -1 if lower, else 0."""
        is_significant = self.p is not None and self.p < SIGNIFICANCE_LEVEL
        return is_significant * (1 if self.first > self.second else -1)


def mean_difference(
    first: ScoresByChange, second: ScoresByChange, weights: Array | None = None
) -> MeanDifference:
    """Compare two means over their shared changes, or over all if fewer than `MIN_CHANGES` are.

    `weights`, (n resamples, n clusters), adds the probability; see `ScoresByChange.means`.
    """
    shared = np.intersect1d(first.change, second.change)
    same_changes = shared.size >= MIN_CHANGES
    if same_changes:
        first, second = first.restricted_to(shared), second.restricted_to(shared)
    n = min(first.change.size, second.change.size)
    if n < MIN_CHANGES:
        return MeanDifference(first.mean, second.mean, None, math.nan, n, same_changes)
    contributions = first.contributions.sub(second.contributions, fill_value=0)
    value, error = first.mean - second.mean, _standard_error(contributions, n)
    p, error = t_test(value, error, n), error if error > ROUNDING else 0.0
    probability = None
    if weights is not None:
        probability = share_above_zero(first.means(weights) - second.means(weights))
    return MeanDifference(first.mean, second.mean, p, error, n, same_changes, probability)


def compare_all(
    scores: Mapping[str, ScoresByChange], bootstrap: ClusterBootstrap | None = None
) -> pd.DataFrame:
    """Compare the means of all pairs of systems, in the order of `scores`.

    `bootstrap` adds the probabilities. Returns a row for each pair, with the columns higher, lower
    and those of `difference_table`; Holm's method corrects p.
    """
    weights = None if bootstrap is None else bootstrap.weights.astype(np.float64)
    differences = {
        (higher, lower): mean_difference(scores[higher], scores[lower], weights)
        for higher, lower in itertools.combinations(scores, 2)
    }
    p = holm({pair: result.p for pair, result in differences.items()})
    corrected = (replace(result, p=p.get(pair)) for pair, result in differences.items())
    pairs = pd.DataFrame([*differences], columns=["higher", "lower"])
    return pairs.join(difference_table(corrected))


def difference_table(differences: Iterable[MeanDifference]) -> pd.DataFrame:
    """Return a row for each difference, with the fields and properties of `MeanDifference`.

    The interval has the columns low and high. NaN stands for None.
    """
    rows = []
    for result in differences:
        numbers = (result.sign, result.p, result.changes, result.same_changes, result.probability)
        rows.append((result.difference, *(result.interval or (None, None)), *numbers))
    columns = ["difference", "low", "high", "sign", "p", "changes", "same_changes", "probability"]
    floats = dict.fromkeys(("difference", "low", "high", "p", "probability"), float)
    return pd.DataFrame(rows, columns=columns).astype(floats)


def _standard_error(contributions: "pd.Series[float]", changes: int) -> float:
    return math.sqrt(float((contributions**2).sum()) * changes / (changes - 1))


def _t_quantile(changes: int) -> float:
    """Return the half-width of an interval in standard errors, from Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(changes - 1, (1 + CONFIDENCE_LEVEL) / 2))


def share_above_zero(differences: Array) -> float | None:
    """Return the share of differences above 0; ties count half. None if all are undefined."""
    defined = differences[~np.isnan(differences)]
    signs = np.sign(np.where(np.abs(defined) < ROUNDING, 0, defined))
    return float((signs.mean() + 1) / 2) if signs.size else None
