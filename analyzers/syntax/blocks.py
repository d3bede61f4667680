"""The blocks of a syntax tree: functions, classes and others, with their names."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from analyzers.context import Block, BlockKind
from analyzers.passage import Passage

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

__all__ = ["blocks"]

# The field of a node that names it, and that of one around a function without a name of its own.
_NAME_FIELDS = ("name", "declarator")
_OUTER_NAME_FIELDS = ("name", "key", "left", "property", "declarator")
_LAST_NAME = re.compile(r"(operator\s*\W+|~?[^\W\d][\w$]*[?!=]?)\W*$")
_BODIES = frozenset({"block", "statement_block", "compound_statement"})
_MOST_DECLARATORS = 20
_MOST_BYTES = 200


def blocks(tree: "Tree", kinds: Mapping[str, BlockKind], passage: Passage) -> Iterator[Block]:
    """Blocks from the outside in, by the `kinds` of nodes.

    One begins where its name is, so that what is written above a function or class is not in
    it, and ends in sight where its last line is shown. Of a function without a name the lines
    between the first and the last count, and of others those of more than one.
    """
    source = passage.text.encode("utf-8", "replace")
    for node, parents in _nodes(tree):
        kind = kinds.get(node.type)
        if kind is None or not node.is_named or _only_names_a_type(node):
            continue
        if node.type in _BODIES and parents and parents[-1].type in kinds.keys() - _BODIES:
            continue  # the body of a block
        named = None if kind is BlockKind.OTHER else _name_node(node, parents)
        first_row, last_row = (named or node).start_point.row + 1, node.end_point.row + 1
        is_shown = passage.line(last_row) is not None
        if kind is BlockKind.FUNCTION and named is None:
            # Its ends stand beside code of the function around it.
            first_row += passage.line(first_row) is not None
            last_row -= 1
        if first_row < last_row or (first_row == last_row and kind is not BlockKind.OTHER):
            name = named and _name(source[named.start_byte : named.end_byte])
            yield Block(kind, name, first_row, last_row, is_shown)


def _nodes(tree: "Tree") -> "Iterator[tuple[Node, list[Node]]]":
    """All nodes from the outside in, each with those around it, which change with the next."""
    cursor = tree.walk()
    parents: list[Node] = []
    while (node := cursor.node) is not None:
        yield node, parents
        if cursor.goto_first_child():
            parents.append(node)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            parents.pop()


def _only_names_a_type(node: "Node") -> bool:
    """Whether it is like C's `struct name` in a declaration."""
    return node.type.endswith("_specifier") and node.child_by_field_name("body") is None


def _name_node(node: "Node", parents: "list[Node]") -> "Node | None":
    own = _first_field(node, _NAME_FIELDS)
    if own is not None and not own.type.startswith("abstract_"):
        return _innermost_declarator(own)
    is_listed = parents and parents[-1].type == "expression_list"
    if is_listed and parents[-1].named_child_count > 1:
        return None
    around = parents[-2:-1] if is_listed else parents[-1:]
    return _first_field(around[0], _OUTER_NAME_FIELDS) if around else None


def _first_field(node: "Node", fields: tuple[str, ...]) -> "Node | None":
    found = (node.child_by_field_name(field) for field in fields)
    return next((one for one in found if one is not None), None)


def _innermost_declarator(node: "Node") -> "Node":
    for _ in range(_MOST_DECLARATORS):
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type == "reference_declarator":
            inner = node.named_child(0)
        if inner is None:
            break
        node = inner
    return node


def _name(code: bytes) -> str | None:
    found = _LAST_NAME.search(code[-_MOST_BYTES:].decode("utf-8", "replace"))
    return found.group(1) if found else None
