"""Whether a metric puts systems in the order in which people put them."""

import operator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics.bootstrap import ClusterBootstrap, Interval
from crscore_core.statistics.orders import Array, centred_ranks, comparisons
from crscore_core.statistics.rank_correlation import RankCorrelation, rank_correlation
from crscore_core.statistics.sample import paired
from crscore_core.statistics.system_scores import SystemMeans, SystemScores, means_in_resamples

__all__ = [
    "SystemCorrelation",
    "correlate_means",
    "correlate_resampled_means",
    "system_correlation",
]

_EXACT_UP_TO = 10  # systems; twice the time for each more


@dataclass(frozen=True, slots=True)
class SystemCorrelation:
    """Rank correlations of systems' mean scores, and intervals over resamples of changes.

    The same changes are resampled for metric and people. The p-values of `observed` take systems
    as a sample of systems and their means as certain; the intervals take the systems as given and
    the changes as a sample of changes. An interval is None where a correlation is undefined in
    too many resamples (see `bootstrap`).
    """

    observed: RankCorrelation
    spearman_interval: Interval | None
    kendall_interval: Interval | None


def correlate_means(metric: ArrayLike, people: ArrayLike) -> RankCorrelation:
    """Correlate two mean scores of the same few systems, both (n systems,).

    As `rank_correlation`, but with few pairs approximate p-values are too far off. Spearman's is
    exact for up to ten systems, with ties too: of all orders of one side, the share that
    correlate at least as strongly in the same direction, times two.
    Kendall's is exact where there are no ties, as scipy's always is for few pairs.

    Raises:
        StatisticsError: as for `rank_correlation`.
    """
    found = rank_correlation(metric, people)
    if found.spearman is None or found.n > _EXACT_UP_TO:
        return found
    return replace(found, spearman_p=_exact_p(*paired(("metric", metric), ("people", people))))


def system_correlation(
    metric: SystemScores, people: SystemScores, bootstrap: ClusterBootstrap, level: float = 0.95
) -> SystemCorrelation:
    """Correlate the mean scores that a metric and people give to the same systems.

    Raises:
        StatisticsError: the systems or their order differ, the bootstrap is of another number of
            changes, or the level is not between 0 and 1.
    """
    one, other = means_in_resamples([metric, people], bootstrap.weights)
    return correlate_resampled_means(one, other, bootstrap, level)


def correlate_resampled_means(
    metric: SystemMeans, people: SystemMeans, bootstrap: ClusterBootstrap, level: float = 0.95
) -> SystemCorrelation:
    """As `system_correlation`, from the means in the bootstrap's resamples.

    Raises:
        StatisticsError: the systems or their order differ, the means are of another number of
            resamples, or the level is not between 0 and 1.
    """
    if metric.systems != people.systems:
        raise StatisticsError(
            f"the systems differ: {', '.join(metric.systems)}; {', '.join(people.systems)}"
        )
    compared, compared_by_people = comparisons(metric.resampled), comparisons(people.resampled)
    return SystemCorrelation(
        correlate_means(metric.observed, people.observed),
        bootstrap.interval_of(
            _cosine(centred_ranks(compared), centred_ranks(compared_by_people)), level
        ),
        bootstrap.interval_of(_cosine(_flat(compared), _flat(compared_by_people)), level),
    )


def _cosine(one: Array, other: Array) -> Array:
    """Row by row; NaN where a row is all 0, or holds NaN.

    Of centred ranks it is Spearman's rho, and of comparisons of all pairs Kendall's tau-b.
    """
    scale = np.sqrt((one * one).sum(axis=1) * (other * other).sum(axis=1))
    cosine = np.full(scale.shape, np.nan)
    np.divide((one * other).sum(axis=1), scale, out=cosine, where=scale > 0)
    return cosine


def _flat(compared: Array) -> Array:
    return compared.reshape(compared.shape[0], -1)


def _exact_p(metric: Array, people: Array) -> float:
    """The two-sided p-value of Spearman's rho over all orders of the metric."""
    from scipy import stats

    one, other = (
        tuple((2 * stats.rankdata(side)).astype(int).tolist()) for side in (metric, people)
    )
    orders = _orders_by_product(tuple(sorted(one)), tuple(sorted(other)))
    observed = sum(map(operator.mul, one, other))  # grows as rho does
    share = min(orders[observed:].sum(), orders[: observed + 1].sum()) / orders.sum()
    return min(1.0, 2 * float(share))


@lru_cache(maxsize=16)
def _orders_by_product(one: tuple[int, ...], other: tuple[int, ...]) -> NDArray[np.int64]:
    """How many orders of `one` have each sum of products with `other`; the index is the sum.

    Built up place by place from the sets of what stands in the places before. It is the same for
    all rankings without ties, so that moving tau does not repeat it.
    """
    longest = sum(map(operator.mul, sorted(one), sorted(other))) + 1
    nothing: NDArray[np.int64] = np.eye(1, longest, dtype=np.int64)[0]
    placed = {0: nothing}
    for place in other:
        following: dict[int, NDArray[np.int64]] = {}
        for used, counts in placed.items():
            for position, rank in enumerate(one):
                if not used >> position & 1:
                    grown = following.setdefault(used | 1 << position, np.zeros_like(counts))
                    grown[rank * place :] += counts[: longest - rank * place]
        placed = following
    (counts,) = placed.values()
    return counts
