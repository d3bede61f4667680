"""Measures of functions, classes and expressions, from examples in a text file."""

import ast
import re
from pathlib import Path

import pytest

from crscore_core.analyzers.python import measures
from crscore_core.analyzers.python.ast_reader import parse
from crscore_core.analyzers.python.measures import Expression
from crscore_core.analyzers.python.scopes import ClassScope, FunctionScope, scopes

_, *_PARTS = re.split(r"(?m)^== (\w+)\n", Path(__file__).with_name("measures.txt").read_text())
EXAMPLES = dict(zip(_PARTS[::2], _PARTS[1::2], strict=True))
"""Maps each measure to code in which every function, class or expression has its number."""

OF_CLASSES = {"instance_attributes", "public_methods", "lack_of_cohesion"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_measures_equal_hand_counts(name: str) -> None:
    code = EXAMPLES[name]
    tree, lines = parse(code), code.split("\n")
    counted = {row: int(found[1]) for row, line in enumerate(lines, 1)
               if (found := re.search(r"  # (\d+)$", line))}  # fmt: skip
    measure = getattr(measures, name)
    if name == "length":
        encoded = code.encode().split(b"\n")
        measured = {node.end_lineno: measure(Expression(node, encoded)) for node in ast.walk(tree)
                    if isinstance(node, ast.Lambda | ast.ListComp)}  # fmt: skip
    else:
        kind = ClassScope if name in OF_CLASSES else FunctionScope
        measured = {scope.node.lineno: measure(scope) for scope in scopes(tree)
                    if isinstance(scope, kind)}  # fmt: skip
    assert measured == counted
