"""Rows of the table of systems, on reviews made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from crscore_core.corpus.measures import MeasuredReviews
from crscore_core.corpus.model import GROUND_TRUTH, UNRATED
from crscore_core.corpus.reviews import Reviews
from crscore_core.ranking.order import SystemRow, rank, system_rows
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring

TAU = 0.5
COMPARISON = made_comparison(
    *(
        made
        for change in range(25)
        for made in (
            scoring(change, 0.4, 5, "alpha"),
            Made(change, (1, 1, 1), [[0.9, 0.1]] * 10, "bravo", "Three short words"),
            scoring(change, 1.0, 3, GROUND_TRUTH),
            scoring(change, 0.9, 1, "silent"),
        )
    )
)
COMPARISON = altered(
    COMPARISON,
    reviews=tuple(
        replace(one, sentences=(), similarity=one.similarity[:, :0], ratings=UNRATED)
        if one.system == "silent"
        else one
        for one in COMPARISON
    ),
)


def rows_of(reviews: MeasuredReviews, *, by_people: bool = False) -> dict[str, SystemRow]:
    order = rank(reviews, is_chosen=not by_people)
    return {row.system: row for row in system_rows(reviews, order, TAU)}


def measured(measure: str = "relevance", comparison: Reviews = COMPARISON) -> MeasuredReviews:
    return MeasuredReviews.of(comparison, measure, TAU)


def test_systems_stand_in_order_then_the_ground_truth_and_who_has_no_score() -> None:
    rows = rows_of(measured())
    assert [(name, row.places) for name, row in rows.items()] == [
        ("bravo", "1"), ("alpha", "2"), (GROUND_TRUTH, ""), ("silent", ""),
    ]  # fmt: skip
    # One of two sentences matches, and the only point is covered.
    assert rows["bravo"].scores == pytest.approx((0.5, 1, 2 / 3))
    assert rows["bravo"].mean.value == pytest.approx(2 / 3)
    assert rows["bravo"].people.value == 1
    assert rows["bravo"].words == 3
    assert rows[GROUND_TRUTH].mean.value == pytest.approx(1)
    silent = rows["silent"]
    assert (silent.scores, silent.mean.value, silent.people.value) == (None, None, None)
    assert (silent.reviews, silent.empty) == (25, 25)


def test_the_leading_mean_is_that_of_the_order() -> None:
    assert list(rows_of(measured("conciseness")))[:2] == ["bravo", "alpha"]
    assert rows_of(measured("conciseness"))["bravo"].mean.value == pytest.approx(0.5)
    by_people = rows_of(measured(), by_people=True)
    assert [(name, row.mean.value) for name, row in by_people.items()] == [
        ("alpha", 5), ("bravo", 1), (GROUND_TRUTH, 3),
    ]  # fmt: skip


def test_reviews_without_a_value_do_not_count() -> None:
    reviews = measured()
    values = np.where(reviews.reviews.change < 6, reviews.values, np.nan)
    assert {row.reviews for row in rows_of(replace(reviews, values=values)).values()} == {6}
