"""Which phrases need brackets within others, lest the words group what the code does not."""

from crscore_core.claims.symbolic.speech.idioms import COMPARED, JOINED
from crscore_core.claims.symbolic.speech.terms import Kind, Term

_COMPOUND = frozenset({Kind.BINARY, Kind.CHOICE, Kind.ASSIGN})
_SUMS = frozenset({"+", "-"})
_PRODUCTS = frozenset({"*", "/"})
_ASSOCIATIVE = frozenset({"+", "*", "and", "&&", "or", "||", "??", "|", "&"})


def in_brackets(said: str) -> str:
    """Return a phrase between brackets."""
    return f"({said})" if said else ""


def is_compound(term: Term) -> bool:
    """Whether the phrase of `term` may be taken apart by a word before or after it."""
    return term.kind in _COMPOUND


def is_a_test(term: Term) -> bool:
    """Whether `term` is a condition or a choice that stands where a value is compared."""
    if term.kind is Kind.BINARY:
        return term.text in COMPARED or term.text in JOINED
    return term.kind in {Kind.CHOICE, Kind.ASSIGN}


def is_apart(term: Term, operator: str, *, right: bool) -> bool:
    """Whether an operand of `operator` would be read as grouped in another way.

    A reader is taken to know that products come before sums, and that sums and products go from
    left to right; of other operators nothing is taken to be known.
    """
    if term.kind is not Kind.BINARY:
        return term.kind in {Kind.CHOICE, Kind.ASSIGN, Kind.EACH}
    if term.text == operator:
        return right and operator not in _ASSOCIATIVE
    if right:
        return not (operator in _SUMS and term.text in _PRODUCTS)
    known = operator in _SUMS and term.text in _SUMS | _PRODUCTS
    return not (known or (operator in _PRODUCTS and term.text in _PRODUCTS))
