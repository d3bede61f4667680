"""Correlations with people, and means, of a table of reviews.

Functions take a table of reviews (`crscore_eval.table`), and scores and ratings with its index.
The ground truth, the review of the original reviewer, is left out of agreement (paper, section
5.2). Intervals resample changes.
"""

from typing import NamedTuple, TypeAlias

import pandas as pd

from crscore_eval.statistics import (
    ClusterBootstrap,
    Correlation,
    Estimate,
    clustered_mean,
    correlate,
    mean_estimates,
    means_by_change,
)
from crscore_eval.table import is_by_system, people_ratings
from crscore_eval.table.clusters import clusters

Numbers: TypeAlias = "pd.Series[float]"


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
