"""The systems that wrote the reviews of a corpus: which to show, and their means."""

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.statistics import ClusterBootstrap, Estimate, number_or_none, system_scores

__all__ = ["Means", "busiest_systems", "of_systems", "system_means"]

Array = NDArray[np.float64]
Means = Mapping[str, Mapping[str, Estimate]]
"""A figure for each system, and of it for each of `DIMENSIONS`."""

_NOTHING = Estimate(None, None)


def busiest_systems(comparison: CorpusComparison, most: int) -> tuple[str, ...]:
    """The systems with most reviews, at most so many, in the order in which they first occur."""
    reviews = Counter(review.system for review in comparison.reviews)
    chosen = {system for system, _ in reviews.most_common(most)}
    return tuple(system for system in reviews if system in chosen)


def of_systems(comparison: CorpusComparison, systems: Sequence[str]) -> CorpusComparison:
    """The same changes with the reviews of these systems alone."""
    chosen = set(systems)
    reviews = tuple(review for review in comparison.reviews if review.system in chosen)
    if len(reviews) == len(comparison.reviews):
        return comparison
    return dataclasses.replace(comparison, reviews=reviews)


def system_means(comparison: CorpusComparison, values: Array, bootstrap: ClusterBootstrap) -> Means:
    """Each system's mean of `values`, (n dimensions, n reviews), those that are NaN left out.

    Systems are in the order in which they first occur. Intervals resample changes.

    Raises:
        StatisticsError: the bootstrap is of another number of changes.
    """
    by_dimension = [_means(comparison, row, bootstrap) for row in values]
    return {
        system: {
            name: found.get(system, _NOTHING)
            for name, found in zip(DIMENSIONS, by_dimension, strict=True)
        }
        for system in dict.fromkeys(review.system for review in comparison.reviews)
    }


def _means(
    comparison: CorpusComparison, values: Array, bootstrap: ClusterBootstrap
) -> Mapping[str, Estimate]:
    known = ~np.isnan(values)
    if not known.any():
        return {}
    scores = system_scores(
        values[known],
        comparison.system[known].tolist(),
        comparison.change[known],
        len(comparison.changes),
    )
    resampled = scores.means(bootstrap.weights)
    return {
        system: Estimate(
            number_or_none(scores.observed[column]), bootstrap.interval_of(resampled[:, column])
        )
        for column, system in enumerate(scores.systems)
    }
