"""Resampling of clusters, percentile intervals, means and ratios of clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy.stats import ttest_1samp

from crscore_core.errors import InputError
from crscore_eval.statistics import (
    MIN_CHANGES,
    ClusterBootstrap,
    Estimate,
    Interval,
    clustered_mean,
    clustered_ratio,
    correlate,
    holm,
    p_value,
    percentile_interval,
)

UNDEFINED = Estimate(None, None)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32))
def test_a_resample_draws_as_many_clusters_as_there_are(
    n_clusters: int, n_resamples: int, seed: int
) -> None:
    weights = ClusterBootstrap(n_clusters, n_resamples, seed).weights
    assert weights.shape == (n_resamples, n_clusters)
    assert weights.dtype == np.int16
    assert weights.min() >= 0
    assert not weights.flags.writeable  # all statistics of a study share them
    assert (weights.sum(axis=1) == n_clusters).all()
    np.testing.assert_array_equal(weights, ClusterBootstrap(n_clusters, n_resamples, seed).weights)


def test_every_cluster_is_drawn_equally_often_and_another_seed_draws_otherwise() -> None:
    # 4000 resamples of 20: each mean is 1 with a standard error of about 0.015.
    assert ClusterBootstrap(20, 4000, 7).weights.mean(axis=0) == pytest.approx(1, abs=0.06)
    assert (ClusterBootstrap(50, 10, 1).weights != ClusterBootstrap(50, 10, 2).weights).any()
    assert ClusterBootstrap(100_000, 3).weights.sum(axis=1).tolist() == [100_000] * 3


def interval(samples: ArrayLike) -> Interval | None:
    return percentile_interval(samples, MIN_CHANGES)


def test_an_interval_equals_the_hand_calculation() -> None:
    # Of 0, 1, ..., 1000 2.5 % lie below 25, and 2.5 % above 975.
    limits = interval(np.arange(1001.0)[::-1])
    assert limits is not None
    assert limits == pytest.approx((25, 975))
    # Undefined resamples are left out while they are few.
    samples = np.concatenate([np.arange(1001.0), np.full(52, np.nan)])  # 4.9 %
    assert interval(samples) == limits
    assert interval(np.concatenate([samples, [np.nan]])) is None  # 53 of 1054 are 5.03 %
    assert interval([float("nan")]) is None


def test_few_clusters_have_no_interval_and_nothing_has_no_mean() -> None:
    assert percentile_interval(np.ones(1000), MIN_CHANGES - 1) is None
    assert percentile_interval(np.ones(1000), MIN_CHANGES) is not None
    bootstrap = ClusterBootstrap(3)
    assert clustered_mean([], np.zeros(0, dtype=np.intp), bootstrap) == UNDEFINED
    assert clustered_ratio([1, 2, 3], [0, 0, 0], bootstrap) == UNDEFINED
    # A resample of 30 leaves one of them out 36 % of the time, so there is no interval.
    assert clustered_mean([2.0, 4.0], [7, 7], ClusterBootstrap(30)) == Estimate(3.0, None)


def test_a_mean_and_its_interval_equal_those_of_expanded_resamples() -> None:
    values, cluster = np.array([1.0, 2.0, 6.0, 3.0]), np.array([0, 0, 1, 3])
    bootstrap = ClusterBootstrap(4, 500)
    expanded = [np.repeat(values, row[cluster]) for row in bootstrap.weights]
    means = [sample.mean() if sample.size else np.nan for sample in expanded]
    mean = clustered_mean(values, cluster, bootstrap)
    assert mean.value == 3.0  # (1 + 2 + 6 + 3) / 4; the third cluster has no value
    assert mean.interval == percentile_interval(means, 3)
    ratio = clustered_ratio([1, 0, 4], [2, 0, 3], ClusterBootstrap(3))
    assert ratio.value == 1.0  # 5 / 5, where the mean of ratios would be (1/2 + 4/3) / 2


def test_p_values_are_close_to_those_of_a_t_test() -> None:
    bootstrap = ClusterBootstrap(30, 2_000)
    for shift in (0.0, 0.2, 0.5):
        values = np.random.default_rng(3).normal(shift, 1, 30)
        means = bootstrap.observed_and_resampled @ values / 30
        expected = ttest_1samp(values, 0).pvalue
        assert p_value(means, 30) == pytest.approx(expected, abs=0.02)
    assert p_value(np.zeros(2_001), 30) == 1
    assert p_value(np.ones(2_001), 30) == 2 * 0.5**30
    assert p_value(np.full(2_001, np.nan), 30) is None


def test_changes_without_data_do_not_count() -> None:
    bootstrap = ClusterBootstrap(200)
    values, few = np.arange(12.0), np.arange(12) % (MIN_CHANGES - 1)
    assert clustered_mean(values, few, bootstrap).interval is None
    assert correlate(values, values[::-1], few, bootstrap).spearman.interval is None
    assert clustered_mean(values, np.arange(12) % MIN_CHANGES, bootstrap).interval is not None
    samples = np.append(2.0, np.random.default_rng(3).normal(2, 0.95, 1_000))
    few_changes, many_changes = p_value(samples, 10), p_value(samples, 200)
    assert few_changes is not None
    assert many_changes is not None
    assert few_changes > 0.05 > many_changes


def test_holm_corrects_for_all_known_p_values() -> None:
    # The smallest of four counts four times, the next three times, and none less than one before.
    corrected = holm({"d": 0.6, "a": 0.01, "none": None, "c": 0.03, "b": 0.02})
    assert corrected == pytest.approx({"a": 0.04, "b": 0.06, "c": 0.06, "d": 0.6})
    assert holm({"a": 0.8, "b": 0.9}) == {"a": 1.0, "b": 1.0}
    assert holm({"a": None}) == {}


@pytest.mark.parametrize(("n_clusters", "n_resamples"), [(0, 10), (10, 0), (10**6, 1_000)])
def test_rejects_sizes_that_cannot_be_drawn(n_clusters: int, n_resamples: int) -> None:
    with pytest.raises(InputError):
        ClusterBootstrap(n_clusters, n_resamples)


def test_many_reviews_are_resampled_less_often() -> None:
    assert [len(ClusterBootstrap.for_size(3, n).weights) for n in (0, 2_000, 8_000, 10**6)] == [
        1_000, 1_000, 250, 100
    ]  # fmt: skip
