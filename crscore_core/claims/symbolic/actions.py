"""What a statement does, as the words that follow a subject: "returns `x`"."""

from collections.abc import Iterable

from crscore_core.claims.symbolic.compound import act_of, operator_of
from crscore_core.claims.symbolic.quoting import listed, quoted
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["action", "summary"]

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
