"""The systems that wrote the reviews, as the metric and as people see them (Tables 2, 10, 15)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.datasets.study.model import SYSTEMS, StudyChange
from crscore_core.statistics import (
    ClusterBootstrap,
    Estimate,
    Ranking,
    SystemCorrelation,
    SystemScores,
    rank_systems,
    system_correlation,
    system_scores,
)

__all__ = ["Means", "SystemTables", "human_means", "metric_means", "system_tables"]

Array = NDArray[np.float64]
Means = Mapping[str, Mapping[str, Estimate]]


@dataclass(frozen=True, slots=True)
class SystemTables:
    """Systems by relevance, the ground truth left out: by people, by the metric, and how alike.

    `correlation` is that of Table 2, the rankings those of Table 15.
    """

    people: Ranking
    metric: Ranking
    correlation: SystemCorrelation


def human_means(changes: Iterable[StudyChange], n_resamples: int = 1000) -> Means:
    """Each system's mean ratings, brought from 1..5 to 0..1, by dimension (Table 10, left).

    All rated reviews count, the ground truth's too. Intervals resample changes.
    """
    rated = [
        (position, review.system, review.rating)
        for position, change in enumerate(change for change in changes if change.is_rated)
        for review in change.reviews
        if review.rating
    ]
    at, systems = np.array([position for position, _, _ in rated]), [one for _, one, _ in rated]
    bootstrap = ClusterBootstrap(int(at.max()) + 1, n_resamples)
    values = np.array([[getattr(rating, name) for name in DIMENSIONS] for _, _, rating in rated])
    return _means((values.T - 1) / 4, systems, at, bootstrap)


def metric_means(comparison: CorpusComparison, scores: Array, bootstrap: ClusterBootstrap) -> Means:
    """Each system's mean Con, Comp and Rel, (n dimensions, n reviews) `scores` (Table 10, right).

    Intervals resample changes.
    """
    return _means(scores, comparison.system.tolist(), comparison.change, bootstrap)


def system_tables(
    comparison: CorpusComparison, relevance: Array, bootstrap: ClusterBootstrap
) -> SystemTables:
    """Rank systems by their mean relevance, (n reviews,), and by people's (Tables 2 and 15)."""
    judged = comparison.is_judged
    change, names = comparison.change[judged], comparison.system[judged].tolist()
    n = len(comparison.changes)
    rated = comparison.ratings[judged, DIMENSIONS.index("relevance")]
    metric = system_scores(relevance[judged], names, change, n)
    people = system_scores((rated - 1) / 4, names, change, n)
    return SystemTables(
        rank_systems(people, bootstrap),
        rank_systems(metric, bootstrap),
        system_correlation(metric, people, bootstrap),
    )


def _means(
    values: Array, systems: list[str], change: NDArray[np.intp], bootstrap: ClusterBootstrap
) -> Means:
    n = bootstrap.weights.shape[1]
    by_dimension = {
        name: _estimates(system_scores(values[row], systems, change, n), bootstrap)
        for row, name in enumerate(DIMENSIONS)
    }
    return {
        system: {name: by_dimension[name][system] for name in DIMENSIONS}
        for system in SYSTEMS
        if system in set(systems)
    }


def _estimates(scores: SystemScores, bootstrap: ClusterBootstrap) -> dict[str, Estimate]:
    return {
        one.system: Estimate(one.mean, one.mean_interval)
        for one in rank_systems(scores, bootstrap).systems
    }
