"""Means of systems over changes, with t intervals, and the differences of pairs.

A mean is the mean over changes of the mean within a change, so a change with many reviews counts
once. Resamples of a dozen changes give intervals that are too narrow, and their number limits how
small a p-value can be. The difference of two means is a sum of contributions, one of each change;
over six or more independent changes it closely follows Student's t.
"""

import itertools
import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from crscore_eval.statistics.bootstrap import (
    CONFIDENCE_LEVEL,
    MIN_CHANGES,
    ROUNDING,
    Array,
    ClusterBootstrap,
    Interval,
    holm,
    ratio,
    t_test,
)

SIGNIFICANCE_LEVEL = 0.05
"""Two-sided p-value below which a difference is significant."""

MAX_SYSTEMS = 40
"""Maximum number of systems compared, those with the most reviews: time grows as its square."""


def means_by_change(values: ArrayLike, system: ArrayLike, change: ArrayLike) -> "pd.Series[float]":
    """Return the mean value of each system within each change, by system and change.

    NaN is left out. Systems are in order of first occurrence.
    """
    columns = {"system": system, "change": change, "value": values}
    reviews = pd.DataFrame({name: np.asarray(column) for name, column in columns.items()})
    of_system = reviews.dropna(subset="value").groupby(["system", "change"], sort=False)
    means: pd.Series[float] = of_system["value"].mean()
    return means


def mean_estimates(
    means: "pd.Series[float]", lowest: float | None, highest: float | None
) -> pd.DataFrame:
    """Return the mean of each system (index) and its interval, clipped to a range.

    `means` are from `means_by_change`. A system has no interval with fewer than `MIN_CHANGES`, or
    if all changes have the same mean.
    """
    of_system = means.groupby("system", sort=False)
    mean, error, n = of_system.mean(), of_system.sem(), of_system.size()
    half_width = (error * _t_quantile(n)).where((n >= MIN_CHANGES) & (error >= ROUNDING))
    low, high = ((mean + sign * half_width).clip(lowest, highest) for sign in (-1, 1))
    return pd.DataFrame({"mean": mean, "low": low, "high": high})


def resampled_means(means: pd.DataFrame, bootstrap: ClusterBootstrap) -> Array:
    """Return the mean of each column in each resample, (n resamples, n columns).

    The index has the numbers of the changes, from 0; if there are more changes than clusters,
    several share one. A mean is NaN if none of its changes was drawn.
    """
    return _weighted_means(means.to_numpy(), _weights(means, bootstrap))


def _weights(means: pd.DataFrame, bootstrap: ClusterBootstrap) -> Array:
    """Return how often each resample drew the change of each row, (n resamples, n rows)."""
    cluster = means.index.to_numpy() % bootstrap.weights.shape[1]
    return bootstrap.weights[:, cluster].astype(np.float64)


def _weighted_means(values: Array, weights: Array) -> Array:
    return ratio(weights @ np.nan_to_num(values), weights @ ~np.isnan(values))


class MeanDifference(NamedTuple):
    """Two means and their difference, the first minus the second.

    first, second: the two means.
    p: two-sided; NaN with fewer than `MIN_CHANGES`; from the sign test if every change has the
        same difference.
    standard_error: of the difference; 0 if every change has the same difference.
    changes: number of changes; the smaller number if the means are over different changes.
    same_changes: True if both means use only the changes that both sides have.
    probability: share of resamples in which the first mean is higher, NaN without resamples.
    """

    first: float
    second: float
    p: float
    standard_error: float
    changes: int
    same_changes: bool
    probability: float = math.nan

    @property
    def difference(self) -> float:
        """The first mean minus the second."""
        return self.first - self.second

    @property
    def interval(self) -> Interval | None:
        """The t interval of the difference, which needs a p-value and a standard error."""
        if math.isnan(self.p) or not self.standard_error:
            return None
        half_width = float(_t_quantile(self.changes)) * self.standard_error
        return self.difference - half_width, self.difference + half_width

    @property
    def sign(self) -> int:
        """1 if the first mean is significantly higher, -1 if lower, else 0."""
        return (self.p < SIGNIFICANCE_LEVEL) * (1 if self.first > self.second else -1)


def mean_difference(means: pd.DataFrame, weights: Array | None = None) -> MeanDifference:
    """Compare the means of two columns over the changes (rows) that have both.

    All changes are used if fewer than `MIN_CHANGES` have both. `weights`, (n resamples, n rows),
    adds the probability.
    """
    values = means.to_numpy(dtype=np.float64)
    is_shared = ~np.isnan(values).any(axis=1)
    same_changes = int(is_shared.sum()) >= MIN_CHANGES
    if same_changes:
        values = np.where(is_shared[:, np.newaxis], values, np.nan)
    counts, averages = (~np.isnan(values)).sum(axis=0), np.nanmean(values, axis=0)
    (first, second), n = averages.tolist(), int(counts.min())
    if n < MIN_CHANGES:
        return MeanDifference(first, second, math.nan, math.nan, n, same_changes)
    contributions = np.nan_to_num((values - averages) / counts)
    squares = np.diff(contributions) ** 2
    error = math.sqrt(squares.sum() * n / (n - 1))
    p = t_test(first - second, error, n)
    error = error if error > ROUNDING else 0.0
    probability = math.nan
    if weights is not None:
        probability = share_above_zero(-np.diff(_weighted_means(values, weights)))
    return MeanDifference(first, second, p, error, n, same_changes, probability)


def compare_all(means: pd.DataFrame, bootstrap: ClusterBootstrap | None = None) -> pd.DataFrame:
    """Compare the means of all pairs of systems, which are columns, in their order.

    `bootstrap` adds the probabilities. Returns a row for each pair, with the columns higher, lower
    and those of `difference_table`; Holm's method corrects p.
    """
    weights = None if bootstrap is None else _weights(means, bootstrap)
    differences = {
        pair: mean_difference(means[[*pair]], weights) for pair in itertools.combinations(means, 2)
    }
    p = holm({pair: None if math.isnan(of.p) else of.p for pair, of in differences.items()})
    corrected = (of._replace(p=p.get(pair, math.nan)) for pair, of in differences.items())
    pairs = pd.DataFrame([*differences], columns=["higher", "lower"])
    return pairs.join(difference_table(corrected))


def difference_table(differences: Iterable[MeanDifference]) -> pd.DataFrame:
    """Return a row for each difference, with the fields and properties of `MeanDifference`.

    The interval has the columns low and high, NaN without one.
    """
    columns = ["difference", "low", "high", "sign", "p", "changes", "same_changes", "probability"]
    rows = [
        (of.difference, *(of.interval or (None, None)), of.sign, of.p, *of[4:])
        for of in differences
    ]
    floats = dict.fromkeys(("difference", "low", "high", "p", "probability"), float)
    return pd.DataFrame(rows, columns=columns).astype(floats)


def _t_quantile(changes: Any) -> Any:  # noqa: ANN401 - a number or a column of numbers
    """Return the half-width of an interval in standard errors, from Student's t."""
    from scipy.special import stdtrit

    return stdtrit(changes - 1, (1 + CONFIDENCE_LEVEL) / 2)


def share_above_zero(differences: Array) -> float:
    """Return the share of differences above 0; ties count half. NaN if all are undefined."""
    defined = differences[~np.isnan(differences)]
    signs = np.sign(np.where(np.abs(defined) < ROUNDING, 0, defined))
    return float((signs.mean() + 1) / 2) if signs.size else math.nan
