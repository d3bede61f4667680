"""Structural smells of Python functions and expressions (the paper's Table 14)."""

import ast
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from analyzers.model import AnalyzerResult, Smell, SourceFile, Status
from analyzers.python.parsing import ParsedPassage
from analyzers.python.reading import read
from analyzers.wording import quoted

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
_Finding = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PythonStructure:
    """Measures functions, lambdas and list comprehensions in the syntax tree, in process.

    A function counts when a changed line lies in it. What a hunk hides of a function can
    only make it longer, so a measure over its threshold holds for fragments too.
    """

    @property
    def name(self) -> str:
        """What results and smells call this analyzer."""
        return "python-structure"

    def analyze(self, files: Sequence[SourceFile]) -> list[AnalyzerResult]:
        """Return one result for each of `files`, in their order."""
        return [self._analyze_one(file) for file in files]

    def _analyze_one(self, file: SourceFile) -> AnalyzerResult:
        reading = read(file)
        smells: list[Smell] = []
        if reading.status is not Status.NOT_ANALYSED:
            for parsed in reading.passages:
                smells += self._smells(parsed, file)
        version = f"Python {platform.python_version()}"
        return AnalyzerResult(
            self.name, version, file.path, reading.status, reading.reason, tuple(smells)
        )

    def _smells(self, parsed: ParsedPassage, file: SourceFile) -> Iterator[Smell]:
        passage = parsed.passage
        lines = passage.text.encode("utf-8", "replace").decode().split("\n")
        for node in ast.walk(parsed.tree):
            for rule, text in _findings(node, lines):
                first, last = _rows(node)
                line = passage.line(first)
                if line is not None and passage.shows(first, last, file.changed_lines):
                    yield Smell(text, rule, self.name, file.path, line)


def _findings(node: ast.AST, lines: list[str]) -> Iterator[_Finding]:
    if isinstance(node, _Function):
        own_nodes = list(_own_nodes(node))
        for rule, measure, wording in _FUNCTION_MEASURES:
            value = measure(node, own_nodes)
            if value > THRESHOLDS[rule]:
                name = quoted(node.name)
                yield rule, wording.format(name=name, value=value, most=THRESHOLDS[rule])
    elif isinstance(node, ast.Lambda | ast.ListComp):
        rule = "long-lambda" if isinstance(node, ast.Lambda) else "long-list-comprehension"
        length = _length(node, lines)
        if length > THRESHOLDS[rule]:
            yield rule, _EXPRESSION_WORDING[rule].format(value=length)


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


_FUNCTION_MEASURES: tuple[tuple[str, _Measure, str], ...] = (
    (
        "long-method",
        _statements,
        "The function {name} is too long: it has {value} statements, more than {most}.",
    ),
    (
        "long-parameter-list",
        _parameters,
        "The function {name} takes too many parameters: {value}, more than {most}.",
    ),
    (
        "long-branch",
        _branches,
        "The function {name} has too many branches: {value}, more than {most}.",
    ),
    (
        "cyclomatic-complexity",
        _complexity,
        "The function {name} is too complex: its cyclomatic complexity is {value}.",
    ),
)
_EXPRESSION_WORDING = {
    "long-lambda": "This lambda is {value} characters long; a named function is easier to read.",
    "long-list-comprehension": (
        "This list comprehension is {value} characters long; a loop is easier to read."
    ),
}
