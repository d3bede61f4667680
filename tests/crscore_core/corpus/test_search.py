"""Reviews by what they are, changes and reviews by what they are called."""

from dataclasses import replace

import pytest

from crscore_core.corpus.search import (
    Found,
    ReviewFilter,
    filter_reviews,
    find_changes,
    find_reviews,
    position_of_change,
    position_of_review,
)
from tests.crscore_core.corpus.made_reviews import altered, made

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


def test_changes_and_reviews_are_found_by_what_they_are_called() -> None:
    changes = COMPARISON.changes
    named = replace(changes[1], title="Fix the Cache")
    bare = replace(changes[1], id="bare")
    comparison = altered(COMPARISON, changes=(changes[0], named, changes[2], bare))
    assert find_changes(comparison, "", 9) == Found((0, 1, 2), 3)
    assert find_changes(comparison, "", 1) == Found((0,), 3)
    assert find_changes(comparison, " fix THE ", 9) == Found((1,), 1)
    assert find_changes(comparison, "bare", 9) == Found((), 0)  # a change without reviews
    assert find_reviews(comparison, 0, "", 1) == Found((0,), 2)
    assert find_reviews(comparison, 0, "why IS", 2) == Found((0,), 1)
    assert find_reviews(comparison, 1, "two", 2) == Found((3,), 1)
    assert position_of_change(comparison, "b") == 1
    assert position_of_change(comparison, "bare") is None
    assert position_of_review(comparison, "b/two") == 3
    assert position_of_review(comparison, "") is None
