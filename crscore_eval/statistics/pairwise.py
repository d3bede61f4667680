"""Agreement of a metric with people on pairs: of reviews within a change, and of systems.

Ratings from 1 to 5 are mostly ties, and a rank correlation over all reviews also rewards a metric
that knows which changes are easy. Both figures here compare what a reader compares.

Sources: Deutsch, Foster and Freitag, "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise
Accuracy and Tie Calibration" (EMNLP 2023); Thompson, Mathur, Deutsch and Khayrallah, "Improving
Statistical Significance in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy" (WMT
2024).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_eval.statistics.bootstrap import (
    Array,
    ClusterBootstrap,
    Estimate,
    clustered_mean,
    number_or_none,
    ratio,
)
from crscore_eval.statistics.systems import SystemScores, system_scores

Whole = NDArray[np.intp]

MOST_PAIRS = 2_000_000
"""Limit of pairs within changes, for memory; ten reviews of each of 40,000 changes are fewer."""

PERMUTATIONS = 1_000
"""Permutations of each test, as many as the authors' implementation makes."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class PairwiseAccuracy:
    """Share of pairs of reviews that a metric orders, or ties, as people do.

    Scores that differ by `epsilon` or less count as tied. `pairs` is the number of pairs within
    changes. Without pairs, or with more than `MOST_PAIRS`, accuracy and epsilon are undefined.
    """

    accuracy: Estimate
    epsilon: float | None
    pairs: int


def pairwise_accuracy(
    scores: ArrayLike, ratings: ArrayLike, cluster: ArrayLike, bootstrap: ClusterBootstrap
) -> PairwiseAccuracy:
    """Compare the reviews of each change in pairs; all three arrays are (n reviews,).

    A pair is right if scores and ratings order it alike, or both tie it. The accuracy is the mean
    of the changes' shares of right pairs (the paper's acc_eq, grouped by item): every change
    counts the same, however many reviews it has. Changes with one review have no pair and do not
    count. Epsilon is the smallest of those that give the highest accuracy (tie calibration), so a
    metric never scores below the share of pairs that people tie.

    The interval keeps the observed epsilon. Near the best one the accuracy hardly changes: on the
    human study calibrating each resample again moves the ends by less than 0.002.
    """
    metric, people = np.asarray(scores, np.float64), np.asarray(ratings, np.float64)
    changes = np.asarray(cluster, np.intp)
    reviews = np.bincount(changes)
    n_pairs = int((reviews * (reviews - 1) // 2).sum())
    if not 0 < n_pairs <= MOST_PAIRS:
        return PairwiseAccuracy(Estimate(None), None, n_pairs)
    one, other = _pairs_within(changes)
    change = changes[one]
    by_metric, by_people = (side[one] - side[other] for side in (metric, people))
    is_tie, is_ordered = by_people == 0, np.sign(by_metric) * np.sign(by_people) > 0
    distance = np.abs(by_metric)
    share = 1 / np.bincount(change)[change]
    epsilon = _best_epsilon(distance, (is_tie * 1.0 - is_ordered) * share)
    is_right = np.where(distance <= epsilon, is_tie, is_ordered)
    compared = np.unique(change)
    accuracies = np.bincount(change, is_right * share)[compared]
    return PairwiseAccuracy(clustered_mean(accuracies, compared, bootstrap), epsilon, n_pairs)


def soft_pairwise_accuracy(
    scores: ArrayLike,
    ratings: ArrayLike,
    system: Sequence[str],
    cluster: ArrayLike,
    bootstrap: ClusterBootstrap | None = None,
) -> Estimate:
    """Compare systems in pairs by how sure a metric and people are of their order.

    Scores, ratings, systems and changes are those of reviews, each (n reviews,). For each pair of
    systems, p is that of a one-sided test that the first has the higher mean over the changes that
    both reviewed, one by the metric and one by people. The accuracy is the mean of 1 - |difference
    of the two p|, over all pairs of systems with a common change; undefined where there is none.

    Each test swaps the two systems in a random half of the changes, `PERMUTATIONS` times, the same
    halves for all tests. Permutations as high as what was observed count half: so the order of the
    systems does not matter, and equal scores give 0.5. Several reviews of a change by one system
    count as their mean. The interval resamples changes (none without `bootstrap`) and takes the
    test's normal limit in each resample: on nine systems and 183 changes its ends are within 0.001
    of those by permutations, in a 250th of the time.
    """
    metric, people = np.asarray(scores, np.float64), np.asarray(ratings, np.float64)
    changes = np.asarray(cluster, np.intp)
    n_changes = bootstrap.weights.shape[1] if bootstrap else int(changes.max(initial=0)) + 1
    sides = [system_scores(side, system, changes, n_changes) for side in (metric, people)]
    has = sides[0].counts > 0
    first, second = np.triu_indices(has.shape[1], 1)
    is_common = has[:, first] & has[:, second]
    differences = [_differences(side, first, second, is_common) for side in sides]
    by_metric, by_people = map(_permuted_p, differences)
    value = _mean_agreement(by_metric, by_people, is_common.sum(axis=0, keepdims=True))[0]
    if bootstrap is None:
        return Estimate(number_or_none(value))
    weights = bootstrap.weights.astype(np.float64)
    by_metric, by_people = (_limit_p(side, weights) for side in differences)
    samples = _mean_agreement(by_metric, by_people, weights @ is_common)
    return Estimate(number_or_none(value), bootstrap.interval_of(samples))


def _pairs_within(changes: Whole) -> tuple[Whole, Whole]:
    """Return both reviews of each pair with the same change, as places: each (n pairs,)."""
    order = np.argsort(changes, kind="stable")
    starts, sizes = np.unique(changes[order], return_index=True, return_counts=True)[1:]
    found = []
    for size in np.unique(sizes[sizes > 1]):
        pairs = starts[sizes == size] + np.stack(np.triu_indices(size, 1))[:, :, np.newaxis]
        found.append(order[pairs.reshape(2, -1)])
    one, other = np.concatenate(found, axis=1)
    return one, other


def _best_epsilon(distance: Array, gain: Array) -> float:
    """Return the smallest epsilon with the highest accuracy.

    `gain`, (n pairs,), is what the accuracy gains where a pair becomes a tie, as all pairs up to a
    `distance` of epsilon do.
    """
    order = np.argsort(distance, kind="stable")
    distances, gained = distance[order], np.cumsum(gain[order])
    last = np.append(distances[:-1] < distances[1:], True)
    epsilons, gains = np.append(0.0, distances[last]), np.append(0.0, gained[last])
    return float(epsilons[np.argmax(gains >= gains.max() - _ROUNDING)])


def _differences(
    side: SystemScores, first: Whole, second: Whole, is_common: NDArray[np.bool_]
) -> Array:
    """Difference of two systems on each change, 0 where one is missing: (n changes, n pairs)."""
    means = side.sums / np.maximum(side.counts, 1)
    return np.where(is_common, means[:, first] - means[:, second], 0.0)


def _permuted_p(differences: Array) -> Array:
    """Return p of each pair of systems by random permutations, (1, n pairs)."""
    shape = PERMUTATIONS, len(differences)
    swaps = np.random.default_rng(0).integers(0, 2, shape, dtype=np.int8)
    permuted, observed = (1.0 - 2 * swaps) @ differences, differences.sum(axis=0)
    rounding = _ROUNDING * np.abs(differences).sum(axis=0)
    above, below = (permuted > observed + rounding, permuted < observed - rounding)
    p: Array = (1 + above.mean(axis=0, keepdims=True) - below.mean(axis=0, keepdims=True)) / 2
    return p


def _limit_p(differences: Array, weights: Array) -> Array:
    """Return p of each pair of systems in the normal limit, (n resamples, n pairs)."""
    from scipy.special import ndtr

    tops, errors = weights @ differences, np.sqrt(weights @ differences**2)
    p: Array = ndtr(-np.divide(tops, errors, out=np.zeros_like(tops), where=errors > 0))
    return p


def _mean_agreement(by_metric: Array, by_people: Array, changes: Array) -> Array:
    """Mean of 1 - |difference of p| over pairs of systems with common `changes`; NaN if none."""
    is_known = changes > 0
    agreement = ((1 - np.abs(by_metric - by_people)) * is_known).sum(axis=1)
    return ratio(agreement, is_known.sum(axis=1))
