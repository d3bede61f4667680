"""Agreement of scores with ratings: Spearman, Kendall, area under the ROC curve.

Many resamples are computed at once, without expanding them: a review counts as often as its change
was drawn. Results equal those of scipy or scikit-learn for the expanded resample.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_eval.statistics.bootstrap import MIN_CHANGES, Array, Estimate, Weights, estimate, ratio

_AT_ONCE = 2**20  # weights of reviews in resamples: 8 MB, about six tables at a time


def correlate(
    scores: ArrayLike, ratings: ArrayLike, cluster: ArrayLike = (), weights: Weights | None = None
) -> dict[str, Estimate]:
    """Correlate scores with ratings of the same reviews, all (n,); NaN is left out.

    Returns `spearman`, `kendall` (tau-b) and `n`; nothing if `n` is 0. All but `n` are NaN if
    scores or ratings are constant. With `weights`, rho has an interval over `varied_changes`;
    without, both have two-sided p-values, `spearman_p` and `kendall_p`, for independent pairs.
    """
    from scipy import stats

    pairs = np.array([scores, ratings], np.float64)
    has_both = ~np.isnan(pairs).any(axis=0)
    first, second = pairs[:, has_both]
    if not first.size:
        return {}
    is_constant = np.ptp(first) == 0 or np.ptp(second) == 0
    found = {
        name: (np.nan, np.nan) if is_constant else correlation(first, second)
        for name, correlation in (("spearman", stats.spearmanr), ("kendall", stats.kendalltau))
    }
    figures = {name: Estimate(float(value)) for name, (value, _) in found.items()}
    if weights is None:
        figures |= {f"{name}_p": Estimate(float(p)) for name, (_, p) in found.items()}
    elif not is_constant:
        changes = np.asarray(cluster)[has_both]
        samples = resampled(first, second, changes, weights)
        figures["spearman"] = estimate(samples, varied_changes(first, second, changes), -1.0, 1.0)
    return figures | {"n": Estimate(float(first.size))}


def varied_changes(scores: ArrayLike, ratings: ArrayLike, cluster: ArrayLike) -> int:
    """Return the number of changes, or 0 if resamples would vary too little for an interval.

    They do if, in scores or in ratings, fewer than `MIN_CHANGES` changes have another value than
    the most common one. All arguments are (n,).
    """
    changes = np.asarray(cluster)
    for column in (scores, ratings):
        _, levels, counts = np.unique(column, return_inverse=True, return_counts=True)
        if np.unique(changes[levels != counts.argmax()]).size < MIN_CHANGES:
            return 0
    return np.unique(changes).size


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
    values = [np.asarray(column, np.float64) for column in (scores, ratings)]
    levels = [np.unique(column, return_inverse=True)[1] for column in values]
    weights, cluster = np.asarray(weights), np.asarray(cluster, np.intp)
    statistic = _area if is_binary else _rho
    parts = np.array_split(weights, 1 + len(weights) * cluster.size // _AT_ONCE)
    drawn = (part[:, cluster].astype(np.float64) for part in parts)
    return np.concatenate([statistic(of_reviews, *levels) for of_reviews in drawn])


def mean_within(
    scores: ArrayLike, ratings: ArrayLike, group: ArrayLike, *, is_binary: bool = False
) -> float:
    """Return the mean of `resampled` within groups, weighted by size; NaN below two figures."""
    _, codes, sizes = np.unique(group, return_inverse=True, return_counts=True)
    each = resampled(scores, ratings, codes, np.eye(sizes.size), is_binary=is_binary)
    is_defined = ~np.isnan(each)
    is_defined &= is_defined.sum() > 1
    return float(ratio(each[is_defined] @ sizes[is_defined], sizes[is_defined].sum()))


def _rho(drawn: Array, scores: NDArray[np.intp], ratings: NDArray[np.intp]) -> Array:
    first, second = (_mid_ranks(levels, drawn) for levels in (scores, ratings))
    pairs = ((first, second), (first, first), (second, second))
    product, *squares = (np.einsum("rn,rn,rn->r", drawn, *pair) for pair in pairs)
    coefficient: Array = np.clip(ratio(product, np.sqrt(squares[0] * squares[1])), -1.0, 1.0)
    return coefficient


def _area(drawn: Array, scores: NDArray[np.intp], ratings: NDArray[np.intp]) -> Array:
    """Return the area under the ROC curve; ties count half.

    It is the mean rank of the ones, scaled to its possible range (Mann and Whitney).
    """
    is_one = ratings > 0
    rank_sums = (drawn * _mid_ranks(scores, drawn))[:, is_one].sum(axis=1)
    return 0.5 + ratio(rank_sums, drawn[:, is_one].sum(axis=1) * drawn[:, ~is_one].sum(axis=1))


def _mid_ranks(levels: NDArray[np.intp], drawn: Array) -> Array:
    """Return the centred mid-rank of each review in each resample, (n resamples, n reviews).

    `levels` are the ranks of the values among the distinct values, from 0.
    """
    order = np.argsort(levels, kind="stable")
    starts = np.flatnonzero(np.diff(levels[order], prepend=-1))
    totals = np.add.reduceat(drawn[:, order], starts, axis=1)
    up_to = np.cumsum(totals, axis=1)
    ranks: Array = up_to - totals / 2 - up_to[:, -1:] / 2
    return ranks[:, levels]
