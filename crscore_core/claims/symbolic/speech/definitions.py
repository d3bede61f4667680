"""Headings of functions and types as predicates."""

from crscore_core.claims.symbolic.speech.words import listed, named, typed
from crscore_core.claims.symbolic.statement import Statement

__all__ = ["defined_function", "defined_type"]

_SHOWN = frozenset(
    {"private", "public", "protected", "internal", "static", "async", "abstract", "override"}
)
_SILENT = frozenset({"void", "None", "Unit", ""})
_RECEIVERS = frozenset({"self", "cls", "this"})


def defined_function(statement: Statement, language: str | None) -> str:  # noqa: ARG001
    """Return what the heading of a function defines: "defines the function load with path"."""
    heading = statement.heading
    if heading is None:
        return f"defines {named(statement.subject)}"
    words = [m for m in heading.modifiers if m in _SHOWN]
    said = " ".join(["defines the", *words, heading.noun, named(heading.name)])
    names = [named(p.name) for p in heading.parameters if p.name not in _RECEIVERS]
    if any(names):
        said += f" with {listed(names)}"
    result = "" if heading.result.strip() in _SILENT else typed(heading.result)
    return f"{said}, returning {result}" if result else said


def defined_type(statement: Statement, language: str | None) -> str:  # noqa: ARG001
    """Return what the heading of a type defines: "defines the class cache extending base"."""
    heading = statement.heading
    if heading is None:
        return f"defines {named(statement.subject)}"
    words = [m for m in heading.modifiers if m in _SHOWN]
    said = " ".join(["defines the", *words, heading.noun, named(heading.name)])
    bases = listed([typed(b) for b in heading.bases])
    return f"{said} extending {bases}" if bases else said
