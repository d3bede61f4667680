"""Reviews whose values of a measure, and people's ratings, are made by hand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import DEFAULT_MEASURE, MeasuredReviews, measure_named


def measured(
    systems: dict[str, float],
    n_changes: int,
    *,
    people: Sequence[float] | None = None,
    swing: float = 0.0,
    measure: str = DEFAULT_MEASURE,
    labels: Sequence[str] = (),
) -> MeasuredReviews:
    """One review a system and change; values go up and down by `swing`.

    `people` has a rating a system, the same on each change.
    """
    rows = [
        (number, change, value + swing * (-1) ** (change + number))
        for change in range(n_changes)
        for number, value in enumerate(systems.values())
    ]
    system, change, values = (np.array(column) for column in zip(*rows, strict=True))
    n = len(rows)
    ratings = np.full(n, np.nan) if people is None else np.array(people, np.float64)[system]
    return MeasuredReviews(
        measure_named(measure, labels),
        [f"review {number}" for number in range(n)],
        tuple(systems),
        system,
        change,
        values.astype(np.float64),
        ratings,
        10.0 * (1 + system),
        np.zeros(n, dtype=np.bool_),
    )


def only(reviews: MeasuredReviews, kept: NDArray[np.bool_]) -> MeasuredReviews:
    """Return the reviews that `kept` marks, (n,)."""
    columns = ("system", "change", "values", "people", "words", "is_empty")
    return replace(
        reviews,
        ids=[name for name, is_kept in zip(reviews.ids, kept, strict=True) if is_kept],
        **{name: getattr(reviews, name)[kept] for name in columns},
    )


def on_changes_of_its_own(swing: float = 0.0) -> MeasuredReviews:
    """Alpha has the higher mean, and bravo is higher on the eight changes that both reviewed."""
    reviews = measured({"alpha": 0.4, "bravo": 0.6}, 16, swing=swing)
    reviews.values[(reviews.system == 0) & (reviews.change >= 8)] = 0.95
    return only(reviews, (reviews.system == 0) | (reviews.change < 8))
