"""Means and ranks of systems with their uncertainty; agreement of a metric with people."""

from itertools import permutations

import numpy as np
import pytest
from crscore_eval.statistics.systems import correlate_means
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from crscore_eval.statistics import (
    ClusterBootstrap,
    Interval,
    SystemScores,
    rank_correlation,
    rank_systems,
    system_correlation,
    system_scores,
)

Matrix = NDArray[np.float64]


class Drawn(ClusterBootstrap):
    """Resamples given by a test."""

    def __init__(self, weights: list[list[int]]) -> None:
        self.weights = np.array(weights, dtype=np.int16)


def whole(sums: Matrix, names: str = "abcdefghi") -> SystemScores:
    """One review of each change by each of the systems a, b, c..."""
    return SystemScores(tuple(names[: sums.shape[1]]), sums, np.ones(sums.shape))


def test_scores_are_grouped_by_change_and_system() -> None:
    reviews = [1, 2, 4, 5], ["b", "a", "b", "b"], [0, 0, 2, 2], 3
    scores = system_scores(*reviews)
    assert scores.systems == ("b", "a")
    assert scores.sums.tolist() == [[1, 2], [0, 0], [9, 0]]
    assert scores.counts.tolist() == [[1, 1], [0, 0], [2, 0]]
    assert scores.observed.tolist() == [10 / 3, 2]
    # b: (1 + 2 * 9) / (1 + 2 * 2); a has no review of the third change.
    means = scores.means([[1, 0, 2], [0, 0, 1]])
    np.testing.assert_allclose(means, [[19 / 5, 2], [9 / 2, np.nan]])
    ordered = system_scores(*reviews, order=["a", "unheard", "b"])
    assert ordered.systems == ("a", "b")
    assert ordered.sums.tolist() == [[2, 1], [0, 0], [0, 9]]


def test_a_ranking_equals_the_hand_calculation() -> None:
    # Means of a, b, c over two changes: (1 + 3) / 2, (4 + 4) / 2, (3 + 1) / 2.
    scores = whole(np.array([[1.0, 4, 3], [3, 4, 1]]))
    # The first change twice: 1, 4, 3. The second: 3, 4, 1. Both once: 2, 4, 2.
    ranking = rank_systems(scores, Drawn([[2, 0], [2, 0], [0, 2], [1, 1]]))
    assert [(row.system, row.mean.value, row.rank.value) for row in ranking] == [
        ("b", 4, 1), ("a", 2, 2.5), ("c", 2, 2.5)
    ]  # fmt: skip
    # a is above c in one resample of four, equal in one: (1 + 1 / 2) / 4.
    assert [row.above_next for row in ranking] == [1, 1.5 / 4, None]
    first, second, _ = ranking
    assert first.rank.interval == Interval(1, 1, 0.95)
    assert second.rank.interval == Interval(2, 3, 0.95)
    assert second.mean.interval is not None
    assert 1 <= second.mean.interval.low < 2 < second.mean.interval.high <= 3


def test_a_system_in_few_resamples_has_no_interval() -> None:
    scores = SystemScores(("a", "b"), np.array([[1.0, 2], [3, 0]]), np.array([[1.0, 1], [1, 0]]))
    ranking = rank_systems(scores, Drawn([[2, 0], [0, 2], [1, 1]]))
    assert [row.system for row in ranking] == ["a", "b"]
    assert ranking[0].mean.interval is not None
    assert ranking[1].mean.interval is None
    assert ranking[0].rank.interval is None
    assert ranking[0].above_next == 0.25  # below, unknown, equal
    never = rank_systems(scores, Drawn([[0, 2]]))
    assert never[0].above_next is None


pairs_of_tables = st.tuples(st.integers(1, 6), st.integers(2, 5)).flatmap(
    lambda size: st.tuples(*[arrays(np.float64, size, elements=st.integers(1, 5).map(float))] * 2)
)
"""Two tables of integer scores with the same shape, (n changes, n systems)."""


@given(pairs_of_tables)
def test_intervals_equal_those_of_single_resamples(pair: tuple[Matrix, ...]) -> None:
    metric, people = pair
    bootstrap = ClusterBootstrap(metric.shape[0], 15)
    correlation = system_correlation(whole(metric), whole(people), bootstrap)
    each = [
        rank_correlation(drawn @ metric, drawn @ people)
        for drawn in bootstrap.weights.astype(float)
    ]
    for interval, values in (
        (correlation.spearman.interval, [alone.spearman.value for alone in each]),
        (correlation.kendall.interval, [alone.kendall.value for alone in each]),
    ):
        expected = bootstrap.interval_of(np.array(values, dtype=np.float64))
        assert (interval is None) == (expected is None)
        if interval is not None and expected is not None:
            assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))


def test_p_values_of_few_systems_are_exact() -> None:
    # Of 4! orders one correlates perfectly: two-sided 2 / 24 for both.
    four = correlate_means([1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4])
    assert four.spearman.value == pytest.approx(1)
    assert four.spearman_p == pytest.approx(2 / 24)
    assert four.kendall_p == pytest.approx(2 / 24)
    metric, people = np.array([1, 2, 3, 4, 5, 6, 7, 8]), np.array([2, 1, 5, 3, 4, 7, 6, 8])
    orders = np.array(list(permutations(range(8))), dtype=np.int8)
    share = np.mean((people[orders] @ metric) >= people @ metric)
    assert correlate_means(metric, people).spearman_p == pytest.approx(2 * share)
    eleven, other = list(range(11)), [1, 0, 2, 3, 4, 6, 5, 7, 9, 8, 10]
    assert correlate_means(eleven, other) == rank_correlation(eleven, other)
    constant = correlate_means([1, 1, 1], [1, 2, 3])
    assert (constant.spearman.value, constant.spearman_p) == (None, None)
