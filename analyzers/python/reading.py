"""Python files and hunks, read with the grammar of the running Python."""

import ast
from collections.abc import Iterator

from analyzers.context import Block, BlockKind, Context
from analyzers.model import Fragment
from analyzers.passage import Passage, source_lines
from analyzers.python.parsing import parse
from analyzers.python.repair import repair
from analyzers.python.scopes import Function
from analyzers.reading import Reader

__all__ = ["PYTHON"]

_Block = (
    ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.ClassDef
    | ast.If
    | ast.For
    | ast.AsyncFor
    | ast.While
    | ast.With
    | ast.AsyncWith
    | ast.Try
    | ast.TryStar
    | ast.ExceptHandler
    | ast.Match
)


def _whole(fragment: Fragment) -> Context:
    passage = Passage.of_lines(enumerate(source_lines(fragment.text), fragment.first_line))
    return _context(passage, parse(passage.text))


def _part(fragment: Fragment, changed_lines: frozenset[int]) -> Context:
    return _context(*repair(fragment, changed_lines))


PYTHON = Reader(_whole, _part)
"""Reads Python: whole files as they are, hunks in the smallest scaffold that parses."""


def _context(passage: Passage, tree: ast.Module) -> Context:
    shown = {row for row, number in enumerate(passage.line_numbers, 1) if number is not None}
    last_row = max(
        (
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt | ast.ExceptHandler) and node.lineno in shown
        ),
        default=0,
    )
    return Context.of(passage, _blocks(tree, last_row))


def _blocks(tree: ast.Module, last_row: int) -> Iterator[Block]:
    """Blocks from the outside in; only a statement after a block shows where it ends."""
    for node in ast.walk(tree):
        if isinstance(node, _Block):
            name = node.name if isinstance(node, Function | ast.ClassDef) else None
            end = node.end_lineno or node.lineno
            yield Block(_kind(node), name, node.lineno, end, end < last_row)


def _kind(node: ast.AST) -> BlockKind:
    if isinstance(node, Function):
        return BlockKind.FUNCTION
    return BlockKind.CLASS if isinstance(node, ast.ClassDef) else BlockKind.OTHER
