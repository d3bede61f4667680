"""Systems and agreement with people over all reviews of a report."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import busiest_systems, corpus_bootstrap, system_means
from crscore_core.statistics import (
    Correlation,
    Estimate,
    correlate,
)

MOST_SYSTEMS = 100
"""Systems with a row: those with most reviews."""

_RELEVANCE = DIMENSIONS.index("relevance")


@dataclass(frozen=True, slots=True)
class SystemRow:
    """Means of one system by dimension, the metric's from 0 to 1 and people's from 1 to 5.

    `agreement` compares Rel with people's relevance; None where they rated none.
    """

    name: str
    reviews: int
    metric: Mapping[str, Estimate]
    people: Mapping[str, Estimate]
    agreement: Correlation | None


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """All systems, or the `MOST_SYSTEMS` with most reviews of `n_systems`, and the agreement.

    `agreement` has the `DIMENSIONS` in which people rated reviews other than the ground truth's.
    """

    systems: tuple[SystemRow, ...]
    n_systems: int
    agreement: Mapping[str, Correlation]
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

    def agreement_of(dimension: int, chosen: NDArray[np.bool_]) -> Correlation | None:
        people, change = comparison.ratings[chosen, dimension], comparison.change[chosen]
        return correlate(scores[dimension, chosen], people, change, bootstrap)

    agreement = {
        name: agreement_of(dimension, comparison.is_judged_in(name))
        for dimension, name in enumerate(DIMENSIONS)
    }
    is_rated = ~np.isnan(comparison.ratings[:, _RELEVANCE])
    systems = tuple(
        SystemRow(
            name,
            n_reviews,
            metric[name],
            people[name],
            agreement_of(_RELEVANCE, is_rated & (comparison.system == name)),
        )
        for name, n_reviews in shown.items()
    )
    return ReportSummary(
        systems,
        len({review.system for review in comparison.reviews}),
        {name: found for name, found in agreement.items() if found},
        len(bootstrap.weights),
    )
