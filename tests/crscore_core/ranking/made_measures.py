"""Reviews whose values of a measure, and people's ratings, are made by hand."""

from collections.abc import Sequence

import numpy as np

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
