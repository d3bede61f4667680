"""How large functions, classes and expressions are: each number is the worse the higher."""

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from types import UnionType

__all__ = [
    "ByteLines",
    "ClassScope",
    "Expression",
    "Function",
    "FunctionScope",
    "branches",
    "cohesion_in_words",
    "complexity",
    "instance_attributes",
    "lack_of_cohesion",
    "lambda_length",
    "list_comprehension_length",
    "nesting",
    "nodes_within",
    "outside_calls",
    "parameters",
    "public_methods",
    "scopes",
    "statements",
]

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


_Branching = ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.TryStar | ast.Match


def statements(function: FunctionScope) -> int:
    """Statements at every depth; one with a block is one besides those in the block."""
    return sum(isinstance(node, ast.stmt) for node in function.nodes)


def parameters(function: FunctionScope) -> int:
    """Parameters that take one argument each: with `self`, without `*args` and `**kwargs`."""
    arguments = function.node.args
    return len([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs])


def branches(function: FunctionScope) -> int:
    """Ways through `if`, loops, `try` and `match`: one for each clause of theirs."""
    return sum(_clauses(node) for node in function.nodes)


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


def nesting(function: FunctionScope) -> int:
    """The most `if`, loops, `try` and `match` around one place; `elif` and `with` add none."""
    deepest = 0
    waiting: list[tuple[ast.AST, int]] = [(node, 0) for node in function.node.body]
    while waiting:
        node, outer = waiting.pop()
        if not isinstance(node, Function | ast.ClassDef | ast.expr):
            depth = outer + isinstance(node, _Branching)
            deepest = max(deepest, depth)
            children = ast.iter_child_nodes(node)
            waiting += [(c, outer if _is_elif(c, node) else depth) for c in children]
    return deepest


def _is_elif(node: ast.AST, parent: ast.AST) -> bool:
    """An `elif` stands below its `if`; one in an `else` block stands further in."""
    return (
        isinstance(parent, ast.If)
        and isinstance(node, ast.If)
        and parent.orelse == [node]
        and parent.col_offset == node.col_offset
    )


def complexity(function: FunctionScope) -> int:
    """McCabe's number, with boolean operators and comprehensions counted as decisions."""
    return 1 + sum(_decisions(node) for node in function.nodes)


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
    own_names = _own_names(function)
    if not own_names:
        return 0
    names = {name for node in function.nodes for name in _called(node)}
    inner = {node.name for node in function.nodes if isinstance(node, Function | ast.ClassDef)}
    inside = own_names | inner
    return sum(
        name[0] not in inside and not _is_builtin(name) and not _may_be_own(name, function)
        for name in names
    )


def _own_names(function: FunctionScope) -> set[str]:
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


_NO_ATTRIBUTES = frozenset({"ClassVar", "InitVar", "KW_ONLY"})


def instance_attributes(scope: ClassScope) -> int:
    """Different attributes of an instance.

    These are the names assigned through `self` in a method, annotated in the body, as the
    fields of a dataclass are, or listed in `__slots__`; properties, `ClassVar` and what the
    body merely assigns, as an enumeration does its members, are not.
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
    """Different names of methods, properties among them, that start with no underscore."""
    return len({method.name for method in scope.methods if not method.name.startswith("_")})


def lack_of_cohesion(scope: ClassScope) -> int:
    """Of all pairs of an attribute and a method, the per cent in which the method ignores it.

    This is 100 less the class cohesion, which is rounded down, as mschwager's tool defines it:
    a method uses the attributes, of the class and of its instances, that it accesses. They
    are what the body binds or annotates, and what methods access, but do not just call,
    through their first parameter or the class's name; inherited ones are among them. Where no
    method uses any, nothing is there to hold together, and the answer is 0.
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


def cohesion_in_words(lack: int) -> str:
    """What the sentence says of a `lack_of_cohesion`, which itself is rounded up."""
    return f"{f'only {100 - lack}%' if lack < 100 else 'less than 1%'} of its attributes"


def _attributes(scope: ClassScope, names: set[str]) -> set[str]:
    """`names` without methods, properties and names of Python's own such as `__slots__`."""
    methods = {method.name for method in scope.methods}
    return {name for name in names - methods if not (name[:2] == name[-2:] == "__")}


def _receivers(method: Function) -> set[str]:
    """What `method` calls the object or class that it is called on."""
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
            case _:
                continue


def _inside(method: Function) -> Iterator[ast.AST]:
    """What `method` holds, inner functions with it, as they see the same `self`."""
    return nodes_within(method.body, ast.ClassDef)


def _declared(node: ast.AST) -> Iterator[str]:
    """The attributes of instances that a node of a class's body names."""
    match node:
        case ast.AnnAssign(target=ast.Name("__slots__"), value=value):
            yield from _strings(value)
        case ast.Assign(targets=[ast.Name("__slots__")], value=value):
            yield from _strings(value)
        case ast.AnnAssign(target=ast.Name(name), annotation=annotation):
            if _outermost(annotation) not in _NO_ATTRIBUTES:
                yield name
        case _:
            return


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node of a class's body binds."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in nodes_within(targets, ast.Attribute | ast.Subscript):
            if isinstance(target, ast.Name):
                yield target.id


def _strings(node: ast.expr | None) -> Iterator[str]:
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.Tuple(elements) | ast.List(elements) | ast.Set(elements):
            yield from (text for element in elements for text in _strings(element))
        case ast.Dict(keys):
            yield from (text for key in keys for text in _strings(key))
        case _:
            return


def _outermost(annotation: ast.expr) -> str:
    """`ClassVar` of `ClassVar[int]`, `typing.ClassVar` and the like, written in a string too."""
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
class ByteLines:
    """Lines in UTF-8; a tree counts rows from 1, and offsets in bytes from 0."""

    lines: tuple[bytes, ...]
    _columns: dict[int, list[int]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, text: str) -> "ByteLines":
        """The lines of a text that `parse` has read."""
        return cls(tuple(text.encode("utf-8", "replace").split(b"\n")))

    def column(self, row: int, offset: int) -> int:
        """The column, from 1, of the character that starts at `offset`, or of the line's end."""
        columns = self._columns.get(row)
        if columns is None:
            starts = (byte & 0b1100_0000 != 0b1000_0000 for byte in self.lines[row - 1] + b"\n")
            columns = self._columns[row] = [*accumulate(starts)]
        return columns[offset]


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
