"""Parse with tree-sitter, within limits on time and depth."""

import importlib
import re
import time
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from analyzers.reading import Block, BlockKind, Passage
from analyzers.syntax.grammar import Grammar

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query, Tree

_MOST_LEVELS = 5_000
# Shorter texts cannot be nested too deeply.
_HARMLESS = 10_000
_BOUNDARY = re.compile(r"[;,{}]")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_STEPS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_STEP = re.compile(r"[(\[{<>)\]};]")


def is_too_deep(text: str) -> bool:
    """Return True if brackets or operators may nest `text` deeper than real code.

    The parser takes minutes for thousands of levels, and reports progress too rarely to be
    stopped there.
    """
    return len(text) > _HARMLESS and (_has_deep_brackets(text) or _has_long_statements(text))


def _has_deep_brackets(text: str) -> bool:
    depth = angles = 0
    for found in _STEP.finditer(text):
        step = found.group()
        if step in "<>":
            angles = max(0, angles + (1 if step == "<" else -1))
        else:
            depth = max(0, depth + _STEPS.get(step, 0))
            angles = angles if step in "()[]" else 0
        if depth > _MOST_LEVELS or angles > _MOST_LEVELS:
            return True
    return False


def _has_long_statements(text: str) -> bool:
    """Return True if a long stretch may nest each token in the previous one."""
    return any(
        len(stretch) > _MOST_LEVELS and len(_TOKEN.findall(stretch)) > _MOST_LEVELS
        for stretch in _BOUNDARY.split(text)
    )


# Cost of starting the parser, in progress reports: it reports about once in a hundred steps, less
# than once in 20 bytes of code.
_START = 10
# Seconds of processor time: some texts could keep the parser busy for minutes.
_MOST_SECONDS = 2.0
_CHUNK = 65_536
_MOST_BYTES_TO_QUERY = 20_000


class SyntaxChecker:
    """Checks whether texts are valid code, until its budget of progress reports is spent.

    A `strict` checker rejects code that the language's tools cannot read; `was_strict` is True
    once a text was rejected for that reason alone.
    """

    def __init__(self, grammar: Grammar, budget: int, *, strict: bool = False) -> None:
        self.grammar = grammar
        self.was_strict = False
        self._is_strict = strict
        self._left = budget
        self._end = time.thread_time() + _MOST_SECONDS

    @property
    def is_exhausted(self) -> bool:
        """True if the budget is spent; all further texts are rejected."""
        return self._left < 0 or time.thread_time() > self._end

    def check(self, text: str) -> "tuple[Tree | None, int]":
        """Return the tree of `text` if it is valid code, and the number of bytes read."""
        tree, read = self.read(text, stop_at_error=True)
        if tree is None or tree.root_node.has_error or _finds(self.grammar, "refused", tree):
            return None, read
        if self._is_strict and _finds(self.grammar, "unread", tree):
            self.was_strict = True
            return None, read
        return tree, read

    def read(self, text: str, *, stop_at_error: bool = False) -> "tuple[Tree | None, int]":
        """Parse `text` to its end or an error; return no tree once the budget is spent."""
        from tree_sitter import Parser

        source = text.encode("utf-8", "replace")
        read = 0

        def is_over(offset: int, has_error: bool) -> bool:  # noqa: FBT001 - the parser calls it so
            nonlocal read
            read = offset
            self._left -= 1
            return self.is_exhausted or (has_error and stop_at_error)

        self._left -= _START
        if self.is_exhausted or is_too_deep(text):
            return None, 0
        parser = Parser(_language(self.grammar.module))
        try:
            tree = parser.parse(
                lambda offset, _: source[offset : offset + _CHUNK], progress_callback=is_over
            )
        except ValueError:  # the parser was stopped
            return None, read
        return tree, len(source)


def parse(grammar: Grammar, text: str) -> "Tree | None":
    """Parse `text` even if it has errors; return None if parsing takes too long."""
    return SyntaxChecker(grammar, len(text) + _START).read(text)[0]


@cache
def _language(module: str) -> "Language":
    from tree_sitter import Language

    return Language(importlib.import_module(module).language())


@cache
def _query(grammar: Grammar, name: str) -> "Query":
    from tree_sitter import Query

    return Query(_language(grammar.module), getattr(grammar, name))


def _finds(grammar: Grammar, name: str, tree: "Tree") -> bool:
    """Return True if the grammar's query `name` matches code in `tree`."""
    from tree_sitter import QueryCursor

    # A query takes quadratic time in the number of siblings. A long text is usually a whole file,
    # which needs no such check.
    if tree.root_node.end_byte > _MOST_BYTES_TO_QUERY:
        return False
    return bool(QueryCursor(_query(grammar, name)).captures(tree.root_node))


def first_error(tree: "Tree") -> int | None:
    """Return the row, from 1, of the first error."""
    node: Node | None = tree.root_node
    while node is not None and not (node.is_error or node.is_missing):
        node = next((child for child in node.children if child.has_error), None)
    return node.start_point.row + 1 if node is not None else None


# Fields of the parent of an anonymous function that may name it.
_OUTER_NAME_FIELDS = ("name", "key", "left", "property")
_LAST_NAME = re.compile(r"([^\W\d][\w$]*)\W*$")
_MOST_BYTES = 200


def blocks(tree: "Tree", kinds: Mapping[str, BlockKind], passage: Passage) -> Iterator[Block]:
    """Yield blocks, outer ones first, by the `kinds` of nodes.

    A block starts at its name, without the lines above a function or class. Its end is in sight
    if its last line is shown.
    """
    source = passage.text.encode("utf-8", "replace")
    for node, parent in _nodes(tree):
        kind = kinds.get(node.type)
        if kind is None or not node.is_named:
            continue
        named = None if kind is BlockKind.OTHER else _name_node(node, parent)
        name = named and _name(source[named.start_byte : named.end_byte])
        first_row, last_row = (named or node).start_point.row + 1, node.end_point.row + 1
        yield Block(kind, name, first_row, last_row, passage.line(last_row) is not None)


def _nodes(tree: "Tree") -> "Iterator[tuple[Node, Node | None]]":
    """Yield all nodes, outer ones first, each with its parent."""
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


def _name_node(node: "Node", parent: "Node | None") -> "Node | None":
    own = node.child_by_field_name("name")
    if own is not None or parent is None:
        return own
    found = (parent.child_by_field_name(field) for field in _OUTER_NAME_FIELDS)
    return next((name for name in found if name is not None), None)


def _name(code: bytes) -> str | None:
    found = _LAST_NAME.search(code[-_MOST_BYTES:].decode("utf-8", "replace"))
    return found.group(1) if found else None
