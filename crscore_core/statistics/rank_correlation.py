"""Spearman's rho and Kendall's tau-b: of one pair of orders, and of many metrics at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics.bootstrap import number_or_none
from crscore_core.statistics.sample import finite, paired

Array = NDArray[np.float64]

FEW_LEVELS = 64
"""Distinct values of one side with which a table of both sides' values is small."""

_CELLS = 2**22  # of the tables of rows taken at once: 32 MB, and some of them live


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Both rank correlations of `n` pairs, in [-1, 1], and their two-sided p-values.

    All four are None where one side is constant or there is one pair only: then there is no order
    to agree with, which is not a correlation of 0. The p-values are those of the null hypothesis
    of no correlation and **take the pairs as independent**, as the paper does (table 3). Reviews
    of one change are not: for inference use intervals that resample changes (`ClusterBootstrap`).
    """

    spearman: float | None
    kendall: float | None
    spearman_p: float | None
    kendall_p: float | None
    n: int


def rank_correlation(metric: ArrayLike, people: ArrayLike) -> RankCorrelation:
    """Correlate a metric with people's ratings of the same reviews, both (n,).

    Ties share the mean of their ranks (Spearman) and are corrected for on both sides (Kendall's
    tau-b). The values and p-values are scipy's.

    Raises:
        StatisticsError: the lengths differ, nothing is given, or a value is not a finite number.
    """
    from scipy import stats

    scores, ratings = paired(metric, people)
    if np.ptp(scores) == 0 or np.ptp(ratings) == 0:
        return RankCorrelation(None, None, None, None, scores.size)
    spearman, kendall = stats.spearmanr(scores, ratings), stats.kendalltau(scores, ratings)
    return RankCorrelation(
        float(spearman.statistic),
        float(kendall.statistic),
        number_or_none(spearman.pvalue),  # two pairs have none
        number_or_none(kendall.pvalue),
        scores.size,
    )


def row_correlations(metrics: ArrayLike, people: ArrayLike) -> tuple[Array, Array]:
    """Correlate each row of `metrics`, (n rows, n reviews), with `people`, (n reviews,).

    Returns Spearman's rho and Kendall's tau-b of each row, both (n rows,), equal to those of
    `rank_correlation`, and NaN where they are undefined. Where people gave few distinct
    values, a row costs one table of counts: the values of the metric by those of people.

    Raises:
        StatisticsError: the lengths differ, nothing is given, or a value is not a finite number.
    """
    rows, ratings = finite("metrics", metrics, ndim=2), finite("people", people)
    if rows.shape[1] != ratings.size:
        raise StatisticsError(
            f"metrics of {rows.shape[1]} reviews cannot be compared with {ratings.size} ratings"
        )
    n_ratings = np.unique(ratings).size
    if n_ratings > FEW_LEVELS:  # the tables would be large, and most of them empty
        found = [rank_correlation(row, ratings) for row in rows]
        return (
            np.array([row.spearman for row in found], dtype=np.float64),
            np.array([row.kendall for row in found], dtype=np.float64),
        )
    step = max(1, _CELLS // (ratings.size * n_ratings))
    parts = [
        _correlations_from_tables(_tables(rows[start : start + step], ratings))
        for start in range(0, len(rows), step)
    ]
    spearman, kendall = (np.concatenate(part) for part in zip(*parts, strict=True))
    return spearman, kendall


def level_ranks(counts: Array) -> Array:
    """Mid-ranks of levels less their mean: (levels, samples), from the count of each level."""
    up_to: Array = np.cumsum(counts, axis=0)
    ranks: Array = up_to - counts / 2 - up_to[-1] / 2
    return ranks


def untied_pairs(counts: Array) -> Array:
    """Number of pairs that differ in level, in each sample, from counts, (levels, samples)."""
    total = counts.sum(axis=0)
    pairs: Array = (total * total - np.einsum("kr,kr->r", counts, counts)) / 2
    return pairs


def correlation(top: Array, first: Array, second: Array) -> Array:
    """`top` over the geometric mean of `first` and `second`, within [-1, 1].

    NaN where either is 0: a side without two levels has no variance and no untied pair.
    """
    ratio = np.full(top.shape, np.nan)
    scale = np.sqrt(np.maximum(first, 0) * np.maximum(second, 0))
    np.divide(top, scale, out=ratio, where=scale > 0)
    clipped: Array = np.clip(ratio, -1.0, 1.0)
    return clipped


def _tables(rows: Array, ratings: Array) -> Array:
    """Reviews by value of the metric, rising, and by rating: (n rows, n values, n ratings)."""
    levels, level = np.unique(ratings, return_inverse=True)
    order = np.argsort(rows, axis=1)
    rises = np.diff(np.take_along_axis(rows, order, axis=1), axis=1) > 0
    value = np.zeros(rows.shape, dtype=np.intp)
    np.cumsum(rises, axis=1, out=value[:, 1:])
    n_rows, n_values = len(rows), int(value.max()) + 1
    cell = (np.arange(n_rows)[:, np.newaxis] * n_values + value) * levels.size + level[order]
    counts = np.bincount(cell.ravel(), minlength=n_rows * n_values * levels.size)
    return counts.reshape(n_rows, n_values, levels.size).astype(np.float64)


def _correlations_from_tables(counts: Array) -> tuple[Array, Array]:
    """Spearman's rho and Kendall's tau-b of each table, both (n rows,)."""
    metric, people = counts.sum(axis=2).T, counts.sum(axis=1).T
    metric_ranks, people_ranks = level_ranks(metric), level_ranks(people)
    product = counts * metric_ranks.T[:, :, np.newaxis] * people_ranks.T[:, np.newaxis]
    below = np.cumsum(counts, axis=1) - counts  # reviews with a lower score, by rating
    lower = np.cumsum(below, axis=2) - below  # and with a lower rating
    higher = below.sum(axis=2, keepdims=True) - below - lower
    return (
        correlation(
            product.sum(axis=(1, 2)),
            (metric * metric_ranks**2).sum(axis=0),
            (people * people_ranks**2).sum(axis=0),
        ),
        correlation(
            (counts * (lower - higher)).sum(axis=(1, 2)),
            untied_pairs(metric),
            untied_pairs(people),
        ),
    )
