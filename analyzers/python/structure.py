"""Structural smells of Python functions, classes and expressions (the paper's Table 14)."""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, TypeVar

from crscore_core.analyzers.python import measures
from crscore_core.analyzers.python.ast_reader import parse
from crscore_core.analyzers.python.measures import Expression
from crscore_core.analyzers.python.scopes import ClassScope, FunctionScope, scopes
from crscore_core.analyzers.tool import (
    Extent,
    Finding,
    Limit,
    NotAnalysedError,
    Outcome,
    Rule,
    Tool,
    complexity_limit,
)

_Measured = TypeVar("_Measured", FunctionScope, ClassScope, Expression)

FUNCTIONS: dict[str, Limit[FunctionScope]] = {
    "deep-nesting": Limit(
        "The code of {0} is nested too deeply: {measure} levels, more than 5.",
        compute=measures.nesting,
        maximum=5,
    ),
    "shotgun-surgery": Limit(
        "The method {0} depends on too many functions outside of its class: "
        "{measure}, more than 5.",
        compute=measures.outside_calls,
        maximum=5,
    ),
    "cyclomatic-complexity": complexity_limit(measures.complexity),
}

CLASSES: dict[str, Limit[ClassScope]] = {
    "many-attributes": Limit(
        "The class {0} has too many attributes: {measure}, more than 7.",
        compute=measures.instance_attributes,
        maximum=7,
    ),
    "many-methods": Limit(
        "The class {0} has too many public methods: {measure}, more than 20.",
        compute=measures.public_methods,
        maximum=20,
    ),
    "class-cohesion": Limit(
        "The class {0} has low cohesion: its methods ignore {measure}% of its attributes.",
        Extent.BLOCK,
        compute=measures.lack_of_cohesion,
        maximum=70,  # a cohesion of less than 30 per cent
    ),
}

LAMBDAS: dict[str, Limit[Expression]] = {
    "long-lambda": Limit(
        "This lambda is {measure} characters long; a named function is easier to read.",
        about_definition=False,
        compute=measures.length,
        maximum=60,
    ),
}

LIST_COMPREHENSIONS: dict[str, Limit[Expression]] = {
    "long-list-comprehension": Limit(
        "This list comprehension is {measure} characters long; a loop is easier to read.",
        about_definition=False,
        compute=measures.length,
        maximum=72,
    ),
}


class PythonStructure(Tool):
    """Measures functions, classes, lambdas and list comprehensions in the syntax tree, in process.

    Complexity counts only if a fragment shows the end of the function, cohesion only if it shows
    the whole class. For other measures, hidden code could only increase the value.
    """

    name: ClassVar[str] = "python-structure"
    rules: ClassVar[Mapping[str, Rule]] = {
        **FUNCTIONS,
        **CLASSES,
        **LAMBDAS,
        **LIST_COMPREHENSIONS,
    }

    @property
    def version(self) -> str | None:
        """Version of Python's grammar, which decides what can be parsed."""
        return f"Python {sys.version_info.major}.{sys.version_info.minor}"

    def run_once(self, texts: Sequence[str]) -> list[Outcome]:
        """Return the measures over a limit in each text."""
        return [_lint(text) for text in texts]


def _lint(text: str) -> Outcome:
    try:
        tree = parse(text)
    except NotAnalysedError as error:
        return error
    return [*_findings(tree, text)]


def _findings(tree: ast.Module, text: str) -> Iterator[Finding]:
    for scope in scopes(tree):
        if isinstance(scope, FunctionScope):
            yield from _over(FUNCTIONS, scope)
        else:
            yield from _over(CLASSES, scope)
    lines = text.encode().split(b"\n")
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            yield from _over(LAMBDAS, Expression(node, lines))
        elif isinstance(node, ast.ListComp):
            yield from _over(LIST_COMPREHENSIONS, Expression(node, lines))


def _over(limits: Mapping[str, Limit[_Measured]], measured: _Measured) -> Iterator[Finding]:
    node = measured.node
    names = () if isinstance(node, ast.expr) else (node.name,)
    last_row = node.end_lineno or node.lineno
    for rule, limit in limits.items():
        value = limit.compute(measured)
        if value > limit.maximum:
            yield Finding(rule, str(value), node.lineno, 1, last_row, 1, names, value)
