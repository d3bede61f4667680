"""Spread of similarities, by hand."""

import numpy as np
import pytest

from crscore_core.validity.distribution import (
    similarity_histogram,
    similarity_sample,
)
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison

RATING = (1, 1, 1)


def test_the_sample_is_of_all_pairs_or_so_many_of_them() -> None:
    comparison = made_comparison(
        Made(0, RATING, [[0.5, 0.25], [0.0, -0.5]]),
        Made(0, RATING, [[], []]),
        Made(1, RATING, [[0.75]], system="msg"),
    )
    values = [0.5, 0.25, 0.0, -0.5, 0.75]
    assert similarity_sample(comparison).tolist() == values
    drawn = similarity_sample(comparison, most=4).tolist()
    assert len(set(drawn)) == 4
    assert set(drawn) < set(values)
    assert similarity_sample(comparison, most=4).tolist() == drawn
    assert {tuple(similarity_sample(comparison, most=4, seed=seed)) for seed in range(9)} != {
        tuple(drawn)
    }
    assert similarity_sample(made_comparison(Made(0, RATING, [[], []]))).size == 0


def test_a_histogram_equals_the_hand_calculation() -> None:
    found = similarity_histogram(np.array([0.0, 0.1, 0.5, 0.9, 1.0]), n_bins=2)
    assert found.edges.tolist() == [0, 0.5, 1]
    assert found.counts.tolist() == [2, 3]
    assert found.pairs == 5
    assert found.mean == pytest.approx(0.5)
    # Deviations -0.5, -0.4, 0, 0.4, 0.5: squares sum to 0.82, of 5 - 1.
    assert found.standard_deviation == pytest.approx(np.sqrt(0.82 / 4))
    assert found.skewness == pytest.approx(0, abs=1e-12)
    same = similarity_histogram(np.full(3, 0.5))
    assert (same.standard_deviation, same.skewness, same.counts.sum()) == (None, None, 3)
    assert similarity_histogram(np.array([0.0, 0.1, 1.0])).skewness == pytest.approx(
        # Thirds: deviations -11/30, -8/30, 19/30; third moment over the second to the 3/2.
        ((-11) ** 3 + (-8) ** 3 + 19**3) / 3 / (((11**2 + 8**2 + 19**2) / 3) ** 1.5)
    )
