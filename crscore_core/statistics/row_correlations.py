"""Rank correlations of many metrics, or of one at many thresholds, with the same ratings."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics.clustered_pairs import FEW_LEVELS
from crscore_core.statistics.contingency import (
    correlation,
    level_ranks,
    levels_vary,
    untied_pairs,
)
from crscore_core.statistics.rank_correlation import rank_correlation
from crscore_core.statistics.sample import finite

__all__ = ["RowCorrelations", "row_correlations"]

Array = NDArray[np.float64]

_CELLS = 2**22  # of the tables of rows taken at once: 32 MB, and some of them live


@dataclass(frozen=True, slots=True, eq=False)
class RowCorrelations:
    """Spearman's rho and Kendall's tau-b of each row, both (n rows,); NaN where undefined."""

    spearman: Array
    kendall: Array


def row_correlations(metrics: ArrayLike, people: ArrayLike) -> RowCorrelations:
    """Correlate each row of `metrics`, (n rows, n reviews), with `people`, (n reviews,).

    As `rank_correlation` without p-values. Where people gave few distinct values, from one table
    of counts a row: the values of the metric by those of people.

    Raises:
        StatisticsError: the lengths differ, nothing is given, or a value is not a finite number.
    """
    rows, ratings = finite("metrics", metrics, ndim=2), finite("people", people)
    if rows.shape[1] != ratings.size:
        raise StatisticsError(
            f"metrics of {rows.shape[1]} reviews cannot be compared with {ratings.size} ratings"
        )
    n_ratings = np.unique(ratings).size
    if n_ratings > FEW_LEVELS:
        return _one_by_one(rows, ratings)
    step = max(1, _CELLS // (ratings.size * n_ratings))
    parts = [_at_once(rows[at : at + step], ratings) for at in range(0, len(rows), step)]
    return RowCorrelations(
        np.concatenate([part.spearman for part in parts]),
        np.concatenate([part.kendall for part in parts]),
    )


def _at_once(rows: Array, ratings: Array) -> RowCorrelations:
    counts = _counts(rows, ratings)
    of_metric, of_people = counts.sum(axis=2).T, counts.sum(axis=1).T
    return RowCorrelations(
        _spearman(counts, of_metric, of_people), _kendall(counts, of_metric, of_people)
    )


def _one_by_one(rows: Array, ratings: Array) -> RowCorrelations:
    """The table of counts would be large, and most of it empty."""
    found = [rank_correlation(row, ratings) for row in rows]
    undefined = float("nan")
    return RowCorrelations(
        np.array([undefined if one.spearman is None else one.spearman for one in found]),
        np.array([undefined if one.kendall is None else one.kendall for one in found]),
    )


def _counts(rows: Array, ratings: Array) -> Array:
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


def _spearman(counts: Array, of_metric: Array, of_people: Array) -> Array:
    one, other = level_ranks(of_metric), level_ranks(of_people)
    product = (counts * one.T[:, :, np.newaxis] * other.T[:, np.newaxis]).sum(axis=(1, 2))
    return correlation(
        product,
        (of_metric * one**2).sum(axis=0),
        (of_people * other**2).sum(axis=0),
        levels_vary(of_metric) & levels_vary(of_people),
    )


def _kendall(counts: Array, of_metric: Array, of_people: Array) -> Array:
    below = np.cumsum(counts, axis=1) - counts  # reviews with a lower value, by rating
    lower = np.cumsum(below, axis=2) - below  # and a lower rating
    higher = below.sum(axis=2, keepdims=True) - below - lower
    return correlation(
        (counts * (lower - higher)).sum(axis=(1, 2)),
        untied_pairs(of_metric),
        untied_pairs(of_people),
        levels_vary(of_metric) & levels_vary(of_people),
    )
