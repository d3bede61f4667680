"""Imports as predicates; their tokens suffice, so that no tree is needed."""

import re

from crscore_core.claims.symbolic.speech.fallback import words_of
from crscore_core.claims.symbolic.speech.words import content, listed, named, typed
from crscore_core.claims.symbolic.statement import Statement

_FROM = re.compile(r"^from\s+(?P<module>.+?)\s+import\s+(?P<names>.+)$", re.DOTALL)
_CLAUSE = re.compile(r"^import\s+(?:type\s+)?(?P<names>.+?)\s+from\b", re.DOTALL)
_BOUND = re.compile(r"^(?:const|let|var)\s+(?P<names>.+?)\s*=", re.DOTALL)
_AS = re.compile(r"\s+as\s+.*|\s*:\s*\w+$", re.DOTALL)
_INCLUDES = frozenset({"#include", "#import", "include", "require", "require_once", "include_once"})


def imported(statement: Statement, language: str | None) -> str:
    """Return what an import brings in: "imports path from os"."""
    text = statement.text.rstrip("; ")
    first = text.split(None, 1)[0].partition("(")[0] if text else ""
    module = statement.subject
    if first == "using" and "=" in text:
        return _alias(text)
    if first in {"package", "using"} or first in _INCLUDES or text.startswith("#"):
        return _of_word(first, module, whole=text.startswith("using namespace "))
    clause = _FROM.match(text) or _CLAUSE.match(text) or _BOUND.match(text)
    if clause is None:
        return _last_of(module) if language in {"java", "php"} else _whole(module)
    given, source = clause["names"], clause.groupdict().get("module") or module
    names = _names(given.replace("* as ", ""))
    return f"imports {names} from {_module(source)}" if names else _whole(source)


def _of_word(first: str, module: str, *, whole: bool) -> str:
    """Say an import whose first word tells what it does."""
    if first == "package":
        return f"belongs to the package {_module(module)}"
    if first == "using":
        said = _module(module.removeprefix("namespace "))
        return f"uses the namespace {said}" if whole else f"imports {said}"
    return f"includes {_module(module)}"


def _alias(text: str) -> str:
    """C#'s and C++'s other uses of `using`: a name for a type, a thing that is held."""
    left, _, right = text.removeprefix("using").partition("=")
    if len(left.split()) > 1:
        return f"uses {words_of(right)} as {named(left.split()[-1])} until the block ends"
    return f"defines the type {named(left.strip())} as {typed(right.strip())}"


def _whole(module: str) -> str:
    return f"imports {_module(module)}"


def _last_of(module: str) -> str:
    """Name the type that the last part of a path is, where the language imports types."""
    path, _, name = _AS.sub("", module).replace("\\", ".").replace("::", ".").rpartition(".")
    if not path:
        return _whole(module)
    if name == "*":
        return f"imports everything from {_module(path)}"
    return f"imports {named(name)} from {_module(path)}"


def _names(clause: str) -> str:
    parts = [p.strip(" ()\n\t") for p in clause.replace("{", ",").replace("}", ",").split(",")]
    return listed([named(_AS.sub("", p)) for p in parts if p])


def _module(module: str) -> str:
    module = re.sub(r"\s*\.\s*", ".", _AS.sub("", module))
    if module and not module.strip("."):
        return "the same package"
    said = named(module.removesuffix(".h").removesuffix(".js"))
    return said or content(module)
