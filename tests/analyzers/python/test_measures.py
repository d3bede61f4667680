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
from tests.cases import cases

CLASS_MEASURES = {"instance_attributes", "public_methods", "lack_of_cohesion"}


def measured(name: str, code: str) -> FunctionScope | ClassScope | Expression:
    """Return the subject of a measure: the function `f`, the class `A` or the only expression."""
    tree = parse(code)
    if name == "length":
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


def test_each_node_is_in_one_scope_at_most() -> None:
    """Or scopes would hold many times the nodes of a tree with deeply nested definitions."""
    depth = 40
    headers = ("def f(a=lambda: 0):", "class A:")
    rows = [f"{' ' * i}{headers[i >= depth]}\n" for i in range(2 * depth)]
    found = [*scopes(parse("".join(rows) + f"{' ' * 2 * depth}a = [b for b in c]\n"))]
    shared = ast.expr_context  # of which there is one for all
    nodes = [node for scope in found for node in scope.nodes if not isinstance(node, shared)]
    assert len(nodes) == len(set(nodes)) > len(found) == 2 * depth
