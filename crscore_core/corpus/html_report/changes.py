"""What a report says of each change and each of its reviews."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.change.diff_lines import DiffLines, diff_lines
from crscore_core.corpus.comparison import ComparedChange, CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_case import ReviewCase, review_case

__all__ = ["Cell", "ChangeView", "ReviewView", "change_views"]

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
class ReviewView:
    """A review at the report's tau: `ratings` by dimension, without those that nobody gave.

    `missed` counts the pseudo-references that no sentence addresses, from 1. `matrix` has a row a
    pseudo-reference and a cell a sentence; None where it is left out.
    """

    case: ReviewCase
    ratings: tuple[tuple[str, float], ...]
    calibrated: float | None
    missed: tuple[int, ...]
    matrix: tuple[tuple[Cell, ...], ...] | None


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A change with its reviews, in the order of the corpus; `number` counts it from 1."""

    number: int
    change: ComparedChange
    diff: DiffLines
    reviews: tuple[ReviewView, ...]


def change_views(
    comparison: CorpusComparison,
    tau: float,
    calibrated: NDArray[np.float64] | None,
    *,
    with_matrices: bool,
) -> Iterator[ChangeView]:
    """Every change at `tau`, one at a time; `calibrated` are scores of all reviews, if any."""
    positions: list[list[int]] = [[] for _ in comparison.changes]
    for position, review in enumerate(comparison.reviews):
        positions[review.change].append(position)
    for number, (change, of_change) in enumerate(
        zip(comparison.changes, positions, strict=True), start=1
    ):
        reviews = tuple(
            _review(
                review_case(comparison, at, tau),
                None if calibrated is None else float(calibrated[at]),
                with_matrix=with_matrices,
            )
            for at in of_change
        )
        yield ChangeView(number, change, diff_lines(change.diff, guess=False), reviews)


def _review(case: ReviewCase, calibrated: float | None, *, with_matrix: bool) -> ReviewView:
    given = [(name, getattr(case.review.ratings, name)) for name in DIMENSIONS]
    return ReviewView(
        case,
        tuple((name, float(rating)) for name, rating in given if rating is not None),
        calibrated,
        tuple(number for number, one in enumerate(case.references, 1) if not one.is_covered),
        _matrix(case) if with_matrix and 0 < case.is_match.size <= MOST_CELLS else None,
    )


def _matrix(case: ReviewCase) -> tuple[tuple[Cell, ...], ...]:
    similarity = case.review.similarity
    shades = np.clip(similarity * _SHADES, 0, _SHADES).astype(int)
    return tuple(
        tuple(
            Cell(float(value), int(shade), bool(is_match))
            for value, shade, is_match in zip(*row, strict=True)
        )
        for row in zip(similarity, shades, case.is_match, strict=True)
    )
