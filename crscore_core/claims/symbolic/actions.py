"""Words for what a statement does."""

import re
from collections.abc import Iterable

from crscore_core.claims.symbolic.candidate import listed, quoted
from crscore_core.claims.symbolic.lexing import TokenKind
from crscore_core.claims.symbolic.recognition import assignment_mark
from crscore_core.claims.symbolic.statement import Sort, Statement

_NUMBER = re.compile(r"[\d.][\w.]*$")
_PLAIN = frozenset({"=", ":="})

_COUNTED = {"+=": ("increase", "increased"), "-=": ("decrease", "decreased")}
"""Verbs for a number that is written out, infinitive and participle."""

_WORKED = {
    "+=": ("adds {value} to {name}", "{value} is added to {name}"),
    "-=": ("subtracts {value} from {name}", "{value} is subtracted from {name}"),
    "*=": ("multiplies {name} by {value}", "{name} is multiplied by {value}"),
    "/=": ("divides {name} by {value}", "{name} is divided by {value}"),
    "||=": ("sets {name} to {value} where unset", "{name} is set to {value} where it is unset"),
    "??=": ("sets {name} to {value} where unset", "{name} is set to {value} where it is unset"),
}


def operator_of(statement: Statement) -> str:
    """Return the mark of an assignment to a name that has a value, nothing for another one."""
    if statement.sort is not Sort.ASSIGNMENT:
        return ""
    code = tuple(t for t in statement.tokens if t.kind is not TokenKind.COMMENT)
    at = assignment_mark(code)
    mark = "" if at is None else code[at].text
    return "" if mark in _PLAIN else mark


def act_of(statement: Statement) -> str:
    """Return what the code does with the value, as the words that follow a subject."""
    name, value = quoted(statement.subject, 40), quoted(statement.detail, 60)
    mark = operator_of(statement)
    if mark in _COUNTED and _NUMBER.match(statement.detail):
        return f"{_COUNTED[mark][0]}s {name} by {value}"
    form = _WORKED.get(mark, ("combines {name} with {value} by `" + mark + "`", ""))[0]
    return form.replace("{name}", name).replace("{value}", value)


def effect_of(statement: Statement) -> str:
    """Return a sentence of what becomes of the value."""
    name, value = quoted(statement.subject, 60), quoted(statement.detail)
    mark = operator_of(statement)
    if mark in _COUNTED and _NUMBER.match(statement.detail):
        return f"{name} is {_COUNTED[mark][1]} by {value}"
    form = _WORKED.get(mark, ("", "{name} is combined with {value} by `" + mark + "`"))[1]
    return form.replace("{name}", name, 1).replace("{value}", value, 1)


_JUMPS = {
    "continue": "skips to the next iteration",
    "break": "breaks out",
    "pass": "does nothing",
    "goto": "jumps elsewhere",
}


_VERBS = {
    Sort.RETURN: ("returns", "returns early"),
    Sort.RAISE: ("throws", "rethrows the exception"),
    Sort.LOG: ("logs", ""),
    Sort.CONDITION: ("checks", ""),
    Sort.LOOP: ("loops over", ""),
    Sort.ASSERTION: ("asserts", ""),
}
"""The verb before what a statement is about, and what it does where that is nothing."""


def action(statement: Statement) -> str:
    """Return what `statement` does, or nothing where there are no words for it."""
    subject, detail = statement.subject, statement.detail
    if statement.sort is Sort.JUMP:
        return _JUMPS.get(subject, "")
    if statement.sort is Sort.CALL:
        return f"calls {quoted(statement.text.rstrip(';'), 70)}"
    if operator_of(statement):
        return act_of(statement)
    if statement.sort is Sort.ASSIGNMENT and detail:
        return f"sets {quoted(subject, 40)} to {quoted(detail, 60)}"
    verb, alone = _VERBS.get(statement.sort, ("", ""))
    return f"{verb} {quoted(detail, 70)}" if verb and detail else alone


def summary(statements: Iterable[Statement], limit: int = 4) -> str:
    """Return what `statements` do one after another, the same action said once."""
    actions = list(dict.fromkeys(a for s in statements if (a := action(s))))
    return listed(actions[:limit])
