"""Order of systems by what people say and by the metric, and how far the two agree."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import MOST_SYSTEMS, busiest_systems
from crscore_core.statistics import (
    ClusterBootstrap,
    Correlation,
    Ranking,
    SystemScores,
    rank_systems,
    system_correlation,
    system_scores,
)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SystemTables:
    """Systems by relevance, the ground truth left out: by people, by the metric, and how alike.

    `correlation` is that of the paper's Table 2, the rankings those of Table 15.
    """

    people: Ranking
    metric: Ranking
    correlation: Correlation


def system_tables(
    comparison: CorpusComparison, relevance: Array, bootstrap: ClusterBootstrap
) -> SystemTables | None:
    """Rank systems by their mean relevance, (n reviews,), and by people's (Tables 2 and 15).

    Only reviews whose relevance people rated count, of the `MOST_SYSTEMS` systems with the most
    reviews; None where there are none.
    """
    reviews = comparison.rated_maxima
    systems = busiest_systems(reviews, MOST_SYSTEMS, reviews.is_of_a_system)
    judged = comparison.is_judged & np.isin(comparison.system, list(systems))
    if not judged.any():
        return None
    people = (comparison.ratings[:, DIMENSIONS.index("relevance")] - 1) / 4
    by_people, by_metric = (
        _scores(comparison, values, judged, tuple(systems)) for values in (people, relevance)
    )
    return SystemTables(
        rank_systems(by_people, bootstrap),
        rank_systems(by_metric, bootstrap),
        system_correlation(by_metric, by_people, bootstrap),
    )


def _scores(
    comparison: CorpusComparison, values: Array, chosen: NDArray[np.bool_], systems: tuple[str, ...]
) -> SystemScores:
    """Scores of the chosen reviews; two of the same reviews have their systems in one order."""
    return system_scores(
        values[chosen],
        comparison.system[chosen].tolist(),
        comparison.change[chosen],
        len(comparison.changes),
        systems,
    )
