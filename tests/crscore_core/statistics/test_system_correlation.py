"""Whether a metric orders systems as people do."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from crscore_core.errors import StatisticsError
from crscore_core.statistics import (
    ClusterBootstrap,
    Interval,
    SystemScores,
    correlate_means,
    rank_correlation,
    system_correlation,
)
from tests.crscore_core.statistics.populations import draw_study

Matrix = NDArray[np.float64]


def scores(sums: Matrix, names: str = "abcdefghi") -> SystemScores:
    return SystemScores(tuple(names[: sums.shape[1]]), sums, np.ones(sums.shape))


def test_p_values_of_few_systems_are_exact() -> None:
    # Of 4! orders one correlates perfectly: two-sided 2 / 24 for both.
    found = correlate_means([1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4])
    assert found.spearman == pytest.approx(1)
    assert found.spearman_p == pytest.approx(2 / 24)
    assert found.kendall_p == pytest.approx(2 / 24)


def test_the_exact_p_value_counts_all_orders_of_nine() -> None:
    metric, people = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9]), np.array([2, 1, 5, 3, 9, 4, 7, 6, 8])
    orders = np.array(list(permutations(range(9))), dtype=np.int8)
    share = np.mean((people[orders] @ metric) >= people @ metric)
    assert correlate_means(metric, people).spearman_p == pytest.approx(2 * share, rel=1e-4)


def test_more_systems_have_the_approximate_p_value() -> None:
    metric, people = list(range(11)), [1, 0, 2, 3, 4, 6, 5, 7, 9, 8, 10]
    assert correlate_means(metric, people) == rank_correlation(metric, people)


def test_constant_means_have_no_correlation() -> None:
    found = correlate_means([1, 1, 1], [1, 2, 3])
    assert (found.spearman, found.kendall, found.spearman_p, found.n) == (None, None, None, 3)


sides = st.tuples(st.integers(1, 6), st.integers(2, 5)).flatmap(
    lambda shape: st.tuples(*[arrays(np.float64, shape, elements=st.integers(1, 4).map(float))] * 2)
)


@settings(deadline=None)  # scipy is imported on the way
@given(sides)
def test_intervals_equal_those_of_resample_after_resample(pair: tuple[Matrix, Matrix]) -> None:
    metric, people = pair
    bootstrap = ClusterBootstrap(metric.shape[0], 15)
    found = system_correlation(scores(metric), scores(people), bootstrap)
    each = [
        rank_correlation(drawn @ metric, drawn @ people)
        for drawn in bootstrap.weights.astype(float)
    ]
    for mine, values in (
        (found.spearman_interval, [one.spearman for one in each]),
        (found.kendall_interval, [one.kendall for one in each]),
    ):
        expected = bootstrap.interval_of(np.array(values, dtype=np.float64))
        assert (mine is None) == (expected is None)
        if mine is not None and expected is not None:
            assert (mine.low, mine.high) == pytest.approx((expected.low, expected.high))


def test_the_same_scores_correlate_perfectly_in_every_resample() -> None:
    study = draw_study(40, np.random.default_rng(2))
    found = system_correlation(scores(study.people), scores(study.people), ClusterBootstrap(40))
    for interval_of_one in (found.spearman_interval, found.kendall_interval):
        assert interval_of_one is not None
        assert (interval_of_one.low, interval_of_one.high) == pytest.approx((1, 1))


def test_a_metric_that_agrees_has_an_interval_above_zero() -> None:
    study = draw_study(60, np.random.default_rng(2))
    found = system_correlation(scores(study.metric), scores(study.people), ClusterBootstrap(60))
    assert found.observed.n == 9
    assert found.observed.spearman_p is not None
    assert found.observed.spearman_p < 0.01
    assert isinstance(found.spearman_interval, Interval)
    assert isinstance(found.kendall_interval, Interval)
    assert 0.5 < found.spearman_interval.low < found.spearman_interval.high <= 1
    assert found.kendall_interval.low < found.spearman_interval.low


def test_systems_must_be_the_same() -> None:
    one = np.ones((2, 2))
    with pytest.raises(StatisticsError, match="a, b; b, a"):
        system_correlation(scores(one), scores(one, "ba"), ClusterBootstrap(2, 10))
