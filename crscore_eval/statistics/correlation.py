"""Spearman's rho and Kendall's tau-b, also for many resamples or many metrics at once.

Reviews share changes, so a resample draws whole changes (clusters), and the reviews of a change
drawn twice count twice. Samples are neither expanded nor sorted again. Reviews with the same score
and rating form a cell of the contingency table of the two, and the count of a cell in a resample
is a sum of weights. For metric level k, human level l, cell t[k, l], margins a[k] and b[l] and the
total n:

- the mid-rank of level k is a[0] + ... + a[k - 1] + (a[k] + 1) / 2, and Spearman's rho is the
  weighted Pearson correlation of mid-ranks;
- Kendall's tau-b is (concordant - discordant pairs) / sqrt((n² - Σ a²) / 2 · (n² - Σ b²) / 2)
  (Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945).

Only non-empty cells are counted. With integer weights every sum is a multiple of 1/4, hence exact
in float64, and the results equal those of the expanded sample.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_eval.statistics.bootstrap import ClusterBootstrap, Estimate, number_or_none
from crscore_eval.statistics.sample import cluster_numbers, finite, paired, ratio, weights_of

Array = NDArray[np.float64]
Whole = NDArray[np.intp]

MOST_PAIRED = 2_000
"""Limit on reviews compared in pairs, for tau-b if both sides have many values."""

_FEW_LEVELS = 64  # distinct values of one side that can be iterated over
_CHUNK = 2**20  # entries of a (cells, resamples) table: 8 MB, with about ten alive


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rho and Kendall's tau-b of `n` reviews or systems, and their two-sided p-values.

    All are None if a side is constant or there is only one pair: then there is no order to agree
    with, which is not a correlation of 0. The p-values are for the null hypothesis of no
    correlation and **assume independent pairs**, as in the paper (table 3). Reviews of one change
    are not independent: for inference use the intervals, which resample changes. For systems,
    p-values also ignore the uncertainty of the means.
    """

    spearman: Estimate
    kendall: Estimate
    spearman_p: float | None
    kendall_p: float | None
    n: int

    def with_intervals(
        self, spearman: Array, kendall: Array, bootstrap: ClusterBootstrap
    ) -> "Correlation":
        """Add intervals from both correlations in the resamples, each (n resamples,)."""
        return replace(
            self,
            spearman=Estimate(self.spearman.value, bootstrap.interval_of(spearman)),
            kendall=Estimate(self.kendall.value, bootstrap.interval_of(kendall)),
        )


def rank_correlation(metric: ArrayLike, people: ArrayLike) -> Correlation:
    """Correlate a metric with human ratings of the same reviews, both (n,); without intervals.

    Ties share the mean of their ranks (Spearman) and are corrected for on both sides (Kendall's
    tau-b). Values and p-values are computed by scipy.

    Raises:
        InputError: the lengths differ, there are no values, or a value is not finite.
    """
    from scipy import stats

    scores, ratings = paired(metric, people)
    if np.ptp(scores) == 0 or np.ptp(ratings) == 0:
        return Correlation(Estimate(None, None), Estimate(None, None), None, None, scores.size)
    spearman, kendall = stats.spearmanr(scores, ratings), stats.kendalltau(scores, ratings)
    return Correlation(
        Estimate(float(spearman.statistic), None),
        Estimate(float(kendall.statistic), None),
        number_or_none(spearman.pvalue),  # two pairs have none
        number_or_none(kendall.pvalue),
        scores.size,
    )


def correlate(
    metric: Array, people: Array, change: NDArray[np.intp], bootstrap: ClusterBootstrap
) -> Correlation | None:
    """Correlate scores with ratings, all (n reviews,); None without reviews."""
    if not metric.size:
        return None
    resampled = ClusteredPairs(metric, people, change).both(bootstrap.weights)
    return rank_correlation(metric, people).with_intervals(*resampled, bootstrap)


def row_correlations(metrics: ArrayLike, people: ArrayLike) -> tuple[Array, Array]:
    """Correlate each row of `metrics`, (n rows, n reviews), with `people`, (n reviews,).

    Return Spearman's rho and Kendall's tau-b of each row, both (n rows,), equal to those from
    `rank_correlation`, and NaN if undefined.

    Raises:
        InputError: the lengths differ, there are no values, or a value is not finite.
    """
    rows, ratings = finite("metrics", metrics, ndim=2), finite("people", people)
    if np.unique(ratings).size > _FEW_LEVELS:  # scipy's tau-b is faster then
        alone = [rank_correlation(row, ratings) for row in rows]
        found = np.array(
            [(row.spearman.value, row.kendall.value) for row in alone], dtype=np.float64
        )
    else:
        together = np.zeros(ratings.size, dtype=np.intp)
        pairs = (ClusteredPairs(row, ratings, together) for row in rows)
        found = np.array([np.concatenate(of_row.both([[1]])) for of_row in pairs])
    return found[:, 0], found[:, 1]


class ClusteredPairs:
    """Pairs (metric, people) of reviews in clusters, prepared for resampling.

    Time and memory grow with the number of non-empty cells times resamples.

    Methods take the weights of resamples, which `weights_of` describes and checks.
    """

    def __init__(self, metric: ArrayLike, people: ArrayLike, cluster: ArrayLike) -> None:
        """Take three arrays of (n,): the score, rating and cluster (from 0) of each review.

        Raises:
            InputError: lengths differ, there are no values, a value is not finite, or
                clusters are not integers from 0.
        """
        from scipy import sparse

        sides = paired(metric, people)
        clusters = cluster_numbers(cluster, sides[0].size)
        self._n_clusters = int(clusters.max()) + 1
        many, few = (np.unique(side, return_inverse=True)[1] for side in sides)
        if few.max() > many.max():  # both correlations are symmetric
            many, few = few, many
        n_many = int(many.max()) + 1
        cells, cell = np.unique(few * n_many + many, return_inverse=True)
        self._few, self._many = cells // n_many, cells % n_many
        self._starts = np.unique(self._few, return_index=True)[1]
        self._reviews = few, many, clusters
        self._reviews_by_cluster = sparse.csr_array(
            (np.ones(cell.size), (cell, clusters)), shape=(cells.size, self._n_clusters)
        )
        self._cells_by_many = sparse.csr_array(
            (np.ones(cells.size), (self._many, np.arange(cells.size))), shape=(n_many, cells.size)
        )

    def spearman(self, weights: ArrayLike) -> Array:
        """Return Spearman's rho in each resample, (n resamples,); NaN if a side is constant."""
        return np.concatenate([self._spearman(counts) for counts in self._counts(weights)])

    def both(self, weights: ArrayLike) -> tuple[Array, Array]:
        """Return Spearman's rho and Kendall's tau-b in each resample; see `spearman`.

        Tau-b is also NaN if both sides have more than 64 values and there are more than
        `MOST_PAIRED` reviews: it would take too long.
        """
        parts = [(self._spearman(each), self._kendall(each)) for each in self._counts(weights)]
        spearman, kendall = (np.concatenate(part) for part in zip(*parts, strict=True))
        return spearman, kendall

    def _counts(self, weights: ArrayLike) -> "Iterator[_Counts]":
        drawn = weights_of(weights, self._n_clusters)
        step = max(1, _CHUNK // self._few.size)
        for start in range(0, len(drawn), step):
            chunk = np.ascontiguousarray(drawn[start : start + step].T)
            cells = self._reviews_by_cluster @ chunk
            few = np.add.reduceat(cells, self._starts, axis=0)
            yield _Counts(chunk, cells, few, self._cells_by_many @ cells)

    def _spearman(self, counts: "_Counts") -> Array:
        few_ranks, many_ranks = _level_ranks(counts.few), _level_ranks(counts.many)
        few_sums = self._cells_by_many @ (counts.cells * few_ranks[self._few])
        return _coefficient(
            np.einsum("kr,kr->r", few_sums, many_ranks),
            (counts.few * few_ranks**2).sum(axis=0),
            (counts.many * many_ranks**2).sum(axis=0),
        )

    def _kendall(self, counts: "_Counts") -> Array:
        if self._starts.size <= _FEW_LEVELS:
            balance = self._balance_by_level(counts)
        elif self._reviews[0].size <= MOST_PAIRED:
            clusters, of_pairs = self._balance_of_clusters
            drawn = counts.weights[clusters]
            balance = np.einsum("cr,cr->r", of_pairs @ drawn, drawn) / 2
        else:
            return np.full(counts.few.shape[1], np.nan)
        return _coefficient(balance, _untied_pairs(counts.few), _untied_pairs(counts.many))

    def _balance_by_level(self, counts: "_Counts") -> Array:
        """Return concordant minus discordant pairs in each resample, by iterating over `few`.

        `below` counts the reviews at lower levels of `few`, by level of `many`. A review is
        concordant with those that are also lower in `many`, and discordant with those higher.
        """
        below = np.zeros_like(counts.many)
        balance = np.zeros(below.shape[1])
        for start, end in zip(self._starts, [*self._starts[1:], self._few.size], strict=True):
            level, cells = self._many[start:end], counts.cells[start:end]
            if start:
                up_to = np.cumsum(below, axis=0)
                difference = 2 * up_to[level] - below[level] - up_to[-1]
                balance += np.einsum("kr,kr->r", cells, difference)
            below[level] += cells
        return balance

    @cached_property
    def _balance_of_clusters(self) -> tuple[Whole, Array]:
        """Return non-empty clusters, and concordant minus discordant pairs of each two of them.

        Each pair counts twice. If w counts how often each cluster was drawn and B is this matrix,
        the balance of a resample is half of w' B w.
        """
        from scipy import sparse

        few, many, cluster = self._reviews
        clusters, row = np.unique(cluster, return_inverse=True)
        by_cluster = sparse.csc_array((np.ones(row.size), (row, np.arange(row.size))))
        balance = np.zeros((clusters.size, clusters.size))
        step = max(1, _CHUNK // row.size)
        for start in range(0, row.size, step):
            rows = slice(start, start + step)
            signs = np.sign(few[rows, np.newaxis] - few) * np.sign(many[rows, np.newaxis] - many)
            balance += by_cluster[:, rows] @ (signs @ by_cluster.T)
        return clusters, balance


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """Weights of clusters, and counts of cells and levels, each (n, some resamples)."""

    weights: Array
    cells: Array
    few: Array
    many: Array


def _level_ranks(counts: Array) -> Array:
    """Return centred mid-ranks of levels, (levels, samples), from the counts of levels."""
    up_to: Array = np.cumsum(counts, axis=0)
    ranks: Array = up_to - counts / 2 - up_to[-1] / 2
    return ranks


def _untied_pairs(counts: Array) -> Array:
    """Return the number of pairs that differ in level, from counts, (levels, samples)."""
    total = counts.sum(axis=0)
    pairs: Array = (total * total - np.einsum("kr,kr->r", counts, counts)) / 2
    return pairs


def _coefficient(top: Array, first: Array, second: Array) -> Array:
    """Return `top` over the geometric mean of `first` and `second`, within [-1, 1].

    NaN if either is 0: a side with a single level has no variance and no untied pair.
    """
    scale = np.sqrt(np.maximum(first, 0) * np.maximum(second, 0))
    clipped: Array = np.clip(ratio(top, scale), -1.0, 1.0)
    return clipped
