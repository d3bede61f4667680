"""Text that a spreadsheet would evaluate."""

import pytest

from crscore_eval.table.cells import as_cell, text_of_cell


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "'=1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＠SUM(A1)"],
)
def test_text_that_looks_like_a_formula_is_escaped(text: str) -> None:
    assert as_cell(text) == f"'{text}"
    assert text_of_cell(str(as_cell(text))) == text


@pytest.mark.parametrize("text", ["", "a=b", " =1", "'a=1", "'", "1 - 1", "naïve"])
def test_other_texts_are_unchanged(text: str) -> None:
    assert text_of_cell(str(as_cell(text))) == as_cell(text) == text


def test_a_cell_that_is_not_text_is_unchanged() -> None:
    assert [as_cell(value) for value in ("=1", -1, None)] == ["'=1", -1, None]
