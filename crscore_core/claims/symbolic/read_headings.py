"""Lines that begin a definition."""

from crscore_core.claims.symbolic.headings import function_heading, type_heading
from crscore_core.claims.symbolic.reading import Reading
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["read_function", "read_type"]


def read_function(r: Reading) -> Statement | None:
    """Read the heading of a function or method."""
    heading = function_heading(r.code, r.text, r.language)
    if heading is None:
        return None
    return Statement(
        Sort.FUNCTION, r.source, r.all_tokens, heading.name, heading=heading,
        modifiers=heading.modifiers,
    )  # fmt: skip


def read_type(r: Reading) -> Statement | None:
    """Read the heading of a class or another type."""
    heading = type_heading(r.code, r.text)
    if heading is None:
        return None
    return Statement(
        Sort.TYPE, r.source, r.all_tokens, heading.name, heading=heading,
        modifiers=heading.modifiers,
    )  # fmt: skip
