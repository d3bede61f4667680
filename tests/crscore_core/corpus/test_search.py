"""Reviews by what they are and what they are called."""

import pytest

from crscore_core.corpus.search import (
    ReviewFilter,
    filter_reviews,
    position_of_review,
)
from tests.crscore_core.corpus.made_reviews import made

COMPARISON = made()
ROWS = COMPARISON.frame(0.5)
EVERYTHING = [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        (ReviewFilter(), EVERYTHING),
        (ReviewFilter(languages=frozenset({"python"})), [0, 1]),
        (ReviewFilter(languages=frozenset({"java", ""})), [2, 3, 4]),
        (ReviewFilter(systems=frozenset({"two"})), [1, 3]),
        (ReviewFilter(systems=frozenset({"none such"})), []),
        (ReviewFilter(inline_code=True), [0]),
        (ReviewFilter(inline_code=False), [1, 2, 3, 4]),
        (ReviewFilter(systems=frozenset({"one"}), inline_code=False), [2, 4]),
    ],
)
def test_filters_leave_what_fits_all_of_them(wanted: ReviewFilter, left: list[int]) -> None:
    assert filter_reviews(ROWS, COMPARISON, wanted).tolist() == left


@pytest.mark.parametrize(
    ("text", "in_diff", "left"),
    [
        ("WHY", False, [0]),
        ("café", False, [1]),
        ("SSTRASSE", False, [1]),  # ẞ and ß fold to ss
        (".", False, [1, 4]),  # a full stop, not any letter
        (".*", False, []),
        ("(v1.5)", False, []),
        ("(V1.5)", True, EVERYTHING),
        ("new b", True, [2, 3]),
        ("three", True, [4]),
    ],
)
def test_a_text_is_found_letter_by_letter(text: str, in_diff: bool, left: list[int]) -> None:
    wanted = ReviewFilter(text=text, in_diff=in_diff)
    assert filter_reviews(ROWS, COMPARISON, wanted).tolist() == left


def test_a_review_is_found_by_its_id_or_that_of_its_change() -> None:
    assert filter_reviews(ROWS, COMPARISON, ReviewFilter(text="B/TWO")).tolist() == [3]
    assert position_of_review(COMPARISON, "b/two") == 3
    assert position_of_review(COMPARISON, "") is None
