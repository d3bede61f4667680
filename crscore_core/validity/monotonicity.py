"""Whether the metric rises with people's ratings, level by level (Figure 8)."""

import itertools
from dataclasses import dataclass

import numpy as np

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.statistics import ClusterBootstrap, Estimate, clustered_mean

__all__ = ["LevelMean", "RatedLevels", "rated_levels"]

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

    `is_monotone` says whether each mean is above that of the level before; levels that nobody
    gave have no mean and are passed over. It is None with fewer than two levels that have one.
    """

    dimension: str
    levels: tuple[LevelMean, ...]
    is_monotone: bool | None


def rated_levels(
    comparison: CorpusComparison, tau: float, bootstrap: ClusterBootstrap
) -> tuple[RatedLevels, ...]:
    """Con by people's conciseness, Comp by their comprehensiveness, Rel by their relevance.

    The ground truth is left out, as from the correlations (section 5.2). Intervals resample
    changes: `bootstrap` is of those of the comparison.

    Raises:
        StatisticsError: the bootstrap is of fewer changes.
    """
    scores = comparison.scores([tau])[:, 0]
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
        steps = [one < other for one, other in itertools.pairwise(means)]
        found.append(RatedLevels(dimension, tuple(levels), all(steps) if steps else None))
    return tuple(found)
