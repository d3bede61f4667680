"""Confidence intervals by resampling whole changes (the cluster bootstrap).

Reviews of one change share its difficulty, so the independent observations are the changes.
A resample draws as many changes as there are, with replacement (Davison and Hinkley, "Bootstrap
Methods and their Application", section 3.8). Its weights say how often each change (cluster) was
drawn. All statistics of a study share one set of resamples, so their differences have standard
errors too. Intervals use Student's t: percentiles of resamples of a dozen changes are too narrow.
"""

from math import inf, nan, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]

Weights = NDArray[np.int16]
"""How often each cluster counts: (1 + n resamples, n clusters); in the first row, once each."""

CONFIDENCE_LEVEL = 0.95
"""Confidence level of all intervals."""

SIGNIFICANCE_LEVEL = 0.05
"""Two-sided p-value below which a difference is significant."""

MIN_CHANGES = 6
"""Minimum number of changes for an interval or a test."""

MAX_UNDEFINED = 0.05
"""Maximum share of undefined resamples with which a statistic still has an interval."""

ROUNDING = 1e-12
"""Smaller values differ from 0 only by rounding."""


class Estimate(NamedTuple):
    """A statistic and the ends of its interval at `CONFIDENCE_LEVEL`; NaN if undefined."""

    value: float = nan
    low: float = nan
    high: float = nan


def resample(n_clusters: int, n_resamples: int = 1000, seed: int = 0) -> Weights:
    """Draw resamples of clusters; equal arguments draw equal resamples."""
    shares = np.full(n_clusters, 1 / n_clusters)
    drawn = np.random.default_rng(seed).multinomial(n_clusters, shares, size=n_resamples)
    weights = np.vstack([np.ones_like(drawn[:1]), drawn]).astype(np.int16)
    weights.flags.writeable = False
    return weights


def estimate(
    samples: ArrayLike, n_changes: int, lowest: float = -inf, highest: float = inf
) -> Estimate:
    """Return a statistic and its interval, given its observed value and then its resamples.

    The interval is Student's t times `standard_error`, clipped to the statistic's range. NaN is
    ignored. There is no interval if all resamples are equal.
    """
    value, error = float(np.asarray(samples)[0]), standard_error(samples, n_changes)
    if not error > ROUNDING:
        return Estimate(value)
    half_width = float(t_quantile(n_changes)) * error
    return Estimate(value, max(lowest, value - half_width), min(highest, value + half_width))


def standard_error(samples: ArrayLike, n_changes: int) -> float:
    """Return the standard error of a statistic, given its observed value and then its resamples.

    It is the standard deviation of the resamples, times the root of n / (n - 1), since resamples
    of n changes vary less than samples. NaN if `n_changes`, the number of changes with data, is
    below `MIN_CHANGES`, or if more than `MAX_UNDEFINED` of the resamples are undefined.
    """
    resampled = np.asarray(samples, dtype=np.float64)[1:]
    defined = resampled[~np.isnan(resampled)]
    if defined.size < (1 - MAX_UNDEFINED) * resampled.size or n_changes < MIN_CHANGES:
        return nan
    return float(defined.std()) * sqrt(n_changes / (n_changes - 1))


def clustered_mean(values: ArrayLike, cluster: ArrayLike, weights: Weights) -> Estimate:
    """Return the mean of values, (n,), of at most 1; undefined without values."""
    clusters, n_clusters = np.asarray(cluster, np.intp), weights.shape[1]
    sums = np.bincount(clusters, np.asarray(values, np.float64), minlength=n_clusters)
    return clustered_ratio(sums, np.bincount(clusters, minlength=n_clusters), weights)


def clustered_ratio(
    numerators: ArrayLike, denominators: ArrayLike, weights: Weights, highest: float = 1.0
) -> Estimate:
    """Return the sum of `numerators` over the sum of `denominators` (counts), both (n clusters,).

    `highest` is the highest possible ratio. Undefined if the counts sum to 0.
    """
    sums, counts = np.asarray(numerators, np.float64), np.asarray(denominators, np.float64)
    ratios, n_changes = ratio(weights @ sums, weights @ counts), int(np.count_nonzero(counts))
    return estimate(ratios, n_changes, min(0.0, ratios[0]), highest)


def ratio(numerator: ArrayLike, denominator: NDArray[Any]) -> Array:
    """Return the ratio, of the denominator's shape; NaN where the denominator is not above 0."""
    ratios = np.full(denominator.shape, np.nan)
    np.divide(numerator, denominator, out=ratios, where=denominator > 0)
    return ratios


def t_test(value: float, error: float, n: int) -> float:
    """Return the two-sided p-value of a value with a standard error over n clusters.

    If the error is 0, all clusters have the same value, and one of them counts as if it had 0.
    """
    from scipy.special import stdtr

    if error < ROUNDING:
        if abs(value) < ROUNDING:
            return 1.0
        value, error = n - 1, 1.0  # the t of n - 1 equal values and a 0
    return 2 * float(stdtr(n - 1, -abs(value) / error))


def t_quantile(n: Any) -> Any:  # noqa: ANN401 - a number or a column of numbers
    """Return the half-width of an interval over n clusters, in standard errors."""
    from scipy.special import stdtrit

    return stdtrit(n - 1, (1 + CONFIDENCE_LEVEL) / 2)


def holm(p_values: ArrayLike) -> Array:
    """Correct p-values for multiple comparisons by Holm's method; NaN is ignored."""
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p)[: np.count_nonzero(~np.isnan(p))]
    corrected = np.full(p.shape, np.nan)
    steps = p[order] * np.arange(order.size, 0, -1)
    corrected[order] = np.maximum.accumulate(steps).clip(max=1.0)
    return corrected


def clusters(table: "pd.DataFrame") -> NDArray[np.intp]:
    """Return the number of each row's change, (n,), from 0 in the order of the keys."""
    return np.asarray(np.unique(table["change"], return_inverse=True)[1], dtype=np.intp)


def bootstrap_changes(table: "pd.DataFrame") -> Weights:
    """Draw 1,000 resamples for up to 2,000 reviews, and fewer for more, but at least 100."""
    n_resamples = 2_000_000 // max(1, len(table))
    return resample(max(1, table["change"].nunique()), max(100, min(1_000, n_resamples)))
