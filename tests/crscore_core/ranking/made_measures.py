"""Reviews whose values of a measure, and people's ratings, are made by hand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.measures import DEFAULT_MEASURE, MeasuredReviews, measure_named
from crscore_core.corpus.model import UNRATED
from crscore_core.corpus.reviews import ComparedChange, ComparedReview
from crscore_core.ranking.order import SystemOrder, rank
from crscore_core.scoring.references import PseudoReference, ReferenceKind
from tests.crscore_core.corpus.made_reviews import altered, reviews_of

_CLAIM = PseudoReference("A claim.", ReferenceKind.CLAIM, "by hand", None, None)


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
    names = list(systems)
    reviews = [
        ComparedReview(
            change, f"review {at}", names[number], "word " * 10 * (1 + number), UNRATED,
            (_CLAIM.text,), ("A sentence.",), np.full((1, 1), 0.5, np.float32),
        )
        for at, (number, change, _) in enumerate(rows)
    ]  # fmt: skip
    changes = [ComparedChange(str(at), "", f"diff {at}", (_CLAIM,)) for at in range(n_changes)]
    ratings = [np.nan if people is None else people[number] for number, _, _ in rows]
    return MeasuredReviews(
        reviews_of(changes, reviews),
        measure_named(measure, labels),
        np.array([value for _, _, value in rows]),
        np.array(ratings, dtype=np.float64),
    )


def ranked(of: MeasuredReviews, *, is_chosen: bool = False) -> SystemOrder:
    """Rank systems that have values."""
    order = rank(of, is_chosen=is_chosen)
    assert order is not None
    return order


def only(of: MeasuredReviews, kept: NDArray[np.bool_]) -> MeasuredReviews:
    """Return the reviews that `kept` marks, (n,)."""
    reviews = [one for one, is_kept in zip(of.reviews, kept, strict=True) if is_kept]
    return replace(
        of,
        reviews=altered(of.reviews, reviews=reviews),
        values=of.values[kept],
        people=of.people[kept],
    )


def silent(of: MeasuredReviews, is_empty: NDArray[np.bool_]) -> MeasuredReviews:
    """Return the same with empty reviews, those that `is_empty` marks."""
    reviews = [
        replace(one, sentences=(), similarity=one.similarity[:, :0]) if empty else one
        for one, empty in zip(of.reviews, is_empty, strict=True)
    ]
    return replace(of, reviews=altered(of.reviews, reviews=reviews))


def on_changes_of_its_own(swing: float = 0.0) -> MeasuredReviews:
    """Alpha has the higher mean, and bravo is higher on the eight changes that both reviewed."""
    made = measured({"alpha": 0.4, "bravo": 0.6}, 16, swing=swing)
    is_alpha, change = made.reviews.system == "alpha", made.reviews.change
    made.values[is_alpha & (change >= 8)] = 0.95
    return only(made, is_alpha | (change < 8))
