"""Numbers in cells."""

import pytest

from crscore_core.corpus.reading import Cell, cell_number, is_truth_word
from crscore_core.errors import InputError


@pytest.mark.parametrize(
    ("cells", "number", "is_word"),
    [
        (("yes", " TRUE", "Pass"), 1, True),
        (("no", "false ", "FAIL"), 0, True),
        ((1, 1.0, "1", "+1.0", "1e0"), 1, False),
        ((0, "-0.0"), 0, False),
        (("0,667", ",667", "+0.667"), 0.667, False),
        ((None, "", " ", "NaN", "none", "null", "NA", "n/a", "-", "Cannot tell"), None, False),
    ],
)
def test_cells_that_hold_a_number_or_none(
    cells: tuple[Cell, ...], number: float | None, is_word: bool
) -> None:
    for cell in cells:
        assert (cell_number(cell, "x"), is_truth_word(cell)) == (number, is_word)


@pytest.mark.parametrize("cell", ["good", "1,500", "1,5,2", "inf", float("-inf"), "1 2", "yes!"])
def test_any_other_cell_is_an_error(cell: Cell) -> None:
    with pytest.raises(InputError, match=r"^x is "):
        cell_number(cell, "x")
