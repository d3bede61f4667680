"""Text that a spreadsheet would evaluate."""

import pytest

from crscore_eval.table.cells import escape_formula, unescape_formula


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "'=1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＠SUM(A1)"],
)
def test_text_that_looks_like_a_formula_is_escaped(text: str) -> None:
    assert escape_formula(text) == f"'{text}"
    assert unescape_formula(str(escape_formula(text))) == text


@pytest.mark.parametrize("text", ["", "a=b", " =1", "'a=1", "'", "1 - 1", "naïve"])
def test_other_texts_are_unchanged(text: str) -> None:
    assert unescape_formula(str(escape_formula(text))) == escape_formula(text) == text


def test_a_cell_that_is_not_text_is_unchanged() -> None:
    assert [escape_formula(value) for value in ("=1", -1, None)] == ["'=1", -1, None]
