"""Agreement of a metric with people on pairs of reviews within a change.

Source: Deutsch, Foster and Freitag, "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise
Accuracy and Tie Calibration" (EMNLP 2023).
"""

import numpy as np
from numpy.typing import ArrayLike

from crscore_eval.statistics.bootstrap import Array, ClusterBootstrap, Estimate, clustered_mean

MAX_PAIRS = 2_000_000
"""Limit of pairs within changes, for memory; ten reviews of 40,000 changes have 1,800,000."""

_ROUNDING = 1e-9


def pairwise_accuracy(
    scores: ArrayLike, ratings: ArrayLike, cluster: ArrayLike, bootstrap: ClusterBootstrap
) -> tuple[Estimate, float | None, int]:
    """Compare the reviews of each change in pairs; return accuracy, epsilon, number of pairs.

    A pair is right if scores and ratings order it alike, or both tie it. Scores that differ by
    epsilon or less are tied. The accuracy is the mean share of right pairs over changes (the
    paper's acc_eq, grouped by item). Epsilon is the smallest value with the highest accuracy (tie
    calibration), the same in all resamples. All arrays are (n reviews,). Undefined without pairs,
    or with more than `MAX_PAIRS`.
    """
    both = np.asarray(scores, np.float64), np.asarray(ratings, np.float64)
    changes = np.asarray(cluster, np.intp)
    n_reviews = np.bincount(changes)
    n_pairs = int((n_reviews * (n_reviews - 1) // 2).sum())
    if not 0 < n_pairs <= MAX_PAIRS:
        return Estimate(None), None, n_pairs
    by_change = np.split(np.argsort(changes, kind="stable"), np.cumsum(n_reviews)[:-1])
    pairs = [rows[np.stack(np.triu_indices(rows.size, 1))] for rows in by_change]
    first, second = np.concatenate(pairs, axis=1)
    change = changes[first]
    by_score, by_rating = (values[first] - values[second] for values in both)
    is_tie, is_ordered = by_rating == 0, np.sign(by_score) * np.sign(by_rating) > 0
    distance = np.abs(by_score)
    weight = 1 / np.bincount(change)[change]
    epsilon = _best_epsilon(distance, (is_tie * 1.0 - is_ordered) * weight)
    is_right = np.where(distance <= epsilon, is_tie, is_ordered)
    compared = np.unique(change)
    accuracies = np.bincount(change, is_right * weight)[compared]
    return clustered_mean(accuracies, compared, bootstrap), epsilon, n_pairs


def _best_epsilon(distance: Array, gain: Array) -> float:
    """Return the smallest epsilon with the highest accuracy.

    `gain`, (n pairs,), is how much the accuracy rises if a pair becomes a tie. Pairs become ties
    up to a `distance` of epsilon.
    """
    order = np.argsort(distance, kind="stable")
    distances, total_gains = distance[order], np.cumsum(gain[order])
    is_last = np.append(distances[:-1] < distances[1:], True)
    epsilons, gains = np.append(0.0, distances[is_last]), np.append(0.0, total_gains[is_last])
    return float(epsilons[np.argmax(gains >= gains.max() - _ROUNDING)])
