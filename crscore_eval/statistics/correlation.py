"""Rank statistics of scores and ratings: Spearman, Kendall, area under the ROC curve.

Many resamples are computed at once, without expanding or sorting them. Reviews with the same score
and rating form a cell of a contingency table; the count of a cell in a resample is a sum of weights
of changes. Results equal those of scipy or scikit-learn for the expanded resample.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from crscore_eval.statistics.bootstrap import (
    Array,
    ClusterBootstrap,
    Estimate,
    number_or_none,
    percentile_interval,
    ratio,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_CHUNK = 2**19  # entries of a (cells, resamples) table: 4 MB, about ten tables at a time


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rho and Kendall's tau-b of `n` reviews or systems, with two-sided p-values.

    All are None if scores or ratings are constant, or if there is only one pair. The p-values
    **assume independent pairs**, as in the paper (Table 3). Reviews of one change are not
    independent: for inference use the interval of rho, which resamples changes.
    """

    spearman: Estimate
    kendall: Estimate
    spearman_p: float | None
    kendall_p: float | None
    n: int

    def with_interval(self, spearman: Array, n_changes: int) -> "Correlation":
        """Add the `percentile_interval` of Spearman's rho from its values in resamples."""
        interval = percentile_interval(spearman, n_changes)
        return replace(self, spearman=Estimate(self.spearman.value, interval))


def rank_correlation(scores: ArrayLike, ratings: ArrayLike) -> Correlation:
    """Correlate scores with ratings of the same reviews, both (n,), without intervals."""
    from scipy import stats

    scores, ratings = np.asarray(scores, np.float64), np.asarray(ratings, np.float64)
    if not scores.size or np.ptp(scores) == 0 or np.ptp(ratings) == 0:
        return Correlation(Estimate(None), Estimate(None), None, None, scores.size)
    spearman, kendall = stats.spearmanr(scores, ratings), stats.kendalltau(scores, ratings)
    return Correlation(
        Estimate(float(spearman.statistic)),
        Estimate(float(kendall.statistic)),
        number_or_none(spearman.pvalue),  # two pairs have none
        number_or_none(kendall.pvalue),
        scores.size,
    )


def correlate(
    scores: ArrayLike, ratings: ArrayLike, cluster: ArrayLike, bootstrap: ClusterBootstrap
) -> Correlation:
    """Correlate scores with ratings, all (n reviews,); the interval resamples changes."""
    observed = rank_correlation(scores, ratings)
    if observed.spearman.value is None:
        return observed
    pairs = ClusteredPairs(scores, ratings, cluster)
    return observed.with_interval(pairs.spearman(bootstrap.weights), pairs.n_changes)


def rowwise_spearman(first: ArrayLike, second: ArrayLike) -> Array:
    """Return Spearman's rho of each pair of rows, (n rows, n); NaN if undefined or a row has NaN.

    Unlike in `ClusteredPairs`, rows may have different values. Either argument may be one row.
    """
    from scipy.stats import rankdata

    tables = [np.atleast_2d(np.asarray(table, np.float64)) for table in (first, second)]
    mean_rank = (tables[0].shape[1] + 1) / 2
    ranks, others = (rankdata(table, axis=1) - mean_rank for table in tables)
    products = (ranks * others, ranks**2, others**2)
    return _coefficient(*(product.sum(axis=1) for product in products))


class ClusteredPairs:
    """Scores and ratings of reviews in clusters, prepared for resampling.

    Methods take weights, (n resamples, n clusters), and return a value for each resample, NaN if
    undefined. A row of ones is the observed sample.
    """

    def __init__(self, scores: ArrayLike, ratings: ArrayLike, cluster: ArrayLike) -> None:
        """Store the score, rating and cluster (from 0) of each review, all (n,).

        `n_changes` is the number of clusters with a review.
        """
        from scipy.sparse import csr_array

        reviews = np.stack([np.asarray(scores, np.float64), np.asarray(ratings, np.float64)])
        cells, cell = np.unique(reviews, axis=1, return_inverse=True)
        ones = np.ones(reviews.shape[1])
        self._reviews = csr_array((ones, (cell.ravel(), np.asarray(cluster, np.intp))))
        self._score, self._rating = map(_levels, cells)
        self.n_changes = np.unique(np.asarray(cluster)).size

    def spearman(self, weights: ArrayLike) -> Array:
        """Return Spearman's rho: the Pearson correlation of mid-ranks."""

        def rho(counts: Array) -> Array:
            scores, ratings = (_mid_ranks(levels, counts) for levels in (self._score, self._rating))
            pairs = ((scores, ratings), (scores, scores), (ratings, ratings))
            return _coefficient(*(np.einsum("kr,kr,kr->r", counts, *pair) for pair in pairs))

        return self._by_chunk(weights, rho)

    def auc(self, weights: ArrayLike) -> Array:
        """Return the area under the ROC curve of ratings 0 and 1; ties count half.

        It is the mean rank of the ones, scaled to its possible range (Mann and Whitney).
        """
        is_one = self._rating.indices > 0

        def area(counts: Array) -> Array:
            rank_sums = (counts * _mid_ranks(self._score, counts))[is_one].sum(axis=0)
            return 0.5 + ratio(rank_sums, counts[is_one].sum(axis=0) * counts[~is_one].sum(axis=0))

        return self._by_chunk(weights, area)

    def _by_chunk(self, weights: ArrayLike, statistic: Callable[[Array], Array]) -> Array:
        """Compute a statistic of the counts of cells, (n cells, n resamples), chunk by chunk."""
        n_cells, n_clusters = self._reviews.shape
        drawn = np.asarray(weights, np.float64)[:, :n_clusters].T
        step = max(1, _CHUNK // n_cells)
        starts = range(0, drawn.shape[1], step)
        values = [statistic(self._reviews @ drawn[:, start : start + step]) for start in starts]
        return np.concatenate(values)


def _levels(values: Array) -> "csr_array":
    """Return the level of each cell's value as a matrix of 0 and 1, (n cells, n levels)."""
    from scipy.sparse import csr_array

    level = np.unique(values, return_inverse=True)[1]
    return csr_array((np.ones(level.size), (np.arange(level.size), level)))


def _mid_ranks(levels: "csr_array", counts: Array) -> Array:
    """Return the centred mid-rank of each cell, (n cells, n resamples)."""
    totals = levels.T @ counts
    up_to = np.cumsum(totals, axis=0)
    ranks: Array = levels @ (up_to - totals / 2 - up_to[-1] / 2)
    return ranks


def _coefficient(product: Array, first: Array, second: Array) -> Array:
    """Return `product` over the geometric mean of `first` and `second`; NaN if either is 0."""
    clipped: Array = np.clip(ratio(product, np.sqrt(first * second)), -1.0, 1.0)
    return clipped
