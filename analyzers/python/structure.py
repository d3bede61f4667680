"""Structural smells of Python functions, classes and expressions (the paper's Table 14)."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from crscore_core.analyzers.python import measures
from crscore_core.analyzers.python.ast_reader import PYTHON_VERSION, parse
from crscore_core.analyzers.python.measures import Expression
from crscore_core.analyzers.python.scopes import scopes
from crscore_core.analyzers.tool import Finding, NotAnalysedError, Outcome, Rule, Tool, read_rules

_Limits = Mapping[str, tuple[Callable[[Any], int], int]]
FUNCTIONS: _Limits = {
    "deep-nesting": (measures.nesting, 5),
    "shotgun-surgery": (measures.outside_calls, 5),
    "cyclomatic-complexity": (measures.complexity, 10),  # the paper's rank C starts at 11
}
CLASSES: _Limits = {
    "many-attributes": (measures.instance_attributes, 7),
    "many-methods": (measures.public_methods, 20),
    "class-cohesion": (measures.lack_of_cohesion, 70),  # a cohesion of less than 30 per cent
}
_LIMITS: Mapping[type[ast.AST], _Limits] = {
    ast.FunctionDef: FUNCTIONS,
    ast.AsyncFunctionDef: FUNCTIONS,
    ast.ClassDef: CLASSES,
    ast.Lambda: {"long-lambda": (measures.length, 60)},
    ast.ListComp: {"long-list-comprehension": (measures.length, 72)},
}
"""Maps node types to the measure of each rule and its largest acceptable value."""


class PythonStructure(Tool):
    """Measures functions, classes, lambdas and list comprehensions in the syntax tree, in process.

    Complexity counts only if a fragment shows the end of the function, cohesion only if it shows
    the whole class. For other measures, hidden code could only increase the value.
    """

    name: ClassVar[str] = "python-structure"
    rules: ClassVar[Mapping[str, Rule]] = read_rules(Path(__file__).with_name("structure.txt"))

    @property
    def version(self) -> str | None:
        """Version of Python's grammar, which decides what can be parsed."""
        return PYTHON_VERSION

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the measures over a limit in each text."""
        return [_lint(text) for text in texts]


def _lint(text: str) -> Outcome:
    try:
        tree = parse(text)
    except NotAnalysedError as error:
        return error
    return [*_findings(tree, text)]


def _findings(tree: ast.Module, text: str) -> Iterator[Finding]:
    lines = text.encode().split(b"\n")
    expressions = (node for node in ast.walk(tree) if isinstance(node, ast.Lambda | ast.ListComp))
    for measured in chain(scopes(tree), (Expression(node, lines) for node in expressions)):
        node = measured.node
        names = () if isinstance(node, ast.expr) else (node.name,)
        last_row = node.end_lineno or node.lineno
        for rule, (measure, maximum) in _LIMITS[type(node)].items():
            value = measure(measured)
            if value > maximum:
                yield Finding(rule, str(value), node.lineno, 1, last_row, 1, names, value)
