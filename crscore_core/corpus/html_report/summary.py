"""Systems and agreement with people over all reviews of a report."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import busiest_systems, corpus_bootstrap, system_means
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    rank_correlation,
)

__all__ = ["MOST_SYSTEMS", "Agreement", "ReportSummary", "SystemRow", "report_summary"]

Array = NDArray[np.float64]

MOST_SYSTEMS = 100
"""Systems with a row: those with most reviews."""

_RELEVANCE = DIMENSIONS.index("relevance")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Rank correlations of a score with people's ratings in one dimension, over `reviews`."""

    dimension: str
    reviews: int
    spearman: Estimate
    kendall: Estimate


@dataclass(frozen=True, slots=True)
class SystemRow:
    """Means of one system by dimension, the metric's from 0 to 1 and people's from 1 to 5.

    `agreement` compares Rel with people's relevance; None where they rated none.
    """

    name: str
    reviews: int
    metric: Mapping[str, Estimate]
    people: Mapping[str, Estimate]
    agreement: Agreement | None


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """All systems, or the `MOST_SYSTEMS` with most reviews of `n_systems`, and the agreement.

    `rated` names the `DIMENSIONS` in which people rated reviews other than the ground truth's.
    """

    systems: tuple[SystemRow, ...]
    n_systems: int
    rated: tuple[str, ...]
    agreement: tuple[Agreement, ...]
    n_resamples: int


def report_summary(comparison: CorpusComparison, tau: float) -> ReportSummary:
    """Summarise all reviews at `tau`; intervals resample changes.

    Raises:
        StatisticsError: there are more changes than can be resampled.
    """
    bootstrap = corpus_bootstrap(comparison)
    shown = busiest_systems(comparison.rated_maxima, MOST_SYSTEMS)
    scores = comparison.scores([tau])[:, 0]
    metric = system_means(comparison, scores, bootstrap, shown)
    people = system_means(comparison, comparison.ratings.T, bootstrap, shown)
    judged = [comparison.is_judged_in(name) for name in DIMENSIONS]
    agreement = tuple(
        _agreement(comparison, scores[row], row, chosen, bootstrap)
        for row, chosen in enumerate(judged)
        if chosen.any()
    )
    is_rated = ~np.isnan(comparison.ratings[:, _RELEVANCE])
    systems = []
    for name, n_reviews in shown.items():
        chosen = is_rated & (comparison.system == name)
        agrees = (
            _agreement(comparison, scores[_RELEVANCE], _RELEVANCE, chosen, bootstrap)
            if chosen.any()
            else None
        )
        systems.append(SystemRow(name, n_reviews, metric[name], people[name], agrees))
    return ReportSummary(
        tuple(systems),
        len({review.system for review in comparison.reviews}),
        tuple(one.dimension for one in agreement),
        agreement,
        len(bootstrap.weights),
    )


def _agreement(
    comparison: CorpusComparison,
    scores: Array,
    row: int,
    chosen: NDArray[np.bool_],
    bootstrap: ClusterBootstrap,
) -> Agreement:
    people, change = comparison.ratings[chosen, row], comparison.change[chosen]
    observed = rank_correlation(scores[chosen], people)
    spearman, kendall = ClusteredPairs(scores[chosen], people, change).both(bootstrap.weights)
    return Agreement(
        DIMENSIONS[row],
        observed.n,
        Estimate(observed.spearman, bootstrap.interval_of(spearman)),
        Estimate(observed.kendall, bootstrap.interval_of(kendall)),
    )
