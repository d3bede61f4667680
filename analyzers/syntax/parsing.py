"""Trees of tree-sitter, within bounds."""

import importlib
from functools import cache
from typing import TYPE_CHECKING

from analyzers.syntax.grammar import Grammar

if TYPE_CHECKING:
    from tree_sitter import Language, Query, Tree

__all__ = ["Judge", "parse"]

# The parser reports about once in a hundred steps: for code, less than once in 50 bytes. What
# takes far more steps is no code, and could take minutes.
_BYTES_A_REPORT = 10
_FREE_REPORTS = 1_000
_CHUNK = 65_536


def parse(grammar: Grammar, text: str, *, stop_at_error: bool = False) -> "Tree | None":
    """The tree of `text`; None where that takes too long, or, if asked for, at an error."""
    from tree_sitter import Parser

    source = text.encode("utf-8", "replace")
    reports_left = _FREE_REPORTS + len(source) // _BYTES_A_REPORT

    def is_over(_: int, has_error: bool) -> bool:  # noqa: FBT001 - called by the parser
        nonlocal reports_left
        reports_left -= 1
        return reports_left < 0 or (has_error and stop_at_error)

    parser = Parser(_language(grammar.module, grammar.function))
    try:
        return parser.parse(
            lambda offset, _: source[offset : offset + _CHUNK], progress_callback=is_over
        )
    except ValueError:
        return None


class Judge:
    """Says what is code of a language, as long as its budget of characters lasts."""

    def __init__(self, grammar: Grammar, budget: int) -> None:
        self._grammar = grammar
        self.budget = budget

    def tree(self, text: str) -> "Tree | None":
        """The tree of `text` if that is code."""
        self.budget -= len(text)
        tree = parse(self._grammar, text, stop_at_error=True)
        if tree is None or tree.root_node.has_error:
            return None
        return None if self._finds(_refused(self._grammar), tree) else tree

    def is_unread(self, tree: "Tree") -> bool:
        """Whether the strict tools of the language cannot read that code."""
        return self._finds(self._grammar.unread, tree)

    def _finds(self, query: str, tree: "Tree") -> bool:
        from tree_sitter import QueryCursor

        if not query:
            return False
        compiled = _query(self._grammar.module, self._grammar.function, query)
        return bool(QueryCursor(compiled).captures(tree.root_node))


def _refused(grammar: Grammar) -> str:
    if not grammar.keywords:
        return grammar.refused
    words = " ".join(f'"{word}"' for word in grammar.keywords.split())
    return f"((identifier) @refused (#any-of? @refused {words}))\n{grammar.refused}"


@cache
def _language(module: str, function: str) -> "Language":
    from tree_sitter import Language

    return Language(getattr(importlib.import_module(module), function)())


@cache
def _query(module: str, function: str, query: str) -> "Query":
    from tree_sitter import Query

    return Query(_language(module, function), query)
