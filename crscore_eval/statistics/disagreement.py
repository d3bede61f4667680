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
    first, second = rank_shares(one[known]), rank_shares(other[known])
    doubled = np.rint(2 * known.size * (first - second))  # whole numbers, so that ties are exact
    order = np.argsort(-np.abs(doubled), kind="stable")
    return Disagreement(known[order], first[order], second[order])


def rank_shares(values: Array) -> Array:
    """Return each review's share of reviews with lower values, (n,), in (0, 1); ties count half.

    NaN for a review without a value, which is ignored.
    """
    from scipy import stats

    shares: Array = stats.rankdata(values, nan_policy="omit") - 0.5
    return shares / max(1, int((~np.isnan(values)).sum()))
