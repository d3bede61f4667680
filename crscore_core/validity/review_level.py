"""Agreement of the metric with people review by review (Tables 3, 9 and 11, Figure 8)."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.statistics import (
    ClusterBootstrap,
    Correlation,
    Estimate,
    clustered_mean,
    correlate,
)

Array = NDArray[np.float64]

_LEVELS = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class LevelMean:
    """The mean score, from 0 to 1, of the reviews that people gave one level, from 1 to 5.

    A rating between two levels, such as the mean of several people's, counts for the nearer one,
    and one halfway for the higher: 2.4 for 2, and 2.5 for 3.
    """

    level: int
    reviews: int
    mean: Estimate


@dataclass(frozen=True, slots=True)
class RatedLevels:
    """The metric's mean in one of `DIMENSIONS` at each level of people's rating in the same one.

    `is_monotone` is true if each mean is above that of the level before; levels that nobody gave
    have no mean and are passed over. It is None with fewer than two levels that have one.
    """

    dimension: str
    levels: tuple[LevelMean, ...]
    is_monotone: bool | None


def correlations(
    comparison: CorpusComparison, scores: Array, bootstrap: ClusterBootstrap
) -> Mapping[str, Correlation | None]:
    """Correlate Con, Comp and Rel with people's ratings of the same (Tables 3 and 9).

    `scores`, (n dimensions, n reviews), are those at one tau. The ground truth is left out, as in
    the paper's section 5.2.
    """
    return {
        name: _correlate_chosen(comparison, scores, row, comparison.is_judged_in(name), bootstrap)
        for row, name in enumerate(DIMENSIONS)
    }


def correlations_by_language(
    comparison: CorpusComparison, scores: Array, bootstrap: ClusterBootstrap
) -> Mapping[str, Correlation | None]:
    """Rel with people's relevance in each language (Table 11); `scores` as in `correlations`.

    Languages are in the order in which they first occur.
    """
    relevance = DIMENSIONS.index("relevance")
    return {
        language: _correlate_chosen(
            comparison,
            scores,
            relevance,
            comparison.is_judged & (comparison.language == language),
            bootstrap,
        )
        for language in dict.fromkeys(change.language for change in comparison.changes)
    }


def rated_levels(
    comparison: CorpusComparison, scores: Array, bootstrap: ClusterBootstrap
) -> tuple[RatedLevels, ...]:
    """Con by people's conciseness, Comp by their comprehensiveness, Rel by their relevance.

    `scores` as in `correlations`. The ground truth is left out. Intervals resample changes.

    Raises:
        StatisticsError: the bootstrap is of fewer changes than the comparison.
    """
    found = []
    for row, dimension in enumerate(DIMENSIONS):
        judged = comparison.is_judged_in(dimension)
        nearest = np.floor(comparison.ratings[:, row] + 0.5)
        levels = []
        for level in _LEVELS:
            chosen = judged & (nearest == level)
            mean = clustered_mean(scores[row, chosen], comparison.change[chosen], bootstrap)
            levels.append(LevelMean(level, int(chosen.sum()), mean))
        means = [level.mean.value for level in levels if level.mean.value is not None]
        rises = [lower < higher for lower, higher in itertools.pairwise(means)]
        found.append(RatedLevels(dimension, tuple(levels), all(rises) if rises else None))
    return tuple(found)


def _correlate_chosen(
    comparison: CorpusComparison,
    scores: Array,
    row: int,
    chosen: NDArray[np.bool_],
    bootstrap: ClusterBootstrap,
) -> Correlation | None:
    people, change = comparison.ratings[chosen, row], comparison.change[chosen]
    return correlate(scores[row, chosen], people, change, bootstrap)
