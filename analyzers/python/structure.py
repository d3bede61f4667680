"""Structural smells of Python functions, classes and expressions (the paper's Table 14)."""

import ast
import platform
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, TypeVar

from crscore_core.analyzers.python import measures
from crscore_core.analyzers.python.ast_reader import parse
from crscore_core.analyzers.python.measures import Expression
from crscore_core.analyzers.python.scopes import ClassScope, FunctionScope, scopes
from crscore_core.analyzers.tool import (
    COMPLEXITY,
    Extent,
    Finding,
    Limit,
    NotAnalysedError,
    Outcome,
    Rule,
    Tool,
)

FUNCTIONS: dict[str, Limit[FunctionScope]] = {
    "deep-nesting": Limit(
        measures.nesting,
        5,
        "The code of {0} is nested too deeply: {measure} levels, more than {maximum}.",
    ),
    "shotgun-surgery": Limit(
        measures.outside_calls,
        5,
        "The method {0} depends on too many functions outside of its class: "
        "{measure}, more than {maximum}.",
    ),
    "cyclomatic-complexity": Limit(measures.complexity, *COMPLEXITY, Extent.FUNCTION),
}

CLASSES: dict[str, Limit[ClassScope]] = {
    "many-attributes": Limit(
        measures.instance_attributes,
        7,
        "The class {0} has too many attributes: {measure}, more than {maximum}.",
    ),
    "many-methods": Limit(
        measures.public_methods,
        20,
        "The class {0} has too many public methods: {measure}, more than {maximum}.",
    ),
    "class-cohesion": Limit(
        measures.lack_of_cohesion,
        70,  # a cohesion of less than 30 per cent
        "The class {0} has low cohesion: its methods ignore {measure}% of its attributes.",
        Extent.BLOCK,
    ),
}

EXPRESSIONS: dict[str, Limit[Expression]] = {
    "long-lambda": Limit(
        measures.lambda_length,
        60,
        "This lambda is {measure} characters long; a named function is easier to read.",
    ),
    "long-list-comprehension": Limit(
        measures.list_comprehension_length,
        72,
        "This list comprehension is {measure} characters long; a loop is easier to read.",
    ),
}


_RULES = {
    **{name: limit.rule(about_definition=True) for name, limit in FUNCTIONS.items()},
    **{name: limit.rule(about_definition=True) for name, limit in CLASSES.items()},
    **{name: limit.rule(about_definition=False) for name, limit in EXPRESSIONS.items()},
}

_Measured = TypeVar("_Measured", FunctionScope, ClassScope, Expression)


class PythonStructure(Tool):
    """Measures functions, classes, lambdas and list comprehensions in the syntax tree, in process.

    Complexity counts only if a fragment shows the end of the function, cohesion only if it shows
    the whole class. For other measures, hidden code could only increase the value.
    """

    name: ClassVar[str] = "python-structure"
    rules: ClassVar[Mapping[str, Rule]] = _RULES

    @property
    def version(self) -> str | None:
        """Version of Python, whose grammar decides what can be parsed."""
        return f"Python {platform.python_version()}"

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
        if isinstance(node, ast.Lambda | ast.ListComp):
            yield from _over(EXPRESSIONS, Expression(node, lines))


def _over(limits: Mapping[str, Limit[_Measured]], measured: _Measured) -> Iterator[Finding]:
    node = measured.node
    names = () if isinstance(node, ast.expr) else (node.name,)
    last_row = node.end_lineno or node.lineno
    for rule, limit in limits.items():
        value = limit.compute(measured)
        if value > limit.maximum:
            yield Finding(rule, str(value), node.lineno, 1, last_row, 1, names, value)
