"""Imports as predicates; their tokens suffice, so that no tree is needed."""

import re

from crscore_core.claims.symbolic.speech.words import content, listed, named
from crscore_core.claims.symbolic.statement import Statement

__all__ = ["imported"]

_FROM = re.compile(r"^from\s+(\S+)\s+import\s+(.+)$", re.DOTALL)
_CLAUSE = re.compile(r"^import\s+(?:type\s+)?(.+?)\s+from\b", re.DOTALL)
_BOUND = re.compile(r"^(?:const|let|var)\s+(.+?)\s*=", re.DOTALL)
_AS = re.compile(r"\s+as\s+.*|\s*:\s*\w+$", re.DOTALL)
_INCLUDES = frozenset({"#include", "#import", "include", "require", "require_once", "include_once"})


def imported(statement: Statement, language: str | None) -> str:
    """Return what an import brings in: "imports path from os"."""
    text = statement.text.rstrip("; ")
    first = text.split(None, 1)[0].partition("(")[0] if text else ""
    module = statement.subject
    python = _FROM.match(text)
    if python is not None:
        return f"imports {_names(python[2])} from {_module(python[1])}"
    clause = _CLAUSE.match(text) or _BOUND.match(text)
    if clause is not None:
        names = _names(clause[1].replace("* as ", ""))
        return f"imports {names} from {_module(module)}" if names else _whole(module)
    if first == "package":
        return f"belongs to the package {_module(module)}"
    if first in _INCLUDES or text.startswith("#"):
        return f"includes {_module(module)}"
    if first == "using" and module.startswith("namespace "):
        return f"uses the namespace {_module(module.removeprefix('namespace '))}"
    if language in {"java", "php", "csharp"} or first in {"use", "using"}:
        return _last_of(module, language)
    return _whole(module)


def _whole(module: str) -> str:
    return f"imports {_module(module)}"


def _last_of(module: str, language: str | None) -> str:
    """Name the type that the last part of a path is, where the language imports types."""
    path, _, name = _AS.sub("", module).replace("\\", ".").replace("::", ".").rpartition(".")
    if not path or language == "csharp":
        return _whole(module)
    if name == "*":
        return f"imports everything from {_module(path)}"
    return f"imports {named(name)} from {_module(path)}"


def _names(clause: str) -> str:
    parts = [p.strip(" ()\n\t") for p in clause.replace("{", ",").replace("}", ",").split(",")]
    return listed([named(_AS.sub("", p)) for p in parts if p])


def _module(module: str) -> str:
    said = named(module.removesuffix(".h").removesuffix(".js"))
    return said or content(module)
