"""Terms of single statements, read from trees of tree-sitter: one parser a thread and language."""

import importlib
from functools import cache
from threading import local
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Parser, Tree
from functools import lru_cache

from crscore_core.claims.symbolic.speech.completion import as_value, completions
from crscore_core.claims.symbolic.speech.reading import read
from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.statement import Statement

LANGUAGES = {
    "python": ("tree_sitter_python", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "go": ("tree_sitter_go", "language"),
    "php": ("tree_sitter_php", "language_php_only"),
    "ruby": ("tree_sitter_ruby", "language"),
}
"""The module and the function that give the parser of each language or dialect."""

_OF_THREAD = local()


def parsed(source: bytes, language: str) -> "Tree":
    """Return the tree of `source`, errors and all."""
    parsers: dict[str, Parser] | None = getattr(_OF_THREAD, "parsers", None)
    if parsers is None:
        parsers = _OF_THREAD.parsers = {}
    parser = parsers.get(language)
    if parser is None:
        parser = parsers[language] = _parser(language)
    return parser.parse(source)


def _parser(language: str) -> "Parser":
    from tree_sitter import Parser

    return Parser(_language(language))


@cache
def _language(name: str) -> "Language":
    from tree_sitter import Language

    module, function = LANGUAGES[name]
    return Language(getattr(importlib.import_module(module), function)())


def term_of(statement: Statement, language: str | None) -> Term | None:
    """Return the term of a statement, None where its grammar cannot read it."""
    if language not in LANGUAGES:
        return None
    found = (term_of_code(text, language) for text in completions(statement, language))
    unread = None
    for term in found:
        if term is not None and term.kind is not Kind.UNKNOWN:
            return term
        unread = unread or term
    return unread


def term_of_value(code: str, language: str | None) -> Term | None:
    """Return the term of an expression, None where its grammar cannot read it."""
    if language not in LANGUAGES:
        return None
    text = as_value(code, language)
    term = None if text is None else term_of_code(text, language)
    return term.parts[1] if term is not None and _is_assigned(term) else None


def _is_assigned(term: Term) -> bool:
    return term.kind is Kind.ASSIGN and len(term.parts) == 2


@lru_cache(maxsize=512)
def term_of_code(code: str, language: str | None) -> Term | None:
    """Return the term of the first statement of `code` if all of it can be read.

    Kept for code that is met again: `return None`, or a whole change whose claims are made anew.
    """
    if language not in LANGUAGES:
        return None
    root = parsed(code.encode("utf-8", "replace"), language).root_node
    return None if root.has_error or not root.named_child_count else read(root)
