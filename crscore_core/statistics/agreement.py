"""Agreement of people beyond chance: Krippendorff's alpha on the ordinal or nominal scale.

Source: K. Krippendorff, "Content Analysis", chapter on reliability, and "Computing Krippendorff's
Alpha-Reliability" (2011). o is the coincidence matrix: how often value c meets value k within a
unit, each pair of ratings in both orders and weighted by 1 / (ratings of the unit - 1). With n_c
its row sums, n their sum, and d[c, k] the squared number of ratings from one value to the other,
counting half of those at either; on the nominal scale 1 between any two values:

    alpha = 1 - (n - 1) * sum(o[c, k] * d[c, k]) / sum(n_c * n_k * d[c, k])
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics.sample import cluster_numbers, weights_of


class ClusteredRatings:
    """Ratings of units (reviews) that belong to clusters (changes), ready to be resampled.

    The coincidence matrix of a resample is the weighted sum of the clusters' matrices.
    """

    def __init__(
        self, ratings: Sequence[Sequence[float | None]] | ArrayLike, cluster: ArrayLike
    ) -> None:
        """Take a table with a row a unit and a column a rater, and each unit's cluster, from 0.

        A missing rating is None or NaN; units with fewer than two ratings are left out.

        Raises:
            StatisticsError: not a table of finite numbers, there is no unit, or clusters are not
                whole numbers from 0, one a unit.
        """
        try:
            table = np.asarray(ratings, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise StatisticsError(f"ratings must be a table of numbers: {error}") from error
        if table.ndim != 2 or not table.size or np.isinf(table).any():
            raise StatisticsError(
                "ratings must be finite, with a row a unit and a column a rater, not of the shape "
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

    def nominal_alpha(self, weights: ArrayLike) -> NDArray[np.float64]:
        """Alpha of values without an order, such as codes; the rest is as for `alpha`."""
        return self._alpha(weights, is_nominal=True)

    def alpha(self, weights: ArrayLike) -> NDArray[np.float64]:
        """Alpha of each resample on the ordinal scale, (n resamples,).

        1 is perfect agreement, 0 that of chance, below 0 worse than chance. NaN where alpha is
        not defined: no unit has two ratings, or all ratings are the same. `weights`, (n
        resamples, n clusters), says how often each cluster was drawn. Ones give the alpha of what
        was observed.

        Raises:
            StatisticsError: the weights are negative, not finite, or too few columns.
        """
        return self._alpha(weights, is_nominal=False)

    def _alpha(self, weights: ArrayLike, *, is_nominal: bool) -> NDArray[np.float64]:
        drawn = weights_of(weights, self._by_cluster.shape[0])
        coincidences = np.tensordot(drawn, self._by_cluster, axes=1)
        totals: NDArray[np.float64] = coincidences.sum(axis=2)
        positions = np.cumsum(totals, axis=1) - totals / 2
        distances = (positions[:, :, np.newaxis] - positions[:, np.newaxis]) ** 2
        if is_nominal:
            distances = np.broadcast_to(1 - np.eye(totals.shape[1]), distances.shape)
        expected = np.einsum("rc,rck,rk->r", totals, distances, totals)
        observed = (coincidences * distances).sum(axis=(1, 2))
        disagreement = np.full(expected.shape, np.nan)
        np.divide(
            (totals.sum(axis=1) - 1) * observed, expected, out=disagreement, where=expected != 0
        )
        return 1 - disagreement


def _coincidences(table: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coincidence matrix of units that all have two ratings or more."""
    counts = (table[:, :, np.newaxis] == values).sum(axis=1).astype(np.float64)
    shares = counts / (counts.sum(axis=1, keepdims=True) - 1)
    met: NDArray[np.float64] = shares.T @ counts
    return met - np.diag(shares.sum(axis=0))  # a rating does not meet itself
