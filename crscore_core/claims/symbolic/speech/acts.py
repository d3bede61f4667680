"""Terms of statements as predicates: what the statement does."""

from collections.abc import Callable

from crscore_core.claims.symbolic.speech.fallback import words_of
from crscore_core.claims.symbolic.speech.idioms import DONE
from crscore_core.claims.symbolic.speech.phrases import arguments, clause, method, target, value
from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.speech.words import listed, named, typed, with_article

__all__ = ["act", "thrown"]

_CHANGED = {
    "+=": "increases {0} by {1}", "-=": "decreases {0} by {1}", "*=": "multiplies {0} by {1}",
    "/=": "divides {0} by {1}", ".=": "appends {1} to {0}", "<<=": "shifts {0} left by {1}",
    "||=": "sets {0} to {1} unless it is set", "??=": "sets {0} to {1} unless it is set",
    "&&=": "sets {0} to {1} if it is set", "|=": "combines {0} with {1}",
    "&=": "masks {0} with {1}", "<-": "sends {1} to {0}", "^=": "combines {0} with xor {1}",
    ">>=": "shifts {0} right by {1}", "%=": "reduces {0} modulo {1}",
}  # fmt: skip


def act(term: Term, modifiers: tuple[str, ...] = ()) -> str:
    """Return the predicate of `term`, or nothing where it does nothing that has a name."""
    kind, parts = term.kind, term.parts
    if kind is Kind.DECLARE:
        return _declares(term, modifiers)
    doer = _DOERS.get(kind)
    return doer(term) if doer is not None and (parts or kind in _ALONE) else ""


_ALONE = frozenset({Kind.RETURN, Kind.THROW, Kind.YIELD, Kind.JUMP, Kind.WHILE, Kind.COUNT})


def _declares(term: Term, modifiers: tuple[str, ...]) -> str:
    name = target(term.parts[0])
    shown = [m for m in modifiers if m in _SHOWN]
    held = value(term.parts[1]) if len(term.parts) > 1 else ""
    if held and not shown:
        return f"sets {name} to {held}"
    of = typed(term.text)
    noun = " ".join(["the", *shown, *([of] if of else []), name])
    if not shown and not of:
        noun = f"the variable {name}"
    return f"declares {noun}" + (f" as {held}" if held else "")


_SHOWN = frozenset({"private", "public", "protected", "internal", "static", "export", "extern"})


def _assigns(term: Term) -> str:
    left, right = term.parts[0], term.parts[1]
    name, given = target(left), value(right)
    template = _CHANGED.get(term.text)
    if template is not None and not (term.text == "+=" and right.kind is Kind.TEXT):
        return template.format(name, given)
    return f"appends {given} to {name}" if template else f"sets {name} to {given}"


def _calls(term: Term) -> str:
    function, given = term.parts[0], term.parts[1:]
    name = method(function)
    owner = function.parts[0] if function.kind is Kind.MEMBER else None
    if function.kind is Kind.SELF:
        return "calls the super constructor" + _with(given)
    if not name:
        return f"calls {value(function)}{_with(given)}"
    if owner is None or owner.kind is Kind.SELF or owner.text == "self":
        said = f"calls {named(name)}"
        if owner is not None and owner.text in {"super", "base"}:
            said += " of super"
        return said + _with(given)
    if name in DONE and len(given) == 1:
        return DONE[name].format(value(owner), arguments(given, 0))
    words = named(name)
    if words.startswith("set ") and len(given) == 1:
        return f"sets {words[4:]} of {value(owner)} to {value(given[0])}"
    return f"calls {words} on {value(owner)}{_with(given)}"


def _with(given: tuple[Term, ...]) -> str:
    said = arguments(given, 0)
    return f" with {said}" if said else ""


def _returns(term: Term) -> str:
    return f"returns {_articled(term.parts[0])}" if term.parts else "returns early"


def _articled(term: Term) -> str:
    return value(term)


def thrown(term: Term) -> str:
    """Return what is thrown: "an error: the message"."""
    if term.kind not in {Kind.NEW, Kind.CALL}:
        return value(term)
    made, given = term.parts[0], term.parts[1:]
    if made.kind is Kind.MEMBER and made.text == "new":
        made = made.parts[0]
    name = typed(made.text) if made.kind is Kind.TYPE else named(made.text)
    noun = with_article(name) if name else value(term)
    if not given:
        return noun
    message = next((t for t in given if _says(t)), None)
    if message is None:
        return f"{noun} with {arguments(given, 0)}"
    return f"{noun}: {value(message)}"


def _says(term: Term) -> bool:
    """Whether a text is in `term`."""
    if term.kind is Kind.BINARY:
        return any(_says(p) for p in term.parts)
    return term.kind is Kind.TEXT


def _throws(term: Term) -> str:
    word = "raises" if term.text == "raise" else "throws"
    if not term.parts:
        return f"{word} the exception again"
    return f"{word} {thrown(term.parts[0])}"


def _asserts(term: Term) -> str:
    said = f"asserts that {clause(term.parts[0])}"
    return f"{said}: {value(term.parts[1])}" if len(term.parts) > 1 else said


def _if(term: Term) -> str:
    condition = term.parts[-1]
    if term.text in {"switch", "case", "match"}:
        said = f"chooses by {value(condition)}"
    elif term.text == "unless":
        said = f"checks whether {clause(condition, holds=False)}"
    else:
        said = f"checks whether {clause(condition)}"
    if len(term.parts) > 1:
        before = act(term.parts[0])
        return f"{before} and {said}" if before else said
    return said


def _while(term: Term) -> str:
    if not term.parts:
        return "loops forever"
    if term.parts[0].text in {"true", "True", "1"}:
        return "loops forever"
    return f"loops {term.text} {clause(term.parts[0])}"


def _over(term: Term) -> str:
    return f"loops over {'the keys of ' if term.text else ''}{value(term.parts[0])}"


def _count(term: Term) -> str:
    parts = dict(zip(term.text, term.parts, strict=True))
    said = "loops"
    start = parts.get("i")
    if start is not None and len(start.parts) == 2:
        said += f" over {target(start.parts[0])} from {value(start.parts[1])}"
    if "c" in parts:
        said += f" while {clause(parts['c'])}"
    return said if said != "loops" else "loops forever"


def _modified(term: Term) -> str:
    done = act(term.parts[0])
    if len(term.parts) < 2 or not done:
        return done
    word, condition = term.text, term.parts[-1]
    if word == "rescue":
        return f"{done}, or else gives {value(condition)} on an error"
    return f"{done} {word} {clause(condition)}"


def _uses(term: Term) -> str:
    held = value(term.parts[0])
    if term.text in {"synchronized_statement", "lock_statement"}:
        return f"locks {held}"
    return f"uses {held} for the block that follows"


_UNARY = {
    "++": "increments {0}", "--": "decrements {0}", "await": "awaits {0}",
    "delete": "deletes {0}", "defined?": "checks whether {0} is defined", "co_await": "awaits {0}",
}  # fmt: skip


def _unary(term: Term) -> str:
    template = _UNARY.get(term.text)
    if template is None:
        return f"uses {value(term)}"
    operand = term.parts[0]
    if term.text == "await" and operand.kind is Kind.CALL:
        return f"awaits the call: {_calls(operand).removeprefix('calls ')}"
    return template.format(value(operand))


def _binary(term: Term) -> str:
    if term.text == "<<":
        pieces: list[str] = []
        first = term
        while first.kind is Kind.BINARY and first.text == "<<" and len(pieces) < 6:
            pieces.insert(0, value(first.parts[1]))
            first = first.parts[0]
        return f"adds {listed(pieces)} to {value(first)}"
    return (
        f"checks whether {clause(term)}"
        if term.text in {"&&", "||", "and", "or"}
        else (f"uses {value(term)}")
    )


def _jumps(term: Term) -> str:
    word = term.text.strip(" ;")
    if word == "goto" and term.parts:
        return f"jumps to {value(term.parts[0])}"
    return _JUMPS.get(word, "")


_JUMPS = {
    "continue": "continues with the next iteration", "next": "continues with the next iteration",
    "break": "breaks out", "pass": "does nothing", "goto": "jumps elsewhere",
    "redo": "repeats the iteration", "fallthrough": "falls through to the next case",
}  # fmt: skip

_STARTED = {"defer": "at the end", "go": "in a goroutine"}


def _starts(term: Term) -> str:
    done = act(term.parts[0])
    return f"{done} {_STARTED.get(term.text, '')}".strip() if done else ""


def _uses_value(term: Term) -> str:
    said = value(term)
    return f"uses {said}" if said else ""


_DOERS: dict[Kind, Callable[[Term], str]] = {
    Kind.ASSIGN: _assigns,
    Kind.CALL: _calls,
    Kind.NEW: lambda term: f"creates {value(term)}",
    Kind.RETURN: _returns,
    Kind.THROW: _throws,
    Kind.ASSERT: _asserts,
    Kind.DELETE: lambda term: f"deletes {value(term.parts[0])}",
    Kind.PRINT: lambda term: f"prints {value(term.parts[0])}",
    Kind.YIELD: lambda term: f"yields {value(term.parts[0])}" if term.parts else "yields",
    Kind.START: _starts,
    Kind.IF: _if,
    Kind.WHILE: _while,
    Kind.OVER: _over,
    Kind.COUNT: _count,
    Kind.MODIFIED: _modified,
    Kind.USE: _uses,
    Kind.JUMP: _jumps,
    Kind.UNARY: _unary,
    Kind.BINARY: _binary,
    Kind.MEMBER: _uses_value,
    Kind.SUBSCRIPT: _uses_value,
    Kind.CHOICE: _uses_value,
    Kind.LIST: _uses_value,
    Kind.MAP: _uses_value,
    Kind.ELEMENT: lambda term: f"has {value(term)}",
    Kind.UNKNOWN: lambda term: words_of(term.text) and f"uses {words_of(term.text)}",
}
