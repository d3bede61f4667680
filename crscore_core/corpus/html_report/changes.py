"""What a report says of each change and each of its reviews."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core import metric
from crscore_core.corpus.comparison import ComparedChange, ComparedReview, CorpusComparison
from crscore_core.corpus.html_report.diff import DiffView, diff_view
from crscore_core.corpus.model import DIMENSIONS

__all__ = ["Cell", "ChangeView", "ReviewView", "SentenceView", "change_views"]

MOST_CELLS = 2_500
"""Cells of one matrix: a larger one is left out."""

_SHADES = 10


@dataclass(frozen=True, slots=True)
class Cell:
    """One similarity; `shade` is its tenth, from 0 to 10, and `is_match` whether it exceeds tau."""

    value: float
    shade: int
    is_match: bool


@dataclass(frozen=True, slots=True)
class SentenceView:
    """A sentence; `best` counts the most similar pseudo-reference from 1."""

    text: str
    on_topic: bool
    best: int
    similarity: float


@dataclass(frozen=True, slots=True)
class ReviewView:
    """A review: `scores` and `ratings` by dimension, None where nobody rated.

    `missed` counts the pseudo-references that no sentence addresses, from 1. `matrix` has a row a
    pseudo-reference and a cell a sentence; None where it is left out.
    """

    review: ComparedReview
    scores: tuple[tuple[str, float], ...]
    ratings: tuple[tuple[str, float], ...]
    calibrated: float | None
    sentences: tuple[SentenceView, ...]
    missed: tuple[int, ...]
    matrix: tuple[tuple[Cell, ...], ...] | None


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A change with its reviews, in the order of the corpus; `number` counts it from 1."""

    number: int
    change: ComparedChange
    diff: DiffView
    reviews: tuple[ReviewView, ...]


def change_views(
    comparison: CorpusComparison,
    tau: float,
    calibrated: NDArray[np.float64] | None,
    *,
    with_matrices: bool,
) -> Iterator[ChangeView]:
    """Every change at `tau`, one at a time; `calibrated` are scores of all reviews, if any."""
    scores = comparison.scores([tau])[:, 0]
    positions: list[list[int]] = [[] for _ in comparison.changes]
    for position, review in enumerate(comparison.reviews):
        positions[review.change].append(position)
    for number, (change, of_change) in enumerate(
        zip(comparison.changes, positions, strict=True), start=1
    ):
        reviews = tuple(
            _review(
                comparison.reviews[at],
                scores[:, at],
                None if calibrated is None else float(calibrated[at]),
                tau,
                with_matrix=with_matrices,
            )
            for at in of_change
        )
        yield ChangeView(number, change, diff_view(change.diff), reviews)


def _review(
    review: ComparedReview,
    scores: NDArray[np.float64],
    calibrated: float | None,
    tau: float,
    *,
    with_matrix: bool,
) -> ReviewView:
    similarity = review.similarity
    given = [(name, getattr(review.ratings, name)) for name in DIMENSIONS]
    sentences: tuple[SentenceView, ...] = ()
    missed = tuple(range(1, len(review.references) + 1))
    if similarity.size:
        missed = tuple(map(int, np.flatnonzero(~metric.covered(similarity, tau)) + 1))
        on_topic = metric.on_topic(similarity, tau)
        sentences = tuple(
            SentenceView(text, bool(on_topic[column]), int(row) + 1, float(similarity[row, column]))
            for column, (text, row) in enumerate(
                zip(review.sentences, similarity.argmax(axis=0), strict=True)
            )
        )
    shows_matrix = with_matrix and 0 < similarity.size <= MOST_CELLS
    return ReviewView(
        review,
        tuple(zip(DIMENSIONS, map(float, scores), strict=True)),
        tuple((name, float(rating)) for name, rating in given if rating is not None),
        calibrated,
        sentences,
        missed,
        _matrix(similarity, tau) if shows_matrix else None,
    )


def _matrix(similarity: NDArray[np.float32], tau: float) -> tuple[tuple[Cell, ...], ...]:
    shades = np.clip(similarity * _SHADES, 0, _SHADES).astype(int)
    return tuple(
        tuple(
            Cell(float(value), int(shade), bool(is_match))
            for value, shade, is_match in zip(*row, strict=True)
        )
        for row in zip(similarity, shades, metric.matches(similarity, tau), strict=True)
    )
