"""Krippendorff's alpha against hand calculation and a published example."""

import numpy as np
import pytest

from crscore_eval.statistics.bootstrap import estimate, resample
from crscore_eval.statistics.krippendorff import krippendorff_alpha

Table = list[list[float | None]]


def alpha_of(table: Table) -> float:
    return krippendorff_alpha(table, [0] * len(table), resample(1, 1)).value


def by_rater(*raters: str) -> Table:
    """A row for each unit, from one line for each rater; a dot is a missing rating."""
    rows = zip(*(line.split() for line in raters), strict=True)
    return [[None if value == "." else float(value) for value in row] for row in rows]


# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011).
FOUR_OBSERVERS = by_rater(
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


def test_alpha_equals_the_hand_calculation_and_the_published_example() -> None:
    # Units (1, 1), (1, 2), (2, 3): each pair counts in both orders, 1 / (2 - 1) each.
    # o: 11 -> 2, 12 = 21 -> 1, 23 = 32 -> 1. n1 = 3, n2 = 2, n3 = 1, n = 6.
    # d12 = (3 + 2 - 5/2)² = 6.25, d23 = (2 + 1 - 3/2)² = 2.25,
    # d13 = (3 + 2 + 1 - 4/2)² = 16; observed 2 * (6.25 + 2.25) = 17;
    # expected 2 * (6 * 6.25 + 3 * 16 + 2 * 2.25) = 180.
    assert alpha_of(by_rater("1 1 2", "1 2 3")) == pytest.approx(1 - 5 * 17 / 180)
    assert alpha_of(FOUR_OBSERVERS) == pytest.approx(0.815, abs=0.0005)
    for nothing in (by_rater("3 3 3", "3 3 3"), by_rater("1 . 3", ". 2 .")):
        assert np.isnan(alpha_of(nothing))


def test_alpha_of_a_resample_equals_alpha_of_its_units() -> None:
    cluster = np.array([0, 0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 6])  # the last unit has one rating
    weights = resample(8, 50)
    expanded = [
        alpha_of([FOUR_OBSERVERS[at] for at in np.repeat(np.arange(12), row[cluster])])
        for row in weights
    ]
    alpha = krippendorff_alpha(FOUR_OBSERVERS, cluster, weights)
    assert alpha == pytest.approx(estimate(expanded, 6, highest=1.0))
