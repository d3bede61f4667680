"""Systems that write reviews: mean scores, ranks, and agreement on their order."""

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import InputError
from crscore_eval.statistics.bootstrap import ClusterBootstrap, Estimate, Interval
from crscore_eval.statistics.correlation import Correlation, rank_correlation
from crscore_eval.statistics.sample import cluster_numbers, finite, paired, ratio, weights_of

Array = NDArray[np.float64]

_EXACT_UP_TO = 10  # systems; each further one doubles the time


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """Sums and counts of each system's scores for its reviews of each change.

    `sums` and `counts` are (n changes, n systems), 0 if a system has no scored review of a change.
    `systems` names the columns; each has a review (see `system_scores`).
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

        NaN if no change that a system reviewed was drawn. See `weights_of`.
        """
        drawn = weights_of(weights, self.sums.shape[0])
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

    Raises:
        InputError: lengths differ, a score is not finite, a change is not below
            `n_clusters`, or a system is not in `order`.
    """
    values = finite("scores", scores)
    changes = cluster_numbers(cluster, values.size)
    if len(systems) != values.size or changes.max() >= n_clusters:
        raise InputError(
            f"{values.size} scores need as many systems, not {len(systems)}, "
            f"and changes from 0 to {n_clusters - 1}, not up to {changes.max()}"
        )
    present = dict.fromkeys(systems)
    if order is not None and (others := present.keys() - set(order)):
        raise InputError(f"not in the order of systems: {', '.join(sorted(others))}")
    names = tuple(present if order is None else (name for name in order if name in present))
    columns = {system: column for column, system in enumerate(names)}
    shape = n_clusters, len(names)
    cell = changes * shape[1] + np.array([columns[system] for system in systems])
    sums, counts = (
        np.bincount(cell, weights, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
        for weights in (values, None)
    )
    return SystemScores(names, sums, counts)


def rank_systems(scores: SystemScores, bootstrap: ClusterBootstrap) -> tuple[RankedSystem, ...]:
    """Rank systems by mean score, highest first; ties in the given order.

    Intervals and shares are over the bootstrap's resamples of changes.

    Raises:
        InputError: the bootstrap has a different number of changes.
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

    The same changes are resampled for metric and people; the systems are fixed.

    Raises:
        InputError: the systems or their order differ, or the bootstrap has a different
            number of changes.
    """
    if metric.systems != people.systems:
        raise InputError(
            f"the systems differ: {', '.join(metric.systems)}; {', '.join(people.systems)}"
        )
    by_metric, by_people = (_signs(side.means(bootstrap.weights)) for side in (metric, people))
    n_resamples = len(by_metric)
    spearman = _cosine(_centred_ranks(by_metric), _centred_ranks(by_people))
    kendall = _cosine(by_metric.reshape(n_resamples, -1), by_people.reshape(n_resamples, -1))
    observed = correlate_means(metric.observed, people.observed)
    return observed.with_intervals(spearman, kendall, bootstrap)


def correlate_means(metric: ArrayLike, people: ArrayLike) -> Correlation:
    """Correlate two mean scores of the same few systems, both (n systems,).

    Same as `rank_correlation` except for Spearman's p-value, whose approximation is poor with few
    pairs. For up to ten systems it is exact, even with ties: twice the share of permutations of one
    side that correlate at least as strongly in the same direction. Kendall's p-value is exact
    without ties, as always in scipy for few pairs.

    Raises:
        InputError: as for `rank_correlation`.
    """
    approximate = rank_correlation(metric, people)
    if approximate.spearman.value is None or approximate.n > _EXACT_UP_TO:
        return approximate
    return replace(approximate, spearman_p=_exact_p(*paired(metric, people)))


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
    """Return the two-sided p-value of Spearman's rho over all permutations of the metric."""
    from scipy import stats

    ranks, other = (
        tuple((2 * stats.rankdata(side)).astype(int).tolist()) for side in (metric, people)
    )
    orders = _orders_by_product(tuple(sorted(ranks)), tuple(sorted(other)))
    observed = sum(map(operator.mul, ranks, other))  # increases with rho
    share = min(orders[observed:].sum(), orders[: observed + 1].sum()) / orders.sum()
    return min(1.0, 2 * float(share))


@lru_cache(maxsize=16)
def _orders_by_product(ranks: tuple[int, ...], other: tuple[int, ...]) -> NDArray[np.int64]:
    """Count permutations of `ranks` by their dot product with `other`, which is the index.

    Computed by dynamic programming over subsets of ranks. All rankings without ties share the
    result, so moving tau does not repeat it.
    """
    longest = sum(map(operator.mul, sorted(ranks), sorted(other))) + 1
    nothing: NDArray[np.int64] = np.eye(1, longest, dtype=np.int64)[0]
    placed = {0: nothing}
    for place in other:
        following: dict[int, NDArray[np.int64]] = {}
        for used, counts in placed.items():
            for position, rank in enumerate(ranks):
                if not used >> position & 1:
                    grown = following.setdefault(used | 1 << position, np.zeros_like(counts))
                    grown[rank * place :] += counts[: longest - rank * place]
        placed = following
    (counts,) = placed.values()
    return counts
