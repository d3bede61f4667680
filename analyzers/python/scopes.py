"""Python functions and classes with the nodes of their bodies, without inner definitions."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import UnionType

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class FunctionScope:
    """A function and the nodes of its body, without the bodies of inner definitions.

    `owner` is the class of a method, if visible.
    """

    node: Function
    nodes: tuple[ast.AST, ...]
    owner: ast.ClassDef | None


@dataclass(frozen=True, slots=True)
class ClassScope:
    """A class and the nodes of its body, without the bodies of inner definitions."""

    node: ast.ClassDef
    nodes: tuple[ast.AST, ...]

    @property
    def methods(self) -> list[Function]:
        """Functions in the body; a property and its setter are two functions with one name."""
        return [node for node in self.nodes if isinstance(node, Function)]


def scopes(tree: ast.Module) -> Iterator[FunctionScope | ClassScope]:
    """Yield every function and class in `tree`; a node is in at most one scope."""
    stack: list[tuple[ast.AST, Iterable[ast.AST], ast.ClassDef | None]] = [(tree, tree.body, None)]
    while stack:
        node, body, owner = stack.pop()
        nodes = tuple(nodes_within(body, Function | ast.ClassDef))
        if isinstance(node, Function):
            yield FunctionScope(node, nodes, owner)
        elif isinstance(node, ast.ClassDef):
            yield ClassScope(node, nodes)
        inner_owner = node if isinstance(node, ast.ClassDef) else None
        stack += [
            (inner, inner.body, inner_owner)
            for inner in reversed(nodes)
            if isinstance(inner, Function | ast.ClassDef)
        ]


def nodes_within(body: Iterable[ast.AST], closed: type | UnionType) -> Iterator[ast.AST]:
    """Yield the nodes of `body` in order, without the children of `closed` nodes."""
    stack = [*body][::-1]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, closed):
            stack += [*ast.iter_child_nodes(node)][::-1]
