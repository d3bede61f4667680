"""Krippendorff's alpha on the ordinal scale: inter-rater agreement beyond chance.

Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011). Let o be the
coincidence matrix: o[c, k] counts how often values c and k occur together in a unit, in both
orders, with weight 1 / (ratings of the unit - 1). Its row sums are n_c, and their sum is n. d[c, k]
is the squared number of ratings from c to k; ratings of c and of k count half:

    alpha = 1 - (n - 1) * sum(o[c, k] * d[c, k]) / sum(n_c * n_k * d[c, k])
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from crscore_eval.statistics.bootstrap import Array, Estimate, Weights, estimate, ratio


def krippendorff_alpha(
    ratings: Sequence[Sequence[float | None]] | ArrayLike, cluster: ArrayLike, weights: Weights
) -> Estimate:
    """Return ordinal alpha of a table with a row per unit and a column per rater.

    A missing rating is None or NaN; units with fewer than two ratings are ignored. `cluster`,
    (n units,), is the change of each unit, from 0. An alpha of 1 is perfect agreement, 0 is chance;
    it is undefined if no unit has two ratings, or if all ratings are equal.
    """
    table, clusters = np.asarray(ratings, np.float64), np.asarray(cluster, np.intp)
    is_pairable = np.count_nonzero(~np.isnan(table), axis=1) > 1
    table, clusters = table[is_pairable], clusters[is_pairable]
    values = np.unique(table[~np.isnan(table)])
    counts = (table[:, :, np.newaxis] == values).sum(axis=1).astype(np.float64)
    shares = counts / (counts.sum(axis=1, keepdims=True) - 1)
    others = counts[:, np.newaxis] - np.eye(values.size)  # a rating is not paired with itself
    together = shares[:, :, np.newaxis] * others
    by_cluster = np.zeros((weights.shape[1], values.size, values.size))
    np.add.at(by_cluster, clusters, together)
    samples = _alpha(np.tensordot(weights, by_cluster, axes=1))
    return estimate(samples, np.unique(clusters).size, highest=1.0)


def _alpha(coincidences: Array) -> Array:
    """Return alpha of each coincidence matrix, (n resamples, n values, n values)."""
    totals: Array = coincidences.sum(axis=2)
    positions = np.cumsum(totals, axis=1) - totals / 2
    distances = (positions[:, :, np.newaxis] - positions[:, np.newaxis]) ** 2
    expected = np.einsum("rc,rck,rk->r", totals, distances, totals)
    observed = (coincidences * distances).sum(axis=(1, 2))
    return 1 - ratio((totals.sum(axis=1) - 1) * observed, expected)
