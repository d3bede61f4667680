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
_MOST_DECLARATORS = 20
_MOST_BYTES = 200


def blocks(tree: "Tree", kinds: Mapping[str, BlockKind], passage: Passage) -> Iterator[Block]:
    """Blocks from the outside in, by the `kinds` of nodes.

    One begins where its name is, so that what is written above a function or class is not in
    it, and ends in sight where its last line is shown.
    """
    source = passage.text.encode("utf-8", "replace")
    for node, parent in _nodes(tree):
        kind = kinds.get(node.type)
        if kind is None or not node.is_named or _only_names_a_type(node):
            continue
        named = None if kind is BlockKind.OTHER else _name_node(node, parent)
        first_row = (named or node).start_point.row + 1
        last_row = node.end_point.row + 1
        is_shown = passage.line(last_row) is not None
        yield Block(
            kind,
            named and _name(source[named.start_byte : named.end_byte]),
            first_row,
            last_row,
            is_shown,
        )


def _nodes(tree: "Tree") -> "Iterator[tuple[Node, Node | None]]":
    """All nodes from the outside in, each with the one around it."""
    cursor = tree.walk()
    parents: list[Node] = []
    while (node := cursor.node) is not None:
        yield node, parents[-1] if parents else None
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


def _name_node(node: "Node", parent: "Node | None") -> "Node | None":
    own = _first_field(node, _NAME_FIELDS)
    if own is not None and not own.type.startswith("abstract_"):
        return _innermost_declarator(own)
    return None if parent is None else _first_field(parent, _OUTER_NAME_FIELDS)


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
