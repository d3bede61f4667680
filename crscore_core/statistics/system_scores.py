"""Mean scores of systems (those that wrote the reviews), observed and in resamples of changes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics.sample import cluster_numbers, finite, weights_of

__all__ = ["SystemMeans", "SystemScores", "means_in_resamples", "system_scores"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SystemMeans:
    """Mean scores of systems: `observed`, (n systems,), and in each resample of changes.

    `resampled` is (n resamples, n systems), NaN where none of the changes that a system reviewed
    was drawn. `systems` names the columns.
    """

    systems: tuple[str, ...]
    observed: Array
    resampled: Array


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """What each system got for its reviews of each change.

    `sums` and `counts`, both (n changes, n systems), are the sum of scores and how many there are,
    0 where a system has no scored review of a change. `systems` names the columns.

    Raises:
        StatisticsError: shapes differ, a name occurs twice, a number is not finite, or a system
            has no review at all.
    """

    systems: tuple[str, ...]
    sums: Array
    counts: Array

    def __post_init__(self) -> None:
        sums, counts = finite("sums", self.sums, ndim=2), finite("counts", self.counts, ndim=2)
        if not sums.shape == counts.shape == (sums.shape[0], len(self.systems)):
            raise StatisticsError(
                f"sums {sums.shape} and counts {counts.shape} must have a column for each of "
                f"{len(self.systems)} systems"
            )
        if len(set(self.systems)) < len(self.systems):
            raise StatisticsError(f"a system is named twice in {', '.join(self.systems)}")
        if counts.min() < 0:
            raise StatisticsError("counts must not be negative")
        for system, count in zip(self.systems, counts.sum(axis=0), strict=True):
            if count == 0:
                raise StatisticsError(f"{system} has no review, so no mean score")

    @property
    def observed(self) -> Array:
        """The mean score of each system, (n systems,)."""
        means: Array = self.sums.sum(axis=0) / self.counts.sum(axis=0)
        return means

    def means(self, weights: ArrayLike) -> Array:
        """Mean scores in each resample: (n resamples, n systems).

        `weights`, (n resamples, n changes), says how often each change was drawn. NaN where none
        of the changes that a system reviewed was.

        Raises:
            StatisticsError: the weights are negative, not finite, or have other columns.
        """
        (means,) = means_in_resamples([self], weights)
        return means.resampled


def means_in_resamples(
    scores: Sequence[SystemScores], weights: ArrayLike
) -> tuple[SystemMeans, ...]:
    """`SystemScores.means` of several scores of the same changes, in one product of matrices.

    Raises:
        StatisticsError: the weights are negative, not finite, or not of the changes of each.
    """
    if not scores:
        return ()
    n_changes = scores[0].sums.shape[0]
    drawn = weights_of(weights, n_changes)
    if any(drawn.shape[1] != one.sums.shape[0] for one in scores):
        raise StatisticsError(f"weights are of {drawn.shape[1]} changes, not of {n_changes}")
    totals = drawn @ np.hstack([one.counts for one in scores])
    means = np.full(totals.shape, np.nan)
    np.divide(drawn @ np.hstack([one.sums for one in scores]), totals, out=means, where=totals > 0)
    ends = np.cumsum([len(one.systems) for one in scores])
    return tuple(
        SystemMeans(one.systems, one.observed, resampled)
        for one, resampled in zip(scores, np.split(means, ends[:-1], axis=1), strict=True)
    )


def system_scores(
    scores: ArrayLike, systems: Sequence[str], cluster: ArrayLike, n_clusters: int
) -> SystemScores:
    """Gather reviews' scores, their systems and their changes (from 0), each of (n reviews,).

    Systems stand in the order in which they first occur.

    Raises:
        StatisticsError: lengths differ, a score is not finite, or a change is not below
            `n_clusters`.
    """
    values = finite("scores", scores)
    changes = cluster_numbers(cluster, values.size)
    if len(systems) != values.size or changes.max() >= n_clusters:
        raise StatisticsError(
            f"{values.size} scores need a system each, not {len(systems)}, "
            f"and changes from 0 to {n_clusters - 1}, not to {changes.max()}"
        )
    columns = {system: column for column, system in enumerate(dict.fromkeys(systems))}
    column = np.array([columns[system] for system in systems])
    sums = np.zeros((n_clusters, len(columns)))
    counts = np.zeros_like(sums)
    np.add.at(sums, (changes, column), values)
    np.add.at(counts, (changes, column), 1)
    return SystemScores(tuple(columns), sums, counts)
