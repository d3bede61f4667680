"""How much code outside of its class a method depends on."""

import ast
import builtins
from collections.abc import Iterator

from analyzers.python.scopes import Function, FunctionScope

__all__ = ["outside_calls"]

_RECEIVERS = frozenset({"self", "cls"})
_BUILTINS = frozenset(dir(builtins))  # `super` is one of them
_TYPES = (str, bytes, bytearray, list, tuple, dict, set, frozenset, int, float)
_METHODS_OF_BUILTINS = frozenset(name for kind in _TYPES for name in dir(kind))


def outside_calls(function: FunctionScope) -> int:
    """Different functions called by a method and not defined in its class; 0 if it is none.

    A function is what its call names, such as `json.dumps` or `order.total`; a class counts as
    one too. What is reached through `self`, `cls`, `super()` or the class's name is no
    function outside, and neither are builtins, methods called like those of builtin types, and
    functions that the method itself defines. A call on the result of another one continues
    that. Where a hunk hides the class, whatever is called on a capitalised name may be its own.
    """
    receivers = _receivers(function)
    if not receivers:
        return 0
    names = {name for node in function.nodes for name in _called(node)}
    inner = {node.name for node in function.nodes if isinstance(node, Function | ast.ClassDef)}
    inside = receivers | inner
    return sum(
        name[0] not in inside and not _is_builtin(name) and not _may_be_own(name, function)
        for name in names
    )


def _receivers(function: FunctionScope) -> set[str]:
    """What a method calls its class and instance; nothing for what is no method."""
    arguments = function.node.args
    first = {argument.arg for argument in [*arguments.posonlyargs, *arguments.args][:1]}
    if function.owner is not None:
        return {function.owner.name, *first}
    return first & _RECEIVERS


def _called(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """The dotted name that a call names, part by part."""
    if isinstance(node, ast.Call):
        parts: list[str] = []
        target = node.func
        while isinstance(target, ast.Attribute):
            parts.append(target.attr)
            target = target.value
        if isinstance(target, ast.Name):
            yield (target.id, *reversed(parts))


def _is_builtin(name: tuple[str, ...]) -> bool:
    return name[-1] in _METHODS_OF_BUILTINS if len(name) > 1 else name[0] in _BUILTINS


def _may_be_own(name: tuple[str, ...], function: FunctionScope) -> bool:
    return function.owner is None and len(name) > 1 and name[0][:1].isupper()
