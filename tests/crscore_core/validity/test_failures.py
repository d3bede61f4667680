"""Reviews that the metric gets most wrong, and their rows in order, by hand."""

from typing import Any, get_args

import numpy as np
import pytest

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.errors import StudyError
from crscore_core.validity.failures import (
    FailureBins,
    FailureRule,
    ScoredDimension,
    Which,
    case_rows,
    choose_cases,
    find_failures,
    ratable_scores,
    score_of,
)
from tests.crscore_core.corpus.made_reviews import made, unrated
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring

SCORED = made_comparison(
    scoring(0, 0.0, 5), scoring(0, 0.0, 4), scoring(0, 0.1, 5), scoring(1, 0.2, 1),
    scoring(1, 0.2, 5), scoring(1, 0.3, 1), scoring(2, 0.3, 3), scoring(2, 0.4, 2),
    scoring(2, 0.9, 1), scoring(2, 0.5, 1),
    scoring(0, 0.0, 5, GROUND_TRUTH), scoring(0, 1.0, 1, GROUND_TRUTH),
)  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "low", "high", "underestimated", "overestimated"),
    [
        # In order: 0 0 .1 .2 .2 .3 .3 .4 .5 .9; a fifth of the way from the first to the last is
        # 1.8 steps, .8 of the way from 0 to .1; four fifths are 7.2, .2 of the way from .4 to .5.
        (FailureRule(), 0.08, 0.42, [0], [8, 9]),
        (FailureRule(rated_at_least=4), 0.08, 0.42, [0, 1], [8, 9]),
        # From 0 to .9 in fifths.
        (FailureRule("equal_width"), 0.18, 0.72, [0, 2], [8]),
        (FailureRule("equal_width", 4, 3), 0.18, 0.72, [0, 1, 2], [8]),
    ],
)
def test_failures_equal_the_hand_calculation(
    rule: FailureRule, low: float, high: float, underestimated: list[int], overestimated: list[int]
) -> None:
    found = find_failures(SCORED, 0.5, rule)
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)
    assert found.judged.tolist() == list(range(10))
    assert found.underestimated.tolist() == underestimated
    assert found.overestimated.tolist() == overestimated
    assert find_failures(SCORED, 2.0).overestimated.size == 0  # every score is 0


@pytest.mark.parametrize("bins", get_args(FailureBins))
def test_the_highest_score_is_never_underestimated(bins: FailureBins) -> None:
    for share in (0.0, 1.0):
        equal = made_comparison(*(scoring(0, share, rating) for rating in (1, 2, 5, 5)))
        found = find_failures(equal, 0.5, FailureRule(bins))
        assert found.low == found.high == share
        assert found.underestimated.size == found.overestimated.size == 0
    # Of eleven reviews nine have a score of 1, so that Q1 is 1.
    shares = [0.0, 0.1, *[1.0] * 9]
    low = made_comparison(*(scoring(0, share, 5) for share in shares))
    assert find_failures(low, 0.5, FailureRule(bins)).underestimated.tolist() == [0, 1]


@pytest.mark.parametrize("bins", get_args(FailureBins))
def test_a_bin_includes_its_upper_edge(bins: FailureBins) -> None:
    """Where most scores are 0, the lowest quintile is those of 0."""
    shares = [0.0, 0.0, 0.0, 0.0, 0.5, 1.0]
    comparison = made_comparison(
        *(scoring(0, share, rating) for share in shares for rating in (1, 5))
    )
    found = find_failures(comparison, 0.5, FailureRule(bins))
    assert found.underestimated.tolist() == [1, 3, 5, 7]
    assert found.high is not None
    assert found.overestimated.tolist() == ([8, 10] if found.high < 0.5 else [10])
    top = made_comparison(*(scoring(0, share, 1) for share in (0.0, 0.5, 1.0, 1.0, 1.0)))
    assert find_failures(top, 0.5).overestimated.size == 0  # Q4 is 1, and nothing is above it


def test_without_judged_reviews_there_are_no_failures() -> None:
    found = find_failures(made_comparison(scoring(0, 0.5, 5, GROUND_TRUTH)), 0.5)
    assert (found.low, found.high) == (None, None)
    assert found.judged.size == found.underestimated.size == found.overestimated.size == 0


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        *((("quintiles", *ratings), "from 1 to 5") for ratings in ((3, 3), (1, 5), (6, 1), (5, 0))),
        (("deciles",), "quintiles, equal_width"),
    ],
)
def test_what_makes_no_rule_is_refused(rule: tuple[Any, ...], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        FailureRule(*rule)


SIX = made_comparison(
    scoring(0, 0.5, 3), scoring(0, 0.0, 5), scoring(1, 1.0, 1), scoring(1, 0.0, 4),
    scoring(2, 0.1, 5), scoring(2, 0.9, 2),
)  # fmt: skip
RULE = FailureRule("equal_width", 4, 2)
ROWS = case_rows(ReviewTable(SIX).at(0.5), find_failures(SIX, 0.5, RULE))


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
    assert choose_cases(ROWS, np.array([0, 3, 5]), Which.FAILING).tolist() == [3, 5]
    assert choose_cases(ROWS, np.array([], dtype=np.intp), Which.ALL).size == 0


def test_reviews_that_nobody_rated_come_last_and_are_not_compared() -> None:
    comparison = made()
    rows = case_rows(ReviewTable(comparison).at(0.5), find_failures(comparison, 0.5))
    assert choose_cases(rows, np.arange(5), Which.ALL)[-1] == 4
    assert np.isnan(rows["gap"].iloc[4])
    assert ratable_scores(ReviewTable(comparison)) == ("relevance",)
    assert ratable_scores(ReviewTable(unrated(comparison))) == ()
    conciseness = ScoredDimension("conciseness", np.zeros(5))
    assert find_failures(comparison, 0.5, None, conciseness).judged.size == 0


def test_another_score_has_failures_of_its_own() -> None:
    rows = ReviewTable(SIX).at(0.5).assign(calibrated_relevance=[0.5, 1.0, 0.0, 1, 1, 0.0])
    compared = score_of(rows, "calibrated_relevance")
    found = find_failures(SIX, 0.5, RULE, compared)
    assert found.underestimated.size == found.overestimated.size == 0
    assert case_rows(rows, found)["gap"].tolist() == pytest.approx([0, 0, 0, 0.25, 0, -0.25])
    conciseness = score_of(rows, "conciseness")
    assert conciseness.dimension == "conciseness"
    assert np.array_equal(conciseness.scores, SIX.scores([0.5])[0, 0])
