"""Differences of means over changes, against scipy's t tests and a simulation."""

import numpy as np
import pandas as pd
import pytest
from numpy.typing import ArrayLike
from scipy import stats

from crscore_eval.statistics import mean_difference, mean_estimates, means_by_change

RANDOM = np.random.default_rng(5)
ONE, OTHER = RANDOM.normal(0.4, 0.2, 9), RANDOM.normal(0.3, 0.2, 9)


def two(first: ArrayLike, second: ArrayLike, shift: int = 0) -> pd.DataFrame:
    """Means of two systems on changes from 0 on; the second system's start at `shift`."""
    one, other = pd.Series(np.asarray(first)), pd.Series(np.asarray(second))
    return pd.concat([one, other.set_axis(other.index + shift)], axis=1)


def test_one_review_per_change_equals_the_paired_t_test() -> None:
    result = mean_difference(two(ONE, OTHER))
    expected = stats.ttest_rel(ONE, OTHER)
    assert result.p == pytest.approx(expected.pvalue)
    assert (result.same_changes, result.changes) == (True, 9)
    assert result.interval == pytest.approx(tuple(expected.confidence_interval()))


@pytest.mark.parametrize(("shift", "same_changes", "changes"), [(3, True, 6), (4, False, 9)])
def test_shared_changes_are_used_if_there_are_enough(
    shift: int, same_changes: bool, changes: int
) -> None:
    result = mean_difference(two(ONE, OTHER, shift))
    assert (result.same_changes, result.changes) == (same_changes, changes)
    expected = (ONE[shift:].mean(), OTHER[:-shift].mean()) if same_changes else (
        ONE.mean(), OTHER.mean()
    )  # fmt: skip
    assert (result.first, result.second) == pytest.approx(expected)


def test_other_changes_are_two_samples_and_few_have_no_interval() -> None:
    result = mean_difference(two(ONE, OTHER, 9))
    error = np.sqrt((ONE.var() + OTHER.var()) / 8)
    assert result.standard_error == pytest.approx(error)
    few = mean_difference(two(ONE[:5], OTHER))
    assert (np.isnan(few.p), few.interval, few.sign) == (True, None, 0)


def test_means_are_over_changes_with_a_t_interval() -> None:
    # Two changes of b: (1 + 1 + 1 + 0) / 4 and 0.5; NaN is left out.
    means = means_by_change([1, 1, 1, 0, 0.5, 0.2, np.nan], [*"bbbbba", "b"], [0, 0, 0, 0, 1, 1, 2])
    estimates = mean_estimates(means, 0, 1)
    assert estimates.index.tolist() == ["b", "a"]
    assert estimates["mean"].tolist() == pytest.approx([0.625, 0.2])
    assert estimates["low"].isna().all()  # fewer than six changes
    clipped, full = (
        mean_estimates(means_by_change(ONE, ["a"] * 9, range(9)), lowest, highest).loc["a"]
        for lowest, highest in ((0.39, 0.4), (None, None))
    )
    expected = stats.ttest_1samp(ONE, 0).confidence_interval()
    assert full[["low", "high"]].to_numpy().tolist() == pytest.approx([*expected])
    assert clipped[["low", "high"]].to_numpy().tolist() == [0.39, 0.4]


def test_probability_is_the_share_of_resamples_that_keep_the_order() -> None:
    means = two([1, 0.5, *[0] * 4], [0.75, 0.5, *[0] * 4])
    # Resamples of the first two changes: means of 3/4, 1 and 1/2, and of 5/8, 3/4 and 1/2, a tie.
    weights = np.pad([[1.0, 1], [2, 0], [0, 2]], ((0, 0), (0, 4)))
    assert mean_difference(means, weights).probability == pytest.approx(2.5 / 3)
    assert np.isnan(mean_difference(means, np.zeros((2, 6))).probability)
    assert mean_difference(two(ONE, ONE)).p == 1


@pytest.mark.parametrize(("changes", "p"), [(6, 1 / 32), (12, 1 / 2048)])
def test_equal_differences_are_not_certain(changes: int, p: float) -> None:
    """The p-value is from the sign test, and without spread there is no interval."""
    result = mean_difference(two([0.6] * changes, [0.4] * changes))
    assert (result.p, result.interval, result.sign) == (p, None, 1)
    means = means_by_change([0.6] * changes, ["a"] * changes, range(changes))
    assert mean_estimates(means, 0, 1)["low"].isna().all()
