"""Measures of functions, classes and expressions: a higher number is worse.

Code that a hunk hides can only increase the measures of a function.
"""

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crscore_core.analyzers.python.scopes import ClassScope, Function, FunctionScope, nodes_within

_Branching = ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.TryStar | ast.Match


def nesting(function: FunctionScope) -> int:
    """Return the maximum depth of nested `if`, loops, `try` and `match`; `elif` adds none."""
    deepest = 0
    stack: list[tuple[ast.AST, int]] = [(node, 0) for node in function.node.body]
    while stack:
        node, outer = stack.pop()
        if not isinstance(node, Function | ast.ClassDef | ast.expr):
            depth = outer + isinstance(node, _Branching)
            deepest = max(deepest, depth)
            children = ast.iter_child_nodes(node)
            stack += [(child, outer if _is_elif(child, node) else depth) for child in children]
    return deepest


def _is_elif(node: ast.AST, parent: ast.AST) -> bool:
    """Return True for an `elif`, which is indented like its `if`; an `if` in `else` is deeper."""
    return (
        isinstance(parent, ast.If)
        and isinstance(node, ast.If)
        and parent.orelse == [node]
        and parent.col_offset == node.col_offset
    )


def complexity(function: FunctionScope) -> int:
    """Return McCabe's cyclomatic complexity, including boolean operators and comprehensions."""
    return 1 + sum(_decisions(node) for node in function.nodes)


def _decisions(node: ast.AST) -> int:
    """Return the number of decisions that a node adds, excluding its children."""
    match node:
        case ast.If() | ast.IfExp() | ast.Assert() | ast.ExceptHandler():
            decisions = 1
        case ast.For() | ast.AsyncFor() | ast.While():
            decisions = 1 + bool(node.orelse)
        case ast.Try() | ast.TryStar():
            decisions = int(bool(node.orelse))
        case ast.BoolOp():
            decisions = len(node.values) - 1
        case ast.Match():  # its cases except `case _`
            patterns = [case.pattern for case in node.cases]
            decisions = sum(not isinstance(one, ast.MatchAs) or bool(one.name) for one in patterns)
        case ast.comprehension():
            decisions = 1 + len(node.ifs)
        case _:
            decisions = 0
    return decisions


_RECEIVERS = frozenset({"self", "cls"})
_BUILTINS = frozenset(dir(builtins))  # `super` is one of them
_TYPES = (str, bytes, bytearray, list, tuple, dict, set, frozenset, int, float)
_METHODS_OF_BUILTINS = frozenset(name for kind in _TYPES for name in dir(kind))


def outside_calls(function: FunctionScope) -> int:
    """Count distinct functions that a method calls and its class does not define.

    Functions are distinguished by the name in the call, such as `json.dumps` or `order.total`;
    classes count as functions. These do not count: names reached through `self`, `cls`, `super()`
    or the class; builtins and methods with the name of a builtin type's method; functions that the
    method defines; and calls on the result of another call. If a hunk hides the class, a
    capitalised name may be the class itself. The count is 0 for a plain function or a test.
    """
    own_names = _own_names(function)
    if not own_names or function.node.name.startswith("test"):
        return 0
    names = {name for node in function.nodes for name in _called(node)}
    inner = {node.name for node in function.nodes if isinstance(node, Function | ast.ClassDef)}
    inside = own_names | inner
    return sum(
        name[0] not in inside and not _is_builtin(name) and not _may_be_own(name, function)
        for name in names
    )


def _own_names(function: FunctionScope) -> set[str]:
    """Return a method's names for its class and instance; empty for a plain function."""
    arguments = function.node.args
    first = {argument.arg for argument in [*arguments.posonlyargs, *arguments.args][:1]}
    if function.owner is not None:
        return {function.owner.name, *first}
    return first & _RECEIVERS


def _called(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """Yield the dotted name of a call, split into parts."""
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


_NO_ATTRIBUTES = frozenset({"ClassVar", "InitVar", "KW_ONLY"})


def instance_attributes(scope: ClassScope) -> int:
    """Count distinct attributes of an instance.

    An attribute is a name that a method assigns through `self`, or that the body annotates, like a
    field of a dataclass. Properties, `ClassVar` and plain assignments in the body, such as members
    of an enumeration, do not count.
    """
    assigned = {
        access.attr
        for method in scope.methods
        if not _is_decorated(method, "classmethod")
        for access in _accesses(method, _receivers(method))
        if isinstance(access.ctx, ast.Store)
    }
    declared = {name for node in scope.nodes for name in _declared(node)}
    return len(_attributes(scope, assigned | declared))


def public_methods(scope: ClassScope) -> int:
    """Count distinct methods and properties, except tests and names that start with `_`."""
    names = {method.name for method in scope.methods}
    return sum(not name.startswith(("_", "test")) for name in names)


def lack_of_cohesion(scope: ClassScope) -> int:
    """Return the percentage of (attribute, method) pairs in which the method ignores the attribute.

    This is 100 minus the class cohesion, rounded down, that mschwager's tool `cohesion` reports.
    The attributes of a class and its instances are the names that the body binds or annotates, and
    the names, inherited or not, that methods access, not just call, through their first parameter
    or the class. If no method uses an attribute, the result is 0.
    """
    accessed: defaultdict[str, set[str]] = defaultdict(set)
    names = {name for node in scope.nodes for name in (*_declared(node), *_bound(node))}
    for method in scope.methods:
        called = {node.func for node in _inside(method) if isinstance(node, ast.Call)}
        for access in _accesses(method, _receivers(method) | {scope.node.name}):
            accessed[method.name].add(access.attr)
            if access not in called:
                names.add(access.attr)
    attributes = _attributes(scope, names)
    pairs = len({method.name for method in scope.methods}) * len(attributes)
    used = sum(len(attributes & of_method) for of_method in accessed.values())
    return 100 - 100 * used // pairs if used else 0


def _attributes(scope: ClassScope, names: set[str]) -> set[str]:
    """Return `names` without methods, properties and names such as `__slots__`."""
    methods = {method.name for method in scope.methods}
    return {name for name in names - methods if not (name[:2] == name[-2:] == "__")}


def _receivers(method: Function) -> set[str]:
    """Return the name of the parameter that receives the object or class of `method`."""
    if _is_decorated(method, "staticmethod"):
        return set()
    return {argument.arg for argument in [*method.args.posonlyargs, *method.args.args][:1]}


def _is_decorated(method: Function, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in method.decorator_list)


def _accesses(method: Function, receivers: set[str]) -> Iterator[ast.Attribute]:
    for node in _inside(method):
        match node:
            case ast.Attribute(value=ast.Name(name)) if name in receivers:
                yield node


def _inside(method: Function) -> Iterator[ast.AST]:
    """Yield the nodes of `method` and of inner functions, which see the same `self`."""
    return nodes_within(method.body, ast.ClassDef)


def _declared(node: ast.AST) -> Iterator[str]:
    """Yield the instance attributes that a node in a class body declares."""
    match node:
        case ast.AnnAssign(target=ast.Name(name), annotation=annotation):
            if _outermost(annotation) not in _NO_ATTRIBUTES:
                yield name


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node in a class body binds."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in nodes_within(targets, ast.Attribute | ast.Subscript):
            if isinstance(target, ast.Name):
                yield target.id


def _outermost(annotation: ast.expr) -> str:
    """Return `ClassVar` for `ClassVar[int]`, `typing.ClassVar` and the like, even in a string."""
    while isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    match annotation:
        case ast.Attribute(_, name) | ast.Name(name):
            return name
        case ast.Constant(str(text)):
            return text.partition("[")[0].rpartition(".")[2].strip()
        case _:
            return ""


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression and the lines that it was parsed from, in UTF-8, as `ast` counts columns."""

    node: ast.expr
    lines: Sequence[bytes]


def length(expression: Expression) -> int:
    """Count characters as written, without line breaks and the indentation of later lines."""
    node = expression.node
    lines = [*expression.lines[node.lineno - 1 : node.end_lineno]]
    lines[-1] = lines[-1][: node.end_col_offset]
    lines[0] = lines[0][node.col_offset :]
    return sum(len(line.decode().strip()) for line in lines)
