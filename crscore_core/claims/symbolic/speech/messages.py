"""Calls that log or print as predicates."""

from crscore_core.claims.symbolic.speech.phrases import arguments, method, says, value
from crscore_core.claims.symbolic.speech.terms import Kind, Term

_LEVELS = (("err", "an error"), ("fatal", "a fatal error"), ("warn", "a warning"))
_PRINTERS = ("print", "puts", "echo", "write", "dump")
_LEVELED = frozenset({"log", "Log"})


def logged(term: Term) -> str:
    """Return what `term` logs, or nothing where it is no call that does."""
    if term.kind is Kind.PRINT:
        return f"prints {value(term.parts[0])}" if term.parts else ""
    if term.kind is not Kind.CALL:
        return ""
    function, given = term.parts[0], [t for t in term.parts[1:] if t.kind is not Kind.FUNCTION]
    name = method(function).casefold()
    verb = "prints" if any(p in name for p in _PRINTERS) else "logs"
    if not given:
        return f"{verb} an empty line" if verb == "prints" else ""
    level = next((word for start, word in _LEVELS if name.startswith(start)), "")
    at = next((i for i, t in enumerate(given) if says(t)), 0)
    message = value(given[at])
    rest = arguments(tuple(given[at + 1 :]))
    said = f"{verb} {level}: {message}" if level and verb == "logs" else f"{verb} {message}"
    return f"{said} with {rest}" if rest else said
