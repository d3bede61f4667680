"""The blocks of a syntax tree: functions, classes and others, with their names."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from analyzers.context import Block, BlockKind
from analyzers.passage import Passage

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

__all__ = ["blocks"]

# The field of a node that names it, and that of one around an unnamed function, if any.
_NAME_FIELDS = ("name", "declarator")
_OUTER_NAME_FIELDS = ("name", "key", "left", "property", "declarator")
_LAST_NAME = re.compile(r"(~?[^\W\d][\w$]*[?!=]?|operator\s*\S+)\W*$")
_MOST_DECLARATORS = 20


def blocks(tree: "Tree", kinds: Mapping[str, BlockKind], passage: Passage) -> Iterator[Block]:
    """Blocks from the outside in.

    One begins where its name is, so that what is written above a function or class is not in
    it, and ends in sight where its last line is shown.
    """
    cursor = tree.walk()
    parents: list[Node] = []
    while True:
        node = cursor.node
        if node is not None and node.is_named and (kind := kinds.get(node.type)) is not None:
            yield _block(node, kind, parents[-3:], passage)
        if node is not None and cursor.goto_first_child():
            parents.append(node)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            parents.pop()


def _block(node: "Node", kind: BlockKind, parents: "list[Node]", passage: Passage) -> Block:
    named = None if kind is BlockKind.OTHER else _name_node(node, parents)
    name = None if named is None else _name(named)
    start = node if named is None else named
    last_row = node.end_point.row + 1
    is_shown = passage.line(last_row) is not None
    return Block(kind, name, start.start_point.row + 1, last_row, is_shown)


def _name_node(node: "Node", parents: "list[Node]") -> "Node | None":
    own = _first_field(node, _NAME_FIELDS)
    if own is not None:
        return _innermost_declarator(own)
    parent = parents[-1] if parents else None
    return None if parent is None else _first_field(parent, _OUTER_NAME_FIELDS)


def _first_field(node: "Node", fields: tuple[str, ...]) -> "Node | None":
    found = (node.child_by_field_name(field) for field in fields)
    return next((one for one in found if one is not None), None)


def _innermost_declarator(node: "Node") -> "Node":
    for _ in range(_MOST_DECLARATORS):
        inner = node.child_by_field_name("declarator")
        if inner is None:
            break
        node = inner
    return node


def _name(node: "Node") -> str | None:
    text = (node.text or b"").decode("utf-8", "replace")
    found = _LAST_NAME.search(text)
    return found.group(1) if found else None
