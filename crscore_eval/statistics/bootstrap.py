"""Confidence intervals of any statistic, by resampling whole clusters.

Reviews of one change share its difficulty, so they are not independent observations; changes are.
A resample draws as many changes as there are, with replacement (the cluster bootstrap: Davison
and Hinkley, "Bootstrap Methods and their Application", section 3.8). Statistics receive resamples
as weights: how often each change was drawn.

Intervals are percentile intervals. They need only the resamples, stay within the range of the
statistic, and have nominal coverage in the simulated studies of
`tests/crscore_core/statistics/test_coverage.py` (five-level ratings, ties and zeros, nine reviews
per change); basic and BCa intervals were no better there.

`scipy.stats.bootstrap` is not suitable. It draws new resamples for each statistic, while here all
statistics of a study share one set, so that differences have intervals too. And a single undefined
resample makes its interval NaN.
"""

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError
from crscore_eval.statistics.sample import cluster_numbers, finite, ratio

NameT = TypeVar("NameT", bound=Hashable)

LEVEL = 0.95
"""The confidence of all intervals."""

MIN_CLUSTERS = 2
"""Fewest clusters for an interval: all resamples of a single one are equal."""

MOST_CLUSTERS = 1_000_000
"""Limit of clusters: a hundred resamples of them take 200 MB."""

MAX_UNDEFINED = 0.05
"""Largest share of undefined resamples for which there is still an interval."""


_ROUNDING = 1e-9

Statistic = Callable[[NDArray[np.int16]], ArrayLike]
"""A statistic of weights, with one value per resample."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, ends included; `level` is the confidence, such as 0.95."""

    low: float
    high: float
    level: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic and its interval, each None if undefined."""

    value: float | None
    interval: Interval | None

    @property
    def sign(self) -> int:
        """1 if the whole interval is above 0, beyond rounding, -1 if below, else 0."""
        if self.interval is None:
            return 0
        return int(self.interval.low > _ROUNDING) - int(self.interval.high < -_ROUNDING)

    @property
    def ends(self) -> tuple[float, float] | None:
        """The low and high end of the interval; None without one."""
        return None if self.interval is None else (self.interval.low, self.interval.high)

    def __str__(self) -> str:
        """Format the statistic with its interval; empty if undefined."""
        if self.value is None:
            return ""
        ends = self.interval and f" ({self.interval.low:.3f} to {self.interval.high:.3f})"
        return f"{self.value:.3f}{ends or ''}"


def number_or_none(value: float) -> float | None:
    """Return a statistic as a plain number, or None for NaN (undefined)."""
    return None if math.isnan(value) else float(value)


class ClusterBootstrap:
    """One set of resamples of clusters, shared by every statistic of a study.

    `weights`, int16 of (n resamples, n clusters), counts how often each resample drew each cluster.
    The same arguments give the same weights.
    """

    def __init__(self, n_clusters: int, n_resamples: int = 1000, seed: int = 0) -> None:
        """Draw the resamples; each row of weights sums to `n_clusters`.

        Raises:
            InputError: there are no clusters, more than `MOST_CLUSTERS`, or no resamples.
        """
        if not 1 <= n_clusters <= MOST_CLUSTERS or n_resamples < 1:
            raise InputError(
                f"cannot draw {n_resamples} resamples of {n_clusters} clusters: there must be at "
                f"least one resample, and from 1 to {MOST_CLUSTERS:,} clusters"
            )
        shares = np.full(n_clusters, 1 / n_clusters)
        drawn = np.random.default_rng(seed).multinomial(n_clusters, shares, size=n_resamples)
        self.weights = drawn.astype(np.int16)
        self.weights.flags.writeable = False

    def estimate(self, statistic: Statistic) -> Estimate:
        """Return the observed statistic and its interval.

        A statistic is a function of weights with one value per resample, such as a method of
        `ClusteredPairs`, or a difference of two of them.

        Raises:
            InputError: the statistic does not return one number per resample.
        """
        samples = np.asarray(statistic(self.weights), dtype=np.float64)
        observed = np.asarray(statistic(np.ones_like(self.weights[:1])), dtype=np.float64)
        return Estimate(number_or_none(observed.item(0)), self.interval_of(samples))

    def compare(self, one: Statistic, other: Statistic) -> tuple[Estimate, Estimate, Estimate]:
        """Estimate two statistics, and the second minus the first, in the same resamples.

        Raises:
            InputError: as for `estimate`.
        """

        def difference(weights: NDArray[np.int16]) -> NDArray[np.float64]:
            return np.subtract(other(weights), one(weights), dtype=np.float64)

        return self.estimate(one), self.estimate(other), self.estimate(difference)

    def interval_of(self, samples: ArrayLike) -> Interval | None:
        """Return the percentile interval of a statistic from its values, (n resamples,).

        Undefined (NaN) values are ignored. None if they exceed the share `MAX_UNDEFINED`, or if
        there are fewer than `MIN_CLUSTERS` clusters.

        Raises:
            InputError: the statistic does not return one number per resample.
        """
        values = np.asarray(samples, dtype=np.float64)
        if values.shape != self.weights.shape[:1]:
            raise InputError(
                f"a statistic must return one value per resample ({self.weights.shape[0]}), "
                f"but its shape is {values.shape}"
            )
        defined = values[~np.isnan(values)]
        is_known = defined.size >= (1 - MAX_UNDEFINED) * values.size
        if not is_known or self.weights.shape[1] < MIN_CLUSTERS:
            return None
        low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        return Interval(float(low), float(high), LEVEL)


def clustered_mean(values: ArrayLike, cluster: ArrayLike, bootstrap: ClusterBootstrap) -> Estimate:
    """Return the mean of values and its interval; both arguments are (n,), clusters from 0.

    A cluster may have any number of values. The mean of no values is undefined.

    Raises:
        InputError: lengths differ, a value is not finite, or the bootstrap has too few
            clusters.
    """
    n_clusters = bootstrap.weights.shape[1]
    if np.size(values) == 0:
        return Estimate(None, None)
    numbers = finite("values", values)
    clusters = cluster_numbers(cluster, numbers.size)
    if clusters.max() >= n_clusters:
        raise InputError(
            f"cluster {clusters.max()} is out of range: there are {n_clusters} clusters"
        )
    return clustered_ratio(
        np.bincount(clusters, numbers, minlength=n_clusters),
        np.bincount(clusters, minlength=n_clusters),
        bootstrap,
    )


def clustered_ratio(tops: ArrayLike, bottoms: ArrayLike, bootstrap: ClusterBootstrap) -> Estimate:
    """Return the sum of `tops` over the sum of `bottoms`, and its interval.

    Both are (n clusters,), the contribution of each cluster; `bottoms` are counts. The ratio is
    undefined if they sum to 0.

    Raises:
        InputError: the number of clusters differs from the bootstrap's, a number is not
            finite, or a count is negative.
    """
    numerators, counts = finite("tops", tops), finite("bottoms", bottoms)
    n_clusters = bootstrap.weights.shape[1]
    if not numerators.size == counts.size == n_clusters or counts.min() < 0:
        raise InputError(
            f"tops ({numerators.size}) and bottoms ({counts.size}) must be numbers, and counts "
            f"from 0, of {n_clusters} clusters"
        )
    if counts.sum() == 0:
        return Estimate(None, None)
    ratios = ratio(bootstrap.weights @ numerators, bootstrap.weights @ counts)
    return Estimate(float(numerators.sum() / counts.sum()), bootstrap.interval_of(ratios))


def holm(p_values: Mapping[NameT, float | None]) -> dict[NameT, float]:
    """Correct p-values for multiple comparisons by Holm's method; drop those that are None."""
    known = sorted(
        ((p, name) for name, p in p_values.items() if p is not None), key=lambda one: one[0]
    )
    corrected: dict[NameT, float] = {}
    highest = 0.0
    for rank, (p, name) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        corrected[name] = highest
    return corrected
