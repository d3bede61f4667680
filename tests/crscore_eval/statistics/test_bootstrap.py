"""Resampling of clusters, intervals, means and ratios of clusters."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import ttest_1samp

from crscore_eval.statistics.bootstrap import (
    MIN_CHANGES,
    Estimate,
    bootstrap_changes,
    clustered_mean,
    clustered_ratio,
    estimate,
    holm,
    resample,
    standard_error,
    t_test,
)
from crscore_eval.statistics.correlation import correlate

NAN = float("nan")


def p_value(samples: NDArray[np.float64], n_changes: int) -> float:
    return t_test(samples[0], standard_error(samples, n_changes), n_changes)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32))
def test_resamples_draw_as_many_clusters(n_clusters: int, n_resamples: int, seed: int) -> None:
    weights = resample(n_clusters, n_resamples, seed)
    assert weights.shape == (1 + n_resamples, n_clusters)
    assert weights.min() >= 0
    assert not weights.flags.writeable  # all statistics of a study share them
    assert (weights[0] == 1).all()
    assert (weights.sum(axis=1) == n_clusters).all()
    np.testing.assert_array_equal(weights, resample(n_clusters, n_resamples, seed))


def test_an_interval_equals_the_hand_calculation() -> None:
    # Resamples of 6 changes at 4 and 6 have the standard deviation 1, and samples sqrt(6 / 5).
    half_width = 2.5706 * np.sqrt(6 / 5)  # Student's t, 5 degrees of freedom
    samples = [5.5, *[4, 6] * 500]
    found = estimate(samples, MIN_CHANGES)
    assert found == pytest.approx((5.5, 5.5 - half_width, 5.5 + half_width), abs=1e-4)
    assert estimate(samples, MIN_CHANGES, 4.0, 6.0)[1:] == (4, 6)
    # Undefined resamples are left out while they are few.
    samples += [NAN] * 52  # 4.9 %
    assert estimate(samples, MIN_CHANGES) == found
    for undefined in ([*samples, NAN], [70, NAN]):  # 53 of 1053 are 5.03 %
        assert np.isnan(estimate(undefined, MIN_CHANGES)[1:]).all()


def test_few_clusters_and_equal_resamples_have_no_interval_and_nothing_has_no_mean() -> None:
    assert np.isnan(estimate([1, *[0, 2] * 99], MIN_CHANGES - 1).low)
    assert np.isnan(estimate(np.ones(1000), MIN_CHANGES).low)
    weights = resample(3)
    assert np.isnan(clustered_mean([], np.zeros(0, dtype=np.intp), weights)).all()
    assert np.isnan(clustered_ratio([1, 2, 3], [0, 0, 0], weights)).all()
    # A resample of 30 leaves one of them out 36 % of the time, so there is no interval.
    mean = clustered_mean([2.0, 4.0], [7, 7], resample(30))
    assert mean == pytest.approx(Estimate(3.0), nan_ok=True)


def test_a_mean_and_its_interval_equal_those_of_expanded_resamples() -> None:
    values, cluster = np.array([1.0, 2.0, 6.0, 3.0]), np.array([0, 0, 1, 3])
    expanded = [np.repeat(values, row[cluster]) for row in resample(4, 500)]
    means = [sample.mean() if sample.size else NAN for sample in expanded]
    mean = clustered_mean(values, cluster, resample(4, 500))
    assert mean.value == 3.0  # (1 + 2 + 6 + 3) / 4; the third cluster has no value
    assert mean == pytest.approx(estimate(means, 3), nan_ok=True)
    ratio = clustered_ratio([1, 0, 4], [2, 0, 3], resample(3))
    assert ratio.value == 1.0  # 5 / 5, where the mean of ratios would be (1/2 + 4/3) / 2


def test_p_values_are_close_to_those_of_a_t_test() -> None:
    for shift in (0.0, 0.2, 0.5):
        values = np.random.default_rng(3).normal(shift, 1, 30)
        means = resample(30, 2_000) @ values / 30
        expected = ttest_1samp(values, 0).pvalue
        assert p_value(means, 30) == pytest.approx(expected, abs=0.02)
    assert p_value(np.zeros(2_001), 30) == 1
    one_none = ttest_1samp([1] * 29 + [0], 0).pvalue  # equal differences count like these
    assert p_value(np.ones(2_001), 30) == pytest.approx(one_none)
    assert np.isnan(p_value(np.full(2_001, NAN), 30))


def test_changes_without_data_do_not_count() -> None:
    weights = resample(200)
    values, few = np.arange(12.0), np.arange(12) % (MIN_CHANGES - 1)
    assert np.isnan(clustered_mean(values, few, weights).low)
    assert np.isnan(correlate(values, values[::-1], few, weights)["spearman"].low)
    assert not np.isnan(clustered_mean(values, np.arange(12) % MIN_CHANGES, weights).low)
    samples = np.append(2.0, np.random.default_rng(3).normal(2, 0.95, 1_000))
    assert p_value(samples, 10) > 0.05 > p_value(samples, 200)
    for n in (MIN_CHANGES - 1, MIN_CHANGES):  # changes with another value than the usual one
        one, other = np.arange(200) < n, values.repeat(17)[:200]
        found = [correlate(a, b, np.arange(200), weights) for a, b in ((one, other), (other, one))]
        assert [np.isnan(of["spearman"].low) for of in found] == [n < MIN_CHANGES] * 2


def test_holm_corrects_for_all_known_p_values() -> None:
    # The smallest of four counts four times, the next three times, and none less than one before.
    corrected = holm([0.6, 0.01, NAN, 0.03, 0.02])
    assert corrected == pytest.approx([0.6, 0.04, NAN, 0.06, 0.06], nan_ok=True)
    assert holm([0.8, 0.9]).tolist() == [1, 1]
    assert holm([]).size == 0


def test_many_reviews_are_resampled_less_often() -> None:
    changes = pd.DataFrame({"change": [*"abc"] * 400_000})
    sizes = [len(bootstrap_changes(changes[:n])) - 1 for n in (0, 2_000, 8_000, 10**6)]
    assert sizes == [1_000, 1_000, 250, 100]
