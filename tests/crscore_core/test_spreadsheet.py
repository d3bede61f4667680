"""Texts that a spreadsheet program would run."""

import pytest

from crscore_core.text import as_cell, as_text


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_what_looks_like_a_formula_becomes_a_text(text: str) -> None:
    assert as_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a=b", " =1", "'=1", "1 - 1", "naïve"])
def test_other_texts_stay(text: str) -> None:
    assert as_text(text) == text


def test_a_cell_that_is_no_text_stays() -> None:
    assert [as_cell(value) for value in ("=1", -1, None)] == ["'=1", -1, None]
