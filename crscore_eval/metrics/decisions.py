"""Decisions at a threshold that was chosen on other changes, and their agreement with people."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError
from crscore_eval.statistics import Array, ClusterBootstrap, Estimate, Mask
from crscore_eval.statistics.bootstrap import ratio

FOLDS = 10
"""Number of folds of changes; the threshold for each is chosen on the others."""


def folds_of(cluster: ArrayLike) -> NDArray[np.intp]:
    """Return the fold of each value, (n,); clusters stay together, dealt in a fixed random order.

    Raises:
        InputError: there is only one cluster.
    """
    clusters, place = np.unique(np.asarray(cluster), return_inverse=True)
    if clusters.size < 2:
        raise InputError("choosing a threshold on other changes needs at least two changes")
    dealt: NDArray[np.intp] = np.random.default_rng(0).permutation(clusters.size) % FOLDS
    return dealt[place]


def held_out_decisions(scores: ArrayLike, is_yes: Mask, cluster: ArrayLike) -> Mask:
    """Decide for each of n scores whether it exceeds the best threshold of the other folds.

    The best threshold has the highest balanced accuracy there; ties go to the lowest.

    Raises:
        InputError: there is only one cluster.
    """
    values, fold = np.asarray(scores, np.float64), folds_of(cluster)
    decisions = np.zeros(values.size, dtype=np.bool_)
    for number in np.unique(fold):
        held_out = fold == number
        threshold = _best_threshold(values[~held_out], is_yes[~held_out])
        decisions[held_out] = values[held_out] > threshold
    return decisions


def balanced_accuracy_and_kappa(
    decided: Mask, is_yes: Mask, cluster: ArrayLike, bootstrap: ClusterBootstrap
) -> tuple[Estimate, Estimate]:
    """Return balanced accuracy and Cohen's kappa of decisions, all (n,), clusters from 0.

    Both equal scikit-learn's. Balanced accuracy is undefined if people always decide alike, kappa
    if all decisions are the same.
    """
    counts = np.zeros((bootstrap.weights.shape[1], 4))
    np.add.at(counts, (np.asarray(cluster), 2 * is_yes + decided), 1)

    def balanced(weights: NDArray[np.int16]) -> Array:
        true_no, false_yes, false_no, true_yes = (weights @ counts).T
        sides = ratio(true_no, true_no + false_yes) + ratio(true_yes, true_yes + false_no)
        return np.asarray(sides / 2)

    def kappa(weights: NDArray[np.int16]) -> Array:
        true_no, false_yes, false_no, true_yes = (weights @ counts).T
        n = true_no + false_yes + false_no + true_yes
        actual, decided_yes = ratio(true_yes + false_no, n), ratio(true_yes + false_yes, n)
        chance = actual * decided_yes + (1 - actual) * (1 - decided_yes)
        return ratio(ratio(true_no + true_yes, n) - chance, 1 - chance)

    return bootstrap.estimate(balanced), bootstrap.estimate(kappa)


def _best_threshold(values: Array, is_yes: Mask) -> float:
    """Return the lowest score, or minus infinity, above which balanced accuracy is highest."""
    order = np.argsort(values, kind="stable")
    rising, yes = values[order], is_yes[order]
    if not yes.any() or yes.all():
        return -np.inf
    missed = np.concatenate(([0], np.cumsum(yes))) / yes.sum()
    rejected = np.concatenate(([0], np.cumsum(~yes))) / (~yes).sum()
    # A threshold is at the last of equal scores.
    is_last = np.concatenate(([True], rising[1:] > rising[:-1], [True]))
    best = int(np.argmax(np.where(is_last, rejected - missed, -np.inf)))
    return -np.inf if best == 0 else float(rising[best - 1])
