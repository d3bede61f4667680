"""Systems from best to worst by their mean score, and how sure that order is."""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from crscore_core.statistics.bootstrap import ClusterBootstrap, Interval
from crscore_core.statistics.estimate import number_or_none
from crscore_core.statistics.orders import Array, centred_ranks, comparisons
from crscore_core.statistics.system_scores import SystemMeans, SystemScores, means_in_resamples

__all__ = ["Neighbours", "RankedSystem", "Ranking", "rank_means", "rank_systems"]


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
    (means,) = means_in_resamples([scores], bootstrap.weights)
    return rank_means(means, bootstrap, level)


def rank_means(means: SystemMeans, bootstrap: ClusterBootstrap, level: float = 0.95) -> Ranking:
    """As `rank_systems`, from the means in the bootstrap's resamples.

    Raises:
        StatisticsError: they are of another number of resamples, or the level is not between 0
            and 1.
    """
    ranks = _ranks(means.observed[np.newaxis])[0]
    order = np.argsort(ranks, kind="stable")
    mean_intervals = bootstrap.intervals_of(means.resampled, level)
    rank_intervals = bootstrap.intervals_of(_ranks(means.resampled), level)
    above = _share_above(means.resampled[:, order])
    systems = tuple(
        RankedSystem(
            means.systems[column],
            float(means.observed[column]),
            mean_intervals[column],
            float(ranks[column]),
            _whole(rank_intervals[column]),
        )
        for column in order
    )
    neighbours = tuple(
        Neighbours(
            means.systems[higher],
            means.systems[lower],
            number_or_none(share),
        )
        for (higher, lower), share in zip(itertools.pairwise(order), above, strict=True)
    )
    return Ranking(systems, neighbours)


def _ranks(means: Array) -> Array:
    """Mid-ranks, 1 for the highest mean; NaN in a resample in which a system has no mean."""
    ranks: Array = (means.shape[1] + 1) / 2 - centred_ranks(comparisons(means))
    return ranks


def _share_above(means: Array) -> Array:
    """How often each column is above the next one, (n systems - 1,)."""
    compared = np.sign(means[:, :-1] - means[:, 1:])
    known = ~np.isnan(compared)
    points = np.where(known, (compared + 1) / 2, 0).sum(axis=0)
    n = known.sum(axis=0)
    shares: Array = np.divide(points, n, out=np.full(points.shape, np.nan), where=n > 0)
    return shares


def _whole(ranks: Interval | None) -> Interval | None:
    if ranks is None:
        return None
    return Interval(float(math.floor(ranks.low)), float(math.ceil(ranks.high)), ranks.level)
