"""Agreement of two people: by hand, and against the study's own figures."""

from typing import Any

import pytest

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.datasets.study.model import DoubleRating, HumanStudy, Rating
from crscore_core.validity.agreement import rater_agreement

COLUMNS = dict(zip(DIMENSIONS, ("Con (P)", "Comp (R)", "Rel (F)"), strict=True))


def double(change: int, first: int, second: int) -> DoubleRating:
    return DoubleRating(change, Rating(first, 3, first), Rating(second, 3, first))


def test_alpha_equals_the_hand_calculation() -> None:
    # Units (1, 1), (1, 2), (2, 3): see test_agreement.py of the statistics.
    found = rater_agreement([double(0, 1, 1), double(0, 1, 2), double(1, 2, 3)])
    assert found
    assert (found.reviews, found.changes) == (3, 2)
    assert found.alpha["conciseness"].value == pytest.approx(1 - 5 * 17 / 180)
    constant = found.alpha["comprehensiveness"]
    assert (constant.value, constant.interval) == (None, None)
    assert found.alpha["relevance"].value == 1


def test_who_shares_no_review_cannot_agree() -> None:
    assert rater_agreement([]) is None


def test_the_same_ratings_say_less_where_they_are_of_fewer_changes() -> None:
    pairs = [(1, 1), (1, 2), (2, 3), (5, 4), (3, 3), (5, 5), (4, 2), (1, 1)]
    many = rater_agreement([double(row, *pairs[row % 8]) for row in range(64)])
    few = rater_agreement([double(row % 8, *pairs[row % 8]) for row in range(64)])
    assert many
    assert few
    narrow, wide = many.alpha["conciseness"], few.alpha["conciseness"]
    assert narrow.value == wide.value
    assert narrow.interval
    assert wide.interval
    width = narrow.interval.high - narrow.interval.low
    assert width < (wide.interval.high - wide.interval.low) / 2


def test_the_study_s_own_figures(real_study: HumanStudy, expected: dict[str, Any]) -> None:
    found = rater_agreement(real_study.double_ratings)
    assert found
    assert (found.reviews, found.changes) == (90, 9)
    for name, estimate in found.alpha.items():
        assert estimate.value is not None
        assert estimate.interval is not None
        assert round(estimate.value, 4) == expected["krippendorff_alpha_ordinal"][COLUMNS[name]]
        assert 0.6 < estimate.interval.low < estimate.value < estimate.interval.high < 1
