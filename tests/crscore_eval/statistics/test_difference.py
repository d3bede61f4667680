"""Differences of means over changes, against scipy's t tests and a simulation."""

import numpy as np
import pytest
from scipy import stats

from crscore_eval.statistics import ScoresByChange, mean_difference

RANDOM = np.random.default_rng(5)
ONE, OTHER = RANDOM.normal(0.4, 0.2, 9), RANDOM.normal(0.3, 0.2, 9)
CHANGE = np.arange(9)


def test_one_review_per_change_equals_the_paired_t_test() -> None:
    result = mean_difference(
        ScoresByChange.from_reviews(ONE, CHANGE), ScoresByChange.from_reviews(OTHER, CHANGE)
    )
    expected = stats.ttest_rel(ONE, OTHER)
    assert result.p == pytest.approx(expected.pvalue)
    assert (result.same_changes, result.changes) == (True, 9)
    assert result.interval == pytest.approx(tuple(expected.confidence_interval()))


@pytest.mark.parametrize(("shift", "same_changes", "changes"), [(3, True, 6), (4, False, 9)])
def test_shared_changes_are_used_if_there_are_enough(
    shift: int, same_changes: bool, changes: int
) -> None:
    result = mean_difference(
        ScoresByChange.from_reviews(ONE, CHANGE), ScoresByChange.from_reviews(OTHER, CHANGE + shift)
    )
    assert (result.same_changes, result.changes) == (same_changes, changes)
    expected = (ONE[shift:].mean(), OTHER[:-shift].mean()) if same_changes else (
        ONE.mean(), OTHER.mean()
    )  # fmt: skip
    assert (result.first, result.second) == pytest.approx(expected)


def test_other_changes_are_two_samples_and_few_have_no_interval() -> None:
    result = mean_difference(
        ScoresByChange.from_reviews(ONE, CHANGE), ScoresByChange.from_reviews(OTHER, CHANGE + 9)
    )
    error = np.sqrt((ONE.var() + OTHER.var()) / 8)
    assert result.standard_error == pytest.approx(error)
    few = mean_difference(
        ScoresByChange.from_reviews(ONE[:5], CHANGE[:5]), ScoresByChange.from_reviews(OTHER, CHANGE)
    )
    assert (few.p, few.interval) == (None, None)


def test_a_change_with_many_reviews_counts_once() -> None:
    scores = ScoresByChange.from_reviews([1, 1, 1, 0, 0.5], [0, 0, 0, 0, 1])
    assert scores.scores.tolist() == [0.75, 0.5]
    assert scores.mean == pytest.approx(0.625)


def test_probability_is_the_share_of_resamples_that_keep_the_order() -> None:
    first = ScoresByChange.from_reviews([1, 0, 1, *[0] * 4], [0, *range(6)])
    second = ScoresByChange.from_reviews([0.75, 0.5, *[0] * 4], range(6))
    # Resamples of the first two changes: means of 3/4, 1/2 and 1, and of 5/8, 3/4 and 1/2.
    weights = np.pad([[1.0, 1], [2, 0], [0, 2]], ((0, 0), (0, 4)))
    result = mean_difference(first, second, weights)
    assert result.probability == pytest.approx(2 / 3)
    assert mean_difference(first, second, np.zeros((2, 6))).probability is None
    same = mean_difference(
        ScoresByChange.from_reviews(ONE, CHANGE), ScoresByChange.from_reviews(ONE, CHANGE)
    )
    assert same.p == 1


@pytest.mark.parametrize(("changes", "p"), [(6, 1 / 32), (12, 1 / 2048)])
def test_equal_differences_are_not_certain(changes: int, p: float) -> None:
    """The p-value is from the sign test, and without spread there is no interval."""
    first, second = (
        ScoresByChange.from_reviews([mean] * changes, range(changes)) for mean in (0.6, 0.4)
    )
    result = mean_difference(first, second)
    assert (result.p, result.interval, result.sign) == (p, None, 1)
    assert first.estimate(0, 1).interval is None
