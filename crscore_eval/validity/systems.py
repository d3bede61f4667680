"""Systems that write reviews: their ranks, and agreement on their order."""

import math
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from crscore_eval.statistics import (
    MAX_SYSTEMS,
    ClusterBootstrap,
    Correlation,
    Estimate,
    ScoresByChange,
    percentile_interval,
    rank_correlation,
    scores_by_system,
)
from crscore_eval.statistics.bootstrap import Array
from crscore_eval.statistics.correlation import rowwise_spearman
from crscore_eval.table import is_by_system
from crscore_eval.table.clusters import clusters
from crscore_eval.validity.agreement import Numbers, system_ratings

MIN_SYSTEMS = 3
"""Minimum number of systems for a correlation; with two, it could only be 1 or -1."""

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


def rank_systems(scores: BySystem, bootstrap: ClusterBootstrap) -> Iterator[tuple[str, Estimate]]:
    """Yield systems with their ranks by mean score, the highest first.

    Rank 1 is the highest mean; ties share their mean rank and stay in the given order. Intervals
    are widened to integers.
    """
    from scipy.stats import rankdata

    resampled = _resampled_means(scores, bootstrap)
    ranks = rankdata([-system.mean for system in scores.values()])
    resampled_ranks = rankdata(-resampled, axis=1)
    names = [*scores]
    n_changes = _n_changes(scores)
    for column in np.argsort(ranks, kind="stable").tolist():
        interval = percentile_interval(resampled_ranks[:, column], n_changes)
        integers = interval and (math.floor(interval[0]), math.ceil(interval[1]))
        yield names[column], Estimate(float(ranks[column]), integers)


def system_correlation(
    scores: BySystem, ratings: BySystem, bootstrap: ClusterBootstrap
) -> Correlation:
    """Correlate the mean scores of systems with their mean ratings.

    The systems are fixed. Undefined with fewer than `MIN_SYSTEMS`.
    """
    if len(scores) < MIN_SYSTEMS:
        return rank_correlation([], [])
    both = (scores, {name: ratings[name] for name in scores})
    resampled = [_resampled_means(by_system, bootstrap) for by_system in both]
    means = [tuple(system.mean for system in by_system.values()) for by_system in both]
    observed = rank_correlation(*means)
    return observed.with_interval(rowwise_spearman(*resampled), _n_changes(scores))


def _n_changes(scores: BySystem) -> int:
    return np.unique(np.concatenate([system.change for system in scores.values()])).size


def _resampled_means(scores: BySystem, bootstrap: ClusterBootstrap) -> Array:
    weights = bootstrap.weights.astype(np.float64)
    return np.stack([system.means(weights) for system in scores.values()], axis=1)
