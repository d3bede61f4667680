"""Wordings of code for the encoder."""

import pytest

from crscore_core.claims.symbolic.wording import to_plain_words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("if maxCount >= 3:", "if max count at least 3"),
        ("a < b_2", "a less than b 2"),
        ("List<String> names", "list string names"),
        ("a == b", "a == b"),
    ],
)
def test_comparisons_become_words(code: str, words: str) -> None:
    assert to_plain_words(code) == words
