"""Trees of tree-sitter, within bounds of time and depth."""

import importlib
import re
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from analyzers.syntax.grammar import Grammar

if TYPE_CHECKING:
    from tree_sitter import Language, Query, Tree

_MOST_LEVELS = 5_000
# No shorter text is deep enough.
_HARMLESS = 10_000
_BOUNDARY = re.compile(r"[;,{}]")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_STEPS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_STEP = re.compile(r"[(\[{<>)\]};]")


def is_too_deep(text: str) -> bool:
    """Return True if brackets or operators may nest `text` deeper than code ever is.

    The parser takes minutes for thousands of levels, and looks up from its work too rarely to be
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
    """Return True if a long stretch may nest each token in the one before."""
    return any(
        len(stretch) > _MOST_LEVELS and len(_TOKEN.findall(stretch)) > _MOST_LEVELS
        for stretch in _BOUNDARY.split(text)
    )


# Cost of a start of the parser, in reports: it reports about once in a hundred steps, for code
# less than once in 20 bytes.
_START = 10
# Seconds of processor time, for texts that could keep the parser busy for minutes.
_MOST_SECONDS = 2.0
_CHUNK = 65_536
_NAMES = ("identifier", "type_identifier", "field_identifier")
_MOST_BYTES_TO_QUERY = 20_000
# The largest share of errors in code of a language whose tools accept errors.
_MOST_FLAWS = 0.2


@dataclass(frozen=True, slots=True)
class Verdict:
    """The tree of a text that is code; else None and the number of bytes read."""

    tree: "Tree | None"
    read: int


def parse(grammar: Grammar, text: str) -> "Tree | None":
    """Parse `text`, errors included; return None if parsing takes too long."""
    judge = Judge(grammar, len(text) + _START)
    return judge.read(text, stop_at_error=False).tree


def first_error(tree: "Tree") -> int | None:
    """Return the row, from 1, of the first error."""
    cursor = tree.walk()
    while (node := cursor.node) is not None and node.has_error:
        if node.is_error or node.is_missing:
            return node.start_point.row + 1
        if not cursor.goto_first_child():
            break
        while cursor.node is not None and not cursor.node.has_error:
            if not cursor.goto_next_sibling():
                break
    return None


def is_mostly_code(tree: "Tree") -> bool:
    """Return True if errors are only a small part of the text."""
    return _length_of_errors(tree) < _MOST_FLAWS * max(1, tree.root_node.end_byte)


class Judge:
    """Decides what is code of a language, until its budget of the parser's reports is spent.

    A `lenient` judge accepts small errors, and code that the strict tools of the language cannot
    read. `was_strict` is True once such code was the only flaw of a text.
    """

    def __init__(self, grammar: Grammar, budget: int, *, lenient: bool = False) -> None:
        self.grammar = grammar
        self.was_strict = False
        self._left = budget
        self._end = time.thread_time() + _MOST_SECONDS
        self._is_lenient = lenient

    @property
    def is_tired(self) -> bool:
        """True if the budget is spent; then the judge accepts nothing any more."""
        return self._left < 0 or time.thread_time() > self._end

    def verdict(self, text: str) -> Verdict:
        """Return the tree of `text` if it is code without an error."""
        verdict = self.read(text, stop_at_error=True)
        tree = verdict.tree
        if tree is None:
            return verdict
        if tree.root_node.has_error or self._finds(_refused(self.grammar), tree):
            return Verdict(None, verdict.read)
        if not self._is_lenient and self._finds(self.grammar.unread, tree):
            self.was_strict = True
            return Verdict(None, verdict.read)
        return verdict

    def flaws(self, text: str) -> "tuple[Tree, float] | None":
        """Return the tree of `text` and its share of errors, if few enough are accepted."""
        if not (self.grammar.may_err or self._is_lenient):
            return None
        verdict = self.read(text, stop_at_error=False)
        if verdict.tree is None or self._finds(_refused(self.grammar), verdict.tree):
            return None
        share = _length_of_errors(verdict.tree) / max(1, verdict.read)
        return (verdict.tree, share) if share < _MOST_FLAWS else None

    def read(self, text: str, *, stop_at_error: bool) -> Verdict:
        """Parse `text` to an error or to its end; return no tree once the budget is spent."""
        from tree_sitter import Parser

        source = text.encode("utf-8", "replace")
        read = 0

        def is_over(offset: int, has_error: bool) -> bool:  # noqa: FBT001 - the parser calls it so
            nonlocal read
            read = offset
            self._left -= 1
            return self.is_tired or (has_error and stop_at_error)

        self._left -= _START
        if self.is_tired or is_too_deep(text):
            return Verdict(None, 0)
        parser = Parser(_language(self.grammar))
        try:
            tree = parser.parse(
                lambda offset, _: source[offset : offset + _CHUNK], progress_callback=is_over
            )
        except ValueError:  # the parser's way to say that it was stopped
            return Verdict(None, read)
        return Verdict(tree, len(source))

    def _finds(self, query: str, tree: "Tree") -> bool:
        from tree_sitter import QueryCursor

        # A query takes time by the square of the number of siblings. A long text is most often
        # a whole file, which is what it seems to be.
        if not query or tree.root_node.end_byte > _MOST_BYTES_TO_QUERY:
            return False
        cursor = QueryCursor(_query(self.grammar, query))
        return bool(cursor.captures(tree.root_node))


def _length_of_errors(tree: "Tree") -> int:
    """Count the bytes in errors, including the code inside of them."""
    cursor = tree.walk()
    length = 0
    while True:
        node = cursor.node
        if node is not None and node.is_error:
            length += node.end_byte - node.start_byte
        elif node is not None and node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return length


@cache
def _refused(grammar: Grammar) -> str:
    if not grammar.keywords:
        return grammar.refused
    language = _language(grammar)
    named = True
    kinds = [f"({kind})" for kind in _NAMES if language.id_for_node_kind(kind, named)]
    words = " ".join(f'"{word}"' for word in grammar.keywords.split())
    names = f"([{' '.join(kinds)}] @refused (#any-of? @refused {words}))"
    return f"{names}\n{grammar.refused}"


@cache
def _language(grammar: Grammar) -> "Language":
    from tree_sitter import Language

    return Language(getattr(importlib.import_module(grammar.module), grammar.function)())


@cache
def _query(grammar: Grammar, query: str) -> "Query":
    from tree_sitter import Query

    return Query(_language(grammar), query)
