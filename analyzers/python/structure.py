"""Structural smells of Python functions and expressions (the paper's Table 14)."""

import ast
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from analyzers.batches import Outcome, Unread
from analyzers.finding import Finding
from analyzers.python.parsing import parse
from analyzers.reading import UnparsableError
from analyzers.rule import Rule

__all__ = ["THRESHOLDS", "PythonStructure"]

# The most that is still fine. Of the tool that the paper used (its Table 14); cyclomatic
# complexity is a smell from rank C, 11, on.
THRESHOLDS = {
    "long-method": 50,
    "long-parameter-list": 6,
    "long-branch": 12,
    "cyclomatic-complexity": 10,
    "long-lambda": 60,
    "long-list-comprehension": 72,
}

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Measure = Callable[[_Function, list[ast.AST]], int]


@dataclass(frozen=True, slots=True)
class PythonStructure:
    """Measures functions, lambdas and list comprehensions in the syntax tree, in process.

    What a hunk hides of a function can only make it longer, so a measure over its threshold
    holds for fragments too.
    """

    @property
    def name(self) -> str:
        """What results and smells call this tool."""
        return "python-structure"

    @property
    def version(self) -> str | None:
        """That of Python, whose grammar counts."""
        return f"Python {platform.python_version()}"

    @property
    def compares(self) -> bool:
        """Most rules are about whole functions."""
        return True

    def rule(self, finding: Finding) -> Rule | None:
        """What the rule of `finding` means to a reviewer."""
        return _RULES.get(finding.rule)

    def lint(self, texts: Sequence[str]) -> list[Outcome]:
        """What is over a threshold in each text."""
        return [_lint(text) for text in texts]


def _lint(text: str) -> Outcome:
    try:
        tree = parse(text)
    except UnparsableError as error:
        return Unread(error.reason, error.line)
    lines = text.encode("utf-8", "replace").decode().split("\n")
    return [finding for node in ast.walk(tree) for finding in _findings(node, lines)]


def _findings(node: ast.AST, lines: list[str]) -> Iterator[Finding]:
    if isinstance(node, _Function):
        own_nodes = list(_own_nodes(node))
        for rule, measure in _FUNCTION_MEASURES.items():
            yield from _over(rule, measure(node, own_nodes), node, (node.name,))
    elif isinstance(node, ast.Lambda | ast.ListComp):
        rule = "long-lambda" if isinstance(node, ast.Lambda) else "long-list-comprehension"
        yield from _over(rule, _length(node, lines), node)


def _over(
    rule: str, value: int, node: ast.expr | ast.stmt, names: tuple[str, ...] = ()
) -> Iterator[Finding]:
    if value > THRESHOLDS[rule]:
        first, last = _rows(node)
        end = (node.end_col_offset or 0) + 1
        yield Finding(rule, rule, first, node.col_offset + 1, last, end, names, value)


def _own_nodes(function: _Function) -> Iterator[ast.AST]:
    """What is in the body of `function`, less what functions and classes in it hold."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _Function | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _rows(node: ast.AST) -> tuple[int, int]:
    first = getattr(node, "lineno", 0)
    return first, getattr(node, "end_lineno", None) or first


def _length(node: ast.expr, lines: list[str]) -> int:
    """Characters of an expression as written, less the indentation of its further lines."""
    first, last = _rows(node)
    end = len(lines[last - 1].encode()[: node.end_col_offset].decode())
    start = len(lines[first - 1].encode()[: node.col_offset].decode())
    if first == last:
        return end - start
    between = sum(len(line.strip()) for line in lines[first : last - 1])
    return len(lines[first - 1][start:].strip()) + between + len(lines[last - 1][:end].strip())


def _statements(_: _Function, own_nodes: list[ast.AST]) -> int:
    return sum(isinstance(node, ast.stmt) for node in own_nodes)


def _parameters(function: _Function, _: list[ast.AST]) -> int:
    arguments = function.args
    return len([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs])


def _branches(_: _Function, own_nodes: list[ast.AST]) -> int:
    """Ways through `if`, loops and `try`: one for each clause of theirs."""
    return sum(_clauses(node) for node in own_nodes)


def _clauses(node: ast.AST) -> int:
    match node:
        case ast.If(orelse=[ast.If()]):
            return 1  # an `elif` counts for itself
        case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
            return 1 + bool(node.orelse)
        case ast.Try() | ast.TryStar():
            return 1 + len(node.handlers) + bool(node.orelse) + bool(node.finalbody)
        case ast.Match():
            return len(node.cases)
        case _:
            return 0


def _complexity(_: _Function, own_nodes: list[ast.AST]) -> int:
    """McCabe's number, with boolean operators and comprehensions counted as decisions."""
    return 1 + sum(_decisions(node) for node in own_nodes)


def _decisions(node: ast.AST) -> int:
    match node:
        case ast.If() | ast.IfExp() | ast.Assert() | ast.ExceptHandler():
            return 1
        case ast.For() | ast.AsyncFor() | ast.While():
            return 1 + bool(node.orelse)
        case ast.Try() | ast.TryStar():
            return int(bool(node.orelse))
        case ast.BoolOp() | ast.Match():
            return _alternatives(node)
        case ast.comprehension():
            return 1 + len(node.ifs)
        case _:
            return 0


def _alternatives(node: ast.BoolOp | ast.Match) -> int:
    """Operators between operands; cases that the value has to match, so not `case _`."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    patterns = [case.pattern for case in node.cases]
    return sum(not isinstance(p, ast.MatchAs) or p.name is not None for p in patterns)


_FUNCTION_MEASURES: dict[str, _Measure] = {
    "long-method": _statements,
    "long-parameter-list": _parameters,
    "long-branch": _branches,
    "cyclomatic-complexity": _complexity,
}


def _of_function(sentence: str) -> Rule:
    return Rule(sentence, of_definition=True)


_RULES = {
    "long-method": _of_function(
        "The function {0} is too long: it has {measure} statements, "
        f"more than {THRESHOLDS['long-method']}."
    ),
    "long-parameter-list": _of_function(
        "The function {0} takes too many parameters: {measure}, "
        f"more than {THRESHOLDS['long-parameter-list']}."
    ),
    "long-branch": _of_function(
        "The function {0} has too many branches: {measure}, "
        f"more than {THRESHOLDS['long-branch']}."
    ),
    "cyclomatic-complexity": _of_function(
        "The function {0} is too complex: its cyclomatic complexity is {measure}."
    ),
    "long-lambda": Rule(
        "This lambda is {measure} characters long; a named function is easier to read."
    ),
    "long-list-comprehension": Rule(
        "This list comprehension is {measure} characters long; a loop is easier to read."
    ),
}
