"""Assertions as predicates."""

from crscore_core.claims.symbolic.speech.acts import act
from crscore_core.claims.symbolic.speech.phrases import arguments, clause, method, says, value
from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.speech.words import named

_OF_TWO = {
    "equal": "{1} equals {0}", "equals": "{1} equals {0}", "are equal": "{1} equals {0}",
    "eq": "{1} equals {0}", "same": "{1} is the same as {0}", "strict equal": "{1} equals {0}",
    "deep equal": "{1} equals {0}", "not equal": "{1} does not equal {0}",
    "not equals": "{1} does not equal {0}", "in": "{0} is in {1}", "not in": "{0} is not in {1}",
    "is instance": "{0} is an instance of {1}", "greater": "{0} is greater than {1}",
    "less": "{0} is less than {1}", "array equals": "{1} equals {0}",
    "list equal": "{1} equals {0}", "dict equal": "{1} equals {0}", "is": "{0} is {1}",
    "count": "{1} has {0} elements", "contains": "{1} contains {0}", "ne": "{1} does not equal {0}",
    "instance of": "{1} is an instance of {0}", "array has key": "{1} has the key {0}",
    "len": "{0} has the length {1}", "strict equals": "{1} equals {0}",
    "almost equal": "{1} almost equals {0}", "not almost equal": "{1} does not almost equal {0}",
    "greater equal": "{0} is at least {1}", "less equal": "{0} is at most {1}",
    "gt": "{0} is greater than {1}", "lt": "{0} is less than {1}", "ge": "{0} is at least {1}",
    "le": "{0} is at most {1}", "greater than": "{1} is greater than {0}",
    "less than": "{1} is less than {0}", "greater than or equal": "{1} is at least {0}",
    "less than or equal": "{1} is at most {0}", "is not": "{0} is not {1}",
    "not same": "{1} is not the same as {0}", "count equal": "{1} has the same elements as {0}",
    "not contains": "{1} does not contain {0}", "not is instance": "{0} is not an instance of {1}",
}  # fmt: skip
_OF_ONE = {
    "null": "{0} is null", "is null": "{0} is null", "not null": "{0} is not null",
    "is not null": "{0} is not null", "is none": "{0} is None", "is not none": "{0} is not None",
    "nil": "{0} is nil", "not nil": "{0} is not nil", "empty": "{0} is empty",
    "not empty": "{0} is not empty", "no error": "{0} is no error", "error": "{0} is an error",
}  # fmt: skip
_OF_TWO_IN_GO = {
    "contains": "{0} contains {1}", "not contains": "{0} does not contain {1}",
    "greater": "{0} is greater than {1}",
}  # fmt: skip
"""The same of libraries for Go, which put the collection first."""
_FAILURES = frozenset({"error", "errorf", "fatal", "fatalf", "fail", "fail now"})
_RAISED = frozenset(
    {"raises", "throws", "throws exception", "raise", "raises regex", "raises regexp"}
)
_TRUE = frozenset({"", "true", "is true", "ok", "that", "_"})
_FALSE = frozenset({"false", "is false"})
_LEADING = ("assert ", "expect ", "verify ", "should ", "require ")
_LONE = frozenset({"assert", "ok", "require"})
_OPENERS = frozenset({"expect", "assertThat", "verify", "assert_that", "is_expected", "Expect"})


def asserted(term: Term) -> str:
    """Return what `term` asserts, or nothing where it is no assertion that is known."""
    if term.kind is Kind.UNARY and term.text == "await" and term.parts:
        term = term.parts[0]
    if term.kind is Kind.ASSERT:
        return act(term)
    chained = asserted_in_chain(term)
    if chained or term.kind is not Kind.CALL:
        return chained
    name = named(method(term.parts[0]))
    plain = next((name.removeprefix(w) for w in _LEADING if name.startswith(w)), name)
    given = tuple(g for g in term.parts[1:] if not _is_testing(g))
    if plain in _FAILURES and term.parts[0].kind is Kind.MEMBER:
        return _fails(given)
    if not given:
        told = plain and plain not in _OF_TWO and plain not in _OF_ONE
        return f"asserts {plain}" if told else "makes an assertion"
    in_go = len(given) < len(term.parts) - 1
    said = _of_given("" if name in _LONE else plain, _without_message(given), in_go=in_go)
    return f"asserts that {said}" if said else f"asserts {plain} with {arguments(given)}"


def _fails(given: tuple[Term, ...]) -> str:
    """Say what makes a test fail, and with what message."""
    if not given:
        return "makes the test fail"
    further = arguments(given[1:])
    said = f"makes the test fail: {value(given[0])}"
    return f"{said} with {further}" if further else said


def _without_message(given: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return `given` without the message that older JUnit takes first."""
    first, rest = given[0], given[1:]
    told = says(first) and rest and not says(rest[-1])
    return rest if told and (len(rest) > 1 or rest[0].kind not in _LITERALS) else given


_LITERALS = frozenset({Kind.TEXT, Kind.NUMBER, Kind.NAME})


def _of_given(plain: str, given: tuple[Term, ...], *, in_go: bool) -> str:
    """Say as a clause what an assertion of this name says of what it is given, or nothing."""
    if plain in _TRUE or plain in _FALSE:
        return clause(given[0], holds=plain in _TRUE)
    if plain in _RAISED:
        return f"{value(given[0])} is raised"
    literal = {Kind.TEXT, Kind.NUMBER}
    symmetric = "equal" in plain and not plain.startswith(("greater", "less"))
    if symmetric and len(given) > 1 and given[0].kind not in literal:
        given = (given[1], given[0], *given[2:])
    in_order = {**_OF_TWO, **_OF_TWO_IN_GO} if in_go else _OF_TWO
    template = in_order.get(plain, "") if len(given) > 1 else ""
    return (template or _OF_ONE.get(plain, "")).format(*map(value, given))


def _is_testing(term: Term) -> bool:
    """Whether it is the `t` that Go's assertions take first."""
    return term.kind is Kind.NAME and term.text == "t"


def asserted_in_chain(term: Term) -> str:
    """Tell a chain such as `expect(total).to.equal(3)` in its own words."""
    words: list[str] = []
    given: tuple[Term, ...] = ()
    at: Term | None = term
    for _ in range(8):
        if at is None or at.kind not in {Kind.CALL, Kind.MEMBER} or not at.parts:
            return ""
        function = at.parts[0] if at.kind is Kind.CALL else at
        passed = at.parts[1:] if at.kind is Kind.CALL else ()
        name = method(function)
        if name in _OPENERS and passed:
            if not words:
                return ""
            if name == "verify":
                return _verified(passed, words, given)
            held = passed[0]
            if held.kind is Kind.FUNCTION and len(held.parts) > 1:
                held = held.parts[1]
            said = f"expects {value(held)} {' '.join(_smooth(reversed(words)))}"
            return f"{said} {arguments(given, 0)}" if given else said
        if function.kind is not Kind.MEMBER:
            return ""
        matcher = passed[0] if len(passed) == 1 and name in {"to", "not_to", "to_not"} else None
        if matcher is not None and matcher.kind is Kind.CALL:
            words.append(named(method(matcher.parts[0])))
            given = matcher.parts[1:]
        elif matcher is not None:
            words.append(value(matcher))
        elif passed:
            given = (*passed, *given)
        words.append(named(name))
        at = function.parts[0]
    return ""


_TIMES = {
    "never": "no call", "at least once": "at least one call", "times": "{0} calls",
    "at least": "at least {0} calls", "at most": "at most {0} calls",
}  # fmt: skip


def _verified(passed: tuple[Term, ...], words: list[str], given: tuple[Term, ...]) -> str:
    """Say which calls of a double Mockito is to have seen, or nothing."""
    counted = "a call"
    if len(passed) > 1:
        mode = passed[1]
        name = named(method(mode.parts[0])) if mode.kind is Kind.CALL else ""
        template = _TIMES.get(name, "a call")
        counted = template.format(*map(value, mode.parts[1:])) if mode.parts[1:] else template
    if len(words) > 1 or "{0}" in counted:
        return ""
    said = f"expects {counted} of {words[0]} on {value(passed[0])}"
    return f"{said} with {arguments(given)}" if given else said


def _smooth(words: "reversed[str]") -> list[str]:
    said = ["equal" if word == "eq" else word for word in " ".join(words).split()]
    if said and said[0] not in {"to", "not", "should"} and said[0] in {"be", "equal", "have"}:
        said.insert(0, "to")
    return said
