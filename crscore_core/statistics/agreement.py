"""Agreement of people beyond chance: Krippendorff's alpha.

Source: K. Krippendorff, "Content Analysis", chapter on reliability, and "Computing Krippendorff's
Alpha-Reliability" (2011). o is the coincidence matrix: how often value c meets value k within a
unit, each pair of ratings in both orders and weighted by 1 / (ratings of the unit - 1). With n_c
its row sums and n their sum:

    alpha = 1 - (n - 1) * sum(o[c, k] * d[c, k]) / sum(n_c * n_k * d[c, k])
"""

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics.sample import cluster_numbers, weights_of

__all__ = ["ClusteredRatings", "Scale", "krippendorff_alpha"]

Scale = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    ratings: Sequence[Sequence[float | None]] | ArrayLike, scale: Scale = "ordinal"
) -> float | None:
    """Return alpha of a table with a row for each unit (review) and a column for each rater.

    A missing rating is None or NaN; units with fewer than two ratings are left out. 1 is perfect
    agreement, 0 that of chance, below 0 worse than chance. `scale` is the distance of two values:
    "nominal" (different or not), "ordinal" (squared number of ratings between them), "interval"
    (squared difference).

    None where alpha is not defined: no unit has two ratings, or all ratings are the same.

    Raises:
        StatisticsError: not a table of numbers, an infinite rating, or an unknown scale.
    """
    table = _table(ratings)
    if table.shape[0] == 0:
        return None
    one_cluster = np.zeros(table.shape[0], dtype=np.intp)
    alpha = float(ClusteredRatings(table, one_cluster, scale).alpha([[1]])[0])
    return None if math.isnan(alpha) else alpha


class ClusteredRatings:
    """Ratings of units that belong to clusters (changes), ready to be resampled.

    The coincidence matrix of a resample is the weighted sum of the clusters' matrices.
    """

    def __init__(
        self,
        ratings: Sequence[Sequence[float | None]] | ArrayLike,
        cluster: ArrayLike,
        scale: Scale = "ordinal",
    ) -> None:
        """Take a table as `krippendorff_alpha` does, and the cluster of each unit, from 0.

        Raises:
            StatisticsError: as for `krippendorff_alpha`, there is no unit, or clusters are not
                whole numbers from 0, one a unit.
        """
        table = _table(ratings)
        if table.shape[0] == 0:
            raise StatisticsError("there are no ratings")
        clusters = cluster_numbers(cluster, table.shape[0])
        if scale not in get_args(Scale):
            raise StatisticsError(f"no scale {scale!r}; there are {', '.join(get_args(Scale))}")
        is_pairable = np.count_nonzero(~np.isnan(table), axis=1) > 1
        pairable, of_pairable = table[is_pairable], clusters[is_pairable]
        self._scale = scale
        self._values = np.unique(pairable[~np.isnan(pairable)])
        self._by_cluster = np.stack(  # (n clusters, n values, n values)
            [
                _coincidences(pairable[of_pairable == number], self._values)
                for number in range(int(clusters.max()) + 1)
            ]
        )

    def alpha(self, weights: ArrayLike) -> NDArray[np.float64]:
        """Alpha of each resample, (n resamples,); NaN where it is not defined.

        `weights`, (n resamples, n clusters), says how often each cluster was drawn. Ones give
        the alpha of what was observed.

        Raises:
            StatisticsError: the weights are negative, not finite, or too few columns.
        """
        n_clusters = self._by_cluster.shape[0]
        drawn = weights_of(weights, n_clusters)
        coincidences = np.tensordot(drawn, self._by_cluster, axes=1)
        totals: NDArray[np.float64] = coincidences.sum(axis=2)
        distances = _distances(self._values, totals, self._scale)
        expected = np.einsum("rc,rck,rk->r", totals, distances, totals)
        observed = (coincidences * distances).sum(axis=(1, 2))
        disagreement = np.full(expected.shape, np.nan)
        np.divide(
            (totals.sum(axis=1) - 1) * observed, expected, out=disagreement, where=expected != 0
        )
        return 1 - disagreement


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
    """Coincidence matrix of units that all have two ratings or more."""
    counts = (table[:, :, np.newaxis] == values).sum(axis=1).astype(np.float64)
    shares = counts / (counts.sum(axis=1, keepdims=True) - 1)
    met: NDArray[np.float64] = shares.T @ counts
    return met - np.diag(shares.sum(axis=0))  # a rating does not meet itself


def _distances(
    values: NDArray[np.float64], totals: NDArray[np.float64], scale: Scale
) -> NDArray[np.float64]:
    """Squared distance of each pair of values: (n resamples, n values, n values).

    On the ordinal scale the distance is the difference of the two values' mid-ranks.
    """
    match scale:
        case "nominal":
            return np.broadcast_to(1 - np.eye(values.size), (*totals.shape, values.size))
        case "ordinal":
            positions = np.cumsum(totals, axis=1) - totals / 2
        case "interval":
            positions = np.broadcast_to(values, totals.shape)
    distances: NDArray[np.float64] = (positions[:, :, np.newaxis] - positions[:, np.newaxis]) ** 2
    return distances
