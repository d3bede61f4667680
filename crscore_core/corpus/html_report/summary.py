"""What a report says of all reviews together."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.resamples import corpus_bootstrap
from crscore_core.corpus.systems import busiest_systems, of_systems, system_means
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    rank_correlation,
)

__all__ = ["MOST_SYSTEMS", "Agreement", "ReportSummary", "SystemRow", "report_summary"]

Array = NDArray[np.float64]

MOST_SYSTEMS = 100
"""How many systems have a row, those with most reviews."""

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
    """One system: means by dimension, the metric's from 0 to 1 and people's from 1 to 5.

    `agreement` is that of Rel with people's relevance; None where they rated none.
    """

    name: str
    reviews: int
    metric: Mapping[str, Estimate]
    people: Mapping[str, Estimate]
    agreement: Agreement | None


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """All systems, or the `MOST_SYSTEMS` with most reviews of `n_systems`, and the agreement.

    `rated` are those of `DIMENSIONS` in which people rated reviews, the ground truth's apart.
    """

    systems: tuple[SystemRow, ...]
    n_systems: int
    rated: tuple[str, ...]
    agreement: tuple[Agreement, ...]
    n_resamples: int


def report_summary(comparison: CorpusComparison, tau: float) -> ReportSummary:
    """The summary at `tau`; intervals resample changes.

    Raises:
        StatisticsError: there are more changes than can be resampled.
    """
    bootstrap = corpus_bootstrap(comparison)
    shown = of_systems(comparison, busiest_systems(comparison, MOST_SYSTEMS))
    scores, of_shown = comparison.scores([tau])[:, 0], shown.scores([tau])[:, 0]
    metric = system_means(shown, of_shown, bootstrap)
    people = system_means(shown, shown.ratings.T, bootstrap)
    found = [
        _agreement(comparison, scores[row], row, comparison.is_judged_in(name), bootstrap)
        for row, name in enumerate(DIMENSIONS)
    ]
    agreement = tuple(one for one in found if one is not None)
    is_rated = ~np.isnan(shown.ratings[:, _RELEVANCE])
    systems = tuple(
        SystemRow(
            name,
            int((shown.system == name).sum()),
            metric[name],
            people[name],
            _agreement(
                shown,
                of_shown[_RELEVANCE],
                _RELEVANCE,
                is_rated & (shown.system == name),
                bootstrap,
            ),
        )
        for name in metric
    )
    return ReportSummary(
        systems,
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
) -> Agreement | None:
    if not chosen.any():
        return None
    people, change = comparison.ratings[chosen, row], comparison.change[chosen]
    observed = rank_correlation(scores[chosen], people)
    spearman, kendall = ClusteredPairs(scores[chosen], people, change).both(bootstrap.weights)
    return Agreement(
        DIMENSIONS[row],
        observed.n,
        Estimate(observed.spearman, bootstrap.interval_of(spearman)),
        Estimate(observed.kendall, bootstrap.interval_of(kendall)),
    )
