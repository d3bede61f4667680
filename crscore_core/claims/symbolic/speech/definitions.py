"""Headings of functions and types as predicates."""

import re

from crscore_core.claims.symbolic.speech.words import listed, named, typed
from crscore_core.claims.symbolic.statement import Statement

_SHOWN = frozenset(
    {"private", "public", "protected", "internal", "static", "async", "abstract", "override"}
)
_SILENT = frozenset({"void", "None", "Unit", ""})
_ACCESSORS = {"get": "getter", "set": "setter"}
_RECEIVERS = frozenset({"self", "cls", "this"})


_PURE = re.compile(r"=\s*0\s*;?$")
"""The end of a method of C++ that has no body."""


def defined_function(statement: Statement, language: str | None) -> str:
    """Return what the heading of a function defines: "defines the function load with path"."""
    heading = statement.heading
    if heading is None:
        return f"defines {named(statement.subject)}"
    words = [m for m in heading.modifiers if m in _SHOWN]
    if language == "cpp" and _PURE.search(statement.text):
        return f"declares the abstract method {named(heading.name)}"
    if heading.result in _ACCESSORS:
        noun = _ACCESSORS[heading.result]
        return " ".join(["defines the", *words, noun, "of", named(heading.name)])
    said = " ".join(["defines the", *words, heading.noun, named(heading.name)])
    names = [named(p.name) for p in heading.parameters if _is_shown(p.name)]
    if any(names):
        said += f" with {listed(names)}"
    result = heading.result.rpartition("] ")[2].strip()
    result = _GENERICS.sub("", result)
    result = "" if result in _SILENT else typed(result)
    return f"{said}, returning {result}" if result else said


_GENERICS = re.compile(r"^<[^<>]*(?:<[^<>]*>[^<>]*)*>\s*")
"""The types that a generic method names before what it returns."""


def _is_shown(name: str) -> bool:
    """Whether `name` is a parameter; a lone capital is a part of a type that has commas."""
    return name not in _RECEIVERS and not (len(name) == 1 and name.isupper())


_COMPONENTS = re.compile(r"(?<=\w)\s*\([^()]*\)")
"""What a record or a class takes when it is made, after its name."""


def defined_type(statement: Statement, language: str | None) -> str:
    """Return what the heading of a type defines: "defines the class cache extending base"."""
    heading = statement.heading
    if heading is None:
        return f"defines {named(statement.subject)}"
    words = [m for m in heading.modifiers if m in _SHOWN]
    said = " ".join(["defines the", *words, heading.noun, named(heading.name)])
    head = statement.text.partition("{")[0]  # a body in the same line holds no bases
    if language != "python":
        head = _COMPONENTS.sub(" ", head)
    bases = listed([typed(b.partition(" where ")[0]) for b in heading.bases if b in head])
    return f"{said} extending {bases}" if bases else said
