"""Trees of tree-sitter, within bounds."""

import importlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from analyzers.syntax.grammar import Grammar

if TYPE_CHECKING:
    from tree_sitter import Language, Query, Tree

__all__ = ["Judge", "Verdict", "parse"]

# The parser reports about once in a hundred steps: for code, less than once in 50 bytes. What
# takes far more steps is no code, and could take minutes.
_BYTES_A_REPORT = 10
_FREE_REPORTS = 1_000
_CHUNK = 65_536
# Of code of a language whose tools put up with errors.
_MOST_FLAWS = 0.2


@dataclass(frozen=True, slots=True)
class Verdict:
    """The tree of a text if that is code; else how many bytes were read until that was clear."""

    tree: "Tree | None"
    read: int


def parse(grammar: Grammar, text: str) -> "Tree | None":
    """The tree of `text`, errors and all; None where that takes too long."""
    return _parse(grammar, text.encode("utf-8", "replace"), stop_at_error=False).tree


class Judge:
    """Says what is code of a language, as long as its budget of characters lasts.

    Unless it is `lenient`, what the strict tools of the language cannot read is none;
    `was_strict` is whether that ever was all that was wrong.
    """

    def __init__(self, grammar: Grammar, budget: int, *, lenient: bool = False) -> None:
        self.grammar = grammar
        self.was_strict = False
        self._left = budget
        self._is_lenient = lenient

    @property
    def is_tired(self) -> bool:
        """Whether the budget is spent; then nothing is code any more."""
        return self._left < 0

    def verdict(self, text: str) -> Verdict:
        """Whether `text` is code without an error."""
        if self.is_tired:
            return Verdict(None, 0)
        self._left -= len(text)
        source = text.encode("utf-8", "replace")
        verdict = _parse(self.grammar, source, stop_at_error=True)
        tree = verdict.tree
        if tree is None:
            return verdict
        if tree.root_node.has_error or self._finds(_refused(self.grammar), tree):
            return Verdict(None, len(source))
        if not self._is_lenient and self._finds(self.grammar.unread, tree):
            self.was_strict = True
            return Verdict(None, len(source))
        return verdict

    def flaws(self, text: str) -> "tuple[Tree, float] | None":
        """The tree of `text` and which share of it are errors, where some are put up with."""
        if self.is_tired or not self.grammar.may_err:
            return None
        self._left -= len(text)
        source = text.encode("utf-8", "replace")
        tree = _parse(self.grammar, source, stop_at_error=False).tree
        share = _length_of_errors(tree) / max(1, len(source)) if tree else 1
        return (tree, share) if tree and share < _MOST_FLAWS else None

    def _finds(self, query: str, tree: "Tree") -> bool:
        from tree_sitter import QueryCursor

        if not query:
            return False
        compiled = _query(self.grammar.module, self.grammar.function, query)
        return bool(QueryCursor(compiled).captures(tree.root_node))


def _parse(grammar: Grammar, source: bytes, *, stop_at_error: bool) -> Verdict:
    from tree_sitter import Parser

    reports_left = _FREE_REPORTS + len(source) // _BYTES_A_REPORT
    read = 0

    def is_over(offset: int, has_error: bool) -> bool:  # noqa: FBT001 - the parser calls it so
        nonlocal reports_left, read
        reports_left -= 1
        read = offset
        return reports_left < 0 or (has_error and stop_at_error)

    parser = Parser(_language(grammar.module, grammar.function))
    try:
        tree = parser.parse(
            lambda offset, _: source[offset : offset + _CHUNK], progress_callback=is_over
        )
    except ValueError:  # the parser's way to say that it was stopped
        return Verdict(None, read)
    return Verdict(tree, len(source))


def _length_of_errors(tree: "Tree") -> int:
    """How many bytes are in errors, what is in them included."""
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


def _refused(grammar: Grammar) -> str:
    if not grammar.keywords:
        return grammar.refused
    words = " ".join(f'"{word}"' for word in grammar.keywords.split())
    names = f"([(identifier) (type_identifier)] @refused (#any-of? @refused {words}))"
    return f"{names}\n{grammar.refused}"


@cache
def _language(module: str, function: str) -> "Language":
    from tree_sitter import Language

    return Language(getattr(importlib.import_module(module), function)())


@cache
def _query(module: str, function: str, query: str) -> "Query":
    from tree_sitter import Query

    return Query(_language(module, function), query)
