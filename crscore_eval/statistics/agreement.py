"""Krippendorff's alpha on the ordinal or nominal scale: inter-rater agreement beyond chance.

Source: K. Krippendorff, "Content Analysis", chapter on reliability, and "Computing Krippendorff's
Alpha-Reliability" (2011). Let o be the coincidence matrix, which counts how often values c and k
occur together in a unit, in both orders, with weight 1 / (ratings of the unit - 1). With row sums
n_c, their sum n, and d[c, k] the squared number of ratings from c to k, counting half of those at
either end (on the nominal scale, 1 between distinct values):

    alpha = 1 - (n - 1) * sum(o[c, k] * d[c, k]) / sum(n_c * n_k * d[c, k])
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError
from crscore_eval.statistics.sample import cluster_numbers, ratio, weights_of


class ClusteredRatings:
    """Ratings of units (reviews) in clusters (changes), prepared for resampling.

    The coincidence matrix of a resample is the weighted sum of the clusters' matrices. `alpha`
    takes the weights of resamples, which `weights_of` describes and checks.
    """

    def __init__(
        self, ratings: Sequence[Sequence[float | None]] | ArrayLike, cluster: ArrayLike
    ) -> None:
        """Take a table with a row per unit and a column per rater, and each unit's cluster, from 0.

        A missing rating is None or NaN; units with fewer than two ratings are ignored.

        Raises:
            InputError: `ratings` is not a table of finite numbers or has no units, or
                clusters are not integers from 0, one per unit.
        """
        try:
            table = np.asarray(ratings, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"ratings must be a table of numbers: {error}") from error
        if table.ndim != 2 or not table.size or np.isinf(table).any():
            raise InputError(
                "ratings must be finite, with a row per unit and a column per rater, not of shape "
                f"{table.shape}"
            )
        clusters = cluster_numbers(cluster, table.shape[0])
        is_pairable = np.count_nonzero(~np.isnan(table), axis=1) > 1
        pairable, of_pairable = table[is_pairable], clusters[is_pairable]
        values = np.unique(pairable[~np.isnan(pairable)])
        self._by_cluster = np.stack(  # (n clusters, n values, n values)
            [
                _coincidences(pairable[of_pairable == number], values)
                for number in range(int(clusters.max()) + 1)
            ]
        )

    def alpha(self, weights: ArrayLike, *, is_nominal: bool = False) -> NDArray[np.float64]:
        """Return alpha on the ordinal or nominal scale in each resample, (n resamples,).

        1 is perfect agreement, 0 is chance, below 0 is worse than chance. NaN if alpha is
        undefined: no unit has two ratings, or all ratings are equal.
        """
        drawn = weights_of(weights, self._by_cluster.shape[0])
        coincidences = np.tensordot(drawn, self._by_cluster, axes=1)
        totals: NDArray[np.float64] = coincidences.sum(axis=2)
        positions = np.cumsum(totals, axis=1) - totals / 2
        distances = (positions[:, :, np.newaxis] - positions[:, np.newaxis]) ** 2
        if is_nominal:
            distances = np.broadcast_to(1 - np.eye(totals.shape[1]), distances.shape)
        expected = np.einsum("rc,rck,rk->r", totals, distances, totals)
        observed = (coincidences * distances).sum(axis=(1, 2))
        return 1 - ratio((totals.sum(axis=1) - 1) * observed, expected)


def _coincidences(table: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the coincidence matrix of units that all have two ratings or more."""
    counts = (table[:, :, np.newaxis] == values).sum(axis=1).astype(np.float64)
    shares = counts / (counts.sum(axis=1, keepdims=True) - 1)
    met: NDArray[np.float64] = shares.T @ counts
    return met - np.diag(shares.sum(axis=0))  # a rating is not paired with itself
