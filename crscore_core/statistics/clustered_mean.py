"""Means and ratios with intervals, by resampling clusters (changes)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics.bootstrap import ClusterBootstrap
from crscore_core.statistics.estimate import Estimate
from crscore_core.statistics.sample import cluster_numbers, finite

__all__ = ["clustered_mean", "clustered_ratio"]


def clustered_mean(
    values: ArrayLike, cluster: ArrayLike, bootstrap: ClusterBootstrap, level: float = 0.95
) -> Estimate:
    """The mean of values, and its interval; both arguments are (n,), clusters count from 0.

    A cluster may have none, or many. The mean of no values is not defined.

    Raises:
        StatisticsError: lengths differ, a value is not finite, the bootstrap has too few
            clusters, or the level is not between 0 and 1.
    """
    n_clusters = bootstrap.weights.shape[1]
    if np.size(values) == 0:
        return Estimate(None, None)
    numbers = finite("values", values)
    clusters = cluster_numbers(cluster, numbers.size)
    if clusters.max() >= n_clusters:
        raise StatisticsError(f"clusters are from 0 to {clusters.max()}, of {n_clusters}")
    return clustered_ratio(
        np.bincount(clusters, numbers, minlength=n_clusters),
        np.bincount(clusters, minlength=n_clusters),
        bootstrap,
        level,
    )


def clustered_ratio(
    tops: ArrayLike, bottoms: ArrayLike, bootstrap: ClusterBootstrap, level: float = 0.95
) -> Estimate:
    """The sum of `tops` over the sum of `bottoms`, and its interval.

    Both are (n clusters,), what each cluster adds; `bottoms` are counts, from 0. Not defined
    where they sum to 0.

    Raises:
        StatisticsError: they are not of as many clusters as the bootstrap, a number is not
            finite, a count is negative, or the level is not between 0 and 1.
    """
    numerators, counts = finite("tops", tops), finite("bottoms", bottoms)
    n_clusters = bootstrap.weights.shape[1]
    if not numerators.size == counts.size == n_clusters or counts.min() < 0:
        raise StatisticsError(
            f"tops ({numerators.size}) and bottoms ({counts.size}) must be numbers, and counts "
            f"from 0, of {n_clusters} clusters"
        )
    if counts.sum() == 0:
        return Estimate(None, None)

    def ratios(weights: NDArray[np.int16]) -> NDArray[np.float64]:
        totals = weights @ counts
        found = np.full(totals.shape, np.nan)
        np.divide(weights @ numerators, totals, out=found, where=totals > 0)
        return found

    return Estimate(float(numerators.sum() / counts.sum()), bootstrap.interval(ratios, level))
