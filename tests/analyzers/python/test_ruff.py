"""Sizes of functions that ruff counts, compared with the old version."""

from dataclasses import replace

import pytest

from crscore_core.analyzers import Fragment
from crscore_core.analyzers.linter import Linter
from crscore_core.analyzers.python.ast_reader import PYTHON
from crscore_core.analyzers.python.ruff import Ruff
from tests.analyzers.sources import whole


def function(size: int) -> str:
    return "def work():\n" + "    f()\n" * size


@pytest.mark.parametrize(
    ("before", "after", "is_found"),
    [(50, 51, True), (51, 51, False), (52, 51, False), (51, 52, True)],
)
def test_a_function_is_too_long_unless_it_was_as_long(
    *, before: int, after: int, is_found: bool
) -> None:
    file = replace(whole(function(after)), old_fragments=(Fragment(1, function(before)),))
    (result,) = Linter(Ruff(), PYTHON).analyze([file])
    rules = [smell.rule for smell in result.smells]
    assert ("PLR0915" in rules) == is_found
