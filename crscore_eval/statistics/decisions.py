"""Binary decisions from a score, at a cross-validated threshold, and their agreement with people.

Balanced accuracy is the mean of sensitivity and specificity. Cohen's kappa is
(agreement - chance) / (1 - chance) (Educational and Psychological Measurement 20, 1960).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError
from crscore_eval.statistics.sample import cluster_numbers, finite, ratio, weights_of

FOLDS = 10
"""Number of folds of clusters; the threshold for each is chosen on the other nine."""

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


def held_out_decisions(scores: ArrayLike, is_yes: Flags, cluster: ArrayLike) -> Flags:
    """Decide for each of n scores whether it exceeds the best threshold of the other folds.

    The best threshold has the highest balanced accuracy there; of several, use the lowest.
    Clusters, (n,), stay together, and are assigned to folds in a fixed random order.

    Raises:
        InputError: lengths differ, or a score is not finite.
    """
    values = finite("scores", scores)
    clusters = cluster_numbers(cluster, values.size)
    if is_yes.shape != values.shape:
        raise InputError(f"there are {values.size} scores and {is_yes.size} decisions")
    known = np.unique(clusters)
    if known.size < 2:
        raise InputError("choosing a threshold needs at least two clusters")
    dealt = np.random.default_rng(0).permutation(known.size) % FOLDS
    fold = dealt[np.searchsorted(known, clusters)]
    decisions = np.zeros(values.size, dtype=np.bool_)
    for number in np.unique(fold):
        held_out = fold == number
        threshold = _best_threshold(values[~held_out], is_yes[~held_out])
        decisions[held_out] = values[held_out] > threshold
    return decisions


def _best_threshold(values: Array, is_yes: Flags) -> float:
    """Return the lowest score, or minus infinity, above which balanced accuracy is highest."""
    order = np.argsort(values, kind="stable")
    rising, yes = values[order], is_yes[order]
    if not yes.any() or yes.all():
        return -np.inf
    missed = np.concatenate(([0], np.cumsum(yes))) / yes.sum()
    rejected = np.concatenate(([0], np.cumsum(~yes))) / (~yes).sum()
    # A threshold is at the last of equal scores.
    is_last = np.concatenate(([True], rising[1:] > rising[:-1], [True]))
    balanced = np.where(is_last, rejected - missed, -np.inf)
    best = int(np.argmax(balanced))
    return -np.inf if best == 0 else float(rising[best - 1])


class ClusteredDecisions:
    """Decisions by a metric and by people on items in clusters.

    Methods take the weights of resamples, which `weights_of` describes and checks.
    """

    def __init__(self, decided: Flags, is_yes: Flags, cluster: ArrayLike) -> None:
        """Take three arrays of (n,): two of booleans, and clusters from 0.

        Raises:
            InputError: clusters are not n integers from 0.
        """
        clusters = cluster_numbers(cluster, is_yes.size)
        kind = 2 * is_yes + decided
        self._counts = np.zeros((int(clusters.max()) + 1, 4))
        np.add.at(self._counts, (clusters, kind), 1)

    def balanced_accuracy(self, weights: ArrayLike) -> Array:
        """Return balanced accuracy in each resample, (n resamples,); NaN if all people agree."""
        true_no, false_yes, false_no, true_yes = self._resampled(weights)
        shares = ratio(true_no, true_no + false_yes) + ratio(true_yes, true_yes + false_no)
        return np.asarray(shares / 2)

    def kappa(self, weights: ArrayLike) -> Array:
        """Return Cohen's kappa in each resample, (n resamples,); NaN if all decisions are equal."""
        true_no, false_yes, false_no, true_yes = self._resampled(weights)
        n = true_no + false_yes + false_no + true_yes
        agreed = ratio(true_no + true_yes, n)
        yes, decided = ratio(true_yes + false_no, n), ratio(true_yes + false_yes, n)
        chance = yes * decided + (1 - yes) * (1 - decided)
        return ratio(agreed - chance, 1 - chance)

    def _resampled(self, weights: ArrayLike) -> Array:
        counts: Array = (weights_of(weights, len(self._counts)) @ self._counts).T
        return counts
