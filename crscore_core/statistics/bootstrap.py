"""Confidence intervals of any statistic, by resampling whole clusters.

Reviews of one change share what is easy or hard about it, so they are no independent
observations; changes are. A resample draws as many changes as there are, with replacement (the
cluster bootstrap: Davison and Hinkley, "Bootstrap Methods and their Application", section 3.8),
and is given to a statistic as weights: how often each change was drawn.

Intervals are percentile intervals. They need nothing but the resamples, never leave the range of
the statistic, and hold the truth as often as they should in the simulated studies of
`tests/crscore_core/statistics/test_coverage.py` (five-level ratings, ties and zeros, nine reviews
of each change); basic and BCa intervals did no better there.

`scipy.stats.bootstrap` is not used: it evaluates each statistic on resamples of its own, where
here all statistics of a study share one set (so that the difference of two has an interval too),
and a single undefined resample makes its interval NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError

__all__ = ["ClusterBootstrap", "Interval", "interval", "resample_clusters"]

MIN_CLUSTERS = 2
"""The fewest clusters with which there is an interval: resamples of one are all the same."""

MAX_UNDEFINED = 0.05
"""The largest share of resamples without a value with which there still is an interval."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, ends included; `level` is the confidence, such as 0.95."""

    low: float
    high: float
    level: float


class ClusterBootstrap:
    """One set of resamples of clusters, shared by every statistic of a study.

    `weights`, int16 of (n resamples, n clusters), says how often each resample drew each cluster.
    The same arguments give the same weights.
    """

    def __init__(self, n_clusters: int, n_resamples: int = 1000, seed: int = 0) -> None:
        """Draw the resamples.

        Raises:
            StatisticsError: as for `resample_clusters`.
        """
        self.weights = resample_clusters(n_clusters, n_resamples, seed)
        self.weights.flags.writeable = False

    def interval(
        self, statistic: Callable[[NDArray[np.int16]], ArrayLike], level: float = 0.95
    ) -> Interval | None:
        """The interval of a statistic: a function of weights that gives one value a resample.

        Examples are the methods of `ClusteredPairs`, or a difference of two of them. None where
        the statistic is undefined (NaN) in more than `MAX_UNDEFINED` of the resamples, or there
        are fewer than `MIN_CLUSTERS` clusters.

        Raises:
            StatisticsError: the statistic does not give one number a resample, or the level is
                not between 0 and 1.
        """
        return self.interval_of(statistic(self.weights), level)

    def interval_of(self, samples: ArrayLike, level: float = 0.95) -> Interval | None:
        """As `interval`, from the statistic's value in each of the resamples, (n resamples,).

        Raises:
            StatisticsError: as for `interval`.
        """
        values = np.asarray(samples, dtype=np.float64)
        if values.shape != self.weights.shape[:1]:
            raise StatisticsError(
                f"a statistic must give one value for each of {self.weights.shape[0]} resamples, "
                f"but its shape is {values.shape}"
            )
        return interval(values, level) if self.weights.shape[1] >= MIN_CLUSTERS else None

    def intervals_of(self, samples: ArrayLike, level: float = 0.95) -> tuple[Interval | None, ...]:
        """As `interval_of`, of many statistics at once: (n resamples, n statistics).

        Raises:
            StatisticsError: as for `interval`.
        """
        columns = np.asarray(samples, dtype=np.float64)
        if columns.ndim != 2:
            raise StatisticsError(f"samples must have a column a statistic, not {columns.shape}")
        if np.isnan(columns).any() or self.weights.shape[1] < MIN_CLUSTERS or not columns.size:
            return tuple(self.interval_of(column, level) for column in columns.T)
        self.interval_of(columns[:, 0], level)  # the same errors
        ends = np.quantile(columns, _ends(level), axis=0).T
        return tuple(Interval(float(low), float(high), level) for low, high in ends)


def resample_clusters(n_clusters: int, n_resamples: int, seed: int) -> NDArray[np.int16]:
    """How often each of `n_resamples` resamples drew each cluster: (n resamples, n clusters).

    Each row sums to `n_clusters`. Numpy's PCG64 generator is seeded with `seed`.

    Raises:
        StatisticsError: no cluster, more than an int16 can count, or no resample.
    """
    if not 1 <= n_clusters <= np.iinfo(np.int16).max or n_resamples < 1:
        raise StatisticsError(
            f"{n_resamples} resamples of {n_clusters} clusters cannot be drawn: "
            f"there must be a resample, and from 1 to {np.iinfo(np.int16).max} clusters"
        )
    shares = np.full(n_clusters, 1 / n_clusters)
    drawn = np.random.default_rng(seed).multinomial(n_clusters, shares, size=n_resamples)
    return drawn.astype(np.int16)


def interval(samples: ArrayLike, level: float = 0.95) -> Interval | None:
    """The percentile interval of a statistic from its values in resamples, (n resamples,).

    Undefined (NaN) values are left out; None where they are more than `MAX_UNDEFINED` of all.

    Raises:
        StatisticsError: there are no samples, or the level is not between 0 and 1.
    """
    values = np.asarray(samples, dtype=np.float64)
    if values.ndim != 1 or values.size == 0:
        raise StatisticsError(f"samples must be a non-empty list, not of shape {values.shape}")
    if not 0 < level < 1:
        raise StatisticsError(f"the level of an interval is between 0 and 1, not {level}")
    defined = values[~np.isnan(values)]
    if defined.size < (1 - MAX_UNDEFINED) * values.size:
        return None
    low, high = np.quantile(defined, _ends(level))
    return Interval(float(low), float(high), level)


def _ends(level: float) -> list[float]:
    return [(1 - level) / 2, (1 + level) / 2]
