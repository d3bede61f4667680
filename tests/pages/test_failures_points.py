"""Which reviews the chart draws, and where."""

import numpy as np

from crscore_core.validity.failures import Failures, ScoredDimension
from pages.components.failures_scatter import MOST_POINTS, drawn, jitter


def failures(n_reviews: int, failing: list[int]) -> Failures:
    judged = np.arange(n_reviews)
    compared = ScoredDimension("relevance", np.zeros(n_reviews))
    return Failures(0.5, compared, 0.2, 0.8, judged, judged[failing[::2]], judged[failing[1::2]])


def test_few_reviews_are_all_drawn() -> None:
    assert drawn(failures(MOST_POINTS, [0])).size == MOST_POINTS


def test_of_many_all_that_fail_are_drawn() -> None:
    failing = list(range(1, 40_000, 97))
    found = drawn(failures(40_000, failing))
    assert found.size == MOST_POINTS
    assert np.isin(failing, found).all()
    assert (np.diff(found) > 0).all()


def test_more_failures_than_points_are_cut() -> None:
    assert drawn(failures(20_000, list(range(12_000)))).size == MOST_POINTS


def test_jitter_hangs_on_the_review_alone_and_is_even() -> None:
    some, more = np.array([3, 700]), np.arange(1_000)
    for axis in (0, 1):
        moved = jitter(more, 0.3, axis)
        assert np.array_equal(jitter(some, 0.3, axis), moved[some])
        assert np.abs(moved).max() <= 0.3
        assert abs(moved.mean()) < 0.01
        assert np.histogram(moved, 10, (-0.3, 0.3))[0].min() > 90
