"""Means and ranks of systems with their uncertainty; agreement of a metric with people."""

from collections.abc import Sequence
from itertools import combinations, permutations, product
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from crscore_eval.statistics import (
    ClusterBootstrap,
    Estimate,
    rank_correlation,
    scores_by_system,
)
from crscore_eval.validity.systems import (
    BySystem,
    rank_systems,
    soft_pairwise_accuracy,
    system_correlation,
)
from tests.crscore_eval.resamples import Drawn

Array = NDArray[np.float64]


def by_system(scores: Array, names: str = "abcdefghi") -> BySystem:
    """One review of each change (row) by each of the systems a, b, c...; none where NaN."""
    change, system = np.nonzero(~np.isnan(scores))
    return scores_by_system(scores[change, system], [names[at] for at in system], change)


def test_scores_are_grouped_by_system_and_change() -> None:
    scores = scores_by_system([1, 2, 4, 5], ["b", "a", "b", "b"], [0, 0, 2, 2])
    assert list(scores) == ["b", "a"]
    assert [of.mean for of in scores.values()] == [10 / 3, 2]
    # b: (1 + 2 * 9) / (1 + 2 * 2); a has no review of the third change.
    weights = np.array([[1.0, 0, 2], [0, 0, 1]])
    assert scores["b"].means(weights).tolist() == [19 / 5, 9 / 2]
    assert scores["a"].means(weights).tolist() == pytest.approx([2, np.nan], nan_ok=True)


def test_a_ranking_equals_the_hand_calculation() -> None:
    # Means of a, b, c over two changes: (1 + 3) / 2, (4 + 4) / 2, (3 + 1) / 2.
    scores = by_system(np.array([[1.0, 4, 3], [3, 4, 1]]))
    # The first change twice: 1, 4, 3. The second: 3, 4, 1. Both once: 2, 4, 2.
    ranking = list(rank_systems(scores, Drawn([[2, 0], [2, 0], [0, 2], [1, 1]])))
    ranks = {row.system: row.rank.value for row in ranking}
    assert list(ranks.items()) == [("b", 1), ("a", 2.5), ("c", 2.5)]
    # a is above c in one resample of four, equal in one: (1 + 1 / 2) / 4.
    assert [row.above_next for row in ranking] == [1, 1.5 / 4, None]
    assert ranking[0].rank.interval == (1, 1)
    assert ranking[1].rank.interval == (2, 3)


def test_a_system_in_few_resamples_has_no_interval() -> None:
    scores = by_system(np.array([[1.0, 2], [3, np.nan]]))
    ranking = list(rank_systems(scores, Drawn([[2, 0], [0, 2], [1, 1]])))
    assert ranking[0].rank.interval is None
    assert ranking[0].above_next == 0.25  # below, unknown, equal
    assert next(rank_systems(scores, Drawn([[0, 2]]))).above_next is None


pairs_of_tables = st.tuples(st.integers(1, 6), st.integers(2, 5)).flatmap(
    lambda size: st.tuples(*[arrays(np.float64, size, elements=st.integers(1, 5).map(float))] * 2)
)
"""Two tables of integer scores with the same shape, (n changes, n systems)."""


@given(pairs_of_tables)
def test_intervals_equal_those_of_single_resamples(pair: tuple[Array, ...]) -> None:
    metric, people = pair
    bootstrap = ClusterBootstrap(metric.shape[0], 15)
    correlation = system_correlation(by_system(metric), by_system(people), bootstrap)
    resampled = [
        rank_correlation(drawn @ metric, drawn @ people)
        for drawn in bootstrap.weights.astype(float)
    ]
    for estimate, values in (
        (correlation.spearman, [result.spearman.value for result in resampled]),
        (correlation.kendall, [result.kendall.value for result in resampled]),
    ):
        expected = bootstrap.percentile_interval(np.array(values, dtype=np.float64))
        ends = None if expected is None else pytest.approx(expected)
        assert estimate.interval == ends


def test_p_values_of_few_systems_are_exact() -> None:
    # Of 4! orders one correlates perfectly: two-sided 2 / 24 for both.
    bootstrap = ClusterBootstrap(1, 2)
    four = np.array([[1.0, 2, 3, 4]])
    correlation = system_correlation(by_system(four), by_system(four / 10), bootstrap)
    assert (correlation.spearman_p, correlation.kendall_p) == pytest.approx((2 / 24, 2 / 24))
    metric, people = np.arange(1.0, 9), np.array([2.0, 1, 5, 3, 4, 7, 6, 8])
    orders = np.array(list(permutations(range(8))), dtype=np.int8)
    share = np.mean((people[orders] @ metric) >= people @ metric)
    correlation = system_correlation(
        by_system(metric[np.newaxis]), by_system(people[np.newaxis]), bootstrap
    )
    assert correlation.spearman_p == pytest.approx(2 * share)
    constant = system_correlation(by_system(four), by_system(four * 0), bootstrap)
    assert (constant.spearman.value, constant.spearman_p) == (None, None)


def soft(scores: Array, ratings: Array, bootstrap: ClusterBootstrap | None = None) -> Estimate:
    bootstrap = bootstrap or ClusterBootstrap(len(scores), 2)
    return soft_pairwise_accuracy(by_system(scores), by_system(ratings), bootstrap)


def test_certainties_equal_the_hand_calculation() -> None:
    # In every of 20 changes people prefer b, so p of "a is better" is 1 and of "b is better" 0, up
    # to the one permutation in 2 ** 20 that swaps nothing.
    ratings = np.tile([1.0, 2], (20, 1))
    for scores, expected in (
        (ratings, 1),  # the same p
        (-ratings, 0),  # the opposite
        (np.ones((20, 2)), 0.5),  # equal scores: p = 0.5
        (np.tile([[0.0, 1], [1, 0]], (10, 1)), 0.5),  # as often above as below
    ):
        assert soft(scores, ratings).value == pytest.approx(expected, abs=0.02)


def test_systems_without_a_common_change_are_left_out() -> None:
    nan = np.nan
    # a and b share change 0 alone: people prefer a, the metric b; p are 1/4 and 3/4.
    scores = np.array([[3, 4, nan], [nan, nan, 9], [nan, nan, 9]])
    assert soft(scores, np.array([[3, 2, nan], [nan, nan, 1], [nan, nan, 1]])).value == (
        pytest.approx(0.5, abs=0.03)
    )
    apart = np.array([[1, nan], [nan, 2.0]])
    assert soft(apart, apart).value is None
    assert soft(np.ones((2, 1)), np.ones((2, 1))).value is None


def all_permutations(scores: Array, ratings: Array) -> float:
    """The same from every permutation instead of a random thousand."""
    swaps = np.array(list(product([-1, 1], repeat=len(scores))))

    def p(side: Array, one: int, other: int) -> float:
        differences = side[:, one] - side[:, other]
        permuted, observed = swaps @ differences, differences.sum()
        return float((np.mean(permuted > observed) + np.mean(permuted >= observed)) / 2)

    pairs = list(combinations(range(scores.shape[1]), 2))
    return 1 - float(np.mean([abs(p(scores, *pair) - p(ratings, *pair)) for pair in pairs]))


@pytest.mark.parametrize("seed", range(6))
def test_soft_pairwise_accuracy_is_close_to_that_of_all_permutations(seed: int) -> None:
    random = np.random.default_rng(seed)
    scores, ratings = random.integers(0, 6, (2, 3 + seed, 3)).astype(float)
    assert soft(scores, ratings).value == pytest.approx(
        all_permutations(scores, ratings), abs=0.025
    )


def test_the_interval_is_that_of_permutations_in_each_resample() -> None:
    random = np.random.default_rng(3)
    people = random.integers(1, 6, (40, 4)) + np.array([0.0, 0, 1, 2])
    metric = people + random.normal(size=people.shape)
    bootstrap = ClusterBootstrap(40, 60)
    accuracy = soft(metric, people, bootstrap)

    def accuracy_of(drawn: Sequence[int]) -> float | None:
        places = np.repeat(np.arange(40), drawn)
        return soft(metric[places], people[places]).value

    expected = bootstrap.percentile_interval(
        np.array([accuracy_of(drawn) for drawn in bootstrap.weights], float)
    )
    assert expected is not None
    assert accuracy.interval == pytest.approx(expected, abs=0.01)


def test_a_resample_without_a_common_change_leaves_the_pair_out() -> None:
    # b meets a and c in change 0, which neither resample has. Of a and c all five changes drawn
    # differ by 2, by the metric in one direction and by people in the other: z = 10 / sqrt(5 * 4).
    scores = np.array([[2.0, 1, 3], *[[1, np.nan, 3]] * 4])
    ratings = np.array([[1.0, 2, 3], *[[3, np.nan, 1]] * 4])
    bootstrap = Drawn([[0, 2, 1, 1, 1], [0, 5, 0, 0, 0]])
    expected = 1 - (2 * NormalDist().cdf(5**0.5) - 1)
    assert soft(scores, ratings, bootstrap).interval == pytest.approx((expected, expected))
