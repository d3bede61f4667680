"""Statements and expressions -> terms, where a grammar can read them."""

from functools import lru_cache

from crscore_core.claims.symbolic.speech.completion import as_value, completions
from crscore_core.claims.symbolic.speech.parsing import LANGUAGES, parsed
from crscore_core.claims.symbolic.speech.reading import read
from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.statement import Statement

__all__ = ["term_of", "term_of_code", "term_of_value"]


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
