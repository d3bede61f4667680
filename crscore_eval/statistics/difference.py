"""Difference of two mean scores, with a t interval over changes.

Resamples of a dozen changes give intervals that are too narrow, and no p-value below one over
the number of resamples. The contribution of each change to the difference of two means is known to
first order (the variance of a ratio: Cochran, "Sampling Techniques", 3rd edition, section 6.4), and
over six or more independent changes its sum closely follows Student's t.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_eval.statistics.bootstrap import (
    LEVEL,
    Array,
    ClusterBootstrap,
    Estimate,
    holm,
    ratio,
)

MIN_CHANGES = 6
"""Fewest changes for an interval: five all point the same way by chance one time in sixteen."""

SURE = 0.05
"""Two-sided p-value below which a difference is significant."""

MAX_SYSTEMS = 40
"""Limit of systems that are compared, those with the most reviews: time grows with its square."""

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class ScoresByChange:
    """Sums and counts of scores by change; `change`, (n changes,), is increasing."""

    change: NDArray[np.signedinteger[Any]]
    sums: Array
    counts: Array

    @classmethod
    def of(cls, scores: ArrayLike, change: ArrayLike) -> "ScoresByChange":
        """Group finite scores, at least one, by change (integers from 0), both (n reviews,)."""
        values = np.asarray(scores, np.float64)
        changes, place = np.unique(np.asarray(change), return_inverse=True)
        sums, counts = (
            np.bincount(place, weights).astype(np.float64) for weights in (values, None)
        )
        return cls(changes, sums, counts)

    @property
    def mean(self) -> float:
        """The mean over all scores."""
        return float(self.sums.sum() / self.counts.sum())

    def means(self, weights: Array) -> Array:
        """Return the mean in each resample, (n resamples,); NaN if no change was drawn.

        `weights` is (n resamples, n clusters); if there are more changes than clusters, several
        share one.
        """
        n_clusters = weights.shape[1]
        cluster = self.change % n_clusters
        sums, counts = (
            np.bincount(cluster, totals, minlength=n_clusters)
            for totals in (self.sums, self.counts)
        )
        return ratio(weights @ sums, weights @ counts)

    def at(self, places: NDArray[np.intp]) -> "ScoresByChange":
        """Return only the scores of the changes at the given places."""
        return ScoresByChange(self.change[places], self.sums[places], self.counts[places])

    @property
    def contributions(self) -> Array:
        """Deviation of each change's scores from the mean, over the total number of scores."""
        contributions: Array = (self.sums - self.mean * self.counts) / self.counts.sum()
        return contributions

    def estimate(self, lowest: float = 0.0, highest: float = 1.0) -> Estimate:
        """Return the mean with an interval clipped to a range, if `MIN_CHANGES` are reached."""
        if self.change.size < MIN_CHANGES:
            return Estimate(self.mean)
        half = _reach(self.change.size) * _error(self.contributions, self.change.size)
        low, high = max(lowest, self.mean - half), min(highest, self.mean + half)
        return Estimate(self.mean, (low, high))


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """Two means, and the first minus the second.

    If `is_paired`, both are over the `changes` with scores on both sides; else each is over its
    own changes, and `changes` is the smaller number. With fewer than `MIN_CHANGES`, the
    two-sided `p` is None and there is no interval; `error` is the standard error. If all changes
    have the same difference, `p` is from the sign test, without interval. `probability` is the
    share of resamples in which the first mean is higher, None without resamples.
    """

    one: float
    other: float
    p: float | None
    error: float
    changes: int
    is_paired: bool
    probability: float | None = None

    @property
    def estimate(self) -> Estimate:
        """The difference with its t interval."""
        value = self.one - self.other
        if self.p is None or not self.error:
            return Estimate(value)
        half = _reach(self.changes) * self.error
        return Estimate(value, (value - half, value + half))

    @property
    def sign(self) -> int:
        """1 if the first mean is significantly higher, -1 if lower, else 0."""
        is_sure = self.p is not None and self.p < SURE
        return is_sure * (1 if self.one > self.other else -1)


def mean_difference(
    one: ScoresByChange, other: ScoresByChange, weights: Array | None = None
) -> MeanDifference:
    """Compare two means over their shared changes, or over all if too few (`MIN_CHANGES`) are.

    `weights`, (n resamples, n clusters), adds the probability; see `ScoresByChange.means`.
    """
    from scipy.special import stdtr

    _, first, second = np.intersect1d(
        one.change, other.change, assume_unique=True, return_indices=True
    )
    is_paired = first.size >= MIN_CHANGES
    if is_paired:
        one, other = one.at(first), other.at(second)
    changes = min(one.change.size, other.change.size)
    if changes < MIN_CHANGES:
        return MeanDifference(one.mean, other.mean, None, math.nan, changes, is_paired)
    every = np.union1d(one.change, other.change)
    contributions = np.zeros((2, every.size))
    for row, side in zip(contributions, (one, other), strict=True):
        row[np.searchsorted(every, side.change)] = side.contributions
    value, error = one.mean - other.mean, _error(contributions[0] - contributions[1], changes)
    if error < _ROUNDING:
        p, error = 1.0 if abs(value) < _ROUNDING else 2 * 0.5**changes, 0.0
    else:
        p = 2 * float(stdtr(changes - 1, -abs(value) / error))
    share = None if weights is None else _share_above(one.means(weights) - other.means(weights))
    return MeanDifference(one.mean, other.mean, p, error, changes, is_paired, share)


def compare_all(
    scores: Mapping[str, ScoresByChange], bootstrap: ClusterBootstrap | None = None
) -> dict[tuple[str, str], MeanDifference]:
    """Compare the means of all pairs, in order of `scores`; `bootstrap` adds probabilities.

    `p` is corrected for the number of pairs by Holm's method.
    """
    weights = None if bootstrap is None else bootstrap.weights.astype(np.float64)
    differences = {
        (first, second): mean_difference(scores[first], scores[second], weights)
        for first, second in itertools.combinations(scores, 2)
    }
    corrected = holm({pair: result.p for pair, result in differences.items()})
    return {pair: replace(result, p=corrected.get(pair)) for pair, result in differences.items()}


def _error(contributions: Array, changes: int) -> float:
    """Return the standard error of the sum of each change's contribution."""
    return math.sqrt(float((contributions**2).sum()) * changes / (changes - 1))


def _reach(changes: int) -> float:
    """Return the half-width of an interval in standard errors, by Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(changes - 1, (1 + LEVEL) / 2))


def _share_above(differences: Array) -> float | None:
    """Return the share of differences above 0; ties count half. None if all are undefined."""
    defined = differences[~np.isnan(differences)]
    signs = np.sign(np.where(np.abs(defined) < _ROUNDING, 0, defined))
    return float((signs.mean() + 1) / 2) if signs.size else None
