"""Reviews that the metric gets most wrong, and their rows in order, by hand."""

from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.errors import StudyError
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity.failure_traits import study_failures
from crscore_core.validity.failures import (
    FailureBins,
    FailureRule,
    JudgedScore,
    Which,
    case_rows,
    choose_cases,
    find_failures,
    levels_of,
    ratable_scores,
    score_of,
    strictest_rule,
    unjudged_rows,
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
    """The lowest quintile is the scores of 0 if most scores are 0."""
    shares = [0.0, 0.0, 0.0, 0.0, 0.5, 1.0]
    comparison = made_comparison(
        *(scoring(0, share, rating) for share in shares for rating in (1, 5))
    )
    found = find_failures(comparison, 0.5, FailureRule(bins))
    assert found.underestimated.tolist() == [1, 3, 5, 7]
    assert found.high is not None
    assert found.overestimated.tolist() == ([8, 10] if found.high < 0.5 else [10])
    top = made_comparison(*(scoring(0, share, 1) for share in (0.0, 0.5, 1.0, 1.0, 1.0)))
    # Q4 is 1, and nothing is above it.
    assert find_failures(top, 0.5, FailureRule(bins)).overestimated.tolist() == [2, 3, 4]


def test_without_judged_reviews_there_are_no_failures() -> None:
    found = find_failures(made_comparison(scoring(0, 0.5, 5, GROUND_TRUTH)), 0.5)
    assert (found.low, found.high) == (None, None)
    assert found.judged.size == found.underestimated.size == found.overestimated.size == 0


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        *((("quintiles", *ratings), "rated badly; not at") for ratings in ((3, 3), (1, 5))),
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


@pytest.mark.parametrize(
    ("people", "limits", "rule"),
    [
        ((5, 3, 3, 3, 3), (None, None), (5, 1)),
        ((4, 3, 3, 3, 3), (None, None), (4, 2)),
        ((4, 3, 3, 3, 3), (5, None), (5, 1)),  # nothing fails by any
        ((3, 3, 3, 3, 2), (4, None), (4, 2)),
        ((1, 1, 1, 1, 2), (2, None), (2, 1)),  # no step past the limit that is given
        ((5, 5, 5, 5, 5), (None, 4), (5, 4)),
        ((3, 3, 3, 3, 3), (None, None), (5, 1)),
    ],
)
def test_limits_give_way_until_some_review_fails(
    people: tuple[int, ...], limits: tuple[float | None, float | None], rule: tuple[int, int]
) -> None:
    rated = made_comparison(*(scoring(at, at / 4, rating) for at, rating in enumerate(people)))
    compared = score_of(ReviewTable(rated).at(0.5), "relevance")
    found = strictest_rule(rated, compared, "quintiles", (1, 2, 3, 4, 5), limits)
    assert found == FailureRule("quintiles", *rule)


def test_reviews_that_nobody_rated_come_last_and_are_not_compared() -> None:
    comparison = made()
    rows = case_rows(ReviewTable(comparison).at(0.5), find_failures(comparison, 0.5))
    assert choose_cases(rows, np.arange(5), Which.ALL)[-1] == 4
    assert np.isnan(rows["gap"].iloc[4])
    assert ratable_scores(ReviewTable(comparison)) == ("relevance", "no_threshold")
    assert ratable_scores(ReviewTable(unrated(comparison))) == ()
    conciseness = JudgedScore("human_conciseness", np.zeros(5), np.full(5, np.nan))
    assert find_failures(comparison, 0.5, None, conciseness).judged.size == 0


def test_another_score_has_failures_of_its_own() -> None:
    rows = ReviewTable(SIX).at(0.5).assign(no_threshold=[0.5, 1.0, 0.0, 1, 1, 0.0])
    compared = score_of(rows, "no_threshold")
    found = find_failures(SIX, 0.5, RULE, compared)
    assert found.underestimated.size == found.overestimated.size == 0
    assert case_rows(rows, found)["gap"].tolist() == pytest.approx([0, 0, 0, 0.25, 0, -0.25])
    conciseness = score_of(rows, "conciseness")
    assert conciseness.dimension == "conciseness"
    assert np.array_equal(conciseness.scores, SIX.scores([0.5])[0, 0])


def test_where_nobody_judged_the_gap_is_between_the_ranks_of_two_measures() -> None:
    rows = ReviewTable(SIX).at(0.5).assign(relevance=[0, 0.2, 0.4, 0.6, 0.8, 1])
    rows["words"] = [30, 20, 20, 50, 60, np.nan]
    gaps = unjudged_rows(rows, "relevance", "words")["gap"]
    # Ranks of relevance 1 to 6 of 6, of words 3, 1.5, 1.5, 4 and 5 of 5.
    assert gaps[:3].tolist() == pytest.approx([1 / 6 - 3 / 5, 2 / 6 - 0.3, 3 / 6 - 0.3])
    assert np.isnan(gaps[5])
    assert set(unjudged_rows(rows, "relevance", "words")["failure"]) == {""}


def labelled(*reviews: tuple[float, float | None]) -> CorpusComparison:
    """Reviews by their score and their label `useful`, the last one of the ground truth."""
    made = made_comparison(
        *(scoring(at, share, 3) for at, (share, _) in enumerate(reviews[:-1])),
        scoring(0, reviews[-1][0], 3, GROUND_TRUTH),
    )
    labels = [{} if label is None else {"useful": label} for _, label in reviews]
    pairs = zip(made.reviews, labels, strict=True)
    return replace(made, reviews=tuple(replace(one, labels=own) for one, own in pairs))


@pytest.mark.parametrize(
    ("reviews", "rule", "underestimated", "overestimated", "gap"),
    [
        # Binary: scores 0 .1 .5 .9 1 in fifths of the scale, 1 and 0 the limits.
        (
            [(0, 1), (0.1, 0), (0.5, 1), (0.9, 0), (1, 1), (0.2, None), (0, 1)],
            FailureRule("equal_width", 1, 0), [0], [3], [-1, 0.1, -0.5, 0.9, 0],
        ),
        # Graded from -2 to 2: at least 1, at most -1; the gap is of (label + 2) / 4.
        (
            [(0, 1), (0.1, 2), (0.5, 2), (0.9, -2), (1, -1), (0.2, None), (0, 2)],
            FailureRule("equal_width", 1, -1), [0, 1], [3, 4], [-0.75, -0.9, -0.5, 0.9, 0.75],
        ),
    ],
)  # fmt: skip
def test_failures_of_a_label_equal_the_hand_calculation(
    reviews: list[tuple[float, float | None]],
    rule: FailureRule,
    underestimated: list[int],
    overestimated: list[int],
    gap: list[float],
) -> None:
    comparison = labelled(*reviews)
    table = ReviewTable(comparison)
    assert ratable_scores(table, "useful") == (
        "relevance", "no_threshold", "conciseness", "comprehensiveness",
    )  # fmt: skip
    assert ratable_scores(table, "other") == ()
    rows = table.at(0.5)
    compared = score_of(rows, "relevance", "useful")
    assert (compared.dimension, compared.title) == (None, "label useful")
    found = find_failures(comparison, 0.5, rule, compared)
    assert found.judged.tolist() == [0, 1, 2, 3, 4]  # neither label nor ground truth
    assert found.underestimated.tolist() == underestimated
    assert found.overestimated.tolist() == overestimated
    gaps = case_rows(rows, found)["gap"]
    assert gaps[:5].tolist() == pytest.approx(gap)
    assert np.isnan(gaps[5])
    study = study_failures(comparison, found, ClusterBootstrap(6))
    assert (study.underestimated.cases, study.rest.cases) == (
        len(underestimated), 5 - len(underestimated) - len(overestimated),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        ([1, 0, np.nan, 1], (0, 1)),
        ([3, 3], (3,)),
        (list(range(101)), (20, 40, 60, 80)),
        ([0] * 90 + list(range(11)), (0, 1)),
    ],
)
def test_limits_are_values_that_occur(values: list[float], levels: tuple[float, ...]) -> None:
    assert levels_of(np.array(values, dtype=np.float64)) == levels
