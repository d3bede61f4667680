"""Resampling of clusters and percentile intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from crscore_core.errors import StatisticsError
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredPairs,
    Interval,
    interval,
    resample_clusters,
)

Array = NDArray[np.float64]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32))
def test_a_resample_draws_as_many_clusters_as_there_are(
    n_clusters: int, n_resamples: int, seed: int
) -> None:
    weights = resample_clusters(n_clusters, n_resamples, seed)
    assert weights.shape == (n_resamples, n_clusters)
    assert weights.dtype == np.int16
    assert weights.min() >= 0
    assert (weights.sum(axis=1) == n_clusters).all()
    np.testing.assert_array_equal(weights, resample_clusters(n_clusters, n_resamples, seed))


def test_another_seed_draws_otherwise() -> None:
    assert (resample_clusters(50, 10, 1) != resample_clusters(50, 10, 2)).any()


def test_every_cluster_is_drawn_equally_often() -> None:
    # 4000 resamples of 20: each mean is 1 with a standard error of about 0.015.
    assert resample_clusters(20, 4000, 7).mean(axis=0) == pytest.approx(1, abs=0.06)


def test_an_interval_equals_the_hand_calculation() -> None:
    # 0, 1, ..., 1000: 2.5 % lie below 25, 2.5 % above 975; 5 % below 50 and above 950.
    for level, low, high in ((0.95, 25, 975), (0.9, 50, 950)):
        found = interval(np.arange(1001.0)[::-1], level)
        assert found is not None
        assert (found.low, found.high) == pytest.approx((low, high))
        assert found.level == level


def test_undefined_resamples_are_left_out_while_they_are_few() -> None:
    samples = np.concatenate([np.arange(1001.0), np.full(52, np.nan)])  # 4.9 %
    assert interval(samples) == interval(np.arange(1001.0))
    assert interval(np.concatenate([samples, [np.nan]])) is None  # 53 of 1054 are 5.03 %
    assert interval([float("nan")]) is None


def test_the_mean_has_the_interval_that_scipy_gives() -> None:
    values = np.random.default_rng(5).exponential(size=40)
    bootstrap = ClusterBootstrap(40, 20_000, seed=1)
    ours = bootstrap.interval(lambda weights: weights @ values / 40)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(2)
    ).confidence_interval
    assert ours is not None
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_statistics_share_resamples_so_that_their_difference_has_an_interval() -> None:
    random = np.random.default_rng(0)
    people, cluster = random.integers(1, 6, 180), np.arange(180) // 9
    one = ClusteredPairs(people + random.normal(size=180), people, cluster)
    same = ClusteredPairs(one_up(people), people, cluster)
    bootstrap = ClusterBootstrap(20, 300)
    better = bootstrap.interval(lambda w: same.spearman(w) - one.spearman(w))
    nothing = bootstrap.interval(lambda w: one.spearman(w) - one.spearman(w))
    assert better is not None
    assert 0 < better.low < better.high < 1
    assert nothing == Interval(0.0, 0.0, 0.95)


def one_up(ratings: NDArray[np.int64]) -> NDArray[np.int64]:
    return ratings + 1


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=200), st.floats(0.5, 0.98))
def test_intervals_nest_and_follow_increasing_changes(samples: list[float], level: float) -> None:
    narrow, wide = interval(samples, level), interval(samples, 0.99)
    shifted = interval(np.array(samples) * 2 + 1, level)
    assert narrow is not None
    assert wide is not None
    assert shifted is not None
    assert min(samples) <= wide.low <= narrow.low <= narrow.high <= wide.high <= max(samples)
    assert shifted.low == pytest.approx(narrow.low * 2 + 1)
    assert shifted.high == pytest.approx(narrow.high * 2 + 1)


@pytest.mark.parametrize(("n_clusters", "n_resamples"), [(0, 10), (10, 0), (40_000, 1)])
def test_what_cannot_be_drawn_is_refused(n_clusters: int, n_resamples: int) -> None:
    with pytest.raises(StatisticsError, match="cannot be drawn"):
        resample_clusters(n_clusters, n_resamples, 0)


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, float("nan")])
def test_a_level_is_a_share(level: float) -> None:
    with pytest.raises(StatisticsError, match="level"):
        interval([1.0, 2.0], level)


@pytest.mark.parametrize("samples", [[], [[1.0]]])
def test_what_are_no_samples_is_refused(samples: object) -> None:
    with pytest.raises(StatisticsError, match="samples"):
        interval(samples)  # type: ignore[arg-type]


def test_a_statistic_gives_a_value_for_each_resample() -> None:
    with pytest.raises(StatisticsError, match=r"each of 10 resamples.*\(\)"):
        ClusterBootstrap(3, 10).interval(lambda weights: weights.sum())


def test_one_cluster_has_no_interval() -> None:
    """Every resample of it is the same, which says nothing of how sure a figure is."""
    assert ClusterBootstrap(1).interval(lambda weights: weights[:, 0] * 0.5) is None
    assert ClusterBootstrap(2).interval(lambda weights: weights[:, 0] * 0.5) is not None


def test_intervals_of_many_statistics_are_those_of_each() -> None:
    samples = np.random.default_rng(0).random((200, 3))
    bootstrap = ClusterBootstrap(5, 200)
    for table in (samples, np.where(samples[:, :1] < 0.5, np.nan, samples)):
        alone = tuple(bootstrap.interval_of(column) for column in table.T)
        assert bootstrap.intervals_of(table) == alone
    assert ClusterBootstrap(1, 200).intervals_of(samples) == (None, None, None)
    assert bootstrap.intervals_of(samples[:, :0]) == ()


@pytest.mark.parametrize("shape", [(200,), (100, 3)])
def test_intervals_of_other_resamples_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(StatisticsError, match=r"samples must|each of 200 resamples"):
        ClusterBootstrap(5, 200).intervals_of(np.ones(shape))
