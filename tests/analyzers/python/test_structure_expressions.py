"""The measures of expressions, and where they are."""

import ast

import pytest

from analyzers.python.measures import (
    ByteLines,
    Expression,
    lambda_length,
    list_comprehension_length,
)
from analyzers.python.reading import parse
from analyzers.python.structure import PythonStructure
from analyzers.tool import Finding


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("x = lambda a: a\n", 11),
        ("x = 'ä', lambda: 'öü'\n", 12),
        ("x = '\udcff', lambda: a\n", 9),
        ("x = [a for a in b]\n", 14),
        ("x = {'ä': [a for a in 'ö']}\n", 16),
        # The indentation of further lines is left out, and so are line breaks.
        ("x = [\n            a\n            for a in b\n]\n", 13),
        ("x = f(lambda a: (\n        'ä' +\n        a))\n", 18),
    ],
)
def test_length_is_that_of_the_code_without_its_indentation(text: str, length: int) -> None:
    (node,) = (
        node for node in ast.walk(parse(text)) if isinstance(node, ast.Lambda | ast.ListComp)
    )
    expression = Expression(node, ByteLines.of(text))
    expected = (length, 0) if isinstance(node, ast.Lambda) else (0, length)
    assert (lambda_length(expression), list_comprehension_length(expression)) == expected


def test_set_and_generator_expressions_are_no_list_comprehensions() -> None:
    long = f"a for a in {'b' * 80}"
    assert PythonStructure().lint([f"x = {{{long}}}\ny = ({long})\nz = f({long})\n"]) == [[]]


@pytest.mark.parametrize(
    ("before", "column"),
    [("x = ", 5), ("x = 'ä', ", 10), ("x = '€😀', ", 11), ("x = '\udcff', ", 10)],
)
def test_columns_count_characters(before: str, column: int) -> None:
    text = f"\n{before}lambda: {'ö' * 60}\n"
    (found,) = PythonStructure().lint([text])
    end = column + 68
    assert found == [Finding("long-lambda", "68", 2, column, 2, end, (), 68)]
