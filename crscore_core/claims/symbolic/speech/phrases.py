"""Terms as phrases: a value as a noun, a condition as a clause."""

import re
from collections.abc import Callable

from crscore_core.claims.symbolic.speech.chains import is_call_with_arguments, row
from crscore_core.claims.symbolic.speech.fallback import words_of
from crscore_core.claims.symbolic.speech.grouping import (
    in_brackets,
    is_a_test,
    is_apart,
    is_compound,
)
from crscore_core.claims.symbolic.speech.idioms import (
    CLIENTS,
    COMPARED,
    COMPUTED,
    DENIED,
    EMPTY,
    JOINED,
    MEASURED,
    PREFIXED,
    PREPOSITIONS,
    QUESTIONS,
    SHAPED,
    TESTED,
    TESTED_ALONE,
)
from crscore_core.claims.symbolic.speech.streams import is_of_a_stream, source
from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.speech.words import content, listed, named, typed, with_article

MAX_DEPTH = 9
"""Phrases within phrases; what lies deeper is not told."""

_Terms = tuple[Term, ...]

_LEAST = {Kind.CHOICE: 3, Kind.BINARY: 2, Kind.EACH: 3, Kind.PAIR: 2, Kind.ASSIGN: 2}
_MAY_BE_EMPTY = frozenset({Kind.TEXT, Kind.LIST, Kind.MAP, Kind.TUPLE, Kind.ELEMENT})
_SELVES = frozenset({"self", "$this", "this"})


def value(term: Term, depth: int = 0) -> str:
    """Return a noun phrase for `term`."""
    if depth > MAX_DEPTH:
        return "a value"
    simple = _SIMPLE.get(term.kind)
    if simple is not None:
        return simple(term.text)
    speaker = _VALUES.get(term.kind)
    return words_of(term.text) if speaker is None or not _whole(term) else speaker(term, depth + 1)


def _name(text: str) -> str:
    if text in _SELVES:
        return "this object"
    return text if text in EMPTY else named(text)


_SIMPLE: dict[Kind, Callable[[str], str]] = {
    Kind.NAME: _name,
    Kind.NUMBER: lambda text: text[:40],
    Kind.SELF: lambda text: "super" if text in {"super", "base"} else "this object",
    Kind.TYPE: typed,
}


def _whole(term: Term) -> bool:
    """Whether `term` has the parts that its kind calls for."""
    least = 0 if term.kind in _MAY_BE_EMPTY else 1
    return len(term.parts) >= _LEAST.get(term.kind, least)


def arguments(terms: _Terms, depth: int = 0) -> str:
    """Return what is passed, as an enumeration whose items are told apart."""
    if len(terms) < 2:
        return listed([value(t, depth) for t in terms])
    last = terms[-1]
    said = [_item(t, depth) for t in terms[:-1]]
    return listed([*said, value(last, depth) if last.kind in _LAST else _item(last, depth)])


_LAST = frozenset({Kind.FUNCTION, Kind.LIST, Kind.MAP})
"""What is told from what stands before it if it comes last."""


def _item(term: Term, depth: int) -> str:
    said = value(term, depth)
    several = term.kind is not Kind.TEXT and (" and " in said or ", " in said)
    several = several or (term.kind is Kind.FUNCTION and len(term.parts) > 1)
    return in_brackets(said) if several or is_compound(term) else said


def _passed(given: _Terms, depth: int) -> str:
    """Say what is passed to a call that is itself a part of a phrase."""
    return _noun(given[0], depth) if len(given) == 1 else arguments(given, depth)


def _noun(term: Term, depth: int) -> str:
    """Return a noun phrase that a word before or after it takes as a whole."""
    said = value(term, depth)
    return in_brackets(said) if is_compound(term) and not says(term) else said


def _with(given: _Terms, depth: int) -> str:
    said = _passed(given, depth)
    return f" with {said}" if said else ""


def says(term: Term) -> bool:
    """Whether `term` is a text or joined with one."""
    if term.kind is Kind.BINARY and term.text in {"+", ".", "%"}:
        return any(says(p) for p in term.parts)
    return term.kind is Kind.TEXT


def _text(term: Term, depth: int) -> str:
    return _joined(term.parts, depth) if term.parts else content(term.text)


def _joined(parts: _Terms, depth: int) -> str:
    """Say the pieces of a text one after another, as they will be read."""
    bare = (
        p.text.strip() if p.kind is Kind.TEXT and not p.parts else _noun(p, depth) for p in parts
    )
    return content(" ".join(p for p in bare if p))


def _binary(term: Term, depth: int) -> str:
    operator = " ".join(term.text.split())
    left, right = term.parts[0], term.parts[1]
    if _is_test(term):
        return f"whether {clause(term, depth)}"
    if operator in {"<<", ">>"} and is_of_a_stream(left):
        template = "{0} with {1} written to it" if operator == "<<" else "{0} with {1} read from it"
        return template.format(value(left, depth), value(right, depth))
    if operator in {"+", "."} and says(term):
        return _joined(term.parts[:2], depth)
    if operator == "%" and left.kind is Kind.TEXT:
        template = "{0} formatted with {1}"
    elif operator in JOINED:
        template = "{0} or else {1}" if JOINED[operator] == "or" else "{0} and {1}"
    else:
        template = COMPUTED.get(operator, "{0} and {1}")
    said = value(left, depth), value(right, depth)
    first = in_brackets(said[0]) if is_apart(left, operator, right=False) else said[0]
    second = in_brackets(said[1]) if is_apart(right, operator, right=True) else said[1]
    return template.format(first, second)


def _is_test(term: Term) -> bool:
    """Whether `term` is true or false, in whatever language."""
    if term.kind is Kind.BINARY:
        return term.text in COMPARED or (term.text in JOINED and any(map(_is_test, term.parts)))
    if term.kind is Kind.UNARY:
        return term.text in {"!", "not"}
    return term.kind is Kind.CALL and bool(term.parts) and _tests(term)


def _tests(call: Term) -> bool:
    """Whether a call asks something; `Optional.empty()` is a function of a class and does not."""
    function = call.parts[0]
    owner = _owner(function)
    if len(call.parts) == 1 and (owner is None or owner.text[:1].isupper()):
        return owner is None and named(function.text).startswith(QUESTIONS)
    name = function.text
    if name.endswith("?"):
        return True
    return name in TESTED or name in TESTED_ALONE or named(name).startswith(QUESTIONS)


def _unary(term: Term, depth: int) -> str:
    operator, operand = term.text, term.parts[0]
    if _is_test(term):
        return f"whether {clause(term, depth)}"
    if operator == "-" and operand.kind is Kind.NUMBER:
        return f"-{operand.text[:40]}"
    if operator == "&" and operand.kind is not Kind.NEW:
        return f"the address of {_noun(operand, depth)}"
    said = _noun(operand, depth)
    if operator in {"await", "co_await"}:
        said = said.removeprefix("the ").removeprefix("a ")
    return PREFIXED.get(operator, "{0}").format(said)


def method(term: Term) -> str:
    """Return the name of what a call calls, without what it is called on."""
    return term.text if term.kind in {Kind.MEMBER, Kind.NAME} else ""


def _owner(function: Term) -> Term | None:
    """What a function is called on, unless that is the object itself."""
    owner = function.parts[0] if function.kind is Kind.MEMBER else None
    return None if owner is None or owner.kind is Kind.SELF or owner.text in _SELVES else owner


_GETTERS = re.compile(r"^(?:get|Get|get_|fetch_?)(?=[A-Z_])_?")
_LOOKING = frozenset({"get", "fetch", "at", "Get", "getOrDefault"})


def _call(term: Term, depth: int) -> str:
    function, given = term.parts[0], term.parts[1:]
    name, owner = method(function), _owner(function)
    if not name:
        return f"the result of {value(function, depth)}{_with(given, depth)}"
    if _tests(term):
        return f"whether {clause(term, depth)}"
    if owner is None:
        return _free_call(function, given, depth)
    start, names = row(term)
    if names:
        return f"the result of {listed(names)} on {_noun(start, depth)}"
    if owner.text in {"_", "$"}:
        return _free_call(Term(Kind.NAME, name), given, depth)
    return _idiom(name, owner, given, depth) or _call_on(name, owner, given, depth)


def _free_call(function: Term, given: _Terms, depth: int) -> str:
    name = function.text
    got = _GETTERS.sub("", name)
    if not given:
        of_self = function.kind is Kind.MEMBER or got != name
        return f"the {named(got)}" if of_self else f"the result of {named(name)}"
    said = _passed(given, depth)
    if not named(name):
        return said
    if len(given) == 1 and name in MEASURED:
        return f"the {MEASURED[name]} of {said}"
    if name == "require":
        return f"the module {said}"
    if got != name:
        return f"the {named(got)} for {said}"
    made = name[:1].isupper() and not name.isupper() and function.kind is Kind.NAME
    return f"{named(name)} {'with' if made else 'of'} {said}"


def _idiom(name: str, owner: Term, given: _Terms, depth: int) -> str:
    """Say a call of a well-known method, or nothing."""
    if name in SHAPED and not given:
        return SHAPED[name].format(_noun(owner, depth))
    if name == "new":
        return with_article(f"new {_noun(owner, depth)}") + _with(given, depth)
    if name == "empty" and not given:
        return with_article(f"empty {_noun(owner, depth)}")
    asks_a_server = not CLIENTS.isdisjoint(named(owner.text).split()[-1:])
    if name in _LOOKING and given and not asks_a_server:
        return _looked_up(owner, given, depth)
    return _formatted(name, owner, given, depth)


def _formatted(name: str, owner: Term, given: _Terms, depth: int) -> str:
    """Say a call that makes a text or an error of a text, or nothing."""
    if name == "format" and owner.kind is Kind.TEXT:
        given = (owner, *given)
    if not given or not says(given[0]):
        return ""
    said = value(given[0], depth)
    if name in {"Errorf", "New"}:
        return f"an error: {said}{_with(given[1:], depth)}"
    if name in {"Sprintf", "format"} and given[1:]:
        return f"{said} formatted with {_passed(given[1:], depth)}"
    return ""


def _looked_up(owner: Term, given: _Terms, depth: int) -> str:
    key, found = value(given[0], depth), _noun(owner, depth)
    if given[0].kind in {Kind.TEXT, Kind.NUMBER}:
        said = f"{'item ' if given[0].kind is Kind.NUMBER else ''}{key} of {found}"
    else:
        said = f"the entry of {found} for {key}"
    return f"{said} or else {_passed(given[1:], depth)}" if given[1:] else said


def _call_on(name: str, owner: Term, given: _Terms, depth: int) -> str:
    got = _GETTERS.sub("", name)
    said, words = _noun(owner, depth), named(got)
    if given and is_call_with_arguments(owner):
        said = in_brackets(said)
    if not given:
        return f"the {words} of {said}"
    if words in PREPOSITIONS or words.startswith("of "):
        return f"{said} {words} {_passed(given, depth)}"
    if words.partition(" ")[0] in PREPOSITIONS:
        return f"the result of {words} on {said}{_with(given, depth)}"
    article = "the " if got != name else ""
    return f"{article}{words} of {said}{_with(given, depth)}"


def _new(term: Term, depth: int) -> str:
    return with_article(f"new {typed(term.parts[0].text)}") + _with(term.parts[1:], depth)


def _member(term: Term, depth: int) -> str:
    owner = _owner(term)
    if owner is None:
        return named(term.text)
    return _constant(term) or f"the {named(term.text)} of {_noun(owner, depth)}"


def _constant(term: Term) -> str:
    """The words of a constant with its types, such as `Level.WARNING`, or nothing."""
    names: list[str] = []
    at = term
    while at.kind is Kind.MEMBER and at.text[:1].isupper() and len(names) < 4:
        names.insert(0, named(at.text))
        at = at.parts[0]
    if not names or at.kind is not Kind.NAME:
        return ""
    return (
        " ".join([named(at.text), *names]) if at.text[:1].isupper() or term.text.isupper() else ""
    )


def _subscript(term: Term, depth: int) -> str:
    owner, keys = _noun(term.parts[0], depth), term.parts[1:]
    if not keys:
        return f"a new element of {owner}"
    symbol = keys[0].kind is Kind.NAME and keys[0].text.startswith(":")
    if keys[0].kind is Kind.TEXT or symbol:
        return f"{value(keys[0], depth)} of {owner}"
    if keys[0].kind is Kind.UNKNOWN:
        return _slice(keys[0].text).format(owner)
    return f"item {_passed(keys, depth)} of {owner}"


_BOUNDS = re.compile(r"\s*(-?\w*)\s*:\s*(-?\w*)\s*")


def _slice(code: str) -> str:
    """The part of a sequence that `code` cuts out, of which `{0}` is the sequence."""
    if "".join(code.split()) == "::-1":
        return "{0} in reverse order"
    bounds = _BOUNDS.fullmatch(code[:80])
    if bounds is None:
        return "a part of {0}"
    start, end = (_bound(b) for b in bounds.groups())
    if not start and not end:
        return "all of {0}"
    if not end:
        return f"the part of {{0}} from {start} on"
    return (
        f"the part of {{0}} from {start} until {end}"
        if start
        else f"the part of {{0}} before {end}"
    )


def _bound(code: str) -> str:
    """An end of a slice in words; a negative one counts from the end."""
    return code if code.lstrip("-").isdigit() or not code else named(code)


def _choice(term: Term, depth: int) -> str:
    condition, held, other = term.parts[:3]
    first = in_brackets(value(held, depth)) if held.kind is Kind.CHOICE else value(held, depth)
    return f"{first} if {clause(condition, depth)}, otherwise {value(other, depth)}"


def _function(term: Term, depth: int) -> str:
    names = listed([named(p.text) for p in term.parts[0].parts])
    said = f"a function of {names}" if names else "a function"
    return f"{said} giving {value(term.parts[1], depth)}" if len(term.parts) > 1 else said


def _collection(noun: str, joining: str) -> Callable[[Term, int], str]:
    def speaker(term: Term, depth: int) -> str:
        if not term.parts:
            return f"a {noun}" if term.text == "open" else f"an empty {noun}"
        return f"a {noun} {joining} {arguments(term.parts, depth)}"

    return speaker


def _pair(term: Term, depth: int) -> str:
    key, held = value(term.parts[0], depth), value(term.parts[1], depth)
    return key if key == held else f"{key} {held}"


def _each(term: Term, depth: int) -> str:
    body, element, over = (value(t, depth) for t in term.parts[:3])
    if term.parts[0].kind is Kind.PAIR and len(term.parts[0].parts) == 2:
        body = "a map of {} to {}".format(*(_noun(p, depth) for p in term.parts[0].parts))
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
    Kind.LIST: _collection("list", "of"),
    Kind.MAP: _collection("map", "with"),
    Kind.TUPLE: lambda term, depth: arguments(term.parts, depth),
    Kind.PAIR: _pair,
    Kind.SPREAD: lambda term, depth: f"the items of {value(term.parts[0], depth)}",
    Kind.CAST: lambda term, depth: f"{_noun(term.parts[0], depth)} as {typed(term.text)}",
    Kind.EACH: _each,
    Kind.ELEMENT: _element,
    Kind.ASSIGN: lambda term, depth: " set to ".join(value(p, depth) for p in term.parts[:2]),
    Kind.YIELD: lambda term, depth: f"what {value(term.parts[0], depth)} yields",
    Kind.THROW: lambda term, depth: f"a thrown {value(term.parts[0], depth)}",
    Kind.IF: lambda term, depth: f"a value chosen by {value(term.parts[-1], depth)}",
}

_HELD = frozenset({Kind.NAME, Kind.MEMBER, Kind.SUBSCRIPT})
"""What may hold any value, of which a condition asks whether it is one that counts as true."""


def _is_held(term: Term) -> bool:
    return term.kind in _HELD or (term.kind is Kind.UNARY and term.text == "*")


def clause(term: Term, depth: int = 0, *, holds: bool = True) -> str:
    """Return a clause that says that `term` is true, or false unless it `holds`."""
    if depth > MAX_DEPTH or not _whole(term):
        return _plain(term, depth, holds=holds)
    depth += 1
    if term.kind is Kind.UNARY and term.text in {"!", "not"}:
        return clause(term.parts[0], depth, holds=not holds)
    said = ""
    if term.kind is Kind.BINARY:
        said = _relation(term, depth, holds=holds)
    elif term.kind is Kind.CALL and _tests(term):
        said = _test(term, depth, holds=holds)
    elif term.kind is Kind.CALL and _is_of_each(term):
        said = _of_each(term, depth, holds=holds)
    return said or _plain(term, depth, holds=holds)


def _relation(term: Term, depth: int, *, holds: bool) -> str:
    """Say how two values or conditions stand to each other, or nothing where they are computed."""
    operator = " ".join(term.text.split())
    if operator in JOINED:
        return _joint(term, depth, holds=holds)
    if operator in COMPARED:
        return _comparison(operator if holds else DENIED[operator], term, depth)
    if operator == ">>" and is_of_a_stream(term):
        can = "can" if holds else "cannot"
        return f"{value(term.parts[1], depth)} {can} be read from {value(source(term), depth)}"
    return ""


_OTHER_JOINT = {"and": "or", "or": "and"}


def _joint(term: Term, depth: int, *, holds: bool) -> str:
    """Say what two conditions are together: "either a is set or b is set, and c is set"."""
    joining = _joining(term, holds=holds)
    parts = term.parts[:2]
    inner = [_joining(p, holds=holds) for p in parts]
    said = [clause(p, depth, holds=holds) for p in parts]
    if joining == "or":
        comma = "," if "and" in inner else ""
        return f"{said[0]}{comma} or {said[1]}"
    first, second = (f"either {s}" if i == "or" else s for s, i in zip(said, inner, strict=True))
    return f"{first}{',' if inner[0] == 'or' else ''} and {second}"


def _joining(term: Term, *, holds: bool) -> str:
    """What joins the conditions of `term`, or of what it denies, or nothing."""
    while term.kind is Kind.UNARY and term.text in {"!", "not"} and term.parts:
        term, holds = term.parts[0], not holds
    if term.kind is not Kind.BINARY or len(term.parts) < 2:
        return ""
    joining = JOINED.get(term.text, "")
    return joining if holds or not joining else _OTHER_JOINT[joining]


def _plain(term: Term, depth: int, *, holds: bool) -> str:
    """Say that a value counts as true."""
    no = "" if holds else "not "
    if term.kind in {Kind.ASSIGN, Kind.DECLARE} and len(term.parts) == 2:
        kept, held = value(term.parts[0], depth), value(term.parts[1], depth)
        return f"{held}, kept as {kept}, is {no}set"
    if term.kind in {Kind.MEMBER, Kind.NAME} and named(term.text).startswith(QUESTIONS):
        owner = _owner(term)
        return _asked("it" if owner is None else value(owner, depth), named(term.text), holds=holds)
    said = value(term, depth)
    if said.startswith("whether "):
        return said.removeprefix("whether ") if holds else f"it is not so that {said[8:]}"
    return f"{said} is {no}{'set' if _is_held(term) else 'true'}"


_AMONG = frozenset({"in", "not in"})


def _comparison(operator: str, term: Term, depth: int) -> str:
    left, right = term.parts[0], term.parts[1]
    constant = left.kind is Kind.NUMBER or (left.kind is Kind.NAME and left.text in EMPTY)
    if constant and operator in {"==", "===", "!=", "!==", "is", "is not"}:
        left, right = right, left
    if operator in _AMONG and right.kind in {Kind.TUPLE, Kind.LIST} and right.parts:
        is_one = "is" if operator == "in" else "is not"
        return f"{value(left, depth)} {is_one} {either(right.parts, depth)}"
    said = [
        in_brackets(value(t, depth)) if is_a_test(t) else value(t, depth) for t in (left, right)
    ]
    return COMPARED[operator].format(*said)


_SOME = {("any", True): "some", ("any", False): "no", ("all", True): "every"}
"""Which elements a condition holds for, by Python's function and whether it holds."""


def _is_of_each(call: Term) -> bool:
    given = call.parts[1:]
    each = len(given) == 1 and given[0].kind is Kind.EACH and len(given[0].parts) > 2
    return each and call.parts[0].text in {"any", "all"}


def _of_each(call: Term, depth: int, *, holds: bool) -> str:
    """Say `any(condition for element in elements)`."""
    body, element, over, *tested = call.parts[1].parts
    which = _SOME.get((call.parts[0].text, holds))
    said = clause(body, depth, holds=which is not None)
    where = f" where {clause(tested[0], depth)}" if tested else ""
    return f"{said} for {which or 'some'} {value(element, depth)} in {value(over, depth)}{where}"


_VERB = re.compile(r"\{s:(\w+)\}")


def _test(term: Term, depth: int, *, holds: bool) -> str:
    function, given = term.parts[0], term.parts[1:]
    name, owner = method(function), _owner(function)
    asked = given if owner is None else (owner, *given)
    if len(asked) > 2 or (owner is not None and name in TESTED_ALONE and given):
        asked = given  # what it is called on is a class or a package
    template = TESTED.get(name) if len(asked) > 1 else TESTED_ALONE.get(name)
    if template is None or not asked:
        asking = named(name)
        if name.endswith("?") and not asking.startswith(QUESTIONS):
            asking = f"is {asking}"
        return _question(asking, owner, given, depth, holds=holds)
    words = {
        "not": "" if holds else "not ",
        "nan": "not " if holds else "",
        "has": "has " if holds else "does not have ",
    }
    template = _VERB.sub(lambda verb: _third(verb[1], holds=holds), template)
    return template.format(_noun(asked[0], depth), _alternatives(name, asked[1:], depth), **words)


_OF_SEVERAL = frozenset(
    "isinstance issubclass startswith endswith start_with? end_with? is_a?".split()
)
"""Functions that hold where one of several values does."""


def _alternatives(name: str, given: _Terms, depth: int) -> str:
    if name not in _OF_SEVERAL:
        return _passed(given, depth)
    several = given[0].parts if len(given) == 1 and given[0].kind is Kind.TUPLE else given
    return either(several, depth)


def either(terms: _Terms, depth: int = 0) -> str:
    """Return what one of several values may be, as an enumeration."""
    return listed([value(t, depth) for t in terms], "or")


def _third(verb: str, *, holds: bool) -> str:
    if not holds:
        return f"does not {verb}"
    return f"{verb}es" if verb.endswith("ch") else f"{verb}s"


def _question(words: str, owner: Term | None, given: _Terms, depth: int, *, holds: bool) -> str:
    """Say what a function such as `isBuffer` or `hasNext` asks."""
    verb, _, rest = words.partition(" ")
    if len(given) == 1 and verb == "is" and rest.rpartition(" ")[2] not in PREPOSITIONS:
        if owner is not None and rest == named(owner.text) and owner.text[:1].isupper():
            words = f"is {with_article(rest)}"
        return _asked(value(given[0], depth), words, holds=holds)
    if owner is None and len(given) > 1:
        verb = "holds" if holds else "does not hold"
        return f"the test {words} {verb} for {arguments(given, depth)}"
    subject = "it" if owner is None else value(owner, depth)
    if not words.startswith(QUESTIONS):
        words = f"gives {words}"
    said = _asked(subject, words, holds=holds)
    return f"{said} {arguments(given, depth)}" if given else said


_PLAIN = {"has": "have", "does": "do", "needs": "need", "supports": "support", "gives": "give"}


def _asked(subject: str, question: str, *, holds: bool) -> str:
    """Say of `subject` what a name such as "has next" asks."""
    verb, _, rest = question.partition(" ")
    if holds:
        return f"{subject} {question}"
    if verb in _PLAIN:
        return f"{subject} does not {_PLAIN[verb]} {rest}"
    return f"{subject} {verb} not {rest}"
