"""Agreement of scores with people: review by review, within changes, and on systems.

Functions take a table of reviews (`crscore_eval.table`), and scores and ratings with its index.
The ground truth, the review of the original reviewer, is left out of agreement (paper, section
5.2). Intervals resample changes.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from crscore_eval.statistics import (
    MAX_SYSTEMS,
    ClusterBootstrap,
    Correlation,
    Estimate,
    clustered_mean,
    correlate,
    pairwise_accuracy,
    scores_by_system,
)
from crscore_eval.table import is_by_system, people_ratings
from crscore_eval.validity.systems import (
    RankedSystem,
    rank_systems,
    soft_pairwise_accuracy,
    system_correlation,
)

Numbers: TypeAlias = "pd.Series[float]"


class Figure(NamedTuple):
    """A figure in a row and a column of a table."""

    row: str
    column: str
    estimate: Estimate


def with_pseudo_references(reviews: pd.DataFrame) -> pd.DataFrame:
    """Return the reviews of changes that have pseudo-references."""
    return reviews[reviews["n_pseudo_references"] > 0]


def clusters(table: pd.DataFrame) -> NDArray[np.intp]:
    """Return the number of each row's change, (n,), from 0 in order of first occurrence."""
    return np.asarray(pd.factorize(table["change"])[0], dtype=np.intp)


def bootstrap_of(reviews: pd.DataFrame, n_resamples: int | None = None) -> ClusterBootstrap:
    """Resample the changes of a table, by default as `ClusterBootstrap.for_size` does."""
    n_changes = reviews["change"].nunique()
    if n_resamples is None:
        return ClusterBootstrap.for_size(n_changes, len(reviews))
    return ClusterBootstrap(max(1, n_changes), n_resamples)


def ratings_of_systems(reviews: pd.DataFrame, dimension: str) -> Numbers:
    """Return people's ratings, 1 to 5; NaN if unrated, and for the ground truth."""
    return people_ratings(reviews, dimension).where(is_by_system(reviews))


def correlation(
    reviews: pd.DataFrame,
    scores: Numbers,
    ratings: Numbers,
    bootstrap: ClusterBootstrap,
    subset: "pd.Series[bool] | None" = None,
) -> Correlation:
    """Correlate scores with ratings or labels, of all reviews or a subset; NaN is left out."""
    has_both = scores.notna() & ratings.notna()
    if subset is not None:
        has_both &= subset
    return correlate(scores[has_both], ratings[has_both], clusters(reviews)[has_both], bootstrap)


def pairwise(
    reviews: pd.DataFrame, scores: Numbers, ratings: Numbers, bootstrap: ClusterBootstrap
) -> tuple[Estimate, float | None, int]:
    """Compare the reviews of each change in pairs, see `pairwise_accuracy`; NaN is left out."""
    has_both = scores.notna() & ratings.notna()
    return pairwise_accuracy(
        scores[has_both], ratings[has_both], clusters(reviews)[has_both], bootstrap
    )


def mean(
    reviews: pd.DataFrame,
    values: Numbers,
    bootstrap: ClusterBootstrap,
    subset: "pd.Series[bool] | None" = None,
) -> Estimate:
    """Return the mean of values, of all reviews or a subset, with its interval; NaN is left out."""
    has_value = values.notna() if subset is None else values.notna() & subset
    return clustered_mean(values[has_value], clusters(reviews)[has_value], bootstrap)


def means_of_systems(
    reviews: pd.DataFrame, values: Numbers, bootstrap: ClusterBootstrap
) -> dict[str, Estimate]:
    """Return the mean of each system, and of the ground truth, in order of first occurrence."""
    has_value = values.notna().to_numpy()
    system, change = reviews["system"][has_value], clusters(reviews)[has_value]
    weights = bootstrap.weights.astype(float)
    return {
        name: Estimate(scores.mean, bootstrap.interval_of(scores.means(weights)))
        for name, scores in scores_by_system(values[has_value], system, change).items()
    }


def busiest_systems(reviews: pd.DataFrame, limit: int = MAX_SYSTEMS) -> list[str]:
    """Return the systems with the most reviews, in order of first occurrence, no ground truth."""
    systems = reviews["system"][is_by_system(reviews)]
    counts = systems.value_counts(sort=False)
    busiest = counts.sort_values(ascending=False, kind="stable").index[:limit]
    return [str(name) for name in counts.index if name in busiest]


class SystemAgreement(NamedTuple):
    """Agreement on the order of systems by mean relevance (Tables 2 and 15).

    by_people: the ranking by ratings, on a scale from 0 to 1.
    by_scores: the ranking by the metric.
    means: the correlation of the means.
    soft_pairwise_accuracy: see the function of this name.
    """

    by_people: list[RankedSystem]
    by_scores: list[RankedSystem]
    means: Correlation
    soft_pairwise_accuracy: Estimate


def system_agreement(
    reviews: pd.DataFrame, relevance: Numbers, bootstrap: ClusterBootstrap
) -> SystemAgreement | None:
    """Compare systems by mean relevance, rated by people and scored.

    Only rated reviews of `busiest_systems` count; None without any.
    """
    ratings = (ratings_of_systems(reviews, "relevance") - 1) / 4
    is_ranked = ratings.notna() & relevance.notna()
    is_ranked &= reviews["system"].isin(busiest_systems(reviews))
    if not is_ranked.any():
        return None
    system, change = reviews["system"][is_ranked], clusters(reviews)[is_ranked]
    scores, ratings_by_system = (
        scores_by_system(values[is_ranked], system, change) for values in (relevance, ratings)
    )
    return SystemAgreement(
        rank_systems(ratings_by_system, bootstrap),
        rank_systems(scores, bootstrap),
        system_correlation(scores, ratings_by_system, bootstrap),
        soft_pairwise_accuracy(scores, ratings_by_system, bootstrap),
    )
