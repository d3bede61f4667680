"""Correlations with people, and means, of a table of reviews.

Functions take a table of reviews (`crscore_eval.table`), and scores and ratings with its index.
The ground truth, the review of the original reviewer, is left out of agreement (paper, section
5.2). Intervals resample changes.
"""

from typing import NamedTuple, TypeAlias

import pandas as pd

from crscore_eval.statistics import (
    MAX_SYSTEMS,
    ClusterBootstrap,
    Correlation,
    Estimate,
    clustered_mean,
    correlate,
    mean_estimates,
    means_by_change,
    rank_correlation,
    resampled_means,
)
from crscore_eval.statistics.correlation import rowwise_spearman
from crscore_eval.table import is_by_system, people_ratings
from crscore_eval.table.clusters import clusters

Numbers: TypeAlias = "pd.Series[float]"

MIN_SYSTEMS = 3
"""Minimum number of systems for a correlation; with two, it could only be 1 or -1."""


class TableCell(NamedTuple):
    """A figure and its place in a table."""

    row: str
    column: str
    estimate: Estimate


def with_pseudo_references(reviews: pd.DataFrame) -> pd.DataFrame:
    """Return the reviews of changes that have pseudo-references."""
    return reviews[reviews["n_pseudo_references"] > 0]


def system_ratings(reviews: pd.DataFrame, dimension: str) -> Numbers:
    """Return people's ratings, 1 to 5; NaN if unrated, and for the ground truth."""
    return people_ratings(reviews, dimension).where(is_by_system(reviews))


def correlation(
    reviews: pd.DataFrame, scores: Numbers, ratings: Numbers, bootstrap: ClusterBootstrap
) -> Correlation:
    """Correlate scores with ratings or labels; NaN is left out."""
    has_both = scores.notna() & ratings.notna()
    return correlate(scores[has_both], ratings[has_both], clusters(reviews)[has_both], bootstrap)


def mean(reviews: pd.DataFrame, values: Numbers, bootstrap: ClusterBootstrap) -> Estimate:
    """Return the mean of values with its interval; NaN is left out."""
    has_value = values.notna()
    return clustered_mean(values[has_value], clusters(reviews)[has_value], bootstrap)


def system_means(reviews: pd.DataFrame, values: Numbers) -> dict[str, Estimate]:
    """Return the mean of each system, and of the ground truth, in order of first occurrence.

    Values are from 0 to 1; NaN is left out. Intervals are t intervals, as in `order_systems`.
    """
    means = means_by_change(values, reviews["system"], clusters(reviews))
    return {
        str(name): Estimate(mean, None if pd.isna(low) else (low, high))
        for name, mean, low, high in mean_estimates(means, 0.0, 1.0).itertuples()
    }


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
