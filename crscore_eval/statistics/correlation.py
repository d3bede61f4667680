"""Agreement of scores with ratings: Spearman, Kendall, area under the ROC curve.

Many resamples are computed at once: reviews with the same score and rating form a cell of a
contingency table, and the count of a cell in a resample is a sum of weights of changes. Results
equal those of scipy or scikit-learn for the expanded resample.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from crscore_eval.statistics.bootstrap import Array, Estimate, Weights, estimate, ratio

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_CHUNK = 2**19  # entries of a (cells, resamples) table: 4 MB, about ten tables at a time


def correlate(
    scores: ArrayLike, ratings: ArrayLike, cluster: ArrayLike = (), weights: Weights | None = None
) -> dict[str, Estimate]:
    """Correlate scores with ratings of the same reviews, all (n,); empty without reviews.

    Returns `spearman`, `kendall` (tau-b), their two-sided p-values `spearman_p` and `kendall_p`,
    and `n`. All but `n` are NaN if scores or ratings are constant. The p-values **assume
    independent pairs**, as in the paper (Table 3), which reviews of one change are not; with
    `weights`, rho has an interval that resamples changes.
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
        samples = resampled(scores, ratings, cluster, weights)
        interval = estimate(samples, np.unique(np.asarray(cluster)).size)[1:]
        figures["spearman"] = Estimate(figures["spearman"].value, *interval)
    return figures | n


def resampled(
    scores: ArrayLike,
    ratings: ArrayLike,
    cluster: ArrayLike,
    weights: ArrayLike,
    *,
    is_binary: bool = False,
) -> Array:
    """Return Spearman's rho, or the area under the ROC curve, for each row of weights.

    `cluster` is the column of `weights`, (n resamples, n clusters), of each review; scores and
    ratings are (n,) too. NaN if undefined.
    """
    from scipy.sparse import csr_array

    reviews = np.stack([np.asarray(scores, np.float64), np.asarray(ratings, np.float64)])
    cells, cell = np.unique(reviews, axis=1, return_inverse=True)
    drawn = np.asarray(weights, np.float64).T
    ones, shape = np.ones(reviews.shape[1]), (cells.shape[1], len(drawn))
    counted = csr_array((ones, (cell.ravel(), np.asarray(cluster, np.intp))), shape=shape)
    ranks = [np.unique(values, return_inverse=True)[1] for values in cells]
    levels = [csr_array((np.ones(of.size), (np.arange(of.size), of))) for of in ranks]
    statistic = _area if is_binary else _rho
    step = max(1, _CHUNK // max(1, cells.shape[1]))
    starts = range(0, drawn.shape[1], step)
    return np.concatenate(
        [statistic(counted @ drawn[:, start : start + step], *levels) for start in starts]
    )


def _rho(counts: Array, scores: "csr_array", ratings: "csr_array") -> Array:
    """Return the Pearson correlation of mid-ranks, from counts of cells, (n cells, n resamples)."""
    first, second = (_mid_ranks(levels, counts) for levels in (scores, ratings))
    pairs = ((first, second), (first, first), (second, second))
    product, *squares = (np.einsum("kr,kr,kr->r", counts, *pair) for pair in pairs)
    coefficient: Array = np.clip(ratio(product, np.sqrt(squares[0] * squares[1])), -1.0, 1.0)
    return coefficient


def _area(counts: Array, scores: "csr_array", ratings: "csr_array") -> Array:
    """Return the area under the ROC curve; ties count half.

    It is the mean rank of the ones, scaled to its possible range (Mann and Whitney).
    """
    is_one = ratings.indices > 0
    rank_sums = (counts * _mid_ranks(scores, counts))[is_one].sum(axis=0)
    return 0.5 + ratio(rank_sums, counts[is_one].sum(axis=0) * counts[~is_one].sum(axis=0))


def _mid_ranks(levels: "csr_array", counts: Array) -> Array:
    """Return the centred mid-rank of each cell, (n cells, n resamples)."""
    totals = levels.T @ counts
    up_to = np.cumsum(totals, axis=0)
    ranks: Array = levels @ (up_to - totals / 2 - up_to[-1] / 2)
    return ranks
