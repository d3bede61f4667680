"""The functions and classes of a syntax tree, each with what is its own."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import UnionType

__all__ = ["ClassScope", "Function", "FunctionScope", "nodes_within", "scopes"]

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class FunctionScope:
    """`nodes` are those of the body, less what functions and classes in it hold.

    `owner` is the class that it is a method of, where that is in sight.
    """

    node: Function
    nodes: tuple[ast.AST, ...]
    owner: ast.ClassDef | None


@dataclass(frozen=True, slots=True)
class ClassScope:
    """`nodes` are those of the body, less what functions and classes in it hold."""

    node: ast.ClassDef
    nodes: tuple[ast.AST, ...]

    @property
    def methods(self) -> list[Function]:
        """The functions of its body; a property and its setter are two of one name."""
        return [node for node in self.nodes if isinstance(node, Function)]


def scopes(tree: ast.Module) -> Iterator[FunctionScope | ClassScope]:
    """Every function and class of `tree`, each node of which is in one scope at most."""
    waiting: list[tuple[ast.AST, Iterable[ast.AST], ast.ClassDef | None]] = [
        (tree, tree.body, None)
    ]
    while waiting:
        node, body, owner = waiting.pop()
        nodes = tuple(nodes_within(body, Function | ast.ClassDef))
        if isinstance(node, Function):
            yield FunctionScope(node, nodes, owner)
        elif isinstance(node, ast.ClassDef):
            yield ClassScope(node, nodes)
        around = node if isinstance(node, ast.ClassDef) else None
        waiting += [
            (inner, inner.body, around)
            for inner in reversed(nodes)
            if isinstance(inner, Function | ast.ClassDef)
        ]


def nodes_within(body: Iterable[ast.AST], closed: type | UnionType) -> Iterator[ast.AST]:
    """The nodes of `body` in their order, without those inside of a node that is `closed`."""
    waiting = [*body][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, closed):
            waiting += [*ast.iter_child_nodes(node)][::-1]
