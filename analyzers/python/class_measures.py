"""How much a class holds, and how little of it belongs together."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from analyzers.python.scopes import ClassScope, Function, nodes_within

__all__ = ["cohesion_in_words", "instance_attributes", "lack_of_cohesion", "public_methods"]

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
