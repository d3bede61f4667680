"""Differences of means over changes, against scipy's t tests and a simulation."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import ArrayLike
from scipy import stats

from crscore_eval.statistics.difference import difference_table, mean_estimates, means_by_change

RANDOM = np.random.default_rng(5)
ONE, OTHER = RANDOM.normal(0.4, 0.2, 9), RANDOM.normal(0.3, 0.2, 9)


def two(first: ArrayLike, second: ArrayLike, shift: int = 0) -> pd.DataFrame:
    """Means of two systems on changes from 0 on; the second system's start at `shift`."""
    one, other = pd.Series(np.asarray(first)), pd.Series(np.asarray(second))
    return pd.concat([one, other.set_axis(other.index + shift)], axis=1)


def compared(means: pd.DataFrame) -> "pd.Series[Any]":
    return difference_table([means]).iloc[0]


def test_one_review_per_change_equals_the_paired_t_test() -> None:
    result = compared(two(ONE, OTHER))
    expected = stats.ttest_rel(ONE, OTHER)
    assert result["p"] == pytest.approx(expected.pvalue)
    assert (result["same_changes"], result["changes"]) == (True, 9)
    interval = [*expected.confidence_interval()]
    assert result[["low", "high"]].to_list() == pytest.approx(interval)


@pytest.mark.parametrize(("shift", "same_changes", "changes"), [(3, True, 6), (4, False, 9)])
def test_enough_shared_changes_are_used(shift: int, same_changes: bool, changes: int) -> None:
    result = compared(two(ONE, OTHER, shift))
    assert (result["same_changes"], result["changes"]) == (same_changes, changes)
    one, other = (ONE[shift:], OTHER[:-shift]) if same_changes else (ONE, OTHER)
    assert (result["first"], result["second"]) == pytest.approx((one.mean(), other.mean()))


def test_other_changes_are_two_samples_and_few_have_no_interval() -> None:
    result = compared(two(ONE, OTHER, 9))
    half_width = stats.t.ppf(0.975, 8) * np.sqrt((ONE.var() + OTHER.var()) / 8)
    assert result["high"] - result["difference"] == pytest.approx(half_width)
    few = compared(two(ONE[:5], OTHER))
    assert few[["p", "low", "high"]].isna().all()
    assert few["sign"] == 0


def test_an_interval_ends_at_the_widest_possible_difference() -> None:
    table = difference_table([two(ONE, OTHER), two(OTHER, ONE)], 0.1)
    assert (table["high"][0], table["low"][1]) == (0.1, -0.1)


def test_p_values_of_several_comparisons_are_corrected() -> None:
    alone = compared(two(ONE, OTHER))["p"]
    together = difference_table([two(ONE, OTHER), two(ONE[:5], OTHER), two(ONE, ONE)])
    assert together["p"].tolist() == pytest.approx([2 * alone, np.nan, 1], nan_ok=True)


def test_means_are_over_changes_with_a_t_interval() -> None:
    # Two changes of b: (1 + 1 + 1 + 0) / 4 and 0.5; NaN is left out.
    means = means_by_change([1, 1, 1, 0, 0.5, 0.2, np.nan], [*"bbbbba", "b"], [0, 0, 0, 0, 1, 1, 2])
    estimates = mean_estimates(means, 0, 1)
    assert estimates.index.tolist() == ["b", "a"]
    assert estimates["mean"].tolist() == pytest.approx([0.625, 0.2])
    assert estimates["low"].isna().all()  # fewer than six changes
    estimates = mean_estimates(means_by_change(ONE, ["a"] * 9, range(9)))
    expected = stats.ttest_1samp(ONE, 0).confidence_interval()
    assert estimates[["low", "high"]].iloc[0].tolist() == pytest.approx([*expected])


def test_the_interval_of_a_mean_in_a_range_is_wilson_s() -> None:
    """For a share of 1 in 9, with the t of 8 degrees of freedom and the variance over 8."""
    share = pd.DataFrame({"a": [5.0] + [1.0] * 8})
    level = 2 * stats.norm.cdf(stats.t.ppf(0.975, 8) * np.sqrt(9 / 8)) - 1
    expected = stats.binomtest(1, 9).proportion_ci(level, method="wilson")
    found = mean_estimates(share, 1, 5).iloc[0][["low", "high"]]
    assert found.tolist() == pytest.approx([1 + 4 * expected.low, 1 + 4 * expected.high])


def test_the_probability_is_that_of_a_one_sided_test() -> None:
    expected = stats.ttest_rel(ONE, OTHER, alternative="less").pvalue
    assert compared(two(ONE, OTHER))["probability"] == pytest.approx(expected)
    assert compared(two(OTHER, ONE))["probability"] == pytest.approx(1 - expected)
    assert compared(two(ONE, ONE))[["p", "probability"]].to_list() == [1, 0.5]


@pytest.mark.parametrize("changes", [6, 12])
def test_equal_differences_are_tested_as_if_one_change_had_none(changes: int) -> None:
    """Equal differences have no interval, and a weaker result is not more significant."""
    result = compared(two([0.6] * changes, [0.4] * changes))
    weaker = compared(two([0.6] * changes, [0.4] * (changes - 1) + [0.6]))
    assert (result["p"], np.isnan(result["low"])) == (pytest.approx(weaker["p"]), True)
    assert (result["sign"], weaker["sign"]) == (1, 1)
    means = means_by_change([0.6] * changes, ["a"] * changes, range(changes))
    assert mean_estimates(means, 0, 1)["low"].isna().all()


@pytest.mark.parametrize("changes", [8, 20])
def test_equal_shares_differ_significantly_about_as_rarely_as_the_level_says(changes: int) -> None:
    is_right = np.random.default_rng(1).random((500, changes, 2)) < 0.5
    one_sided = difference_table(map(pd.DataFrame, is_right * 1.0))["probability"]
    p = 2 * np.fmin(one_sided, 1 - one_sided)
    assert (p < 0.05).mean() == pytest.approx(0.05, abs=0.02)
