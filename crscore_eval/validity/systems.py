"""Systems that write reviews: their ranks, and agreement on their order.

Source of soft pairwise accuracy: Thompson, Mathur, Deutsch and Khayrallah, "Improving Statistical
Significance in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy" (WMT 2024).
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from crscore_eval.statistics import (
    MAX_SYSTEMS,
    ClusterBootstrap,
    Correlation,
    Estimate,
    ScoresByChange,
    number_or_none,
    rank_correlation,
    scores_by_system,
    share_above_zero,
)
from crscore_eval.statistics.bootstrap import Array, ratio
from crscore_eval.statistics.correlation import rowwise_cosine, rowwise_spearman
from crscore_eval.table import is_by_system
from crscore_eval.validity.agreement import Numbers, clusters, system_ratings

PERMUTATIONS = 1_000
"""Permutations of each test of two systems, as many as the authors' implementation makes."""

MIN_SYSTEMS = 3
"""Minimum number of systems for a correlation; with two, it could only be 1 or -1."""

_MAX_EXACT = 9  # systems: 362,880 orders
_ROUNDING = 1e-9

BySystem = Mapping[str, ScoresByChange]


def busiest_systems(reviews: pd.DataFrame) -> list[str]:
    """Return at most `MAX_SYSTEMS` systems, those with the most reviews, in order of occurrence."""
    systems = reviews["system"][is_by_system(reviews)]
    counts = systems.value_counts(sort=False)
    busiest = counts.sort_values(ascending=False, kind="stable").index[:MAX_SYSTEMS]
    return [str(name) for name in counts.index if name in busiest]


def relevance_by_system(reviews: pd.DataFrame, relevance: Numbers) -> tuple[BySystem, BySystem]:
    """Return the scores and the ratings, from 0 to 1, of the busiest systems' rated reviews."""
    ratings = (system_ratings(reviews, "relevance") - 1) / 4
    is_ranked = ratings.notna() & relevance.notna()
    is_ranked &= reviews["system"].isin(busiest_systems(reviews))
    system, change = reviews["system"][is_ranked], clusters(reviews)[is_ranked]
    scores, ratings_by_system = (
        scores_by_system(values[is_ranked], system, change) for values in (relevance, ratings)
    )
    return scores, ratings_by_system


class RankedSystem(NamedTuple):
    """A system's rank by mean score.

    Rank 1 is the highest mean; ties share their mean rank. The interval of the rank is widened to
    integers. `above_next` is the share of resamples in which the mean exceeds the next system's;
    ties count half. It is None for the last system.
    """

    system: str
    rank: Estimate
    above_next: float | None


def rank_systems(scores: BySystem, bootstrap: ClusterBootstrap) -> Iterator[RankedSystem]:
    """Yield systems by mean score, highest first; ties stay in the given order."""
    from scipy.stats import rankdata

    resampled = _resampled_means(scores, bootstrap)
    observed = np.array([system.mean for system in scores.values()])
    ranks, resampled_ranks = rankdata(-observed), rankdata(-resampled, axis=1)
    order = np.argsort(ranks, kind="stable").tolist()
    names = [*scores]
    for column, next_column in zip(order, [*order[1:], None], strict=True):
        above_next = None
        if next_column is not None:
            above_next = share_above_zero(resampled[:, column] - resampled[:, next_column])
        interval = bootstrap.percentile_interval(resampled_ranks[:, column])
        integers = interval and (math.floor(interval[0]), math.ceil(interval[1]))
        rank = Estimate(float(ranks[column]), integers)
        yield RankedSystem(names[column], rank, above_next)


def system_correlation(
    scores: BySystem, ratings: BySystem, bootstrap: ClusterBootstrap
) -> Correlation:
    """Correlate the mean scores of systems with their mean ratings.

    The systems are fixed. For up to nine, Spearman's p-value is exact: twice the share of the
    orders of the systems that correlate at least as strongly in the same direction. Undefined with
    fewer than `MIN_SYSTEMS`.
    """
    if len(scores) < MIN_SYSTEMS:
        return rank_correlation([], [])
    both = (scores, {name: ratings[name] for name in scores})
    resampled = [_resampled_means(by_system, bootstrap) for by_system in both]
    signs = [np.sign(means[:, :, np.newaxis] - means[:, np.newaxis]) for means in resampled]
    kendall = rowwise_cosine(*(pairs.reshape(len(pairs), -1) for pairs in signs))
    means = [tuple(system.mean for system in by_system.values()) for by_system in both]
    observed = rank_correlation(*means)
    if observed.spearman.value is not None and observed.n <= _MAX_EXACT:
        observed = replace(observed, spearman_p=_exact_p(*means))
    return observed.with_intervals(rowwise_spearman(*resampled), kendall, bootstrap)


def soft_pairwise_accuracy(
    scores: BySystem, ratings: BySystem, bootstrap: ClusterBootstrap
) -> Estimate:
    """Compare systems in pairs by how certain scores and ratings are of their order.

    For each pair of systems, a one-sided test has the p-value that the first has the higher mean
    over the changes that both reviewed; one test is by scores, one by ratings. The accuracy is
    the mean of 1 - |difference of the two p-values| over all pairs of systems with a common change.

    Each test swaps the two systems in a random half of the changes, `PERMUTATIONS` times, with the
    same halves in all tests. Permutations equal to the observed difference count half. The interval
    resamples changes and uses the normal limit of the test: for nine systems and 183 changes, both
    limits are within 0.001 of those from permutations.
    """
    n_changes = bootstrap.weights.shape[1]
    tables = [np.full((n_changes, len(scores)), np.nan) for _ in range(2)]
    for means, by_system in zip(tables, (scores, ratings), strict=True):
        for column, name in enumerate(scores):
            system = by_system[name]
            means[system.change, column] = system.sums / system.counts
    pairs = np.array(list(combinations(range(len(scores)), 2)), int).reshape(-1, 2)
    differences = [means[:, pairs[:, 0]] - means[:, pairs[:, 1]] for means in tables]
    is_common = ~np.isnan(differences[0])
    differences = [np.nan_to_num(difference) for difference in differences]
    by_scores, by_ratings = map(_permuted_p, differences)
    value = _mean_agreement(by_scores, by_ratings, is_common.sum(axis=0, keepdims=True))[0]
    weights = bootstrap.weights.astype(np.float64)
    by_scores, by_ratings = (_limit_p(difference, weights) for difference in differences)
    samples = _mean_agreement(by_scores, by_ratings, weights @ is_common)
    return Estimate(number_or_none(value), bootstrap.percentile_interval(samples))


def _resampled_means(scores: BySystem, bootstrap: ClusterBootstrap) -> Array:
    weights = bootstrap.weights.astype(np.float64)
    return np.stack([system.means(weights) for system in scores.values()], axis=1)


@lru_cache(maxsize=16)
def _exact_p(scores: tuple[float, ...], ratings: tuple[float, ...]) -> float:
    """Return the p-value of Spearman's rho from all orders of the systems."""
    from scipy.stats import permutation_test, rankdata

    ranks, rating_ranks = (np.rint(2 * rankdata(means)) for means in (scores, ratings))
    result = permutation_test(
        (ranks,),
        lambda orders, axis: (orders * rating_ranks).sum(axis=axis),  # increases with rho
        permutation_type="pairings",
        n_resamples=np.inf,
        vectorized=True,
        batch=50_000,
    )
    return float(result.pvalue)


def _permuted_p(differences: Array) -> Array:
    """Return p of each pair of systems by random permutations, (1, n pairs)."""
    shape = PERMUTATIONS, len(differences)
    swaps = np.random.default_rng(0).integers(0, 2, shape, dtype=np.int8)
    permuted, observed = (1.0 - 2 * swaps) @ differences, differences.sum(axis=0)
    rounding = _ROUNDING * np.abs(differences).sum(axis=0)
    is_above, is_below = permuted > observed + rounding, permuted < observed - rounding
    p: Array = (1 + is_above.mean(axis=0, keepdims=True) - is_below.mean(axis=0, keepdims=True)) / 2
    return p


def _limit_p(differences: Array, weights: Array) -> Array:
    """Return p of each pair of systems in the normal limit, (n resamples, n pairs)."""
    from scipy.special import ndtr

    sums, errors = weights @ differences, np.sqrt(weights @ differences**2)
    p: Array = ndtr(-np.divide(sums, errors, out=np.zeros_like(sums), where=errors > 0))
    return p


def _mean_agreement(by_scores: Array, by_ratings: Array, changes: Array) -> Array:
    """Return the mean of 1 - |difference of p| over pairs with common `changes`; NaN if none."""
    is_compared = changes > 0
    agreement = ((1 - np.abs(by_scores - by_ratings)) * is_compared).sum(axis=1)
    return ratio(agreement, is_compared.sum(axis=1))
