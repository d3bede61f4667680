"""Rank correlations of a metric with people, and when there are none."""

import numpy as np
import pytest

from crscore_core.errors import StatisticsError
from crscore_core.statistics import RankCorrelation, rank_correlation

GOLDEN = [
    pytest.param([1, 2, 3, 4], [1, 2, 3, 5], 1.0, 1.0, id="the same order"),
    pytest.param([1, 2, 3, 4], [9, 5, 2, 1], -1.0, -1.0, id="the opposite order"),
    # Rank differences 1, 1, 0, 0: rho = 1 - 6 * 2 / (4 * 15) = 0.8.
    # Of six pairs one is discordant: tau = (5 - 1) / 6.
    pytest.param([1, 2, 3, 4], [2, 1, 3, 4], 0.8, 4 / 6, id="one pair swapped"),
    # Ranks 1.5, 1.5, 3, 4 and 1, 2.5, 2.5, 4, each with a sum of squares of 4.5 about 2.5.
    # Products about the mean: 1.5 + 0 + 0 + 2.25 = 3.75, so rho = 3.75 / 4.5. Pairs: 4
    # concordant, none discordant, one tied on each side: tau-b = 4 / sqrt(5 * 5).
    pytest.param([0, 0, 1, 2], [1, 3, 3, 5], 3.75 / 4.5, 4 / 5, id="ties on both sides"),
]


@pytest.mark.parametrize(("metric", "people", "spearman", "kendall"), GOLDEN)
def test_correlations_equal_the_hand_calculation(
    metric: list[float], people: list[float], spearman: float, kendall: float
) -> None:
    found = rank_correlation(metric, people)
    assert found.spearman == pytest.approx(spearman)
    assert found.kendall == pytest.approx(kendall)
    assert found.n == 4


def test_values_are_plain_floats() -> None:
    found = rank_correlation(np.array([1, 2, 3, 4]), np.array([2, 1, 3, 4]))
    for value in (found.spearman, found.kendall, found.spearman_p, found.kendall_p):
        assert type(value) is float


def test_p_values_of_untied_pairs() -> None:
    # Kendall's is exact: of 4! = 24 orders 4 have at most one discordant pair, and 4 at most
    # one concordant, so p = 8 / 24.
    assert rank_correlation([1, 2, 3, 4], [2, 1, 3, 4]).kendall_p == pytest.approx(8 / 24)


@pytest.mark.parametrize(
    ("metric", "people"), [([0, 0, 0], [1, 2, 3]), ([1, 2], [4, 4]), ([1], [1])]
)
def test_a_constant_side_has_no_correlation(metric: list[float], people: list[float]) -> None:
    assert rank_correlation(metric, people) == RankCorrelation(None, None, None, None, len(metric))


def test_two_pairs_have_no_p_value_for_spearman() -> None:
    found = rank_correlation([1, 2], [1, 2])
    assert found.spearman == pytest.approx(1)
    assert found.spearman_p is None


@pytest.mark.parametrize(
    ("metric", "people", "message"),
    [
        ([1, 2], [1, 2, 3], "metric and people.*2 and 3"),
        ([1, float("nan")], [1, 2], "metric.*finite"),
        ([1, 2], [1, float("inf")], "people.*finite"),
        ([], [], "empty"),
        ([[1, 2]], [1, 2], "shape"),
        (["a"], [1], "numbers"),
    ],
)
def test_bad_input_is_refused(metric: list[float], people: list[float], message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        rank_correlation(metric, people)
