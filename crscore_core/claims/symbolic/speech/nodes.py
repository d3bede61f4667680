"""What a node of a tree holds: its source, its parts, its operator."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_PARTS = 12
"""Parts of one node that are read."""

_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})


def code_of(node: "Node") -> str:
    """Return the source of `node`."""
    return (node.text or b"").decode("utf-8", "replace")


def children_of(node: "Node") -> "list[Node]":
    """Return what `node` consists of without marks and comments, at most `MAX_PARTS`."""
    found = node.named_children[: MAX_PARTS + 1]
    return [c for c in found if c.type not in _COMMENTS][:MAX_PARTS]


def field_of(node: "Node", *names: str) -> "Node | None":
    """Return the first of the parts called `names` that `node` has, or None."""
    for name in names:
        found = node.child_by_field_name(name)
        if found is not None:
            return found
    return None


def operator_of(node: "Node") -> str:
    """Return the mark or word of an operation."""
    given = field_of(node, "operator")
    if given is not None:
        return code_of(given)
    return next((code_of(c) for c in node.children if not c.is_named), "")
