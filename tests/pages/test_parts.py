"""Texts and figures that several pages share."""

import pytest

from crscore_eval.statistics import Interval
from pages.components.text import between, distinct, number, safe_table


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], []),
        (["a", "b"], ["a", "b"]),
        (["a", "b", "a", "a"], ["a (1)", "b", "a (2)", "a (3)"]),
        (["a", "a (1)", "a"], ["a (2)", "a (1)", "a (3)"]),
    ],
)
def test_no_two_options_have_the_same_name(names: list[str], expected: list[str]) -> None:
    assert distinct(names) == expected


def test_writes_figures_and_intervals() -> None:
    assert (number(0.12345), number(0.12345, 1), number(None)) == ("0.123", "0.1", "–")
    assert between(Interval(0.1, 0.25, 0.95)) == "0.100 to 0.250"
    assert (between(None), between(None, nothing="")) == ("–", "")


def test_no_cell_of_a_table_is_a_formula() -> None:
    table = safe_table([{"name": "=1+1", "number": 2.0}, {"name": "mine", "number": None}])
    assert table["name"].tolist() == ["'=1+1", "mine"]
    assert table["number"].dtype == float
