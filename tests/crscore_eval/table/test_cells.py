"""Numbers in cells, and text that a spreadsheet would evaluate."""

from decimal import Decimal

import pytest

from crscore_eval.table.cells import cell_number, escape_formula, unescape_formula


@pytest.mark.parametrize(
    ("cell", "number"),
    [(Decimal("4.5"), 4.5), ("4,5", 4.5), ("yes", 1), ("1,234", None), (True, 1)],
)
def test_numbers_are_read_from_cells_of_any_type(cell: object, number: float | None) -> None:
    assert cell_number(cell) == number


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
