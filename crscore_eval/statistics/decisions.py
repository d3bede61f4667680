"""Decisions at a threshold that was chosen on other changes, and their agreement with people."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError
from crscore_eval.statistics.bootstrap import Array, ClusterBootstrap, Estimate, Mask, ratio

FOLDS = 10
"""Number of folds of changes. The threshold for each fold is chosen on the other folds."""


def folds_of(cluster: ArrayLike) -> NDArray[np.intp]:
    """Return the fold of each value, (n,); a cluster is in one fold, drawn with a fixed seed.

    Raises:
        InputError: there is only one cluster.
    """
    clusters, cluster_number = np.unique(np.asarray(cluster), return_inverse=True)
    if clusters.size < 2:
        raise InputError("choosing a threshold on other changes needs at least two changes")
    folds: NDArray[np.intp] = np.random.default_rng(0).permutation(clusters.size) % FOLDS
    return folds[cluster_number]


def held_out_decisions(scores: ArrayLike, is_yes: Mask, cluster: ArrayLike) -> Mask:
    """Decide for each of n scores whether it exceeds the best threshold of the other folds.

    The best threshold has the highest balanced accuracy on them; of several, the lowest is used.

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
    """Return balanced accuracy and Cohen's kappa of n decisions; clusters are numbered from 0.

    Both are as in scikit-learn. Balanced accuracy is undefined if all of people's decisions are
    the same, kappa if all decisions of people and the metric are the same.
    """
    counts = np.zeros((bootstrap.weights.shape[1], 4))
    np.add.at(counts, (np.asarray(cluster), 2 * is_yes + decided), 1)

    def balanced(weights: NDArray[np.int16]) -> Array:
        true_no, false_yes, false_no, true_yes = (weights @ counts).T
        specificity = ratio(true_no, true_no + false_yes)
        sensitivity = ratio(true_yes, true_yes + false_no)
        return np.asarray((specificity + sensitivity) / 2)

    def kappa(weights: NDArray[np.int16]) -> Array:
        true_no, false_yes, false_no, true_yes = (weights @ counts).T
        n = true_no + false_yes + false_no + true_yes
        share_yes, share_decided = ratio(true_yes + false_no, n), ratio(true_yes + false_yes, n)
        chance = share_yes * share_decided + (1 - share_yes) * (1 - share_decided)
        return ratio(ratio(true_no + true_yes, n) - chance, 1 - chance)

    return bootstrap.estimate(balanced), bootstrap.estimate(kappa)


def _best_threshold(values: Array, is_yes: Mask) -> float:
    """Return the lowest score, or minus infinity, above which balanced accuracy is highest."""
    order = np.argsort(values, kind="stable")
    thresholds, is_yes = values[order], is_yes[order]
    if not is_yes.any() or is_yes.all():
        return -np.inf
    false_no = np.concatenate(([0], np.cumsum(is_yes))) / is_yes.sum()
    true_no = np.concatenate(([0], np.cumsum(~is_yes))) / (~is_yes).sum()
    # Of equal scores, only the last can be a threshold.
    is_last = np.concatenate(([True], thresholds[1:] > thresholds[:-1], [True]))
    best = int(np.argmax(np.where(is_last, true_no - false_no, -np.inf)))
    return -np.inf if best == 0 else float(thresholds[best - 1])
