"""Systems from best to worst by their mean score, and how sure that order is."""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from crscore_core.statistics.bootstrap import ClusterBootstrap, Interval
from crscore_core.statistics.estimate import number_or_none
from crscore_core.statistics.orders import Array, centred_ranks, comparisons
from crscore_core.statistics.system_scores import SystemScores

__all__ = ["Neighbours", "RankedSystem", "Ranking", "rank_systems"]


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system's mean score and its rank: 1 is the best, equal means share the mean of theirs.

    The interval of the rank is widened to whole ranks. An interval is None where the statistic is
    undefined in too many resamples (see `bootstrap`).
    """

    system: str
    mean: float
    mean_interval: Interval | None
    rank: float
    rank_interval: Interval | None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two systems next to each other, and how probable their order is.

    `probability` is the share of resamples in which the mean of `higher` is above that of
    `lower`; those in which the two are equal count half. None where neither ever has a mean
    together with the other.
    """

    higher: str
    lower: str
    probability: float | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Systems from best to worst (equal means in the order given), and each pair of neighbours."""

    systems: tuple[RankedSystem, ...]
    neighbours: tuple[Neighbours, ...]


def rank_systems(scores: SystemScores, bootstrap: ClusterBootstrap, level: float = 0.95) -> Ranking:
    """Rank systems by mean score, a higher one being better.

    Intervals and probabilities are over the bootstrap's resamples of changes.

    Raises:
        StatisticsError: the bootstrap is of another number of changes, or the level is not
            between 0 and 1.
    """
    observed, means = scores.observed, scores.means(bootstrap.weights)
    ranks, resampled_ranks = _ranks(observed[np.newaxis])[0], _ranks(means)
    above = _share_above(means)
    order = np.argsort(ranks, kind="stable")
    systems = tuple(
        RankedSystem(
            scores.systems[column],
            float(observed[column]),
            bootstrap.interval_of(means[:, column], level),
            float(ranks[column]),
            _whole(bootstrap.interval_of(resampled_ranks[:, column], level)),
        )
        for column in order
    )
    neighbours = tuple(
        Neighbours(
            scores.systems[higher],
            scores.systems[lower],
            number_or_none(above[higher, lower]),
        )
        for higher, lower in itertools.pairwise(order)
    )
    return Ranking(systems, neighbours)


def _ranks(means: Array) -> Array:
    """Mid-ranks, 1 for the highest mean; NaN in a resample in which a system has no mean."""
    ranks: Array = (means.shape[1] + 1) / 2 - centred_ranks(comparisons(means))
    return ranks


def _share_above(means: Array) -> Array:
    compared = comparisons(means)
    known = ~np.isnan(compared)
    points = np.where(known, (compared + 1) / 2, 0).sum(axis=0)
    n = known.sum(axis=0)
    shares: Array = np.divide(points, n, out=np.full(points.shape, np.nan), where=n > 0)
    return shares


def _whole(ranks: Interval | None) -> Interval | None:
    if ranks is None:
        return None
    return Interval(float(math.floor(ranks.low)), float(math.ceil(ranks.high)), ranks.level)
