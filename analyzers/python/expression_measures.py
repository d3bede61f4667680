"""How long lambdas and list comprehensions are."""

import ast
from dataclasses import dataclass

from analyzers.python.byte_lines import ByteLines

__all__ = ["Expression", "lambda_length", "list_comprehension_length"]


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression and the lines of the whole text."""

    node: ast.expr
    text: ByteLines


def lambda_length(expression: Expression) -> int:
    """Characters of a lambda, from its keyword on; 0 for anything else."""
    return _length(expression) if isinstance(expression.node, ast.Lambda) else 0


def list_comprehension_length(expression: Expression) -> int:
    """Characters of a list comprehension, with its brackets; 0 for anything else."""
    return _length(expression) if isinstance(expression.node, ast.ListComp) else 0


def _length(expression: Expression) -> int:
    """Characters as written, less line breaks and the indentation of further lines."""
    node, lines = expression.node, expression.text.lines
    first, last = node.lineno, node.end_lineno or node.lineno
    if first == last:
        return len(lines[first - 1][node.col_offset : node.end_col_offset].decode())
    parts = [
        lines[first - 1][node.col_offset :],
        *lines[first : last - 1],
        lines[last - 1][: node.end_col_offset],
    ]
    return sum(len(part.decode().strip()) for part in parts)
