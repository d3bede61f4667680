"""Order of systems by what people say and by the metric, and how far the two agree."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.systems import MOST_SYSTEMS, busiest_systems
from crscore_eval.statistics import (
    ClusterBootstrap,
    Correlation,
    Estimate,
    RankedSystem,
    SystemScores,
    rank_systems,
    soft_pairwise_accuracy,
    system_correlation,
    system_scores,
)

_RELEVANCE = DIMENSIONS.index("relevance")

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SystemTables:
    """Systems by relevance, the ground truth left out: by people, by the metric, and how alike.

    `correlation` is that of the paper's Table 2, the rankings those of Table 15.
    """

    people: tuple[RankedSystem, ...]
    metric: tuple[RankedSystem, ...]
    correlation: Correlation


def system_tables(
    comparison: Reviews, relevance: Array, bootstrap: ClusterBootstrap
) -> SystemTables | None:
    """Rank systems by their mean relevance, (n reviews,), and by people's (Tables 2 and 15).

    Only reviews whose relevance people rated count, of the `MOST_SYSTEMS` systems with the most
    reviews; None where there are none.
    """
    judged, systems = _rated(comparison)
    if not judged.any():
        return None
    people = (comparison.ratings[:, _RELEVANCE] - 1) / 4
    by_people, by_metric = (
        _scores(comparison, values, judged, systems) for values in (people, relevance)
    )
    return SystemTables(
        rank_systems(by_people, bootstrap),
        rank_systems(by_metric, bootstrap),
        system_correlation(by_metric, by_people, bootstrap),
    )


def soft_pairwise(comparison: Reviews, relevance: Array, bootstrap: ClusterBootstrap) -> Estimate:
    """Return the soft pairwise accuracy of relevance, (n reviews,), on the same systems."""
    judged, _ = _rated(comparison)
    return soft_pairwise_accuracy(
        relevance[judged],
        comparison.ratings[judged, _RELEVANCE],
        comparison.system[judged].tolist(),
        comparison.change[judged],
        bootstrap,
    )


def _rated(comparison: Reviews) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """Mark the rated reviews of the busiest systems, and name these; see `system_tables`."""
    reviews = comparison
    systems = busiest_systems(reviews, MOST_SYSTEMS, reviews.is_of_a_system)
    return comparison.is_judged & np.isin(comparison.system, list(systems)), tuple(systems)


def _scores(
    comparison: Reviews, values: Array, chosen: NDArray[np.bool_], systems: tuple[str, ...]
) -> SystemScores:
    """Scores of the chosen reviews; two of the same reviews have their systems in one order."""
    return system_scores(
        values[chosen],
        comparison.system[chosen].tolist(),
        comparison.change[chosen],
        len(comparison.changes),
        systems,
    )
