"""Confidence intervals by resampling whole changes (the cluster bootstrap).

Reviews of one change share its difficulty, so changes are independent observations, not reviews.
A resample draws as many changes as there are, with replacement (Davison and Hinkley, "Bootstrap
Methods and their Application", section 3.8). A statistic receives resamples as weights: how often
each change (cluster) was drawn. All statistics of a study share one set of resamples, so their
differences have intervals too. Intervals are percentile intervals.
"""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
NameT = TypeVar("NameT", bound=Hashable)

Interval = tuple[float, float]
"""Low and high end of a confidence interval at `CONFIDENCE_LEVEL`, both included."""

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


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic and its interval; each is None if undefined."""

    value: float | None
    interval: Interval | None = None


def number_or_none(value: float) -> float | None:
    """Return a statistic as a plain number, or None for NaN (undefined)."""
    return None if math.isnan(value) else float(value)


class ClusterBootstrap:
    """A set of resamples of changes; equal arguments draw equal resamples.

    `weights`, int16 of (n resamples, n clusters), counts how often each resample drew each change.
    """

    def __init__(self, n_clusters: int, n_resamples: int = 1000, seed: int = 0) -> None:
        """Draw the resamples; each row of weights sums to `n_clusters`.

        Raises:
            InputError: there are no clusters, no resamples, or too many of both to hold.
        """
        if min(n_clusters, n_resamples) < 1 or n_clusters * n_resamples > _MAX_WEIGHTS:
            raise InputError(f"cannot draw {n_resamples:,} resamples of {n_clusters:,} changes")
        shares = np.full(n_clusters, 1 / n_clusters)
        drawn = np.random.default_rng(seed).multinomial(n_clusters, shares, size=n_resamples)
        self.weights = drawn.astype(np.int16)
        self.weights.flags.writeable = False

    @classmethod
    def for_size(cls, n_clusters: int, n_reviews: int) -> "ClusterBootstrap":
        """Draw 1,000 resamples for up to 2,000 reviews, and fewer for more, but at least 100."""
        n_resamples = _RESAMPLED_REVIEWS // max(1, n_clusters, n_reviews)
        return cls(max(1, n_clusters), max(100, min(1_000, n_resamples)))

    @property
    def observed_and_resampled(self) -> NDArray[np.int16]:
        """Weights of 1, for the observed value, then of the resamples."""
        return np.vstack([np.ones_like(self.weights[:1]), self.weights])


def percentile_interval(samples: ArrayLike, n_changes: int) -> Interval | None:
    """Return the percentile interval of a statistic from its values, (n resamples,).

    `n_changes` is the number of changes with data for the statistic. Undefined (NaN) values are
    ignored. None if their share exceeds `MAX_UNDEFINED`, or with fewer than `MIN_CHANGES`.
    """
    values = np.asarray(samples, dtype=np.float64)
    defined = values[~np.isnan(values)]
    if defined.size < (1 - MAX_UNDEFINED) * values.size or n_changes < MIN_CHANGES:
        return None
    low, high = np.quantile(defined, [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2])
    return float(low), float(high)


def estimate(samples: Array, n_changes: int) -> Estimate:
    """Return a statistic and its `percentile_interval` from its values, observed and resampled."""
    return Estimate(number_or_none(samples[0]), percentile_interval(samples[1:], n_changes))


def p_value(samples: Array, n_changes: int) -> float | None:
    """Return the two-sided p-value of a difference from its values, observed and resampled.

    Student's t is the difference over the standard deviation of its resamples, with one degree of
    freedom less than there are changes with data. None if there is no `percentile_interval`.
    """
    if percentile_interval(samples[1:], n_changes) is None:
        return None
    return t_test(float(samples[0]), float(np.nanstd(samples[1:])), n_changes)


def clustered_mean(values: ArrayLike, cluster: ArrayLike, bootstrap: ClusterBootstrap) -> Estimate:
    """Return the mean of values, (n,), and its interval; undefined without values."""
    clusters, n_clusters = np.asarray(cluster, np.intp), bootstrap.weights.shape[1]
    sums = np.bincount(clusters, np.asarray(values, np.float64), minlength=n_clusters)
    return clustered_ratio(sums, np.bincount(clusters, minlength=n_clusters), bootstrap)


def clustered_ratio(
    numerators: ArrayLike, denominators: ArrayLike, bootstrap: ClusterBootstrap
) -> Estimate:
    """Return the sum of `numerators` over the sum of `denominators` (counts), both (n clusters,).

    Undefined if the counts sum to 0.
    """
    sums, counts = np.asarray(numerators, np.float64), np.asarray(denominators, np.float64)
    weights = bootstrap.observed_and_resampled
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


def holm(p_values: Mapping[NameT, float | None]) -> dict[NameT, float]:
    """Correct p-values for multiple comparisons by Holm's method; None is left out."""
    defined = {name: p for name, p in p_values.items() if p is not None}
    names = sorted(defined, key=defined.__getitem__)
    steps = np.array([defined[name] for name in names]) * np.arange(len(names), 0, -1)
    corrected = np.maximum.accumulate(steps).clip(max=1.0)
    return dict(zip(names, corrected.tolist(), strict=True))
