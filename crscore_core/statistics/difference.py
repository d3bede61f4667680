"""Difference of two mean scores, with a t interval over the changes that the scores are of.

Resamples of a dozen changes give intervals that are too narrow, and no p-value below one over
their number, too coarse for a correction for many pairs. What each change adds to the difference
of two means is known to first order (the variance of a ratio: Cochran, "Sampling Techniques", 3rd
edition, section 6.4), and over independent changes its sum follows Student's t closely, for ratings
of reviews from six changes on.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.statistics.bootstrap import LEVEL, Estimate, Interval
from crscore_core.statistics.sample import cluster_numbers, finite

Array = NDArray[np.float64]

_ROUNDING = 1e-12

FEWEST_CHANGES = 6
"""Changes on each side from which on a difference has an interval.

Of five changes, all point the same way by chance once in sixteen times.
"""

SURE = 0.05
"""Two-sided p-value below which a difference is sure."""

POWER = 0.8
"""Probability that `changes_to_settle` makes a difference sure, if it stays as large."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoresByChange:
    """Sums and numbers of scores by change; `change`, (n changes,), rises."""

    change: NDArray[np.signedinteger[Any]]
    sums: Array
    counts: Array

    @classmethod
    def of(cls, scores: ArrayLike, change: ArrayLike) -> "ScoresByChange":
        """Gather scores by their change, both (n reviews,).

        Raises:
            StatisticsError: there is no score, one is not finite, or lengths differ.
        """
        values = finite("scores", scores)
        changes, place = np.unique(cluster_numbers(change, values.size), return_inverse=True)
        sums, counts = (
            np.bincount(place, weights).astype(np.float64) for weights in (values, None)
        )
        return cls(changes, sums, counts)

    @property
    def mean(self) -> float:
        """The mean over all scores."""
        return float(self.sums.sum() / self.counts.sum())

    def at(self, places: NDArray[np.intp]) -> "ScoresByChange":
        """Return the scores of the changes at some places alone."""
        return ScoresByChange(self.change[places], self.sums[places], self.counts[places])

    @property
    def parts(self) -> Array:
        """Deviation of each change's scores from the mean, over the number of all scores."""
        parts: Array = (self.sums - self.mean * self.counts) / self.counts.sum()
        return parts

    def estimate(self, lowest: float = 0.0, highest: float = 1.0) -> Estimate:
        """Return the mean of scores in a range, with an interval from `FEWEST_CHANGES` on."""
        if self.change.size < FEWEST_CHANGES:
            return Estimate(self.mean, None)
        half = _reach(self.change.size) * _error(self.parts, self.change.size)
        low, high = max(lowest, self.mean - half), min(highest, self.mean + half)
        return Estimate(self.mean, Interval(low, high, LEVEL))


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """Two means, and the first less the second.

    With `is_paired` both are over the `changes` that have scores on either side; else each is over
    its own, of which `changes` counts those of the side that has fewer. Interval and two-sided
    `p` are None with fewer changes than `FEWEST_CHANGES`; `error` is the standard error. Where
    every change says the same there is no spread to make an interval of, and `p` is that of the
    sign test: even then six changes are not certain.
    """

    one: float
    other: float
    estimate: Estimate
    p: float | None
    error: float
    changes: int
    is_paired: bool

    @property
    def sign(self) -> int:
        """1 where the first mean is higher beyond chance, -1 where it is lower, else 0."""
        is_sure = self.p is not None and self.p < SURE
        return is_sure * (1 if self.one > self.other else -1)

    @property
    def turned(self) -> "MeanDifference":
        """The second mean less the first."""
        ends = self.estimate.ends
        interval = None if ends is None else Interval(-ends[1], -ends[0], LEVEL)
        estimate = Estimate(self.other - self.one, interval)
        return replace(self, one=self.other, other=self.one, estimate=estimate)

    def changes_to_settle(self, factor: float = 1.0) -> int | None:
        """Return how many changes make the difference sure, if it is as large as it looks.

        So many settle it `POWER` of the times. `factor` is what p-values are multiplied with to
        correct for many pairs. None where no number can be told. The last term is for Student's t
        (Guenther, "Sample size formulas for normal theory t tests", 1981).
        """
        from scipy.special import ndtri

        value = self.one - self.other
        if self.p is None or not value:
            return None
        sure, often = -float(ndtri(SURE / factor / 2)), float(ndtri(POWER))
        spread = self.error * math.sqrt(self.changes)
        fewest = 1 - math.log2(SURE / factor)  # what the sign test needs where all say the same
        return math.ceil(max(fewest, ((sure + often) * spread / value) ** 2 + sure**2 / 2))


def same_changes(
    one: ScoresByChange, other: ScoresByChange
) -> tuple[ScoresByChange, ScoresByChange, bool]:
    """Keep the changes that both have, unless these are fewer than `FEWEST_CHANGES`; say if so."""
    _, first, second = np.intersect1d(
        one.change, other.change, assume_unique=True, return_indices=True
    )
    if first.size < FEWEST_CHANGES:
        return one, other, False
    return one.at(first), other.at(second), True


def mean_difference(one: ScoresByChange, other: ScoresByChange) -> MeanDifference:
    """Compare two means over the changes that both have, or where these are too few over all."""
    from scipy.special import stdtr

    one, other, is_paired = same_changes(one, other)
    changes = min(one.change.size, other.change.size)
    value = one.mean - other.mean
    estimate, p, error = Estimate(value, None), None, math.nan
    if changes < FEWEST_CHANGES:
        return MeanDifference(one.mean, other.mean, estimate, p, error, changes, is_paired)
    every = np.union1d(one.change, other.change)
    parts = np.zeros((2, every.size))
    for row, side in zip(parts, (one, other), strict=True):
        row[np.searchsorted(every, side.change)] = side.parts
    error = _error(parts[0] - parts[1], changes)
    if error < _ROUNDING:
        p, error = 1.0 if abs(value) < _ROUNDING else 2 * 0.5**changes, 0.0
    else:
        p = 2 * float(stdtr(changes - 1, -abs(value) / error))
        half = _reach(changes) * error
        estimate = Estimate(value, Interval(value - half, value + half, LEVEL))
    return MeanDifference(one.mean, other.mean, estimate, p, error, changes, is_paired)


def _error(parts: Array, changes: int) -> float:
    """Standard error of a sum of what each of so many changes adds to it."""
    return math.sqrt(float((parts**2).sum()) * changes / (changes - 1))


def _reach(changes: int) -> float:
    """Standard errors from the middle of an interval to its ends, by Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(changes - 1, (1 + LEVEL) / 2))


def share_above(one: ScoresByChange, other: ScoresByChange, weights: Array) -> float | None:
    """Return the share of resamples in which the mean of `one` is above, equal ones counting half.

    The means are over the changes of `same_changes`. `weights`, (n resamples, n clusters), says how
    often each cluster was drawn; of more changes than clusters several share one.
    """
    n_clusters = weights.shape[1]
    one, other, _ = same_changes(one, other)
    sums = [
        np.bincount(side.change % n_clusters, values, minlength=n_clusters)
        for side in (one, other)
        for values in (side.sums, side.counts)
    ]
    first, n_first, second, n_second = (weights @ np.stack(sums, axis=1)).T
    known = (n_first > 0) & (n_second > 0)
    above = first[known] / n_first[known] - second[known] / n_second[known]
    signs = np.sign(np.where(np.abs(above) < _ROUNDING, 0, above))
    return float((signs.mean() + 1) / 2) if signs.size else None
