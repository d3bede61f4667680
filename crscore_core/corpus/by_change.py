"""Changes by systems: where the reviews of one change differ most."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import MeasuredReviews

Array = NDArray[np.float64]


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
