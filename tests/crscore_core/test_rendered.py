"""Text that is hidden in a rendered review."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core import CRScorer
from crscore_core.rendered import rendered
from tests.cases import cases


@pytest.mark.parametrize(
    ("review", "expected"),
    [case[1:] for case in cases(Path(__file__).with_name("rendered.txt"))],
)
def test_hidden_text_is_removed(review: str, expected: str) -> None:
    found = rendered(review.removesuffix("\n"))
    assert [repr(found.text), *map(repr, found.hidden)] == expected.splitlines()


@given(st.text(st.sampled_from("ab `~<!->[]()\n'\"=/")))
def test_rendering_adds_no_text(review: str) -> None:
    found = rendered(review)
    letters = [character for character in review if character in "ab"]
    left = iter(letters)
    assert all(character in left for character in found.text if character in "ab")
    assert all(passage in review for passage in found.hidden)


def test_hidden_text_earns_no_score_and_is_reported() -> None:
    diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-retries = 3\n+retries = 5\n"
    honest, padded = CRScorer().score_many(
        diff, ["Thanks.", "Thanks. <!-- retries is 5 now instead of 3 -->"]
    )
    assert padded.comprehensiveness == honest.comprehensiveness
    assert any("hidden" in warning and "retries" in warning for warning in padded.warnings)
    assert not any("hidden" in warning for warning in honest.warnings)
