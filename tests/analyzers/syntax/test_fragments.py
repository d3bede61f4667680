"""Hunks of ten languages in the scaffold that makes them readable."""

import pytest

from analyzers.python.reading import PYTHON
from analyzers.syntax.reading import READERS
from tests.analyzers.syntax.examples import Example, drawn, examples


@pytest.mark.parametrize(
    "example", [*examples()], ids=lambda example: f"{example.language}: {example.name}"
)
def test_the_smallest_scaffold_is_put_around_a_hunk(example: Example) -> None:
    reader = PYTHON if example.language == "python" else READERS[example.language]
    context = reader.part(example.fragment, example.changed_lines)
    assert drawn(context, example) == example.drawing
    if example.functions:
        rows = range(1, len(context.lines) + 1)
        shown = dict.fromkeys(filter(None, map(context.function, rows)))
        names = sorted(function.name for function in shown if function.name)
        assert names == sorted(example.functions.split())
