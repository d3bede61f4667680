"""Systems that write reviews: mean scores, ranks, and agreement on their order."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError
from crscore_eval.statistics.bootstrap import (
    Array,
    ClusterBootstrap,
    Estimate,
    Interval,
    ratio,
)
from crscore_eval.statistics.correlation import Correlation, rank_correlation

_EXACT_UP_TO = 9  # systems: 362,880 orders


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """Sums and counts of each system's scores for its reviews of each change.

    `sums` and `counts` are (n changes, n systems), 0 if a system has no scored review of a change.
    `systems` names the columns; each has a review.
    """

    systems: tuple[str, ...]
    sums: Array
    counts: Array

    @property
    def observed(self) -> Array:
        """The mean score of each system, (n systems,)."""
        means: Array = self.sums.sum(axis=0) / self.counts.sum(axis=0)
        return means

    def means(self, weights: ArrayLike) -> Array:
        """Return mean scores in each resample: (n resamples, n systems).

        NaN if no change that a system reviewed was drawn.
        """
        drawn = np.asarray(weights)
        return ratio(drawn @ self.sums, drawn @ self.counts)


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system's mean score and its rank: 1 is the best, ties share their mean rank.

    The interval of the rank is widened to integers. `above_next` is the share of resamples in which
    its mean exceeds that of the next system; ties count half. None for the last system, or if no
    resample has a mean of both.
    """

    system: str
    mean: Estimate
    rank: Estimate
    above_next: float | None


def system_scores(
    scores: ArrayLike,
    systems: Sequence[str],
    cluster: ArrayLike,
    n_clusters: int,
    order: Sequence[str] | None = None,
) -> SystemScores:
    """Group scores by system and change (from 0), each of (n reviews,).

    Systems are in the given order, without those that have no review; by default in order of
    first occurrence.
    """
    values = np.asarray(scores, np.float64)
    present = dict.fromkeys(systems)
    names = tuple(present if order is None else (name for name in order if name in present))
    columns = {system: column for column, system in enumerate(names)}
    shape = n_clusters, len(names)
    cell = np.asarray(cluster) * shape[1] + np.array([columns[system] for system in systems], int)
    sums, counts = (
        np.bincount(cell, weights, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
        for weights in (values, None)
    )
    return SystemScores(names, sums, counts)


def rank_systems(scores: SystemScores, bootstrap: ClusterBootstrap) -> tuple[RankedSystem, ...]:
    """Rank systems by mean score, highest first; ties in the given order.

    Intervals and shares are over the bootstrap's resamples of changes.
    """
    observed, resampled = scores.observed, scores.means(bootstrap.weights)
    signs = _signs(resampled)
    middle = (observed.size + 1) / 2
    ranks = middle - _centred_ranks(_signs(observed[np.newaxis]))[0]
    resampled_ranks = middle - _centred_ranks(signs)
    order = np.argsort(ranks, kind="stable").tolist()

    def ranked(column: int, following: int | None) -> RankedSystem:
        above = np.zeros(0) if following is None else signs[:, column, following]
        known = above[~np.isnan(above)]
        return RankedSystem(
            scores.systems[column],
            Estimate(float(observed[column]), bootstrap.interval_of(resampled[:, column])),
            Estimate(
                float(ranks[column]), _widened(bootstrap.interval_of(resampled_ranks[:, column]))
            ),
            float((known + 1).mean() / 2) if known.size else None,
        )

    return tuple(map(ranked, order, [*order[1:], None]))


def system_correlation(
    metric: SystemScores, people: SystemScores, bootstrap: ClusterBootstrap
) -> Correlation:
    """Correlate the mean scores of the same systems by a metric and by people.

    The same changes are resampled for metric and people; the systems are fixed. For up to nine
    systems Spearman's p-value is exact: twice the share of orders of one side that correlate at
    least as strongly in the same direction.

    Raises:
        InputError: the systems or their order differ.
    """
    if metric.systems != people.systems:
        raise InputError(
            f"the systems differ: {', '.join(metric.systems)}; {', '.join(people.systems)}"
        )
    by_metric, by_people = (_signs(side.means(bootstrap.weights)) for side in (metric, people))
    n_resamples = len(by_metric)
    spearman = _cosine(_centred_ranks(by_metric), _centred_ranks(by_people))
    kendall = _cosine(by_metric.reshape(n_resamples, -1), by_people.reshape(n_resamples, -1))
    observed = rank_correlation(metric.observed, people.observed)
    if observed.spearman.value is not None and observed.n <= _EXACT_UP_TO:
        observed = replace(observed, spearman_p=_exact_p(metric.observed, people.observed))
    return observed.with_intervals(spearman, kendall, bootstrap)


def _signs(means: Array) -> Array:
    """Return 1 if one system's mean is above another's, -1 if below, 0 if equal.

    `means` is (n resamples, n systems), the result (n resamples, n systems, n systems), NaN if
    either mean is.
    """
    signs: Array = np.sign(means[:, :, np.newaxis] - means[:, np.newaxis, :])
    return signs


def _centred_ranks(signs: Array) -> Array:
    """Return centred mid-ranks, increasing with the mean: (n resamples, n systems)."""
    ranks: Array = signs.sum(axis=2) / 2
    return ranks


def _widened(ranks: Interval | None) -> Interval | None:
    if ranks is None:
        return None
    return Interval(float(math.floor(ranks.low)), float(math.ceil(ranks.high)), ranks.level)


def _cosine(first: Array, second: Array) -> Array:
    """Return the cosine of each pair of rows; NaN if a row is all 0 or contains NaN.

    For centred ranks this is Spearman's rho, for the signs of all pairs Kendall's tau-b.
    """
    scale = np.sqrt((first * first).sum(axis=1) * (second * second).sum(axis=1))
    return ratio((first * second).sum(axis=1), scale)


def _exact_p(metric: Array, people: Array) -> float:
    """Return the two-sided p-value of Spearman's rho over all orders of one side."""
    from scipy.stats import rankdata

    ranks, other = (np.rint(2 * rankdata(side)).astype(int) for side in (metric, people))
    products = ranks[_orders(ranks.size)] @ other  # increases with rho
    observed = ranks @ other
    return float(min(1.0, 2 * min((products >= observed).mean(), (products <= observed).mean())))


@lru_cache(maxsize=1)
def _orders(n: int) -> NDArray[np.int8]:
    return np.array(list(itertools.permutations(range(n))), dtype=np.int8)
