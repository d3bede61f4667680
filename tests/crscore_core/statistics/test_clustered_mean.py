"""Means and ratios of clusters, by hand and against a plain bootstrap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.errors import StatisticsError
from crscore_core.statistics import (
    ClusterBootstrap,
    Estimate,
    clustered_mean,
    clustered_ratio,
    interval,
)

UNDEFINED = Estimate(None, None)


def test_a_mean_and_its_interval_equal_those_of_expanded_resamples() -> None:
    values, cluster = np.array([1.0, 2.0, 6.0, 3.0]), np.array([0, 0, 1, 3])
    bootstrap = ClusterBootstrap(4, 500)
    expanded = [np.repeat(values, row[cluster]) for row in bootstrap.weights]
    means = [sample.mean() if sample.size else np.nan for sample in expanded]
    found = clustered_mean(values, cluster, bootstrap, 0.9)
    assert found.value == 3.0  # (1 + 2 + 6 + 3) / 4; the third cluster has no value
    assert found.interval == interval(means, 0.9)


def test_a_ratio_is_of_sums() -> None:
    found = clustered_ratio([1, 0, 4], [2, 0, 3], ClusterBootstrap(3))
    assert found.value == 1.0  # 5 / 5, where the mean of ratios would be (1/2 + 4/3) / 2


def test_nothing_has_no_mean() -> None:
    bootstrap = ClusterBootstrap(3)
    assert clustered_mean([], np.zeros(0, dtype=np.intp), bootstrap) == UNDEFINED
    assert clustered_ratio([1, 2, 3], [0, 0, 0], bootstrap) == UNDEFINED


def test_what_one_cluster_in_many_says_has_no_interval() -> None:
    # A resample of 30 leaves one of them out 36 % of the time.
    found = clustered_mean([2.0, 4.0], [7, 7], ClusterBootstrap(30))
    assert found == Estimate(3.0, None)


@pytest.mark.parametrize(
    ("tops", "bottoms"), [([1, 2], [1, 2]), ([1, 2, 3], [1, -1, 1]), ([1, 2, np.nan], [1, 1, 1])]
)
def test_what_does_not_fit_the_bootstrap_is_refused(
    tops: list[float], bottoms: list[float]
) -> None:
    with pytest.raises(StatisticsError, match="tops"):
        clustered_ratio(tops, bottoms, ClusterBootstrap(3))


@pytest.mark.parametrize("cluster", [[0, 3], [0, -1], [0], [0.0, 1.0]])
def test_clusters_that_are_none_are_refused(cluster: list[float]) -> None:
    with pytest.raises(StatisticsError, match="cluster"):
        clustered_mean([1, 2], cluster, ClusterBootstrap(3))


@given(st.lists(st.tuples(st.floats(-10, 10), st.integers(0, 4)), min_size=1))
def test_an_interval_is_within_the_values(pairs: list[tuple[float, int]]) -> None:
    values, cluster = [value for value, _ in pairs], [number for _, number in pairs]
    found = clustered_mean(values, cluster, ClusterBootstrap(5, 100))
    assert found.value == pytest.approx(np.mean(values))
    if found.interval:
        assert min(values) - 1e-9 <= found.interval.low <= found.interval.high
        assert found.interval.high <= max(values) + 1e-9
