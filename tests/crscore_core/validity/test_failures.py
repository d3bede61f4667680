"""Reviews that a measure gets most wrong, and their rows in order, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.reviews import Reviews
from crscore_core.errors import InputError
from crscore_core.validity.failure_traits import study_failures
from crscore_core.validity.failures import (
    Failures,
    JudgedScore,
    Which,
    case_rows,
    paper_failures,
    widest_gaps,
)
from crscore_eval.statistics import ClusterBootstrap
from tests.crscore_core.corpus.made_reviews import altered, made, unrated
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring

SCORED = made_comparison(
    scoring(0, 0.0, 5), scoring(0, 0.0, 4), scoring(0, 0.1, 5), scoring(1, 0.2, 1),
    scoring(1, 0.2, 5), scoring(1, 0.3, 1), scoring(2, 0.3, 3), scoring(2, 0.4, 2),
    scoring(2, 0.9, 1), scoring(2, 0.5, 1),
    scoring(0, 0.0, 5, GROUND_TRUTH), scoring(0, 1.0, 1, GROUND_TRUTH),
)  # fmt: skip


def found(comparison: Reviews, number: int | None = None, tau: float = 0.5) -> Failures:
    """Failures of relevance: the widest gaps, by default those of the paper's rule."""
    compared = JudgedScore.of(comparison, "relevance", tau)
    if number is None:
        return paper_failures(comparison, compared)
    return widest_gaps(comparison, compared, number)


def test_the_paper_s_rule_equals_the_hand_calculation() -> None:
    # In order: 0 0 .1 .2 .2 .3 .3 .4 .5 .9; a fifth of the way from the first to the last is
    # 1.8 steps, .8 of the way from 0 to .1; four fifths are 7.2, .2 of the way from .4 to .5.
    failures = found(SCORED)
    assert failures.edges == pytest.approx((0.08, 0.42))
    assert failures.judged.tolist() == list(range(10))
    assert failures.underestimated.tolist() == [0]
    assert failures.overestimated.tolist() == [8, 9]
    assert failures.both.tolist() == [0, 8, 9]
    assert not found(SCORED, tau=2.0).both.size  # every score is 0


def test_the_widest_gaps_equal_the_hand_calculation() -> None:
    # Ranks in twentieths. Scores: 2 2 5 8 8 12 12 15 19 17; ratings 1 1 1 1, 2, 3, 4, 5 5 5:
    # 17 13 17 4 17 4 11 9 4 4.
    gaps = [-15, -11, -12, 4, -9, 8, 1, 6, 15, 13]
    failures = found(SCORED, 3)
    assert failures.gap[:10] == pytest.approx(np.array(gaps) / 20)
    assert np.isnan(failures.gap[10:]).all()  # the ground truth
    assert failures.underestimated.tolist() == [0, 1, 2]
    assert failures.overestimated.tolist() == [5, 8, 9]
    assert failures.edges is None
    most = found(SCORED, 100)
    assert most.underestimated.tolist() == [0, 1, 2, 4]  # those with a gap, and no other
    assert most.overestimated.tolist() == [3, 5, 6, 7, 8, 9]
    assert found(SCORED, 1).both.tolist() == [0, 8]
    equal = (scoring(0, share, rating) for share, rating in ((0, 5), (1, 1)) for _ in range(4))
    assert found(made_comparison(*equal), 2).both.tolist() == [0, 1, 4, 5]  # the first of each


@pytest.mark.parametrize("number", [None, 20])
def test_nothing_fails_where_scores_or_ratings_are_all_the_same(number: int | None) -> None:
    for share in (0.0, 1.0):
        equal = made_comparison(*(scoring(0, share, rating) for rating in (1, 2, 5, 5)))
        assert not found(equal, number).both.size
    agreed = made_comparison(*(scoring(0, share, 5) for share in (0.0, 0.5, 1.0)))
    assert not found(agreed, number).both.size
    alone = made_comparison(scoring(0, 0.5, 5, GROUND_TRUTH))
    failures = widest_gaps(alone, JudgedScore("", np.ones(1), np.ones(1)))
    assert not failures.judged.size
    assert not failures.both.size
    assert paper_failures(alone, failures.compared).edges is None


def test_the_lowest_and_the_highest_fifth_include_the_lowest_and_the_highest_score() -> None:
    shares = [0.0, 0.0, 0.0, 0.0, 0.5, 1.0]
    low = made_comparison(*(scoring(0, share, rating) for share in shares for rating in (1, 5)))
    assert found(low).underestimated.tolist() == [1, 3, 5, 7]  # Q1 is 0
    shares = [0.0, 0.5, 1.0, 1.0, 1.0]
    high = made_comparison(*(scoring(0, share, 1) for share in shares), scoring(0, 0.0, 5))
    assert found(high).overestimated.tolist() == [2, 3, 4]  # Q4 is 1
    # Of eleven reviews nine have a score of 1, so that Q1 is 1: the highest stay out.
    shares = [0.0, 0.1, *[1.0] * 8]
    top = made_comparison(*(scoring(0, share, 5) for share in shares), scoring(0, 1.0, 1))
    assert found(top).underestimated.tolist() == [0, 1]


SIX = made_comparison(
    scoring(0, 0.5, 3), scoring(0, 0.0, 5), scoring(1, 1.0, 1), scoring(1, 0.1, 4),
    scoring(2, 0.2, 5), scoring(2, 0.9, 2),
)  # fmt: skip
ROWS = case_rows(SIX.frame(0.5), found(SIX, 2))


def test_rows_say_what_fails_and_by_how_much() -> None:
    # Ranks in twelfths, scores: 7 1 11 3 5 9; ratings: 5 10 1 7 10 3.
    assert ROWS["gap"].tolist() == pytest.approx([2 / 12, -9 / 12, 10 / 12, -4 / 12, -5 / 12, 0.5])
    assert ROWS["failure"].tolist() == [
        "", "underestimated", "overestimated", "", "underestimated", "overestimated",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("which", "chosen"),
    [
        (Which.FAILING, [1, 2, 4, 5]),
        (Which.UNDERESTIMATED, [1, 4]),
        (Which.OVERESTIMATED, [2, 5]),
        (Which.ALL, [0, 1, 2, 3, 4, 5]),
        ("overestimated", [2, 5]),
    ],
)
def test_failures_are_chosen_by_their_kind(which: Which, chosen: list[int]) -> None:
    assert found(SIX, 2).chosen(which).tolist() == chosen


def test_reviews_that_nobody_rated_are_not_compared() -> None:
    assert np.isnan(found(made(), 20).gap[4])


def test_a_measure_is_compared_with_ratings_of_its_own_name_where_there_are_any() -> None:
    for measure in ("relevance", "conciseness", "comprehensiveness"):
        assert JudgedScore.of(SIX, measure, 0.5).title == f"people's {measure}"
        assert JudgedScore.of(made(), measure, 0.5).title == "people's relevance"
    compared = JudgedScore.of(SIX, "conciseness", 0.5)
    assert np.array_equal(compared.scores, SIX.scores([0.5])[0, 0])
    without = JudgedScore.of(SIX, "no_threshold", 0.5)
    assert without.title == "people's relevance"
    assert np.array_equal(without.scores, SIX.no_threshold()[-1])
    with pytest.raises(InputError, match="no measure 'bleu'"):
        JudgedScore.of(SIX, "bleu", 0.5)
    with pytest.raises(InputError, match="nobody rated"):
        JudgedScore.of(unrated(made()), "relevance", 0.5)
    with pytest.raises(InputError, match="nobody labelled"):
        JudgedScore.of(made(), "relevance", 0.5, "useful")


def labelled(*reviews: tuple[float, float | None]) -> Reviews:
    """Reviews by their score and their label `useful`, the last one of the ground truth."""
    made = made_comparison(
        *(scoring(at, share, 3) for at, (share, _) in enumerate(reviews[:-1])),
        scoring(0, reviews[-1][0], 3, GROUND_TRUTH),
    )
    labels = [{} if label is None else {"useful": label} for _, label in reviews]
    pairs = zip(made, labels, strict=True)
    return altered(made, reviews=tuple(replace(one, labels=own) for one, own in pairs))


@pytest.mark.parametrize(
    ("reviews", "underestimated", "overestimated", "ends"),
    [
        # Scores 0 .1 .5 .9 1: Q1 is .8 of the way from 0 to .1, and Q4 .2 of that from .9 to 1.
        (
            [(0, 1), (0.1, 0), (0.5, 1), (0.9, 0), (1, 0), (0.2, None), (0, 1)],
            [0], [4], (0, 1),
        ),
        # Graded: only the ends of the scale count, -2 and 2.
        (
            [(0, 2), (0.1, 1), (0.5, 2), (0.9, -1), (1, -2), (0.2, None), (0, 2)],
            [0], [4], (-2, 2),
        ),
    ],
)  # fmt: skip
def test_failures_of_a_label_equal_the_hand_calculation(
    reviews: list[tuple[float, float | None]],
    underestimated: list[int],
    overestimated: list[int],
    ends: tuple[float, float],
) -> None:
    comparison = labelled(*reviews)
    compared = JudgedScore.of(comparison, "relevance", 0.5, "useful")
    assert compared.title == "label useful"
    assert (compared.lowest, compared.highest) == ends
    failures = paper_failures(comparison, compared)
    assert failures.judged.tolist() == [0, 1, 2, 3, 4]  # neither without a label nor ground truth
    assert failures.underestimated.tolist() == underestimated
    assert failures.overestimated.tolist() == overestimated
    widest = widest_gaps(comparison, compared, 1)
    assert (widest.underestimated.tolist(), widest.overestimated.tolist()) == ([0], [4])
    study = study_failures(comparison, failures, ClusterBootstrap(6))
    assert (study.underestimated.cases, study.rest.cases) == (1, 3)
    # A label is a measure too, without a value for reviews that lack it.
    as_measure = widest_gaps(comparison, JudgedScore.of(comparison, "useful", 0.5), 1)
    assert as_measure.judged.tolist() == [0, 1, 2, 3, 4]
