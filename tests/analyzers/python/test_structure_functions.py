"""The measures of functions and methods."""

import ast

import pytest

from analyzers.python.measures import (
    FunctionScope,
    branches,
    complexity,
    nesting,
    outside_calls,
    parameters,
    scopes,
    statements,
)
from analyzers.python.reading import parse


def scope(text: str, name: str = "f") -> FunctionScope:
    (found,) = (
        scope
        for scope in scopes(parse(text))
        if isinstance(scope, FunctionScope) and scope.node.name == name
    )
    return found


def of_body(*lines: str) -> FunctionScope:
    return scope("def f():\n" + "".join(f"    {line}\n" for line in lines))


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (["a; b; c"], 3),
        (["'what it does'", "return 1"], 2),
        (["if a:", "    b", "elif c:", "    d", "else:", "    e"], 5),
        (["try:", "    a", "except B:", "    c", "finally:", "    d"], 4),
        (["def g():", "    a", "    b", "return g"], 2),
        (["class A:", "    a = 1", "    b = 1", "return A"], 2),
        (["x = [", "    1,", "    2,", "]"], 1),
    ],
)
def test_statements_count_at_every_depth(body: list[str], count: int) -> None:
    assert statements(of_body(*body)) == count


@pytest.mark.parametrize(
    ("signature", "count"),
    [
        ("", 0),
        ("a, b=1", 2),
        ("a, /, b, *, c", 3),
        ("*args, **kwargs", 0),
        ("self, a", 2),
        ("a, *args, b, **kwargs", 2),
    ],
)
def test_parameters_take_one_argument_each(signature: str, count: int) -> None:
    assert parameters(scope(f"async def f({signature}): pass")) == count


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (["if a:", "    b"], 1),
        (["if a:", "    b", "elif c:", "    d", "else:", "    e"], 3),
        (["for a in b:", "    c", "else:", "    d"], 2),
        (["async for a in b:", "    c"], 1),
        (["try:", "    a", "except B:", "    c", "except D:", "    e"], 3),
        (["try:", "    a", "finally:", "    c"], 2),
        (["match a:", "    case 1:", "        b", "    case _:", "        c"], 2),
        (["with a:", "    b"], 0),
        (["def g():", "    if a:", "        b"], 0),
        (["return a if b else c"], 0),
    ],
)
def test_each_clause_is_a_branch(body: list[str], count: int) -> None:
    text = "async def f():\n" + "".join(f"    {line}\n" for line in body)
    assert branches(scope(text)) == count


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        (["a = [b for b in c if b]"], 0),
        (["if a:", "    b", "for a in c:", "    d"], 1),
        (["if a:", "    b", "elif c:", "    d", "elif e:", "    f"], 1),
        (["if a:", "    b", "elif c:", "    while d:", "        e"], 2),
        (["if a:", "    b", "else:", "    if c:", "        d"], 2),
        (["if a:", "    if b:", "        c"], 2),
        (["try:", "    a", "except B:", "    while c:", "        d"], 2),
        (["with a:", "    if b:", "        c"], 1),
        (["try:", "    a", "finally:", "    for b in c:", "        d"], 2),
        (["match a:", "    case 1:", "        if b:", "            c"], 2),
        (["for a in b:", "    def g():", "        if c:", "            d"], 1),
        (["def g():", "    if a:", "        b"], 0),
        (["for a in b:", "    class C:", "        if c:", "            d = 1"], 1),
    ],
)
def test_blocks_in_blocks_are_nested(body: list[str], depth: int) -> None:
    assert nesting(of_body(*body)) == depth


@pytest.mark.parametrize(
    ("body", "number"),
    [
        (["f()"], 1),
        (["if a:", "    f()", "elif b:", "    f()", "else:", "    f()"], 3),
        (["for a in b:", "    f()", "else:", "    f()"], 3),
        (["try:", "    f()", "except A:", "    f()", "else:", "    f()"], 3),
        (["return [a for a in b if a if c]"], 4),
        (["return a or b and c"], 3),
        (["return a if b else c"], 2),
        (["return lambda: a or b"], 2),
        (["assert a"], 2),
        (["match a:", "    case 1:", "        f()", "    case 2:", "        f()"], 3),
        (["match a:", "    case 1:", "        f()", "    case _:", "        f()"], 2),
        (["with a:", "    f()", "while b:", "    f()"], 2),
        (["def g():", "    if a:", "        f()"], 1),
    ],
)
def test_complexity_counts_decisions(body: list[str], number: int) -> None:
    assert complexity(of_body(*body)) == number


def of_method(*lines: str, parameters: str = "self") -> FunctionScope:
    body = "".join(f"        {line}\n" for line in lines)
    return scope(f"class Order:\n    def f({parameters}):\n{body}")


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (["json.dumps(a)", "total(a)", "Path(a)"], 3),
        (["total(a)", "total(b)", "x.save()", "x.save(1)", "y.save()"], 3),
        (["self.save()", "self.store.save()", "super().save()", "Order.make()", "Order()"], 0),
        (["print(len(a), sorted(b))", "raise ValueError(a)"], 0),
        (["a.append(b)", "', '.join(c)", "d.strip()", "os.path.join(e)"], 0),
        (["query.where(a).order_by(b).fetch()"], 1),
        (["handlers[0](a)", "(lambda: a)()"], 0),
        (["def helper():", "    json.dumps(a)", "helper()"], 0),
        (["return [total(a) for a in b]", "g = lambda: tax(a)"], 2),
        (["import json", "json.dumps"], 0),
    ],
)
def test_calls_of_different_functions_outside_the_class_count(body: list[str], count: int) -> None:
    assert outside_calls(of_method(*body)) == count


@pytest.mark.parametrize("parameters", ["this", "cls", "this, /", "this=None, *args"])
def test_the_first_parameter_is_the_object_whatever_its_name(parameters: str) -> None:
    name = parameters[:4].rstrip(",")
    assert outside_calls(of_method(f"{name}.save()", "a.b()", parameters=parameters)) == 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("class A:\n    @staticmethod\n    def f(): a.b()\n", 1),
        ("class A:\n    async def f(self): await a.b()\n", 1),
        ("class A:\n    if B:\n        def f(self): a.b()\n", 1),
        ("class A:\n    class B:\n        def f(self): A.b(); B.b(); a.b()\n", 2),
        ("class A:\n    def g(self):\n        def f(): a.b()\n", 0),
        ("def f(): a.b()\n", 0),
        ("def f(order): a.b()\n", 0),
        # Of a class out of sight: `Order` may be its name, `order` and `Item()` are none of it.
        ("def f(self): Order.b(); order.b(); Item()\n", 2),
        ("def f(cls): Order.b(); order.b(); cls.c()\n", 1),
    ],
)
def test_only_methods_have_an_outside(text: str, count: int) -> None:
    assert outside_calls(scope(text)) == count


def test_each_node_is_in_one_scope_at_most() -> None:
    """However deep definitions nest, what is looked at is no more than the tree."""
    depth = 40
    functions = "".join(f"{' ' * i}def f{i}(a=lambda: 0):\n" for i in range(depth))
    classes = "".join(f"{' ' * i}class A{i}:\n" for i in range(depth, 2 * depth))
    tree = parse(f"{functions}{classes}{' ' * 2 * depth}a = [b for b in c]\n")
    nodes = [
        node
        for scope in scopes(tree)
        for node in scope.nodes
        if not isinstance(node, ast.expr_context)  # of which there is one for all
    ]
    assert len(nodes) == len(set(nodes))
    assert set(nodes) <= set(ast.walk(tree))
    assert len([*scopes(tree)]) == 2 * depth
