"""Reviews that a measure gets most wrong, by hand."""

import numpy as np
import pandas as pd
import pytest

from crscore_eval.table import GROUND_TRUTH
from crscore_eval.table.columns import RATING_SCALE
from crscore_eval.validity.failures import failing_reviews, judgements, rank_gaps, widest_possible
from tests.crscore_eval.ranking.runs_of_rows import run_of_systems

NAN = float("nan")
SCORES = [0, 0, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.9, 0.5]
RATINGS = [5.0, 4, 5, 1, 5, 1, 3, 2, 1, 1]


def kinds(
    scores: list[float], ratings: list[float], rule: str = "gaps", times: int = 1
) -> dict[str, list[int]]:
    """Failures by kind, as positions in `scores`, when all reviews are repeated `times` times."""
    values, people = (pd.Series(numbers * times, dtype=float) for numbers in (scores, ratings))
    grouped = failing_reviews(values, people, rule, RATING_SCALE).groupby("failure").groups
    return {
        str(name): sorted({row % len(scores) for row in rows}) for name, rows in grouped.items()
    }


def test_gaps_equal_the_hand_calculation() -> None:
    # Ranks in twentieths. Scores: 2 2 5 8 8 12 12 15 19 17; ratings: 17 13 17 4 17 4 11 9 4 4.
    gaps = rank_gaps(pd.Series([*SCORES, 0.5, NAN]), pd.Series([*RATINGS, NAN, 3]))
    expected = [-15, -11, -12, 4, -9, 8, 1, 6, 15, 13]
    assert (20 * gaps[:10]).tolist() == pytest.approx(expected)
    assert gaps[10:].isna().all()


def test_every_wide_gap_is_a_failure() -> None:
    # Both widest gaps are 15 twentieths, 17 - 2 and 19 - 4, so 7.5 are enough.
    wide = {"underestimated": [0, 1, 2, 4], "overestimated": [5, 8, 9]}
    assert kinds(SCORES, RATINGS) == wide
    assert kinds(SCORES, RATINGS, times=30) == wide
    # Half of the widest gap, even if floats differ: 2 of 6 - 1, 1.5, 1.5 ranks; ties count half.
    half = [0.5, 0.5, 0.5, 0.25, 0.75, 0.25], [1.0, 3, 1, 1, 3, 2]
    assert kinds(*half)["overestimated"] == [0, 2]
    # Both order twenty reviews alike, except that two reviews 9 or 10 places apart are swapped.
    for distance, n_failures in ((9, 0), (10, 2)):
        same = np.arange(20.0)
        ranks = same.copy()
        ranks[[0, distance]] = ranks[[distance, 0]]
        assert len(failing_reviews(pd.Series(same), pd.Series(ranks))) == n_failures
    failing = failing_reviews(pd.Series(SCORES), pd.Series(RATINGS))
    assert failing.index.is_monotonic_increasing
    assert (failing["gap"] < 0).equals(failing["failure"] == "underestimated")


def test_ties_do_not_hide_the_reviews_that_the_measure_gets_most_wrong() -> None:
    # Ranks: scores 18.5 and 8.5, ratings 9 and 19. At most, a review is 9.5 too high, 10.5 too low.
    scores, ratings = [0.98] * 4 + [0.5] * 16, [1.0] * 17 + [5.0] * 3
    assert kinds(scores, ratings) == {"overestimated": [*range(4)], "underestimated": [17, 18, 19]}


def test_the_rule_of_the_paper_equals_the_hand_calculation() -> None:
    # Ten times each. In order: 0 0 .1 .2 .2 .3 .3 .4 .5 .9; a fifth is 0 and the highest .5 on.
    # Low and rated 5 is place 0, high and rated 1 are 8 and 9.
    expected = {"underestimated": [0], "overestimated": [8, 9]}
    assert kinds(SCORES, RATINGS, "paper", times=10) == expected
    # Of a label, the ends of its values take the place of 1 and 5.
    labels, scores = [-2.0, *[0.0] * 18, 2.0], [1.0, *[0.5] * 18, 0.0]
    failing = failing_reviews(pd.Series(scores), pd.Series(labels), "paper")
    assert failing["failure"].to_dict() == {0: "overestimated", 19: "underestimated"}
    # The lowest fifth includes the lowest score, and the highest the highest.
    ratings = [5.0, *[3.0] * 8, 1.0]
    assert kinds([0.0] * 8 + [0.5, 1], ratings, "paper")["underestimated"] == [0]
    assert kinds([0.0, 0.5] + [1.0] * 8, ratings, "paper")["overestimated"] == [9]


@pytest.mark.parametrize("rule", ["gaps", "paper"])
@pytest.mark.parametrize(
    ("scores", "ratings"), [([0.0] * 20, RATINGS * 2), (SCORES * 2, [5.0] * 20), ([], [])]
)
def test_nothing_fails_without_spread(rule: str, scores: list[float], ratings: list[float]) -> None:
    assert kinds(scores, ratings, rule) == {}


def test_the_deciding_judgement_is_first_and_ratings_are_of_the_measure_s_dimension() -> None:
    """The run has 60 reviews by systems, one of them without a score, and 30 reference reviews."""
    values = {"a": 2.0, "b": 4.0, GROUND_TRUTH: 3.0}
    same = dict.fromkeys(values, 0.5)
    run = run_of_systems(
        same, 30, values, label_ok=values, label_worth=values, human_conciseness=values
    )
    scores = run.reviews["relevance"].mask(run.reviews.index == 0)
    worth, ok = "people's ratings of worth", "the label ok"
    for measure, dimensions in (
        ("conciseness", ["conciseness", "relevance"]), ("words", ["relevance", "conciseness"])
    ):  # fmt: skip
        found = judgements(run.reviews, measure, scores, "label_worth")
        assert [*found] == [worth, *(f"people's ratings of {name}" for name in dimensions), ok]
        assert {values.count() for values in found.values()} == {59}
    found = judgements(run.reviews, "label_ok", scores, "relevance")
    assert [*found][::2] == ["people's ratings of relevance", worth]
    assert judgements(run_of_systems({"a": 0.5}, 90).reviews, "rel", scores, "rel") == {}


@pytest.mark.parametrize(("scores", "ratings", "under", "over"), [
    # Without ties: the ranks 1 and 4 of four.
    ([0.1, 0.2, 0.3, 0.4], [1, 2, 3, 4], 3 / 4, 3 / 4),
    # Ratings of ranks 2, 2, 2 and 4: one yes.
    ([0.1, 0.2, 0.3, 0.4], [0, 0, 0, 1], 3 / 4, 2 / 4),
    # Scores of ranks 2, 2, 2 and 4; ratings of ranks 1 and 3: a zero is below at most by one.
    ([0.0, 0.0, 0.0, 0.4], [0, 1, 1, 1], 1 / 4, 3 / 4),
    ([0.1, 0.2, 0.3, 0.4, None], [1, 1, 1, 1, 0], 1.5 / 4, 1.5 / 4),
    ([0.5, 0.5], [1, 1], 0, 0),
])  # fmt: skip
def test_ties_limit_the_widest_gap(
    scores: list[float | None], ratings: list[float], under: float, over: float
) -> None:
    found = widest_possible(pd.Series(scores, dtype=float), pd.Series(ratings, dtype=float))
    assert found == pytest.approx((under, over))
