"""Rows of reviews with what fails among them, and their order."""

import numpy as np
import pytest

from crscore_core.corpus.review_table import ReviewTable
from crscore_core.validity.failure_cases import (
    Which,
    case_rows,
    choose_cases,
    ratable_scores,
    score_of,
)
from crscore_core.validity.failures import (
    FailureRule,
    ScoredDimension,
    find_failures,
    scored_dimension,
)
from tests.crscore_core.corpus.made_reviews import made, unrated
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring

SCORED = made_comparison(
    scoring(0, 0.5, 3), scoring(0, 0.0, 5), scoring(1, 1.0, 1), scoring(1, 0.0, 4),
    scoring(2, 0.1, 5), scoring(2, 0.9, 2),
)  # fmt: skip
RULE = FailureRule("equal_width", 4, 2)
ROWS = case_rows(ReviewTable(SCORED).at(0.5), find_failures(SCORED, 0.5, RULE))


def test_rows_say_what_fails_and_by_how_much() -> None:
    # From 0 to 1 in fifths: at most .2 rated 4 or 5, and above .8 rated 1 or 2.
    assert ROWS["failure"].tolist() == [
        "", "underestimated", "overestimated", "underestimated", "underestimated", "overestimated",
    ]  # fmt: skip
    assert ROWS["gap"].tolist() == pytest.approx([0, -1, 1, -0.75, -0.9, 0.65])


@pytest.mark.parametrize(
    ("which", "chosen"),
    [
        (Which.FAILING, [1, 2, 4, 3, 5]),
        (Which.UNDERESTIMATED, [1, 4, 3]),
        (Which.OVERESTIMATED, [2, 5]),
        (Which.ALL, [1, 2, 4, 3, 5, 0]),
    ],
)
def test_the_widest_gap_comes_first(which: Which, chosen: list[int]) -> None:
    assert choose_cases(ROWS, np.arange(6), which).tolist() == chosen


def test_only_what_fits_is_chosen() -> None:
    assert choose_cases(ROWS, np.array([0, 3, 5]), Which.FAILING).tolist() == [3, 5]
    assert choose_cases(ROWS, np.array([], dtype=np.intp), Which.ALL).size == 0


def test_reviews_that_nobody_rated_come_last() -> None:
    comparison = made()
    rows = case_rows(ReviewTable(comparison).at(0.5), find_failures(comparison, 0.5))
    assert choose_cases(rows, np.arange(5), Which.ALL)[-1] == 4
    assert np.isnan(rows["gap"].iloc[4])


def test_only_scores_of_rated_dimensions_can_be_compared() -> None:
    comparison = made()
    assert ratable_scores(ReviewTable(comparison)) == ("relevance",)
    nobody = unrated(comparison)
    assert ratable_scores(ReviewTable(nobody)) == ()


def test_another_score_has_failures_of_its_own() -> None:
    rows = ReviewTable(SCORED).at(0.5).assign(calibrated_relevance=[0.5, 1.0, 0.0, 1, 1, 0.0])
    compared = score_of(rows, "calibrated_relevance")
    found = find_failures(SCORED, 0.5, RULE, compared)
    assert found.underestimated.size == found.overestimated.size == 0
    assert case_rows(rows, found)["gap"].tolist() == pytest.approx([0, 0, 0, 0.25, 0, -0.25])
    conciseness = score_of(rows, "conciseness")
    assert conciseness.dimension == "conciseness"
    assert np.array_equal(conciseness.scores, scored_dimension(SCORED, 0.5, "conciseness").scores)


def test_a_dimension_is_compared_with_people_s_ratings_of_it() -> None:
    comparison = made()
    compared = ScoredDimension("conciseness", np.zeros(5))
    assert find_failures(comparison, 0.5, None, compared).judged.size == 0
