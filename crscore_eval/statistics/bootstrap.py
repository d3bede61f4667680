"""Confidence intervals by resampling whole changes (the cluster bootstrap).

Reviews of one change share its difficulty, so changes are independent observations, not reviews.
A resample draws as many changes as there are, with replacement (Davison and Hinkley, "Bootstrap
Methods and their Application", section 3.8). Its weights say how often each change (cluster) was
drawn. All statistics of a study share one set of resamples, so their differences have percentile
intervals too.
"""

from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError

Array = NDArray[np.float64]

Weights = NDArray[np.int16]
"""How often each cluster counts: (1 + n resamples, n clusters), the first row once each."""

CONFIDENCE_LEVEL = 0.95
"""Confidence level of all intervals."""

MIN_CHANGES = 6
"""Minimum number of changes for an interval; with five, a sign test has at least p = 1/16."""

MAX_UNDEFINED = 0.05
"""Maximum share of undefined resamples with which a statistic still has an interval."""

ROUNDING = 1e-12
"""Values below this are 0, up to rounding."""

_MAX_WEIGHTS = 200_000_000  # 400 MB
_RESAMPLED_REVIEWS = 2_000_000


class Estimate(NamedTuple):
    """A statistic and the ends of its interval at `CONFIDENCE_LEVEL`; NaN if undefined."""

    value: float = nan
    low: float = nan
    high: float = nan


def resample(n_clusters: int, n_resamples: int = 1000, seed: int = 0) -> Weights:
    """Draw resamples of clusters; equal arguments draw equal resamples.

    Raises:
        InputError: the number of clusters or resamples is 0, or both are too many to hold.
    """
    if min(n_clusters, n_resamples) < 1 or n_clusters * n_resamples > _MAX_WEIGHTS:
        raise InputError(f"cannot draw {n_resamples:,} resamples of {n_clusters:,} changes")
    shares = np.full(n_clusters, 1 / n_clusters)
    drawn = np.random.default_rng(seed).multinomial(n_clusters, shares, size=n_resamples)
    weights = np.vstack([np.ones_like(drawn[:1]), drawn]).astype(np.int16)
    weights.flags.writeable = False
    return weights


def resample_for_size(n_clusters: int, n_reviews: int) -> Weights:
    """Draw 1,000 resamples for up to 2,000 reviews, and fewer for more, but at least 100."""
    n_resamples = _RESAMPLED_REVIEWS // max(1, n_clusters, n_reviews)
    return resample(max(1, n_clusters), max(100, min(1_000, n_resamples)))


def estimate(samples: ArrayLike, n_changes: int) -> Estimate:
    """Return a statistic from its values, first observed and then resampled; NaN is ignored.

    `n_changes` is the number of changes with data. There is no interval if too many resamples are
    undefined, with too few changes, or if the statistic is outside, as many ties can cause.
    """
    values = np.asarray(samples, dtype=np.float64)
    value, resampled = float(values[0]), values[1:]
    defined = resampled[~np.isnan(resampled)]
    if defined.size < (1 - MAX_UNDEFINED) * resampled.size or n_changes < MIN_CHANGES:
        return Estimate(value)
    ends = np.quantile(defined, [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2])
    low, high = ends.tolist()
    has_value = low - ROUNDING <= value <= high + ROUNDING
    return Estimate(value, low, high) if has_value else Estimate(value)


def p_value(samples: Array, n_changes: int) -> float:
    """Return the two-sided p-value of a difference from its values, observed and resampled.

    It is from a t-test with the standard deviation of the resamples; NaN without an interval.
    """
    if np.isnan(estimate(samples, n_changes).low):
        return nan
    return t_test(float(samples[0]), float(np.nanstd(samples[1:])), n_changes)


def clustered_mean(values: ArrayLike, cluster: ArrayLike, weights: Weights) -> Estimate:
    """Return the mean of values, (n,); undefined without values."""
    clusters, n_clusters = np.asarray(cluster, np.intp), weights.shape[1]
    sums = np.bincount(clusters, np.asarray(values, np.float64), minlength=n_clusters)
    return clustered_ratio(sums, np.bincount(clusters, minlength=n_clusters), weights)


def clustered_ratio(numerators: ArrayLike, denominators: ArrayLike, weights: Weights) -> Estimate:
    """Return the sum of `numerators` over the sum of `denominators` (counts), both (n clusters,).

    Undefined if the counts sum to 0.
    """
    sums, counts = np.asarray(numerators, np.float64), np.asarray(denominators, np.float64)
    return estimate(ratio(weights @ sums, weights @ counts), int(np.count_nonzero(counts)))


def ratio(numerator: ArrayLike, denominator: NDArray[Any]) -> Array:
    """Return the ratio, of the denominator's shape; NaN where the denominator is not above 0."""
    ratios = np.full(denominator.shape, np.nan)
    np.divide(numerator, denominator, out=ratios, where=denominator > 0)
    return ratios


def t_test(value: float, error: float, n: int) -> float:
    """Return the two-sided p-value of a value with a standard error over n clusters.

    Without an error, all clusters show the same value, and the p-value is that of a sign test.
    """
    from scipy.special import stdtr

    if error < ROUNDING:
        return 1.0 if abs(value) < ROUNDING else 2 * 0.5**n
    return 2 * float(stdtr(n - 1, -abs(value) / error))


def holm(p_values: ArrayLike) -> Array:
    """Correct p-values for multiple comparisons by Holm's method; NaN does not count."""
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p)[: np.count_nonzero(~np.isnan(p))]
    corrected = np.full(p.shape, np.nan)
    steps = p[order] * np.arange(order.size, 0, -1)
    corrected[order] = np.maximum.accumulate(steps).clip(max=1.0)
    return corrected
