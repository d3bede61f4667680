"""Terms of statements as predicates: what the statement does."""

import re
from collections.abc import Callable
from dataclasses import replace

from crscore_core.claims.symbolic.speech.chains import is_call_with_arguments, row
from crscore_core.claims.symbolic.speech.fallback import words_of
from crscore_core.claims.symbolic.speech.grouping import in_brackets
from crscore_core.claims.symbolic.speech.idioms import (
    ACTORS,
    CLIENTS,
    DONE,
    HOLDERS,
    PREPOSITIONS,
    STORED,
    TAKEN_OUT,
)
from crscore_core.claims.symbolic.speech.phrases import arguments, clause, method, says, value
from crscore_core.claims.symbolic.speech.streams import is_of_a_stream, moved, source
from crscore_core.claims.symbolic.speech.terms import ALIAS, Kind, Term
from crscore_core.claims.symbolic.speech.words import listed, named, typed, with_article

MAX_DEPTH = 6
"""Statements within a statement that are told."""

_CHANGED = {
    "+=": "increases {0} by {1}", "-=": "decreases {0} by {1}", "*=": "multiplies {0} by {1}",
    "/=": "divides {0} by {1}", ".=": "appends {1} to {0}", "<<=": "shifts {0} left by {1}",
    "||=": "sets {0} to {1} unless it is set", "??=": "sets {0} to {1} unless it is set",
    "&&=": "sets {0} to {1} if it is set", "|=": "combines {0} with {1}",
    "&=": "masks {0} with {1}", "<-": "sends {1} to {0}", "^=": "combines {0} with xor {1}",
    ">>=": "shifts {0} right by {1}", "%=": "reduces {0} modulo {1}",
    "**=": "raises {0} to the power of {1}", "//=": "divides {0} by {1}",
}  # fmt: skip
_MAY_BE_ALONE = frozenset(
    {
        Kind.RETURN, Kind.THROW, Kind.YIELD, Kind.JUMP, Kind.WHILE, Kind.COUNT, Kind.NAME,
        Kind.TEXT, Kind.NUMBER, Kind.ELEMENT, Kind.UNKNOWN, Kind.LIST, Kind.MAP,
    }
)  # fmt: skip


def act(term: Term, modifiers: tuple[str, ...] = (), depth: int = 0) -> str:
    """Return the predicate of `term`, or nothing where it does nothing that has a name."""
    if depth > MAX_DEPTH or not (term.parts or term.kind in _MAY_BE_ALONE):
        return ""
    if term.kind is Kind.DECLARE:
        return _declares(term, modifiers)
    outer = _OUTER.get(term.kind)
    if outer is not None:
        return outer(term, depth + 1)
    doer = _DOERS.get(term.kind)
    return "" if doer is None else doer(term)


_EXPORTED = {"export": "exported", "extern": "external"}
_SHOWN = frozenset({"private", "public", "protected", "internal", "static", *_EXPORTED})


def _declares(term: Term, modifiers: tuple[str, ...]) -> str:
    name = value(term.parts[0])
    shown = [_EXPORTED.get(m, m) for m in modifiers if m in _SHOWN]
    held = ""
    steps: list[str] = []
    if len(term.parts) > 1:
        last, steps = _without_steps(term.parts[1])
        held = value(last)
    if term.text == ALIAS:
        return f"defines the type {name} as {held}"
    if held == name and not shown:
        return _keeps(term.parts[0], term.parts[1], name)
    if held and not shown:
        return " and ".join([f"sets {name} to {held}", *steps])
    of = typed(term.text)
    of = "" if of == name else of
    if "," in of or " or " in of:
        return " ".join(["declares", "the", *shown, name, "of the type", of])
    noun = " ".join(["the", *shown, *([of] if of else []), name])
    if not shown and not of:
        noun = f"the variable {name}"
    return f"declares {noun}" + (f" as {held}" if held else "")


def _assigns(term: Term) -> str:
    targets, last = [term.parts[0]], term.parts[-1]
    while term.text == "=" and last.kind is Kind.ASSIGN and last.text == "=" and len(targets) < 5:
        targets.append(last.parts[0])
        last = last.parts[-1]
    target, steps = _without_steps(targets[0])
    last, further = _without_steps(last)
    name, given = arguments((target, *targets[1:])), value(last)
    if term.text == "=" and name == given:
        return _keeps(target, last, name)
    said = _change(term.text, last).format(name, given)
    return " and ".join([said, *steps, *further])


def _change(mark: str, given: Term) -> str:
    """The words for an assignment with `mark`; a sum may be of numbers, texts, lists or events."""
    number = given.kind is Kind.NUMBER
    if mark == "+=" and not number:
        return "appends {1} to {0}" if says(given) else "adds {1} to {0}"
    handler = given.kind is Kind.FUNCTION or (
        given.kind in {Kind.NAME, Kind.MEMBER} and given.text[:1].isupper()
    )
    if mark == "-=" and handler and not given.text.isupper():
        return "removes {1} from {0}"
    return _CHANGED.get(mark, "sets {0} to {1}" if mark == "=" else "changes {0} by {1}")


def _keeps(target: Term, given: Term, name: str) -> str:
    """Say an assignment between two things that are the same words."""
    if target == given:
        return f"sets {name} to itself"
    if _is_attribute(target):
        return f"keeps {name} in the attribute {name}"
    if _is_attribute(given):
        return f"takes {name} from the attribute {name}"
    return f"keeps {name} in a variable"


_MARKED = re.compile(r"^(?:@|_\w)")


def _is_attribute(term: Term) -> bool:
    if term.kind is Kind.MEMBER:
        return True
    return term.kind is Kind.NAME and _MARKED.match(term.text) is not None


def _without_steps(term: Term) -> tuple[Term, list[str]]:
    """Return `term` without the steps of pointers and indices in it, and the steps as acts."""
    if term.kind is Kind.UNARY and term.text in {"++ after", "-- after"}:
        return term.parts[0], [_UNARY[term.text].format(value(term.parts[0]))]
    if term.kind is Kind.SUBSCRIPT or (term.kind is Kind.UNARY and term.text == "*"):
        last, steps = _without_steps(term.parts[-1])
        return replace(term, parts=(*term.parts[:-1], last)), steps
    return term, []


def _with(given: tuple[Term, ...]) -> str:
    said = arguments(given)
    return f" with {said}" if said else ""


def _calls(term: Term) -> str:
    function, given = term.parts[0], term.parts[1:]
    name = method(function)
    owner = function.parts[0] if function.kind is Kind.MEMBER else None
    if not name:
        of_self = function.kind is Kind.SELF
        return f"calls {'the super constructor' if of_self else value(function)}{_with(given)}"
    if owner is None and name in _STATEMENTS:
        return _STATEMENTS[name](given)
    start, names = row(term)
    if names:
        return f"calls {listed(names)} in turn on {value(start)}"
    called = named(name)
    of_parent = owner is not None and owner.text == "parent" and name == "__construct"
    if owner is not None and (of_parent or _is_super(owner)):
        called = "the super constructor" if name in _CONSTRUCTORS else f"{called} of super"
    elif owner is not None and owner.kind is not Kind.SELF and owner.text not in {"self", "$this"}:
        return _calls_on(owner, name, given)
    return f"calls {called}{_with(given)}"


_CONSTRUCTORS = frozenset({"__init__", "__construct"})


def _is_super(owner: Term) -> bool:
    made = owner.kind is Kind.CALL and bool(owner.parts)
    of = owner.parts[0] if made else owner
    return of.text == "super" or (of.kind is Kind.SELF and of.text == "base")


def _calls_on(owner: Term, name: str, given: tuple[Term, ...]) -> str:
    words, on = named(name), value(owner)
    if name == "thenReturn" and len(owner.parts) == 2 and owner.parts[0].text == "when":
        return f"makes {value(owner.parts[1])} return {arguments(given)}"
    if given and is_call_with_arguments(owner):
        on = in_brackets(on)
    asks_a_server = not CLIENTS.isdisjoint(named(owner.text).split()[-1:])
    if name in DONE and len(given) == 1 and _holds_things(owner, name, given[0]):
        return DONE[name].format(on, arguments(given))
    if name in STORED and len(given) == 2 and not asks_a_server:
        return f"sets {value(given[0])} of {on} to {value(given[1])}"
    if words.startswith("set ") and len(given) == 1:
        return f"sets {words[4:]} of {on} to {value(given[0])}"
    if words in PREPOSITIONS:
        words = f"the method {words}"
    return f"calls {words} on {on}{_with(given)}"


def _holds_things(owner: Term, name: str, given: Term) -> bool:
    """Whether a method such as `add` or `remove` surely puts `given` into what `owner` holds.

    `os.remove(path)` takes nothing out of a collection, and a number may be an index.
    """
    words = named(owner.text)
    last = words.rpartition(" ")[2]
    if last in ACTORS or last in CLIENTS:
        return False
    if name in TAKEN_OUT:
        many = last in HOLDERS or (last.endswith("s") and not last.endswith("ss"))
        return many and given.kind is not Kind.NUMBER
    return not (owner.kind is Kind.NAME and owner.text[:1].isupper() and not last.endswith("s"))


def _raises(given: tuple[Term, ...]) -> str:
    """Ruby's `raise Type, "message"`."""
    if not given:
        return "raises the exception again"
    made, message = given[0], given[1:]
    if made.kind is not Kind.NAME or not made.text[:1].isupper():
        return f"raises {'an error: ' if says(made) else ''}{_thrown(made)}"
    noun = with_article(named(made.text))
    return f"raises {noun}: {arguments(message)}" if message else f"raises {noun}"


_STATEMENTS: dict[str, Callable[[tuple[Term, ...]], str]] = {
    "raise": _raises,
    "fail": _raises,
    "puts": lambda given: f"prints {arguments(given) or 'an empty line'}",
}
"""What Ruby calls like a function and other languages have a statement for."""


def _returns(term: Term) -> str:
    return f"returns {value(term.parts[0])}" if term.parts else "returns early"


def _thrown(term: Term) -> str:
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
    message = next((t for t in given if says(t)), None)
    return f"{noun} with {arguments(given)}" if message is None else f"{noun}: {value(message)}"


def _throws(term: Term) -> str:
    word = "raises" if term.text == "raise" else "throws"
    return f"{word} {_thrown(term.parts[0])}" if term.parts else f"{word} the exception again"


def _asserts(term: Term) -> str:
    said = f"asserts that {clause(term.parts[0])}"
    return f"{said}: {value(term.parts[1])}" if len(term.parts) > 1 else said


def _if(term: Term, depth: int) -> str:
    condition = term.parts[-1]
    if term.text in {"switch", "case", "match"}:
        said = f"chooses by {value(condition)}"
    else:
        said = f"checks whether {clause(condition, holds=term.text != 'unless')}"
    before = act(term.parts[0], depth=depth) if len(term.parts) > 1 else ""
    return f"{before} and {said}" if before else said


def _modified(term: Term, depth: int) -> str:
    """A statement with its condition, before or after it."""
    first, condition = term.parts[0], term.parts[-1]
    done = _uses_value(first) if first.kind is Kind.NAME else act(first, depth=depth)
    if condition.kind is Kind.IF:
        if not done or len(condition.parts) > 1:
            return act(condition, depth=depth) + (f" and, if so, {done}" if done else "")
        condition = condition.parts[0]
    if len(term.parts) < 2 or not done:
        return done
    if term.text == "rescue":
        return f"{done}, or else gives {value(condition)} on an error"
    return f"{done} {'if' if term.text == 'elsif' else term.text} {clause(condition)}"


_ALWAYS = frozenset({"true", "True", "1"})


def _while(term: Term) -> str:
    if not term.parts or term.parts[0].text in _ALWAYS:
        return "loops forever"
    return f"loops {term.text} {clause(term.parts[0])}"


def _over(term: Term) -> str:
    return f"loops over {'the keys of ' if term.text else ''}{value(term.parts[0])}"


def _count(term: Term) -> str:
    parts = dict(zip(term.text, term.parts, strict=True))
    said = ""
    start = parts.get("i")
    if start is not None and len(start.parts) == 2:
        said += f" over {value(start.parts[0])} from {value(start.parts[1])}"
    if "c" in parts:
        said += f" while {clause(parts['c'])}"
    return f"loops{said or ' forever'}"


def _uses(term: Term) -> str:
    held = value(term.parts[0])
    if term.text in {"synchronized_statement", "lock_statement"}:
        return f"locks {held}"
    return f"uses {held} for the block that follows"


_UNARY = {
    "++": "increments {0}", "--": "decrements {0}", "await": "awaits {0}",
    "delete": "deletes {0}", "co_await": "awaits {0}",
    "++ after": "increments {0}", "-- after": "decrements {0}",
}  # fmt: skip


def _unary(term: Term) -> str:
    template, operand = _UNARY.get(term.text), term.parts[0]
    if template is None:
        return _uses_value(term)
    if term.text == "await" and operand.kind is Kind.CALL:
        return f"awaits the call of {_calls(operand).removeprefix('calls ')}"
    return template.format(value(operand))


def _binary(term: Term) -> str:
    """`<<` as a statement puts something into a stream or a list, and `>>` takes it out."""
    if term.text not in {"<<", ">>"}:
        return _uses_value(term)
    first, said = source(term), arguments(tuple(moved(term)))
    if term.text == ">>":
        return f"reads {said} from {value(first)}"
    if first.text.removeprefix("std::") in _PRINTED:
        return f"prints {said or 'an empty line'}"
    if is_of_a_stream(term):
        return f"writes {said} to {value(first)}"
    return f"adds {said} to {value(first)}"


_PRINTED = frozenset({"cout", "cerr", "clog"})


_JUMPS = {
    "continue": "continues with the next iteration", "next": "continues with the next iteration",
    "break": "breaks out", "pass": "does nothing", "goto": "jumps elsewhere",
    "redo": "repeats the iteration", "fallthrough": "falls through to the next case",
}  # fmt: skip


def _jumps(term: Term) -> str:
    word = term.text.strip(" ;")
    if word == "goto" and term.parts:
        return f"jumps to {value(term.parts[0])}"
    return _JUMPS.get(word, "")


_STARTED = {"defer": "at the end", "go": "in a goroutine"}


def _starts(term: Term, depth: int) -> str:
    done = act(term.parts[0], depth=depth)
    return f"{done} {_STARTED.get(term.text, '')}".strip() if done else ""


def _uses_value(term: Term) -> str:
    said = value(term)
    verb = "checks" if said.startswith("whether ") else "uses"
    return f"{verb} {said}" if said else ""


def _with_verb(verb: str) -> Callable[[Term], str]:
    """Say what is done with the first part, or with the term itself where it has none."""

    def doer(term: Term) -> str:
        said = value(term.parts[0]) if term.parts else ""
        return f"{verb} {said}".strip()

    return doer


def _yields(term: Term) -> str:
    each = "each of " if term.text == "yield from" else ""
    return f"yields {each}{value(term.parts[0])}" if term.parts else "yields"


def _includes(term: Term) -> str:
    said = value(term)
    return f"includes {said}" if said else ""


def _unknown(term: Term) -> str:
    said = words_of(term.text)
    return f"has {said}" if said else ""


_OUTER: dict[Kind, Callable[[Term, int], str]] = {
    Kind.IF: _if,
    Kind.MODIFIED: _modified,
    Kind.START: _starts,
}
"""Statements that hold statements."""

_DOERS: dict[Kind, Callable[[Term], str]] = {
    Kind.ASSIGN: _assigns,
    Kind.CALL: _calls,
    Kind.NEW: lambda term: f"creates {value(term)}",
    Kind.RETURN: _returns,
    Kind.THROW: _throws,
    Kind.ASSERT: _asserts,
    Kind.DELETE: _with_verb("deletes"),
    Kind.PRINT: _with_verb("prints"),
    Kind.YIELD: _yields,
    Kind.WHILE: _while,
    Kind.OVER: _over,
    Kind.COUNT: _count,
    Kind.USE: _uses,
    Kind.JUMP: _jumps,
    Kind.UNARY: _unary,
    Kind.BINARY: _binary,
    Kind.ELEMENT: lambda term: f"has {value(term)}",
    Kind.UNKNOWN: _unknown,
    **dict.fromkeys((Kind.NAME, Kind.TEXT, Kind.NUMBER, Kind.TUPLE, Kind.PAIR), _includes),
    **dict.fromkeys(
        (
            Kind.MEMBER, Kind.SUBSCRIPT, Kind.CHOICE, Kind.EACH, Kind.CAST, Kind.FUNCTION,
            Kind.LIST, Kind.MAP, Kind.SPREAD, Kind.TYPE,
        ),
        _uses_value,
    ),
}  # fmt: skip
