"""Measures of functions, classes and expressions, from examples in a text file."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crscore_core.analyzers.python import measures
from crscore_core.analyzers.python.ast_reader import parse
from crscore_core.analyzers.python.measures import Expression
from crscore_core.analyzers.python.scopes import ClassScope, FunctionScope, scopes
from crscore_core.analyzers.python.structure import PythonStructure
from tests.cases import cases

CLASS_MEASURES = {"instance_attributes", "public_methods", "lack_of_cohesion"}


def measured(name: str, code: str) -> FunctionScope | ClassScope | Expression:
    """Return the subject of a measure: the function `f`, the class `A` or the only expression."""
    tree = parse(code)
    if name.endswith("_length"):
        (node,) = (node for node in ast.walk(tree) if isinstance(node, ast.Lambda | ast.ListComp))
        return Expression(node, code.encode().split(b"\n"))
    kind = ClassScope if name in CLASS_MEASURES else FunctionScope
    (scope,) = (
        scope for scope in scopes(tree) if isinstance(scope, kind) and scope.node.name in {"f", "A"}
    )
    return scope


@pytest.mark.parametrize(
    ("name", "code", "number"), cases(Path(__file__).with_name("measures.txt"))
)
def test_measures_equal_hand_counts(name: str, code: str, number: str) -> None:
    measure: Callable[[Any], int] = getattr(measures, name)
    assert measure(measured(name, code)) == int(number)


def test_lengths_of_other_expressions_are_zero() -> None:
    others = {"lambda_length": "[a for a in b]", "list_comprehension_length": "lambda: a"}
    for name, code in others.items():
        assert getattr(measures, name)(measured(name, code)) == 0


def test_each_node_is_in_one_scope_at_most() -> None:
    """Even with deeply nested definitions, scopes contain no more nodes than the tree."""
    depth = 40
    functions = "".join(f"{' ' * i}def f{i}(a=lambda: 0):\n" for i in range(depth))
    classes = "".join(f"{' ' * i}class A{i}:\n" for i in range(depth, 2 * depth))
    tree = parse(f"{functions}{classes}{' ' * 2 * depth}a = [b for b in c]\n")
    nodes = [
        node
        for scope in scopes(tree)
        for node in scope.nodes
        if not isinstance(node, ast.expr_context)  # of which there is one for all
    ]
    assert len(nodes) == len(set(nodes))
    assert set(nodes) <= set(ast.walk(tree))
    assert len([*scopes(tree)]) == 2 * depth


def test_set_and_generator_expressions_are_not_list_comprehensions() -> None:
    long = f"a for a in {'b' * 80}"
    assert PythonStructure().lint([f"x = {{{long}}}\ny = ({long})\nz = f({long})\n"]) == [[]]
