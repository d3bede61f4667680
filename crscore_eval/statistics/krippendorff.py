"""Krippendorff's alpha on the ordinal scale: inter-rater agreement beyond chance.

Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011). Of the n ratings of
units with several, n_c have the value c. d[c, k] is the squared number of ratings from c to k;
ratings of c and of k count half. The first sum is over the pairs of ratings of a unit, in both
orders, with weight 1 / (ratings of the unit - 1):

    alpha = 1 - (n - 1) * sum(weight * d[c, k]) / sum(n_c * n_k * d[c, k])
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from crscore_eval.statistics.bootstrap import Estimate, Weights, estimate, ratio


def krippendorff_alpha(
    ratings: Sequence[Sequence[float | None]] | ArrayLike, cluster: ArrayLike, weights: Weights
) -> Estimate:
    """Return ordinal alpha of a table with a row per unit and a column per rater.

    A missing rating is None or NaN; units with fewer than two ratings are ignored. `cluster`,
    (n units,), is the change of each unit, from 0. An alpha of 1 is perfect agreement, 0 is chance;
    it is undefined if no unit has two ratings, or if all ratings are equal.
    """
    table, clusters = np.asarray(ratings, np.float64), np.asarray(cluster, np.intp)
    is_rated = ~np.isnan(table)
    n_ratings = np.count_nonzero(is_rated, axis=1)
    is_rated &= n_ratings[:, np.newaxis] > 1
    values = np.unique(table[is_rated])
    levels = np.searchsorted(values, table)
    counts = np.zeros((weights.shape[1], values.size))
    np.add.at(counts, (clusters[np.nonzero(is_rated)[0]], levels[is_rated]), 1)
    totals = weights @ counts
    n = totals.sum(axis=1, keepdims=True)
    positions = np.cumsum(totals, axis=1) - totals / 2 - n / 2  # their weighted mean is 0
    observed = np.zeros(len(weights))
    for one, other in combinations(range(table.shape[1]), 2):
        both = is_rated[:, one] & is_rated[:, other]
        distances = (positions[:, levels[both, one]] - positions[:, levels[both, other]]) ** 2
        observed += (weights[:, clusters[both]] / (n_ratings[both] - 1) * distances).sum(axis=1)
    samples = 1 - ratio((n[:, 0] - 1) * observed, (n * totals * positions**2).sum(axis=1))
    return estimate(samples, np.unique(clusters[n_ratings > 1]).size, highest=1.0)
