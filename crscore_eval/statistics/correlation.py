"""Rank statistics of scores and ratings: Spearman, Kendall, area under the ROC curve.

A statistic of many resamples at once needs neither expanded nor sorted samples. Reviews with the
same score and rating form a cell of the contingency table of the two, and the count of a cell in a
resample is a sum of weights of changes. With integer weights every count is exact, so a resample's
statistic equals that of the expanded sample (scipy and scikit-learn in the tests).

- Spearman's rho is the Pearson correlation of mid-ranks.
- Kendall's tau-b is (concordant - discordant pairs) / sqrt(untied scores * untied ratings).
- With binary ratings, AUC is (1 + (concordant - discordant) / (ones * zeros)) / 2.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_eval.statistics.bootstrap import (
    Array,
    ClusterBootstrap,
    Estimate,
    number_or_none,
    ratio,
)

_CHUNK = 2**19  # entries of a (cells, resamples) table: 4 MB, with about ten alive
_MOST_STEPS = 20_000_000_000  # entries visited for Kendall's tau-b: about a minute


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rho and Kendall's tau-b of `n` reviews or systems, and their two-sided p-values.

    All are None if a side is constant or there is only one pair: there is no order to agree with.
    The p-values **assume independent pairs**, as in the paper (Table 3). Reviews of one change
    are not independent: for inference use the intervals, which resample changes.
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
    """Correlate scores with ratings of the same reviews, both (n,), by scipy; no intervals."""
    from scipy import stats

    scores, ratings = np.asarray(metric, np.float64), np.asarray(people, np.float64)
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
    metric: ArrayLike, people: ArrayLike, cluster: ArrayLike, bootstrap: ClusterBootstrap
) -> Correlation:
    """Correlate scores with ratings, all (n reviews,); intervals resample changes (clusters)."""
    whole = rank_correlation(metric, people)
    if whole.spearman.value is None:
        return whole
    pairs, weights = ClusteredPairs(metric, people, cluster), bootstrap.weights
    return whole.with_intervals(pairs.spearman(weights), pairs.kendall(weights), bootstrap)


class ClusteredPairs:
    """Scores and ratings of reviews in clusters, prepared for resampling.

    Methods take weights, (n resamples, n clusters), and return a value for each resample, NaN if
    undefined. A row of ones stands for the observed sample.
    """

    def __init__(self, metric: ArrayLike, people: ArrayLike, cluster: ArrayLike) -> None:
        """Take three arrays of (n,): the score, rating and cluster (from 0) of each review."""
        from scipy import sparse

        scores, ratings = np.asarray(metric, np.float64), np.asarray(people, np.float64)
        cells, cell = np.unique(np.stack([scores, ratings]), axis=1, return_inverse=True)
        self._score = _Levels(cells[0])  # cells are in order of score, then of rating
        self._rating = _Levels(cells[1])
        shape = cells.shape[1], int(np.max(cluster)) + 1
        ones = np.ones(scores.size)
        self._reviews = sparse.csr_array((ones, (cell.ravel(), np.asarray(cluster))), shape=shape)

    def _counts(self, weights: ArrayLike) -> Iterator[Array]:
        """Count the reviews of each cell, (n cells, some resamples)."""
        n_cells, n_clusters = self._reviews.shape
        drawn = np.asarray(weights)[:, :n_clusters].T
        step = max(1, _CHUNK // n_cells)
        for start in range(0, drawn.shape[1], step):
            yield self._reviews @ np.ascontiguousarray(drawn[:, start : start + step], np.float64)

    def spearman(self, weights: ArrayLike) -> Array:
        """Return Spearman's rho in each resample."""
        found = []
        for counts in self._counts(weights):
            scores, ratings = self._score.mid_ranks(counts), self._rating.mid_ranks(counts)
            weighted = counts * scores
            found.append(
                _coefficient(
                    np.einsum("kr,kr->r", weighted, ratings),
                    np.einsum("kr,kr->r", weighted, scores),
                    np.einsum("kr,kr,kr->r", counts, ratings, ratings),
                )
            )
        return np.concatenate(found)

    def kendall(self, weights: ArrayLike) -> Array:
        """Return Kendall's tau-b in each resample; NaN if the reviews are too many."""
        n_cells, n_resamples = self._reviews.shape[0], len(np.asarray(weights))
        if n_cells * n_resamples * self._rating.n_levels > _MOST_STEPS:
            return np.full(n_resamples, np.nan)
        return np.concatenate(
            [
                _coefficient(
                    self._balance(counts),
                    self._score.untied_pairs(counts),
                    self._rating.untied_pairs(counts),
                )
                for counts in self._counts(weights)
            ]
        )

    def auc(self, weights: ArrayLike) -> Array:
        """Return the area under the ROC curve in each resample, of ratings 0 and 1."""
        return np.concatenate(
            [
                (1 + ratio(self._balance(counts), self._rating.untied_pairs(counts))) / 2
                for counts in self._counts(weights)
            ]
        )

    def average_precision(self, weights: ArrayLike) -> Array:
        """Return average precision in each resample, of ratings 0 and 1, as scikit-learn does."""
        found = []
        for counts in self._counts(weights):
            is_one = self._rating.level[:, np.newaxis] == self._rating.n_levels - 1
            rises, all_above = (self._score.totals(of)[::-1] for of in (counts * is_one, counts))
            hits, above = np.cumsum(rises, axis=0), np.cumsum(all_above, axis=0)
            precision = np.where(rises > 0, ratio(hits, above) * rises, 0).sum(axis=0)
            found.append(ratio(precision, hits[-1]))
        return np.concatenate(found)

    def _balance(self, counts: Array) -> Array:
        """Return concordant minus discordant pairs in each resample.

        By level of rating, rising: a review is concordant with those of lower ratings that also
        have a lower score, and discordant with those that have a higher one.
        """
        below, balance = np.zeros_like(counts), np.zeros(counts.shape[1])
        for level in range(self._rating.n_levels):
            at = np.flatnonzero(self._rating.level == level)
            if level:
                by_score = self._score.totals(below)
                up_to = np.cumsum(by_score, axis=0)
                of_cells = self._score.level[at]
                lead = 2 * up_to[of_cells] - by_score[of_cells] - up_to[-1]
                balance += np.einsum("kr,kr->r", counts[at], lead)
            below[at] = counts[at]
        return balance


class _Levels:
    """The distinct values of one side: `level`, (n cells,), is the place of each cell's value."""

    def __init__(self, values: Array) -> None:
        from scipy import sparse

        self.level: NDArray[np.intp] = np.unique(values, return_inverse=True)[1]
        self.n_levels = int(self.level.max()) + 1
        ones, cells = np.ones(values.size), np.arange(values.size)
        self._cells = sparse.csr_array((ones, (self.level, cells)))

    def totals(self, counts: Array) -> Array:
        """Count reviews at each level, (n levels, n resamples), from counts of cells."""
        totals: Array = self._cells @ counts
        return totals

    def mid_ranks(self, counts: Array) -> Array:
        """Return the centred mid-rank of each cell, (n cells, n resamples)."""
        totals = self.totals(counts)
        up_to = np.cumsum(totals, axis=0)
        ranks: Array = (up_to - totals / 2 - up_to[-1] / 2)[self.level]
        return ranks

    def untied_pairs(self, counts: Array) -> Array:
        """Return the number of pairs that differ in level, (n resamples,)."""
        totals = self.totals(counts)
        pairs: Array = (totals.sum(axis=0) ** 2 - np.einsum("kr,kr->r", totals, totals)) / 2
        return pairs


def _coefficient(top: Array, first: Array, second: Array) -> Array:
    """Return `top` over the geometric mean of `first` and `second`; NaN if either is 0."""
    clipped: Array = np.clip(ratio(top, np.sqrt(first * second)), -1.0, 1.0)
    return clipped
