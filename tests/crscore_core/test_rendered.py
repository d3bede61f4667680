"""The text a reader of a review sees; nothing else earns a score."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.rendered import render_review
from tests.cases import cases


@pytest.mark.parametrize(
    ("review", "expected"), [case[1:] for case in cases(Path(__file__).with_name("rendered.txt"))]
)
def test_only_visible_text_is_left(review: str, expected: str) -> None:
    seen = [line.rstrip().replace("\xa0", " ") for line in render_review(review).splitlines()]
    assert seen == expected.splitlines()


def test_line_ends_and_invisible_characters() -> None:
    assert render_review("a\r\nb\rc") == "a\nb\nc"
    assert render_review("re\u200btry\u202e now\u2028here\0 \U000e0041") == "retry now here"


@given(st.text(st.sampled_from("ab `~<!->[]()\n'\"=/|*_#1.&;?")))
def test_rendering_adds_no_text(review: str) -> None:
    letters = iter([character for character in review if character in "ab"])
    assert all(character in letters for character in render_review(review) if character in "ab")
