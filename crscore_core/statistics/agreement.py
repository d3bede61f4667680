"""Whether people agree beyond chance: Krippendorff's alpha.

Source: K. Krippendorff, "Content Analysis", chapter on reliability, and "Computing Krippendorff's
Alpha-Reliability" (2011), from whose definitions this is written. With o the coincidence matrix
(how often value c meets value k within a unit, each pair of ratings in both orders and weighted
by 1 / (ratings of the unit - 1)), n_c its row sums and n their sum:

    alpha = 1 - (n - 1) * sum(o[c, k] * d[c, k]) / sum(n_c * n_k * d[c, k])
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError

__all__ = ["Scale", "krippendorff_alpha"]

Scale = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    ratings: Sequence[Sequence[float | None]] | ArrayLike, scale: Scale = "ordinal"
) -> float | None:
    """Alpha of a table with a row for each unit (review) and a column for each rater.

    A rating that is missing is None or NaN; units with fewer than two ratings say nothing of
    agreement and are left out. 1 is perfect agreement, 0 what chance gives, below 0 worse than
    that. `scale` says how far apart two values are: "nominal" (different or not), "ordinal"
    (squared number of ratings between them), "interval" (squared difference).

    None where alpha is not defined: no unit has two ratings, or all ratings are the same.

    Raises:
        StatisticsError: not a table of numbers, an infinite rating, or an unknown scale.
    """
    table = _table(ratings)
    pairable = table[np.count_nonzero(~np.isnan(table), axis=1) > 1]
    if pairable.size == 0:
        return None
    values = np.unique(pairable[~np.isnan(pairable)])
    coincidences = _coincidences(pairable, values)
    totals: NDArray[np.float64] = coincidences.sum(axis=1)
    distances = _distances(values, totals, scale)
    expected = float(totals @ distances @ totals)
    if expected == 0:
        return None
    observed = float((coincidences * distances).sum())
    return 1 - (float(totals.sum()) - 1) * observed / expected


def _table(ratings: Sequence[Sequence[float | None]] | ArrayLike) -> NDArray[np.float64]:
    try:
        table = np.asarray(ratings, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatisticsError(f"ratings must be a table of numbers: {error}") from error
    if table.ndim != 2:
        raise StatisticsError(
            f"ratings must have a row a unit and a column a rater, not the shape {table.shape}"
        )
    if np.isinf(table).any():
        raise StatisticsError("ratings hold a value that is not a finite number")
    return table


def _coincidences(table: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often each value meets each within units that all have two ratings or more."""
    counts = (table[:, :, np.newaxis] == values).sum(axis=1).astype(np.float64)
    shares = counts / (counts.sum(axis=1, keepdims=True) - 1)
    met: NDArray[np.float64] = shares.T @ counts
    return met - np.diag(shares.sum(axis=0))  # a rating does not meet itself


def _distances(
    values: NDArray[np.float64], totals: NDArray[np.float64], scale: Scale
) -> NDArray[np.float64]:
    """Squared distance of each pair of values.

    Ordinal: the ratings from one value to the other, counting half of those at either, which is
    the difference of the two values' mid-ranks.
    """
    match scale:
        case "nominal":
            return 1 - np.eye(values.size)
        case "ordinal":
            positions = np.cumsum(totals) - totals / 2
        case "interval":
            positions = values
        case _:
            raise StatisticsError(f"no scale {scale!r}; there are nominal, ordinal and interval")
    return np.subtract.outer(positions, positions) ** 2
