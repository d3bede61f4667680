"""The tree of a statement -> its terms, the same for all grammars."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from crscore_core.claims.symbolic.speech.nodes import (
    children_of,
    code_of,
    field_of,
    operator_of,
)
from crscore_core.claims.symbolic.speech.shapes import INNER, SHAPES, STRING_PIECES
from crscore_core.claims.symbolic.speech.terms import ALIAS, Kind, Term

if TYPE_CHECKING:
    from tree_sitter import Node

    Reader = Callable[[Node, int], Term]

MAX_DEPTH = 24
"""Nodes within nodes that are read; what lies deeper is taken as it is written."""

_BODIES = frozenset(
    "block statement_block compound_statement body_statement block_body do then".split()
)


def read(node: "Node", depth: int = 0) -> Term:
    """Return the term of `node`, which is `Kind.UNKNOWN` where it has no shape."""
    name = node.type
    while name in _PASSED:
        inner = children_of(node) if name in INNER else _wrapped(node)
        if not inner:
            return Term(Kind.UNKNOWN, code_of(node))
        node = inner[0]
        name = node.type
        depth += 1
    kind = SHAPES.get(name)
    if kind is None or depth > MAX_DEPTH or node.is_missing:
        return Term(Kind.UNKNOWN, code_of(node))
    reader = _READERS.get(kind)
    if reader is None:
        return Term(kind, code_of(node))
    return reader(node, depth + 1)


_WRAPPERS = frozenset(
    {"class_declaration", "class_specifier", "type_declaration", "function_definition"}
)
"""What a statement was completed with: a type around a member, a function in C."""
_PASSED = INNER | _WRAPPERS


def _wrapped(node: "Node") -> "list[Node]":
    """Return the members of the type that a statement was completed with."""
    if node.type != "type_declaration":
        body = field_of(node, "body")
        return [] if body is None else children_of(body)
    named = node.named_child(0)
    given = None if named is None else field_of(named, "type")
    if given is None or named is None or given.type != "struct_type":
        return [] if named is None else [named]
    return children_of(given)[:1]


def _all(nodes: "list[Node]", depth: int) -> tuple[Term, ...]:
    return tuple(read(n, depth) for n in nodes)


def _parts(kind: Kind) -> "Reader":
    def reader(node: "Node", depth: int) -> Term:
        return Term(kind, "", _all(children_of(node), depth))

    return reader


def _subscript(node: "Node", depth: int) -> Term:
    children = children_of(node)
    if node.type != "slice_expression" or not children:
        return Term(Kind.SUBSCRIPT, "", _all(children, depth))
    bounds = code_of(node).removeprefix(code_of(children[0])).strip("[] ")
    return Term(Kind.SUBSCRIPT, "", (read(children[0], depth), Term(Kind.UNKNOWN, bounds)))


def _tuple(node: "Node", depth: int) -> Term:
    children = children_of(node)
    if len(children) == 1 and node.type not in {"arguments", "argument_list", "tuple"}:
        return read(children[0], depth)
    return Term(Kind.TUPLE, "", _all(children, depth))


_ESCAPES = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[abfnrtv0\\'\"`/])")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": " ", "b": " ", "f": " ", "v": " "}


def _content(text: str) -> str:
    return _ESCAPES.sub(lambda e: _ESCAPED.get(e[1], " " if len(e[1]) > 1 else e[1]), text)


_QUOTED = re.compile(r"^(?:[a-zA-Z@$]{0,3})([\"'`/])(.*)\1\w*$", re.DOTALL)


def _text(node: "Node", depth: int) -> Term:
    pieces: list[Term] = []
    for child in children_of(node):
        if child.type in STRING_PIECES:
            pieces.append(Term(Kind.TEXT, _content(code_of(child))))
        elif child.type in {"interpolation", "template_substitution"}:
            held = [c for c in children_of(child) if c.type != "interpolation_brace"]
            pieces += _all(held[:1], depth)
        elif SHAPES.get(child.type) not in {None, Kind.TYPE}:
            pieces.append(read(child, depth))
    if pieces and all(p.kind is Kind.TEXT and not p.parts for p in pieces):
        return Term(Kind.TEXT, "".join(p.text for p in pieces))
    if pieces:
        return Term(Kind.TEXT, "", tuple(pieces))
    code = code_of(node)
    quoted = _QUOTED.match(code)
    return Term(Kind.TEXT, _content(quoted.group(2)) if quoted else code.strip("\"'`"))


_JOINING = frozenset({"||", "&&", "or", "and"})


def _binary(node: "Node", depth: int) -> Term:
    operands = _all(children_of(node), depth)
    if node.type == "comparison_operator":
        marks = [" ".join(code_of(o).split()) for o in node.children_by_field_name("operators")]
        compared = [
            Term(Kind.BINARY, mark, operands[i : i + 2])
            for i, mark in enumerate(marks[: len(operands) - 1])
        ]
        if not compared:
            return Term(Kind.UNKNOWN, code_of(node))
        joined = compared[0]
        for further in compared[1:]:
            joined = Term(Kind.BINARY, "and", (joined, further))
        return joined
    if len(operands) < 2:
        return Term(Kind.UNKNOWN, code_of(node))
    operator = operator_of(node)
    left, right = operands[0], operands[-1]
    if node.type == "is_pattern_expression":
        return _matched(left, right, node)
    return Term(Kind.BINARY, operator, (left, right))


def _matched(left: Term, right: Term, node: "Node") -> Term:
    """Read C#'s `is`; its grammar takes what follows a constant for a part of the constant."""
    if right.kind is Kind.BINARY and right.text in _JOINING:
        first = _matched(left, right.parts[0], node)
        return Term(Kind.BINARY, right.text, (first, *right.parts[1:]))
    if right.kind is Kind.UNARY and right.text == "not":
        return Term(Kind.BINARY, "is not", (left, right.parts[0]))
    if right.kind is Kind.UNKNOWN:
        pattern = field_of(node, "pattern")
        given = None if pattern is None else field_of(pattern, "type")
        if given is not None:
            return Term(Kind.BINARY, "instanceof", (left, Term(Kind.TYPE, code_of(given))))
    operator = "is" if right.kind is Kind.NAME and right.text == "null" else "instanceof"
    return Term(Kind.BINARY, operator, (left, right))


def _unary(node: "Node", depth: int) -> Term:
    operands = children_of(node)
    if not operands:
        return Term(Kind.UNKNOWN, code_of(node))
    operator = operator_of(node)
    if operator in {"++", "--"} and node.children[0].is_named:
        operator = f"{operator} after"
    return Term(Kind.UNARY, operator, (read(operands[-1], depth),))


_OWNERS = ("object", "expression", "operand", "argument", "value", "condition", "scope", "receiver")
_MEMBERS = ("attribute", "property", "field", "method", "name")


def _member(node: "Node", depth: int) -> Term:
    owner, member = field_of(node, *_OWNERS), field_of(node, *_MEMBERS)
    children = children_of(node)
    if owner is None or member is None:
        if len(children) < 2:
            return Term(Kind.UNKNOWN, code_of(node))
        owner, member = children[0], children[-1]
    name = code_of(member).lstrip(".?")
    return Term(Kind.MEMBER, name, (read(owner, depth),))


def _call(node: "Node", depth: int) -> Term:
    called = field_of(node, "function", "constructor")
    if called is not None:
        function = read(called, depth)
        generic = code_of(called).partition("<")
        if generic[0].endswith("_cast") and generic[1]:
            given = _arguments(node, depth)
            return Term(Kind.CAST, generic[2].rstrip(">"), given[:1]) if given else function
    else:
        name, owner = (
            field_of(node, "name", "method"),
            field_of(node, "object", "scope", "receiver"),
        )
        if owner is None:
            function = Term(Kind.NAME, code_of(name) if name is not None else "")
        else:
            member = code_of(name) if name is not None else "call"
            function = Term(Kind.MEMBER, member, (read(owner, depth),))
    block = field_of(node, "block")
    given = _arguments(node, depth)
    if block is not None:
        given = (*given, read(block, depth))
    return Term(Kind.CALL, "", (function, *given))


def _arguments(node: "Node", depth: int) -> tuple[Term, ...]:
    given = field_of(node, "arguments")
    if given is None:
        kinds = {"arguments", "argument_list"}
        given = next((c for c in node.named_children if c.type in kinds), None)
    if given is None:
        return ()
    if given.type not in {"arguments", "argument_list"}:
        return (read(given, depth),)
    return tuple(_argument(c, depth) for c in children_of(given))


def _argument(node: "Node", depth: int) -> Term:
    name = field_of(node, "name") if node.type == "argument" else None
    if name is None:
        return read(node, depth)
    value = children_of(node)[-1]
    return Term(Kind.PAIR, "", (Term(Kind.NAME, code_of(name)), read(value, depth)))


def _new(node: "Node", depth: int) -> Term:
    given = field_of(node, "type", "constructor")
    made = field_of(node, "initializer", "body", "value")
    if given is None:
        first = children_of(node)[:1]
        given = first[0] if first and first[0].type in {"name", "qualified_name"} else None
    arguments = _arguments(node, depth)
    if made is not None and made.type in {"literal_value", "initializer_list"} | {
        "initializer_expression"
    }:
        held = tuple(_entry(c, depth) for c in children_of(made))
        if given is not None and given.type in {"slice_type", "array_type"}:
            return Term(Kind.LIST, "", held)
        if given is not None and given.type == "map_type":
            return Term(Kind.MAP, "", held)
        arguments += held
    named = Term(Kind.TYPE, code_of(given) if given is not None else "object")
    return Term(Kind.NEW, "", (named, *arguments))


def _entry(node: "Node", depth: int) -> Term:
    """An element of an initialiser, in which an assignment gives a field its value."""
    term = read(node, depth)
    return Term(Kind.PAIR, "", term.parts) if term.kind is Kind.ASSIGN else term


def _choice(node: "Node", depth: int) -> Term:
    parts = _all(children_of(node), depth)
    if node.type == "conditional_expression" and field_of(node, "condition") is None:
        order = (1, 0, 2)  # Python's `value if condition else other`
        return Term(Kind.CHOICE, "", tuple(parts[i] for i in order if i < len(parts)))
    if len(parts) == 2:  # PHP's `value ?: other`
        return Term(Kind.BINARY, "??", parts)
    return Term(Kind.CHOICE, "", parts)


def _function(node: "Node", depth: int) -> Term:
    parameters = field_of(node, "parameters", "parameter", "declarator")
    names: list[Term] = []
    if parameters is not None:
        listed = [parameters] if not parameters.named_child_count else children_of(parameters)
        for parameter in listed:
            inner = field_of(parameter, "name", "pattern", "declarator") or parameter
            names.append(Term(Kind.NAME, code_of(inner).lstrip("&*.$")))
    body = field_of(node, "body")
    taken = Term(Kind.TUPLE, "", tuple(n for n in names if n.text.isidentifier()))
    if body is None or body.type in _BODIES:
        inside = [] if body is None else children_of(body)
        if body is None or body.type != "block_body" or len(inside) != 1:
            return Term(Kind.FUNCTION, "", (taken,))
        body = inside[0]
    return Term(Kind.FUNCTION, "", (taken, read(body, depth)))


def _collection(node: "Node", depth: int) -> Term:
    children = children_of(node)
    if node.type == "implicit_array_creation_expression" and children:
        children = children_of(children[-1])
    given = field_of(node, "type")
    held = [c for c in children if c != given and c.type not in {"dimensions_expr", "dimensions"}]
    if len(held) == 1 and held[0].type in {"initializer_expression", "array_initializer"}:
        held = children_of(held[0])
    if given is not None and not held:
        return Term(Kind.NEW, "", (Term(Kind.TYPE, f"{code_of(given).partition('[')[0]}[]"),))
    parts = _all(held, depth)
    kind = SHAPES[node.type]
    if not parts and "\n" in code_of(node):
        return Term(kind, "open")
    if any(p.kind is Kind.PAIR for p in parts):
        kind = Kind.MAP
    return Term(kind, "", parts)


def _pair(node: "Node", depth: int) -> Term:
    parts = _all(children_of(node), depth)
    if len(parts) == 1 and node.type == "array_element_initializer":
        return parts[0]
    return (
        Term(Kind.PAIR, "", (parts[0], parts[-1])) if parts else Term(Kind.UNKNOWN, code_of(node))
    )


def _inner(kind: Kind) -> "Reader":
    def reader(node: "Node", depth: int) -> Term:
        children = children_of(node)
        marks = [c.type for c in node.children[:2] if not c.is_named]
        word = marks[0] if marks else code_of(node).partition(" ")[0]
        if marks == ["yield", "from"]:
            word = "yield from"
        return Term(kind, word, _all(children[:2], depth))

    return reader


def _cast(node: "Node", depth: int) -> Term:
    given = field_of(node, "type", "right")
    value = field_of(node, "value", "operand", "left")
    children = children_of(node)
    if len(children) < 2:
        return Term(Kind.UNKNOWN, code_of(node))
    if node.type == "type_assertion":
        return Term(Kind.CAST, code_of(children[0]).strip("<>"), (read(children[-1], depth),))
    return Term(Kind.CAST, code_of(given or children[-1]), (read(value or children[0], depth),))


def _each(node: "Node", depth: int) -> Term:
    body = field_of(node, "body")
    clause = next((c for c in children_of(node) if c.type == "for_in_clause"), None)
    nested = sum(c.type == "for_in_clause" for c in node.named_children) > 1
    if body is None or clause is None or nested:
        return Term(Kind.UNKNOWN, code_of(node))
    left, right = field_of(clause, "left"), field_of(clause, "right")
    tested = next((c for c in children_of(node) if c.type == "if_clause"), None)
    nodes = [n for n in (body, left, right, tested and tested.named_child(0)) if n is not None]
    return Term(Kind.EACH, "", _all(nodes, depth))


def _element(node: "Node", depth: int) -> Term:
    opening = field_of(node, "open_tag") or node
    name = field_of(opening, "name")
    attributes = [c for c in children_of(opening) if c.type == "jsx_attribute"]
    return Term(Kind.ELEMENT, "" if name is None else code_of(name), _all(attributes, depth))


def _assign(node: "Node", depth: int) -> Term:
    left, right = field_of(node, "left", "name", "channel"), field_of(node, "right", "value")
    if left is None:
        return Term(Kind.UNKNOWN, code_of(node))
    if right is None:
        given = field_of(node, "type")
        kind = "" if given is None else code_of(given)
        return Term(Kind.DECLARE, kind, (read(left, depth),))
    if node.type == "send_statement":
        return Term(Kind.ASSIGN, "<-", (read(left, depth), read(right, depth)))
    operator = field_of(node, "operator")
    mark = "=" if operator is None else code_of(operator)
    mark = mark if mark != ":=" else "="
    return Term(Kind.ASSIGN, mark, (read(left, depth), read(right, depth)))


_ALIASES = frozenset({"type_alias_declaration", "alias_declaration", "type_alias", "type_spec"})
_DECLARATORS = frozenset(
    """
    variable_declarator init_declarator var_spec const_spec property_element
    static_variable_declaration const_element
    """.split()
)


def _declare(node: "Node", depth: int) -> Term:
    outer = node
    given = field_of(node, "type")
    for _ in range(2):
        inner = next((c for c in children_of(node) if c.type in _DECLARATORS), None)
        inner = inner or next(
            (c for c in children_of(node) if c.type == "variable_declaration"), None
        )
        if inner is None:
            break
        node = inner
        given = field_of(node, "type") or given
        if node.type in _DECLARATORS:
            break
    name = field_of(node, "name", "declarator", "property")
    if outer.type in _ALIASES:
        held = field_of(node, "value", "type")
        if name is not None and held is not None:
            return Term(Kind.DECLARE, ALIAS, (read(name, depth), Term(Kind.TYPE, code_of(held))))
    if name is None and node.type == "const_element":
        name = node.named_child(0)
    if name is None:
        return Term(Kind.UNKNOWN, code_of(outer))
    for _ in range(4):
        further = field_of(name, "declarator")
        if further is None and name.type == "reference_declarator":
            further = name.named_child(0)
        if further is None:
            break
        name = further
    value = field_of(node, "value", "default_value")
    if value is None and node.type in {"variable_declarator", "const_element"}:
        last = children_of(node)[-1:]
        value = last[0] if last and last[0] != name and _has_equals(node) else None
    kind = "" if given is None else code_of(given)
    parts = [name] if value is None else [name, value]
    return Term(Kind.DECLARE, kind, _all(parts, depth))


def _has_equals(node: "Node") -> bool:
    return any(c.type == "=" for c in node.children)


def _assert(node: "Node", depth: int) -> Term:
    return Term(Kind.ASSERT, "", _all(children_of(node), depth))


def _if(node: "Node", depth: int) -> Term:
    condition = field_of(node, "condition", "value")
    if condition is None and node.type == "switch_expression":
        condition = node.named_child(0)
    if condition is None:
        return Term(Kind.UNKNOWN, code_of(node))
    before = field_of(node, "initializer")
    word = next((code_of(c) for c in node.children if not c.is_named), "if")
    parts = [condition] if before is None else [before, condition]
    tested = Term(Kind.IF, word, _all(parts, depth))
    body = field_of(node, "consequence", "body")
    if body is not None and body.type in _BODIES:
        body = next(iter(children_of(body)), None)
    if body is not None and body.type == "statement_list":
        body = next(iter(children_of(body)), None)
    if body is None or word not in {"if", "unless", "elsif"}:
        return tested
    done = read(body, depth)
    if done.kind is Kind.JUMP and done.text == "pass":
        return tested
    return Term(Kind.MODIFIED, word, (done, tested))


def _while(node: "Node", depth: int) -> Term:
    condition = field_of(node, "condition")
    word = "until" if node.type == "until" else "while"
    return Term(Kind.WHILE, word, _all([condition] if condition is not None else [], depth))


def _over(node: "Node", depth: int) -> Term:
    value = field_of(node, "right", "value")
    if value is None:
        value = next(iter(children_of(node)), None)
    if value is None:
        return Term(Kind.UNKNOWN, code_of(node))
    over = read(value, depth)
    counted = field_of(node, "operator")
    return Term(
        Kind.OVER, "in" if counted is not None and code_of(counted) == "in" else "", (over,)
    )


def _count(node: "Node", depth: int) -> Term:
    """`for`, which each grammar has for other loops."""
    right = field_of(node, "right")
    if right is not None:
        return Term(Kind.OVER, "", (read(right, depth),))
    children = children_of(node)
    clause = next((c for c in children if c.type in {"for_clause", "range_clause"}), node)
    if clause.type == "range_clause":
        return _over(clause, depth)
    first = field_of(clause, "init", "initializer", "initialize")
    tested, last = field_of(clause, "condition"), field_of(clause, "update", "increment")
    if first is None and tested is None and last is None:
        body = field_of(node, "body")
        alone = [c for c in children if c != body]
        return Term(Kind.WHILE, "while", _all(alone[:1], depth))
    nodes = {"i": first, "c": tested, "u": last}
    there = {mark: n for mark, n in nodes.items() if n is not None}
    return Term(Kind.COUNT, "".join(there), _all(list(there.values()), depth))


def _modified(node: "Node", depth: int) -> Term:
    word = next((code_of(c) for c in node.children if not c.is_named), "if")
    return Term(Kind.MODIFIED, word, _all(children_of(node), depth))


def _use(node: "Node", depth: int) -> Term:
    children = children_of(node)
    if not children:
        return Term(Kind.UNKNOWN, code_of(node))
    first = children[0]
    for _ in range(3):
        if first.type not in {"with_clause", "with_item", "resource_specification"}:
            break
        inner = children_of(first)
        if not inner:
            break
        first = inner[0]
    value = field_of(first, "value") if first.type == "resource" else None
    if first.type == "variable_declaration":
        declared = _declare(first, depth)
        return Term(Kind.USE, node.type, declared.parts[-1:])
    return Term(Kind.USE, node.type, (read(value or first, depth),))


_READERS: "dict[Kind, Reader]" = {
    Kind.TEXT: _text,
    Kind.BINARY: _binary,
    Kind.UNARY: _unary,
    Kind.CALL: _call,
    Kind.NEW: _new,
    Kind.MEMBER: _member,
    Kind.SUBSCRIPT: _subscript,
    Kind.CHOICE: _choice,
    Kind.FUNCTION: _function,
    Kind.LIST: _collection,
    Kind.MAP: _collection,
    Kind.TUPLE: _tuple,
    Kind.PAIR: _pair,
    Kind.SPREAD: _parts(Kind.SPREAD),
    Kind.CAST: _cast,
    Kind.EACH: _each,
    Kind.ELEMENT: _element,
    Kind.ASSIGN: _assign,
    Kind.DECLARE: _declare,
    Kind.RETURN: _inner(Kind.RETURN),
    Kind.THROW: _inner(Kind.THROW),
    Kind.ASSERT: _assert,
    Kind.DELETE: _inner(Kind.DELETE),
    Kind.PRINT: _inner(Kind.PRINT),
    Kind.YIELD: _inner(Kind.YIELD),
    Kind.START: _inner(Kind.START),
    Kind.IF: _if,
    Kind.WHILE: _while,
    Kind.OVER: _over,
    Kind.COUNT: _count,
    Kind.MODIFIED: _modified,
    Kind.USE: _use,
    Kind.JUMP: _inner(Kind.JUMP),
}
"""How the parts of a node are found, by its shape; a shape without one is its code."""
