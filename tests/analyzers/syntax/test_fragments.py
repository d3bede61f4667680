import pytest

from analyzers.syntax.reading import READERS
from tests.analyzers.syntax.examples import Example, drawn, examples

EXAMPLES = list(examples())


@pytest.mark.parametrize(
    "example", EXAMPLES, ids=[f"{example.language}: {example.name}" for example in EXAMPLES]
)
def test_a_hunk_is_read_in_the_scaffold_that_its_place_needs(example: Example) -> None:
    context = READERS[example.language].part(example.fragment, example.changed_lines)
    assert drawn(context, example) == example.drawing
    rows = range(1, len(context.passage.line_numbers) + 1)
    found = [context.function(row) for row in rows]
    names = [one.name for row, one in zip(rows, found, strict=True) if one and one.first_row == row]
    assert " ".join(name for name in names if name) == example.functions


def test_each_language_has_examples() -> None:
    for language in READERS:
        assert sum(example.language == language for example in EXAMPLES) >= 5
