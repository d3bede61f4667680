"""Reviews that two metrics rank far apart: there, one of them must be wrong."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Disagreement:
    """The m reviews with values of both metrics, the largest difference of ranks first.

    `positions`, (m,), are indices into the columns; ties are in order of index. `one` and `other`,
    (m,), are the ranks by each metric, see `rank_shares`.
    """

    positions: NDArray[np.intp]
    one: Array
    other: Array


def disagreement(one: Array, other: Array) -> Disagreement:
    """Rank the reviews with a value in both columns, each (n,), NaN for missing."""
    known = np.flatnonzero(~np.isnan(one) & ~np.isnan(other))
    first, second = _doubled_ranks(one[known]), _doubled_ranks(other[known])
    order = np.argsort(-np.abs(first - second), kind="stable")
    most = 2 * max(1, known.size)
    return Disagreement(known[order], first[order] / most, second[order] / most)


def rank_shares(values: Array) -> Array:
    """Return each review's share of reviews with lower values, (n,), in (0, 1); ties count half.

    NaN for a review without a value, which is ignored.
    """
    shares = np.full(values.size, np.nan)
    known = ~np.isnan(values)
    shares[known] = _doubled_ranks(values[known]) / (2 * max(1, int(known.sum())))
    return shares


def _doubled_ranks(values: Array) -> Array:
    """Count lower values twice and ties once: whole numbers, so that ties are exact."""
    from scipy import stats

    doubled: Array = 2 * stats.rankdata(values) - 1
    return doubled
