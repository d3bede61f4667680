"""Assertions as predicates."""

from crscore_core.claims.symbolic.speech.acts import act
from crscore_core.claims.symbolic.speech.phrases import arguments, clause, method, value
from crscore_core.claims.symbolic.speech.terms import Kind, Term
from crscore_core.claims.symbolic.speech.words import named

__all__ = ["asserted"]

_OF_TWO = {
    "equal": "{1} equals {0}", "equals": "{1} equals {0}", "are equal": "{1} equals {0}",
    "eq": "{1} equals {0}", "same": "{1} is the same as {0}", "strict equal": "{1} equals {0}",
    "deep equal": "{1} equals {0}", "not equal": "{1} does not equal {0}",
    "not equals": "{1} does not equal {0}", "in": "{0} is in {1}", "not in": "{0} is not in {1}",
    "is instance": "{0} is an instance of {1}", "greater": "{0} is greater than {1}",
    "less": "{0} is less than {1}", "array equals": "{1} equals {0}",
    "list equal": "{1} equals {0}", "dict equal": "{1} equals {0}", "is": "{0} is {1}",
    "count": "{1} has {0} elements", "contains": "{0} contains {1}", "ne": "{1} does not equal {0}",
    "instance of": "{1} is an instance of {0}", "array has key": "{1} has the key {0}",
    "len": "{0} has the length {1}", "strict equals": "{1} equals {0}",
}  # fmt: skip
_OF_ONE = {
    "null": "{0} is null", "is null": "{0} is null", "not null": "{0} is not null",
    "is not null": "{0} is not null", "is none": "{0} is None", "is not none": "{0} is not None",
    "nil": "{0} is nil", "not nil": "{0} is not nil", "empty": "{0} is empty",
    "not empty": "{0} is not empty", "no error": "{0} is no error", "error": "{0} is an error",
}  # fmt: skip
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
    chained = _chained(term)
    if chained or term.kind is not Kind.CALL:
        return chained
    name = named(method(term.parts[0]))
    plain = next((name.removeprefix(w) for w in _LEADING if name.startswith(w)), name)
    given = tuple(g for g in term.parts[1:] if not _is_testing(g))
    if not given:
        return f"asserts {plain}" if plain else ""
    said = _of_given("" if name in _LONE else plain, given)
    return f"asserts that {said}" if said else f"asserts {plain} with {arguments(given)}"


def _of_given(plain: str, given: tuple[Term, ...]) -> str:
    """Say as a clause what an assertion of this name says of what it is given, or nothing."""
    if plain in _TRUE or plain in _FALSE:
        return clause(given[0], holds=plain in _TRUE)
    if plain in _RAISED:
        return f"{value(given[0])} is raised"
    literal = {Kind.TEXT, Kind.NUMBER}
    if "equal" in plain and len(given) > 1 and given[0].kind not in literal:
        given = (given[1], given[0], *given[2:])
    template = _OF_TWO.get(plain, "") if len(given) > 1 else ""
    return (template or _OF_ONE.get(plain, "")).format(*map(value, given))


def _is_testing(term: Term) -> bool:
    """Whether it is the `t` that Go's assertions take first."""
    return term.kind is Kind.NAME and term.text == "t"


def _chained(term: Term) -> str:
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
            said = f"expects {value(passed[0])} {' '.join(_smooth(reversed(words)))}"
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


def _smooth(words: "reversed[str]") -> list[str]:
    said = ["equal" if word == "eq" else word for word in " ".join(words).split()]
    if said and said[0] not in {"to", "not", "should"} and said[0] in {"be", "equal", "have"}:
        said.insert(0, "to")
    return said
