"""Mean scores of systems (those that wrote the reviews), observed and in resamples of changes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics.sample import cluster_numbers, finite, weights_of

__all__ = ["SystemScores", "system_scores"]

Array = NDArray[np.float64]


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
        n_changes = self.sums.shape[0]
        drawn = weights_of(weights, n_changes)
        if drawn.shape[1] != n_changes:
            raise StatisticsError(f"weights are of {drawn.shape[1]} changes, not of {n_changes}")
        totals = drawn @ self.counts
        means = np.full(totals.shape, np.nan)
        np.divide(drawn @ self.sums, totals, out=means, where=totals > 0)
        return means


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
