"""Systems that write reviews: agreement on their order."""

import pandas as pd

from crscore_eval.statistics import (
    MAX_SYSTEMS,
    ClusterBootstrap,
    Correlation,
    means_by_change,
    rank_correlation,
    resampled_means,
)
from crscore_eval.statistics.correlation import rowwise_spearman
from crscore_eval.table import is_by_system
from crscore_eval.table.clusters import clusters
from crscore_eval.validity.agreement import Numbers, system_ratings

MIN_SYSTEMS = 3
"""Minimum number of systems for a correlation; with two, it could only be 1 or -1."""


def busiest_systems(reviews: pd.DataFrame) -> list[str]:
    """Return at most `MAX_SYSTEMS` systems, those with the most reviews, in order of occurrence."""
    systems = reviews["system"][is_by_system(reviews)]
    counts = systems.value_counts(sort=False)
    busiest = counts.sort_values(ascending=False, kind="stable").index[:MAX_SYSTEMS]
    return [str(name) for name in counts.index if name in busiest]


def relevance_by_system(
    reviews: pd.DataFrame, relevance: Numbers
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the mean scores and ratings, from 0 to 1, within each change (row) by system.

    Only the busiest systems' rated reviews count.
    """
    ratings = (system_ratings(reviews, "relevance") - 1) / 4
    is_ranked = ratings.notna() & relevance.notna()
    is_ranked &= reviews["system"].isin(busiest_systems(reviews))
    system, change = reviews["system"][is_ranked], clusters(reviews)[is_ranked]
    scores, ratings_by_system = (
        means_by_change(values[is_ranked], system, change).unstack("system")[[*system.unique()]]
        for values in (relevance, ratings)
    )
    return scores, ratings_by_system


def system_correlation(
    scores: pd.DataFrame, ratings: pd.DataFrame, bootstrap: ClusterBootstrap
) -> Correlation:
    """Correlate the mean scores of systems with their mean ratings.

    The systems are fixed. Undefined with fewer than `MIN_SYSTEMS`.
    """
    if scores.shape[1] < MIN_SYSTEMS:
        return rank_correlation([], [])
    both = (scores, ratings[scores.columns])
    resampled = (resampled_means(means, bootstrap) for means in both)
    observed = rank_correlation(*(means.mean() for means in both))
    return observed.with_interval(rowwise_spearman(*resampled), len(scores))
