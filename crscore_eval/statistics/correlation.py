"""Agreement of scores with ratings: Spearman, Kendall, area under the ROC curve.

Many resamples are computed at once, without expanding or sorting them. Reviews with the same score
and rating form a cell of a contingency table; the count of a cell in a resample is a sum of weights
of changes. Results equal those of scipy or scikit-learn for the expanded resample.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from crscore_eval.statistics.bootstrap import (
    Array,
    Estimate,
    Weights,
    estimate,
    holm,
    p_value,
    ratio,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_CHUNK = 2**19  # entries of a (cells, resamples) table: 4 MB, about ten tables at a time
_DIFFERENCE = {"value": "difference", "low": "difference_low", "high": "difference_high"}


def correlate(
    scores: ArrayLike,
    ratings: ArrayLike,
    cluster: ArrayLike = (),
    weights: Weights | None = None,
) -> dict[str, Estimate]:
    """Correlate scores with ratings of the same reviews, all (n,); empty without reviews.

    Returns `spearman`, `kendall` (tau-b), their two-sided p-values `spearman_p` and `kendall_p`,
    and `n`. All but `n` are NaN if scores or ratings are constant. The p-values **assume
    independent pairs**, as in the paper (Table 3). Reviews of one change are not independent: for
    inference use the interval of rho, which resamples changes if `weights` are given.
    """
    from scipy import stats

    scores, ratings = np.asarray(scores, np.float64), np.asarray(ratings, np.float64)
    names = ("spearman", "kendall", "spearman_p", "kendall_p")
    n = {"n": Estimate(float(scores.size))}
    if not scores.size:
        return {}
    if np.ptp(scores) == 0 or np.ptp(ratings) == 0:
        return dict.fromkeys(names, Estimate()) | n
    rho, tau = stats.spearmanr(scores, ratings), stats.kendalltau(scores, ratings)
    values = (rho.statistic, tau.statistic, rho.pvalue, tau.pvalue)
    figures = {name: Estimate(float(value)) for name, value in zip(names, values, strict=True)}
    if weights is not None:
        pairs = ClusteredPairs(scores, ratings, cluster)
        interval = estimate(pairs.spearman(weights), pairs.n_changes)[1:]
        figures["spearman"] = Estimate(figures["spearman"].value, *interval)
    return figures | n


def compare_agreement(  # noqa: PLR0913 - all describe the same reviews
    scores: Sequence[ArrayLike],
    ratings: ArrayLike,
    cluster: ArrayLike,
    weights: Weights,
    base: int = 0,
    *,
    is_binary: bool = False,
) -> pd.DataFrame:
    """Return the agreement of each of `scores` with `ratings`, all (n reviews,) and without NaN.

    It is Spearman's rho or, if `is_binary`, the area under the ROC curve of ratings 0 and 1.
    Differences are over the same resamples of the changes, which `cluster` numbers. Columns:

        value, low, high: the agreement and its interval
        difference, difference_low, difference_high: the agreement minus that of the row `base`,
            and its interval; NaN in that row
        p: of the difference, two-sided, after Holm's correction for the number of rows
    """
    pairs = [ClusteredPairs(values, ratings, cluster) for values in scores]
    samples = np.array(
        [pair.auc(weights) if is_binary else pair.spearman(weights) for pair in pairs]
    )
    differences = samples - samples[base : base + 1]
    differences[base : base + 1] = np.nan
    n_changes = pairs[0].n_changes if pairs else 0
    table, difference = (
        pd.DataFrame(
            [estimate(row, n_changes) for row in rows], columns=[*_DIFFERENCE], dtype=float
        )
        for rows in (samples, differences)
    )
    p = holm([p_value(row, n_changes) for row in differences])
    return table.join(difference.rename(columns=_DIFFERENCE)).assign(p=p)


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
