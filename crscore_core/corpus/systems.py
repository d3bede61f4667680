"""Systems that wrote the reviews of a corpus: means, resamples, and where their reviews differ."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import MeasuredReviews
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reviews import Reviews
from crscore_eval.statistics import ClusterBootstrap, Estimate, rank_systems, system_scores

Array = NDArray[np.float64]
Means = Mapping[str, Mapping[str, Estimate]]
"""An estimate for each system and each of `DIMENSIONS`."""


MOST_SYSTEMS = 40
"""Limit of systems that are ranked, those with most reviews: time grows with their square."""

_MOST_RESAMPLES, _FEWEST_RESAMPLES = 1_000, 100
_RESAMPLED_REVIEWS = 2_000_000
"""Reviews in all resamples together: more would make a person wait who moves tau."""


def corpus_bootstrap(comparison: Reviews) -> ClusterBootstrap:
    """Resample the changes of a comparison; see `bootstrap_of`.

    Raises:
        InputError: there are more changes than can be resampled.
    """
    return bootstrap_of(max(1, len(comparison.changes)), len(comparison))


def bootstrap_of(n_changes: int, n_reviews: int) -> ClusterBootstrap:
    """Resample changes: 1,000 times for up to 2,000 reviews, fewer for more, at least 100.

    Raises:
        InputError: there are more changes than can be resampled.
    """
    n_resamples = _RESAMPLED_REVIEWS // max(n_changes, n_reviews)
    return ClusterBootstrap(n_changes, max(_FEWEST_RESAMPLES, min(_MOST_RESAMPLES, n_resamples)))


def busiest_systems(
    reviews: Reviews, most: int, chosen: NDArray[np.bool_] | None = None
) -> dict[str, int]:
    """The systems with the most reviews, at most so many, with their number of reviews.

    They stand in the order in which they first occur, which also decides between systems with
    equally many reviews. `chosen`, (n reviews,), says which reviews count; by default all do.
    """
    system = reviews.system_number if chosen is None else reviews.system_number[chosen]
    numbers, first, counts = np.unique(system, return_index=True, return_counts=True)
    kept = np.lexsort((first, -counts))[:most]
    in_order = kept[np.argsort(first[kept], kind="stable")]
    return {reviews.systems[numbers[place]]: int(counts[place]) for place in in_order}


def system_means(
    comparison: Reviews,
    values: Array,
    bootstrap: ClusterBootstrap,
    systems: Collection[str],
) -> Means:
    """Each system's mean of `values`, (n dimensions, n reviews), those that are NaN left out.

    Intervals resample changes.

    Raises:
        InputError: the bootstrap is of another number of changes.
    """
    return means_by_system(values, comparison.system, comparison.change, bootstrap, systems)


def means_by_system(
    values: Array,
    names: NDArray[np.str_],
    change: NDArray[np.intp],
    bootstrap: ClusterBootstrap,
    systems: Collection[str],
) -> Means:
    """Return `system_means` of reviews whose systems and changes, (n reviews,), are given."""
    means: dict[str, dict[str, Estimate]] = {
        system: dict.fromkeys(DIMENSIONS, Estimate(None, None)) for system in systems
    }
    is_shown = np.isin(names, list(systems))
    for dimension, row in zip(DIMENSIONS, values, strict=True):
        known = is_shown & ~np.isnan(row)
        if known.any():
            n_changes = bootstrap.weights.shape[1]
            scores = system_scores(row[known], names[known].tolist(), change[known], n_changes)
            for ranked in rank_systems(scores, bootstrap):
                means[ranked.system][dimension] = ranked.mean
    return means


@dataclass(frozen=True, slots=True, eq=False)
class ChangesBySystems:
    """Mean of a measure over each change's reviews by system, the widest gap first.

    `change`, (n changes,), are positions of changes, `values` is (n changes, n systems), NaN where
    a system has no review of a change with a value. `n_changes` counts all changes with a value.
    """

    change: NDArray[np.intp]
    systems: tuple[str, ...]
    values: Array
    n_changes: int


def changes_by_systems(
    measured: MeasuredReviews, systems: Sequence[str], most: int
) -> ChangesBySystems:
    """Return at most `most` changes: those on which the systems' reviews differ most.

    Changes with the same gap stand in their order; those that one system alone reviewed are last.
    """
    reviews = measured.reviews
    column = np.full(len(reviews.systems), -1)
    for number, name in enumerate(systems):
        column[reviews.systems.index(name)] = number
    known = ~np.isnan(measured.values) & (column[reviews.system_number] >= 0)
    if measured.measure.is_score:
        known &= ~reviews.is_empty
    change, row = np.unique(reviews.change[known], return_inverse=True)
    shape = change.size, len(systems)
    cell = row * shape[1] + column[reviews.system_number[known]]
    sums, counts = (
        np.bincount(cell, weights, minlength=shape[0] * shape[1]).reshape(shape)
        for weights in (measured.values[known], None)
    )
    values = np.full(shape, np.nan)
    np.divide(sums, counts, out=values, where=counts > 0)
    low, high = (reduce(values, axis=1) for reduce in (np.nanmin, np.nanmax))
    gap = np.where((counts > 0).sum(axis=1) > 1, high - low, -1)
    order = np.argsort(-gap, kind="stable")[:most]
    return ChangesBySystems(change[order], tuple(systems), values[order], change.size)
