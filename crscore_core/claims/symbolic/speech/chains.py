"""Rows of method calls, each on the result of the one before."""

from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.speech.words import named

LONG = 3
"""Calls from which on a row is told by the names of its methods alone."""

_MAX = 8


def row(term: Term) -> tuple[Term, list[str]]:
    """Return what a long row of calls starts from and the words of its methods, in order.

    No words where `term` is no such row: a shorter one can be told with its arguments.
    """
    names: list[str] = []
    at = term
    told = 0
    while at.kind is Kind.CALL and at.parts and at.parts[0].kind is Kind.MEMBER:
        if len(names) == _MAX:
            break
        function = at.parts[0]
        names.insert(0, named(function.text))
        told += len(at.parts) > 1
        at = function.parts[0]
    return (at, names) if len(names) >= LONG and told > 1 else (term, [])


def is_call_with_arguments(term: Term) -> bool:
    """Whether further arguments after the phrase of `term` would be taken for its own."""
    return term.kind is Kind.CALL and len(term.parts) > 1
