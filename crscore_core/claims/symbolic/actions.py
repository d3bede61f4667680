"""What a statement does, as the words that follow a subject: "returns `x`"."""

from collections.abc import Iterable

from crscore_core.claims.symbolic.quoting import listed, quoted
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["action", "summary"]

_JUMPS = {
    "continue": "skips to the next iteration",
    "break": "leaves the loop",
    "pass": "does nothing",
    "goto": "jumps elsewhere",
}


def action(statement: Statement) -> str:
    """Return what `statement` does, or nothing where there are no words for it."""
    subject, detail = statement.subject, statement.detail
    match statement.sort:
        case Sort.RETURN:
            return f"returns {quoted(detail, 70)}" if detail else "returns early"
        case Sort.RAISE:
            return f"throws {quoted(detail, 70)}" if detail else "rethrows the exception"
        case Sort.JUMP:
            return _JUMPS.get(subject, "")
        case Sort.CALL:
            return f"calls {quoted(statement.text.rstrip(';'), 70)}"
        case Sort.LOG:
            return f"logs {quoted(detail, 60)}"
        case Sort.ASSIGNMENT if detail:
            return f"sets {quoted(subject, 40)} to {quoted(detail, 60)}"
        case Sort.CONDITION:
            return f"checks {quoted(detail, 60)}"
        case Sort.LOOP:
            return f"loops over {quoted(detail, 60)}"
        case Sort.TRY | Sort.CATCH:
            return "handles exceptions" if statement.sort is Sort.CATCH else ""
        case Sort.ASSERTION:
            return f"asserts {quoted(detail, 60)}"
    return ""


def summary(statements: Iterable[Statement], limit: int = 4) -> str:
    """Return what `statements` do one after another, the same action said once."""
    actions = list(dict.fromkeys(a for s in statements if (a := action(s))))
    return listed(actions[:limit])
