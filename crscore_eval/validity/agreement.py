"""Correlations with people, and means, of a table of reviews.

Functions take a table of reviews (`crscore_eval.table`), and scores and ratings with its index.
The ground truth, the review of the original reviewer, is left out of agreement (paper, section
5.2). Intervals resample changes.
"""

from collections.abc import Mapping
from typing import TypeAlias

import pandas as pd

from crscore_eval.statistics.bootstrap import Estimate, Weights
from crscore_eval.statistics.correlation import correlate
from crscore_eval.statistics.difference import mean_estimates, means_by_change
from crscore_eval.table import is_by_system, people_ratings
from crscore_eval.table.clusters import clusters

Numbers: TypeAlias = "pd.Series[float]"

Figures: TypeAlias = Mapping[str, Mapping[str, Estimate]]
"""The figures of a table by row and column."""

MIN_SYSTEMS = 3
"""Minimum number of systems for a correlation; with two, it could only be 1 or -1."""


def with_pseudo_references(reviews: pd.DataFrame) -> pd.DataFrame:
    """Return the reviews of changes that have pseudo-references."""
    return reviews[reviews["n_pseudo_references"] > 0]


def system_ratings(reviews: pd.DataFrame, dimension: str) -> Numbers:
    """Return people's ratings, 1 to 5; NaN if unrated, and for the ground truth."""
    return people_ratings(reviews, dimension).where(is_by_system(reviews))


def correlation(
    reviews: pd.DataFrame, scores: Numbers, ratings: Numbers, weights: Weights
) -> dict[str, Estimate]:
    """Correlate scores with ratings or labels, see `correlate`; NaN is left out."""
    has_both = scores.notna() & ratings.notna()
    return correlate(scores[has_both], ratings[has_both], clusters(reviews)[has_both], weights)


def system_means(reviews: pd.DataFrame, values: Numbers) -> dict[str, Estimate]:
    """Return the mean of each system, and of the ground truth, in order of first occurrence.

    Values are from 0 to 1; NaN is left out. Intervals are t intervals, as in `order_systems`.
    """
    means = means_by_change(values, reviews["system"], clusters(reviews))
    return {
        str(name): Estimate(*figures)
        for name, *figures in mean_estimates(means, 0.0, 1.0).itertuples()
    }


def system_correlations(
    reviews: pd.DataFrame, relevance: pd.DataFrame
) -> list[dict[str, Estimate]]:
    """Correlate the mean relevance of systems with people's, for each column of scores.

    Intervals are undefined: a resample of changes does not cover other systems. Empty with fewer
    than `MIN_SYSTEMS`.
    """
    columns = relevance.assign(people=system_ratings(reviews, "relevance")).dropna()
    by_change = columns.groupby([reviews["system"], reviews["change"]]).mean()
    means = by_change.groupby("system").mean().round(12)  # equal, however they are summed
    scores = means.drop(columns="people") if len(means) >= MIN_SYSTEMS else means[:0]
    return [correlate(scores[name], means["people"][scores.index]) for name in relevance]
