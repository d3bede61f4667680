"""Terms as phrases: a value as a noun, a condition as a clause."""

import re
from collections.abc import Callable

from crscore_core.claims.symbolic.speech.fallback import words_of
from crscore_core.claims.symbolic.speech.idioms import (
    COMPARED,
    COMPUTED,
    DENIED,
    EMPTY,
    MEASURED,
    PREFIXED,
    TESTED,
    TESTED_ALONE,
)
from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.speech.words import content, listed, named, typed, with_article

__all__ = ["arguments", "clause", "method", "target", "value"]

MAX_DEPTH = 9
"""Phrases within phrases; what lies deeper is told by its tokens."""

_JOINED = {"&&": "and", "and": "and", "||": "or", "or": "or"}


def value(term: Term, depth: int = 0) -> str:
    """Return a noun phrase for `term`."""
    if depth > MAX_DEPTH:
        return "a value"
    kind, parts, depth = term.kind, term.parts, depth + 1
    if kind is Kind.NAME:
        return term.text if term.text in EMPTY else named(term.text)
    if kind is Kind.NUMBER:
        return term.text[:40]
    if kind is Kind.SELF:
        return "super" if term.text in {"super", "base"} else "itself"
    if kind is Kind.TYPE:
        return typed(term.text)
    speaker = _VALUES.get(kind)
    return words_of(term.text) if speaker is None or not _whole(term) else speaker(term, depth)


_LEAST = {Kind.CHOICE: 3, Kind.BINARY: 2, Kind.EACH: 3, Kind.PAIR: 2}
_MAY_BE_EMPTY = frozenset({Kind.TEXT, Kind.LIST, Kind.MAP, Kind.TUPLE, Kind.ELEMENT})


def _whole(term: Term) -> bool:
    """Whether `term` has the parts that its kind calls for."""
    least = 0 if term.kind in _MAY_BE_EMPTY else 1
    return len(term.parts) >= _LEAST.get(term.kind, least)


def _text(term: Term, depth: int) -> str:
    if not term.parts:
        return content(term.text)
    pieces = [
        p.text.strip() if p.kind is Kind.TEXT and not p.parts else value(p, depth)
        for p in term.parts
    ]
    return content(" ".join(p for p in pieces if p))


def _binary(term: Term, depth: int) -> str:
    operator = " ".join(term.text.split())
    if operator in COMPARED:
        return f"whether {clause(term, depth)}"
    left, right = term.parts[0], term.parts[1]
    if operator in _JOINED:
        if _is_test(term):
            return f"whether {clause(term, depth)}"
        joining = "or else" if _JOINED[operator] == "or" else "and"
        return f"{value(left, depth)} {joining} {value(right, depth)}"
    if operator == "%" and left.kind is Kind.TEXT:
        return f"{value(left, depth)} formatted with {value(right, depth)}"
    template = COMPUTED.get(operator)
    if template is None:
        return f"{value(left, depth)} and {value(right, depth)}"
    return template.format(value(left, depth), value(right, depth))


def _is_test(term: Term) -> bool:
    """Whether `term` is true or false, in whatever language."""
    if term.kind is Kind.BINARY and term.text in _JOINED:
        return any(_is_test(p) for p in term.parts)
    if term.kind is Kind.BINARY:
        return term.text in COMPARED
    if term.kind is Kind.UNARY:
        return term.text in {"!", "not"}
    return term.kind is Kind.CALL and _tests(term)


def _tests(term: Term) -> bool:
    name = term.parts[0].text
    return name in TESTED or name in TESTED_ALONE or named(name).startswith(_QUESTIONS)


_QUESTIONS = ("is ", "has ", "can ", "should ", "was ", "are ", "does ", "needs ", "supports ")


def _unary(term: Term, depth: int) -> str:
    operator, operand = term.text, term.parts[0]
    if operator in {"!", "not"}:
        return f"whether {clause(term, depth)}"
    if operator == "-" and operand.kind is Kind.NUMBER:
        return f"-{operand.text[:40]}"
    if operator == "!" or operator not in PREFIXED:
        return value(operand, depth)
    said = value(operand, depth)
    if operator in {"&", "*", "&mut"}:
        return said
    if "the awaited" in PREFIXED[operator]:
        said = said.removeprefix("the ").removeprefix("a ")
    return PREFIXED[operator].format(said)


def method(term: Term) -> str:
    """Return the name of what a call calls, without what it is called on."""
    return term.text if term.kind in {Kind.MEMBER, Kind.NAME} else ""


def arguments(terms: tuple[Term, ...], depth: int) -> str:
    """Return what is passed, as an enumeration."""
    return listed([value(t, depth) for t in terms])


_GETTERS = re.compile(r"^(?:get|Get|get_|fetch_?)(?=[A-Z_]|$)")


def _call(term: Term, depth: int) -> str:
    function, given = term.parts[0], term.parts[1:]
    name = method(function)
    if not name:
        said = value(function, depth)
        return f"the result of {said}" + _with(given, depth)
    if _tests(term):
        return f"whether {clause(term, depth)}"
    owner = _owner(function)
    if owner is None:
        return _free_call(function, given, depth)
    got = _GETTERS.sub("", name)
    if name in {"get", "fetch", "at", "Get", "getOrDefault"} and given:
        return f"{value(given[0], depth)} of {value(owner, depth)}" + _or_else(given[1:], depth)
    if name == "new":
        return with_article(f"new {value(owner, depth)}") + _with(given, depth)
    if name in {"toString", "to_s", "ToString", "to_string"} and not given:
        return f"the string of {value(owner, depth)}"
    if name == "format" and owner.kind is Kind.TEXT:
        return f"{value(owner, depth)} formatted with {arguments(given, depth)}"
    if not given:
        return f"the {named(got or name)} of {value(owner, depth)}"
    return f"{named(name)} of {value(owner, depth)}{_with(given, depth)}"


def _or_else(given: tuple[Term, ...], depth: int) -> str:
    return f" or else {arguments(given, depth)}" if given else ""


def _owner(function: Term) -> Term | None:
    """What a function is called on, unless that is the object itself."""
    owner = function.parts[0] if function.kind is Kind.MEMBER else None
    return None if owner is None or owner.kind is Kind.SELF or owner.text == "self" else owner


def _with(given: tuple[Term, ...], depth: int) -> str:
    said = arguments(given, depth)
    return f" with {said}" if said else ""


def _free_call(function: Term, given: tuple[Term, ...], depth: int) -> str:
    name = function.text
    if not given:
        got = _GETTERS.sub("", name)
        of_self = function.kind is Kind.MEMBER or got != name
        return f"the {named(got or name)}" if of_self else f"the result of {named(name)}"
    if len(given) == 1 and name in MEASURED:
        return f"the {MEASURED[name]} of {value(given[0], depth)}"
    if name[:1].isupper() and not name.isupper() and function.kind is Kind.NAME:
        return f"{named(name)} with {arguments(given, depth)}"
    return f"{named(name)} of {arguments(given, depth)}"


def _new(term: Term, depth: int) -> str:
    return with_article(f"new {typed(term.parts[0].text)}") + _with(term.parts[1:], depth)


def _member(term: Term, depth: int) -> str:
    owner = _owner(term)
    if owner is None:
        return named(term.text)
    if owner.kind is Kind.NAME and term.text.isupper():
        return f"{named(owner.text)} {named(term.text)}"
    return f"the {named(term.text)} of {value(owner, depth)}"


def _subscript(term: Term, depth: int) -> str:
    owner, keys = value(term.parts[0], depth), term.parts[1:]
    if not keys:
        return f"a new element of {owner}"
    if keys[0].kind is Kind.TEXT:
        return f"{value(keys[0], depth)} of {owner}"
    if keys[0].kind is Kind.UNKNOWN:
        return f"a part of {owner}"
    return f"item {arguments(keys, depth)} of {owner}"


def _choice(term: Term, depth: int) -> str:
    condition, held, other = term.parts[:3]
    return f"{value(held, depth)} if {clause(condition, depth)}, otherwise {value(other, depth)}"


def _function(term: Term, depth: int) -> str:
    names = listed([named(p.text) for p in term.parts[0].parts])
    said = f"a function of {names}" if names else "a function"
    return f"{said} giving {value(term.parts[1], depth)}" if len(term.parts) > 1 else said


def _list(term: Term, depth: int) -> str:
    return f"a list of {arguments(term.parts, depth)}" if term.parts else "an empty list"


def _map(term: Term, depth: int) -> str:
    return f"a map with {arguments(term.parts, depth)}" if term.parts else "an empty map"


def _pair(term: Term, depth: int) -> str:
    key, held = value(term.parts[0], depth), value(term.parts[1], depth)
    return key if key == held else f"{key} {held}"


def _each(term: Term, depth: int) -> str:
    body, element, over = (value(t, depth) for t in term.parts[:3])
    said = f"{body} for each {element} in {over}"
    return f"{said} where {clause(term.parts[3], depth)}" if len(term.parts) > 3 else said


def _element(term: Term, depth: int) -> str:
    said = f"the element {named(term.text)}" if term.text else "elements"
    return said + _with(term.parts, depth)


_VALUES: dict[Kind, Callable[[Term, int], str]] = {
    Kind.TEXT: _text,
    Kind.BINARY: _binary,
    Kind.UNARY: _unary,
    Kind.CALL: _call,
    Kind.NEW: _new,
    Kind.MEMBER: _member,
    Kind.SUBSCRIPT: _subscript,
    Kind.CHOICE: _choice,
    Kind.FUNCTION: _function,
    Kind.LIST: _list,
    Kind.MAP: _map,
    Kind.TUPLE: lambda term, depth: arguments(term.parts, depth),
    Kind.PAIR: _pair,
    Kind.SPREAD: lambda term, depth: f"the items of {value(term.parts[0], depth)}",
    Kind.CAST: lambda term, depth: f"{value(term.parts[0], depth)} as {typed(term.text)}",
    Kind.EACH: _each,
    Kind.ELEMENT: _element,
    Kind.ASSIGN: lambda term, depth: (
        f"{target(term.parts[0])} set to {value(term.parts[1], depth)}"
    ),
    Kind.YIELD: lambda term, depth: f"what {value(term.parts[0], depth)} yields",
    Kind.THROW: lambda term, depth: f"a thrown {value(term.parts[0], depth)}",
}


def target(term: Term) -> str:
    """Return what is assigned to."""
    return value(term) or "the result"


def clause(term: Term, depth: int = 0, *, holds: bool = True) -> str:
    """Return a clause that says that `term` is true, or false unless it `holds`."""
    if depth > MAX_DEPTH:
        return "a condition holds" if holds else "a condition does not hold"
    if not _whole(term) and term.kind in {Kind.BINARY, Kind.UNARY, Kind.CALL}:
        return words_of(term.text)
    kind, depth = term.kind, depth + 1
    if kind is Kind.UNARY and term.text in {"!", "not"}:
        return clause(term.parts[0], depth, holds=not holds)
    if kind is Kind.BINARY:
        operator = " ".join(term.text.split())
        if operator in _JOINED:
            joining = _JOINED[operator]
            if not holds:
                joining = "or" if joining == "and" else "and"
            sides = [clause(p, depth, holds=holds) for p in term.parts]
            return f"{sides[0]} {joining} {sides[1]}"
        if operator in COMPARED:
            return _comparison(operator, term, depth, holds=holds)
    if kind is Kind.CALL and _tests(term):
        return _test(term, depth, holds=holds)
    if kind in {Kind.ASSIGN, Kind.DECLARE} and len(term.parts) == 2:
        said = f"{value(term.parts[1], depth)}, kept as {target(term.parts[0])},"
        return f"{said} is {'' if holds else 'not '}set"
    if kind in {Kind.MEMBER, Kind.NAME} and named(term.text).startswith(_QUESTIONS):
        owner = _owner(term) if kind is Kind.MEMBER else None
        return _asked("it" if owner is None else value(owner, depth), named(term.text), holds=holds)
    said = value(term, depth)
    if said.startswith("whether "):
        said = said.removeprefix("whether ")
        return said if holds else f"it is not so that {said}"
    word = "set" if kind in _HELD else "true"
    return f"{said} is {word}" if holds else f"{said} is not {word}"


_HELD = frozenset({Kind.NAME, Kind.MEMBER, Kind.SUBSCRIPT, Kind.ASSIGN, Kind.DECLARE})
"""What may hold any value, of which a condition asks whether it is one that counts as true."""


def _comparison(operator: str, term: Term, depth: int, *, holds: bool) -> str:
    left, right = term.parts[0], term.parts[1]
    if not holds and operator == "instanceof":
        return f"{value(left, depth)} is not an instance of {value(right, depth)}"
    if not holds:
        operator = DENIED[operator]
    constant = left.kind is Kind.NUMBER or (left.kind is Kind.NAME and left.text in EMPTY)
    if constant and operator in {"==", "===", "!=", "!==", "is", "is not"}:
        left, right = right, left
    return COMPARED[operator].format(value(left, depth), value(right, depth))


_VERB = re.compile(r"\{s:(\w+)\}")


def _test(term: Term, depth: int, *, holds: bool) -> str:
    function, given = term.parts[0], term.parts[1:]
    name, owner = method(function), _owner(function)
    asked = list(given) if owner is None else [owner, *given]
    template = TESTED.get(name) if len(asked) > 1 else TESTED_ALONE.get(name)
    if len(asked) > 1 and template is None and owner is not None:
        template, asked = TESTED_ALONE.get(name), list(given)
    if name in {"HasPrefix", "HasSuffix"} | {"Contains"} and len(asked) == 3:
        asked = asked[1:]
    if template is not None and asked:
        said = [value(a, depth) for a in asked]
        template = _VERB.sub(lambda m: _third(m[1], holds=holds), template)
        words = {"not": "" if holds else "not ", "has": "has " if holds else "does not have "}
        return template.format(said[0], arguments(tuple(asked[1:]), depth), **words)
    words_in_name = named(name)
    if not words_in_name.startswith(_QUESTIONS):
        said_so = value(function, depth)
        return f"{said_so}{_with(given, depth)} is {'' if holds else 'not '}true"
    asked_words = words_in_name.partition(" ")[2]
    if (
        owner is not None
        and len(given) == 1
        and owner.text[:1].isupper()
        and owner.kind is Kind.NAME
    ):
        rest = with_article(asked_words) if asked_words == named(owner.text) else asked_words
        return _asked(value(given[0], depth), f"{words_in_name.split()[0]} {rest}", holds=holds)
    if owner is None and len(given) == 1 and words_in_name.startswith("is "):
        return _asked(value(given[0], depth), words_in_name, holds=holds)
    subject = "it" if owner is None else value(owner, depth)
    return _asked(subject, words_in_name, holds=holds) + _with(given, depth)


def _third(verb: str, *, holds: bool) -> str:
    if not holds:
        return f"does not {verb}"
    return f"{verb}es" if verb.endswith("ch") else f"{verb}s"


def _asked(subject: str, question: str, *, holds: bool) -> str:
    """Say of `subject` what a name such as "has next" asks."""
    verb, _, rest = question.partition(" ")
    if holds:
        return f"{subject} {verb} {rest}"
    if verb in {"has", "does", "needs", "supports"}:
        plain = {"has": "have", "does": "do", "needs": "need", "supports": "support"}[verb]
        return f"{subject} does not {plain} {rest}"
    return f"{subject} {verb} not {rest}"
