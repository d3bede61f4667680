import numpy as np
import pytest

from crscore_eval.statistics.disagreement import disagreement, rank_shares

NAN = float("nan")


def test_reviews_are_ordered_by_the_difference_of_their_ranks() -> None:
    # Review 2 lacks a value. Of the other four: lower ones twice, equal ones (and itself) once.
    # one: 0.1 -> 1, 0.9 -> 7, 0.5 -> 4, 0.5 -> 4; other: 9 -> 7, 1 -> 1, 5 -> 5, 4 -> 3
    found = disagreement(np.array([0.1, 0.9, 0.7, 0.5, 0.5]), np.array([9.0, 1.0, NAN, 5.0, 4.0]))
    assert found.positions.tolist() == [0, 1, 3, 4]  # 6, 6, 1, 1: ties by position
    assert found.one.tolist() == [1 / 8, 7 / 8, 4 / 8, 4 / 8]
    assert found.other.tolist() == [7 / 8, 1 / 8, 5 / 8, 3 / 8]


def test_ties_keep_the_order_of_the_reviews() -> None:
    # In floating point 1 / 3 - 0 and 1 - 2 / 3 would differ.
    one = np.array([3.0, 1.0, 2.0, 6.0, 4.0, 5.0])
    other = np.array([2.0, 3.0, 1.0, 5.0, 6.0, 4.0])
    assert disagreement(one, other).positions.tolist() == [1, 4, 0, 2, 3, 5]


@pytest.mark.parametrize("values", [[], [NAN], [NAN, NAN]])
def test_without_common_values_there_is_nothing(values: list[float]) -> None:
    column = np.array(values, dtype=np.float64)
    assert disagreement(column, column).positions.size == 0
    assert np.isnan(rank_shares(column)).all()


def test_a_rank_is_the_share_of_lower_values_and_half_of_the_equal_ones() -> None:
    assert rank_shares(np.array([5.0, NAN, 5.0, 9.0, 1.0])).tolist()[2:] == [0.5, 0.875, 0.125]
