"""Rank correlations of many resamples at once, from how often each cluster was drawn.

Reviews share changes, so a resample draws whole changes (clusters), and the reviews of a change
drawn twice count twice. Nothing is expanded and nothing is sorted again: with the distinct values
of both sides known, both correlations follow from the contingency table of the two, whose cells
are sums of weights. For metric level k, people level l, cell t[k, l], margins a[k] and b[l] and
n = the sum of all:

- the mid-rank of level k is a[0] + ... + a[k - 1] + (a[k] + 1) / 2, and Spearman's rho is the
  weighted Pearson correlation of mid-ranks;
- Kendall's tau-b is (concordant - discordant pairs) / sqrt((n² - Σ a²) / 2 · (n² - Σ b²) / 2)
  (Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945).

Where both sides have many distinct values that table would be too large, and `DistinctPairs` finds
the same in another way.

With whole weights every sum is a whole number of quarters, so exact in float64, and the results
are those of the expanded sample.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.statistics.contingency import (
    correlation,
    level_ranks,
    levels_vary,
    untied_pairs,
)
from crscore_core.statistics.distinct_pairs import DistinctPairs
from crscore_core.statistics.sample import cluster_numbers, paired, weights_of

__all__ = ["FEW_LEVELS", "ClusteredPairs"]

Array = NDArray[np.float64]

FEW_LEVELS = 64
"""Distinct values of one side with which the table of both is small."""

_Statistic = Callable[[list[Array]], Array]
_CHUNK = 2**20  # cells of one (levels, resamples) table: 8 MB, and about ten of them live


@dataclass(frozen=True, slots=True)
class _Level:
    """The reviews at one level of the side with fewer levels, in order of the other side.

    `cluster` is the cluster of each; `starts` is where each distinct value of the other side
    begins, and `at` is which of its levels that value is.
    """

    cluster: NDArray[np.intp]
    starts: NDArray[np.intp]
    at: NDArray[np.intp]


class ClusteredPairs:
    """Pairs (metric, people) of reviews that belong to clusters, ready to be resampled.

    Time and memory grow with (distinct values of one side) x (distinct values of the other) where
    one side has few, such as ratings from 1 to 5. Where both have more than `FEW_LEVELS`, they
    grow as those of `DistinctPairs` do, which has no Kendall's tau-b of very many reviews.
    """

    def __init__(self, metric: ArrayLike, people: ArrayLike, cluster: ArrayLike) -> None:
        """Take three arrays of (n,): a score, a rating and a cluster (from 0) of each review.

        Raises:
            StatisticsError: lengths differ, nothing is given, a value is not a finite number, or
                clusters are not whole numbers from 0.
        """
        one, other = paired(("metric", metric), ("people", people))
        clusters = cluster_numbers(cluster, one.size)
        many, few = np.unique(one, return_inverse=True), np.unique(other, return_inverse=True)
        if few[0].size > many[0].size:  # both correlations are symmetric
            many, few = few, many
        self._n_clusters = int(clusters.max()) + 1
        self._n_many = many[0].size
        self._distinct: DistinctPairs | None = None
        if few[0].size > FEW_LEVELS:
            self._distinct = DistinctPairs(one, other, clusters)
            return
        self._levels = tuple(
            _level(clusters[few[1] == level], many[1][few[1] == level])
            for level in range(few[0].size)
        )

    def spearman(self, weights: ArrayLike) -> Array:
        """Spearman's rho of each resample, (n resamples,); NaN where a side is constant.

        `weights`, (n resamples, n clusters), says how often each cluster was drawn. Ones give the
        correlation of what was observed.

        Raises:
            StatisticsError: the weights are negative, not finite, or too few columns.
        """
        if self._distinct:
            return self._distinct.spearman(weights_of(weights, self._n_clusters))
        return self._in_chunks(weights, self._spearman)[0]

    def kendall(self, weights: ArrayLike) -> Array:
        """Kendall's tau-b of each resample; everything else as for `spearman`.

        NaN too where both sides have many distinct values and there are too many reviews to
        compare each with each (`MOST_PAIRED` of `DistinctPairs`).
        """
        if self._distinct:
            return self._distinct.kendall(weights_of(weights, self._n_clusters))
        return self._in_chunks(weights, self._kendall)[0]

    def both(self, weights: ArrayLike) -> tuple[Array, Array]:
        """`spearman` and `kendall`, from one table where there is one."""
        if self._distinct:
            return self.spearman(weights), self.kendall(weights)
        spearman, kendall = self._in_chunks(weights, self._spearman, self._kendall)
        return spearman, kendall

    def _in_chunks(self, weights: ArrayLike, *statistics: _Statistic) -> list[Array]:
        drawn = weights_of(weights, self._n_clusters)
        step = max(1, _CHUNK // self._n_many)
        parts = []
        for start in range(0, drawn.shape[0], step):
            chunk = np.ascontiguousarray(drawn[start : start + step].T)
            cells = [_cells(level, chunk) for level in self._levels]
            parts.append([statistic(cells) for statistic in statistics])
        return [np.concatenate(part) for part in zip(*parts, strict=True)]

    def _spearman(self, cells: list[Array]) -> Array:
        few = np.stack([cell.sum(axis=0) for cell in cells])
        few_ranks = level_ranks(few)
        many = np.zeros((self._n_many, few.shape[1]))
        sums = np.zeros_like(many)  # of the centred ranks of the other side
        for level, cell, rank in zip(self._levels, cells, few_ranks, strict=True):
            many[level.at] += cell
            sums[level.at] += cell * rank
        many_ranks = level_ranks(many)
        covariance = np.einsum("kr,kr->r", sums, many_ranks)
        few_variance = np.einsum("kr,kr,kr->r", few, few_ranks, few_ranks)
        many_variance = np.einsum("kr,kr,kr->r", many, many_ranks, many_ranks)
        return correlation(
            covariance, few_variance, many_variance, levels_vary(few) & levels_vary(many)
        )

    def _kendall(self, cells: list[Array]) -> Array:
        # Below: of the reviews at lower levels of `few`, how many there are at each level of
        # `many`. A review at this level is concordant with those of them that are lower in `many`
        # too, and discordant with those that are higher.
        below = np.zeros((self._n_many, cells[0].shape[1]))
        balance = np.zeros(below.shape[1])
        few: list[Array] = []
        for level, cell in zip(self._levels, cells, strict=True):
            if few:
                up_to = np.cumsum(below, axis=0)
                difference = 2 * up_to[level.at] - below[level.at] - up_to[-1]
                balance += np.einsum("kr,kr->r", cell, difference)
            below[level.at] += cell
            few.append(cell.sum(axis=0))
        return correlation(
            balance,
            untied_pairs(np.stack(few)),
            untied_pairs(below),
            levels_vary(np.stack(few)) & levels_vary(below),
        )


def _level(clusters: NDArray[np.intp], many: NDArray[np.intp]) -> _Level:
    order = np.argsort(many, kind="stable")
    at, starts = np.unique(many[order], return_index=True)
    return _Level(clusters[order], starts, at)


def _cells(level: _Level, drawn: Array) -> Array:
    """The non-empty cells of one level in each resample: (distinct values, resamples)."""
    cells: Array = np.add.reduceat(drawn[level.cluster], level.starts, axis=0)
    return cells
