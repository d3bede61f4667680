"""Returned values and jumps."""

from crscore_core.claims.symbolic.candidate import Candidate, Scene, claim, implication
from crscore_core.claims.symbolic.difference import contrast
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.quoting import quoted, spoken
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["added_outcome", "removed_outcome", "rewritten_outcome"]

_WORDS = {
    "continue": "a skip to the next iteration",
    "break": "a `break`",
    "pass": "a statement that does nothing",
}


def added_outcome(statement: Statement, scene: Scene) -> list[Candidate]:
    """Describe a new return or jump."""
    line, detail = statement.line, statement.detail
    if statement.sort is Sort.JUMP:
        word = _word(statement, scene)
        return [claim(f"There is now {word}{scene.place}", 58, line)]
    verb = "yields" if statement.subject == "yield" else "returns"
    if not detail:
        return [claim(f"The code now returns early{scene.place}", 60, line)]
    return [claim(f"The code now {verb} {quoted(detail)}{scene.place}", 74, line)]


def _word(statement: Statement, scene: Scene) -> str:
    if statement.subject == "break" and scene.in_loop:
        return "an exit from the loop"
    return _WORDS.get(statement.subject, quoted(statement.text))


def removed_outcome(statement: Statement, scene: Scene) -> list[Candidate]:
    """Describe a return or jump that is gone."""
    line, detail = statement.line, statement.detail
    if statement.sort is Sort.JUMP:
        word = _word(statement, scene)
        return [claim(f"There is no longer {word}{scene.place}", 58, line)]
    verb = "yields" if statement.subject == "yield" else "returns"
    if not detail:
        return [claim(f"The code no longer returns early{scene.place}", 60, line)]
    if statement.text.rstrip(";") in scene.text_now:
        return [claim(f"One place that {verb} {quoted(detail)} is removed{scene.place}", 66, line)]
    return [claim(f"The code no longer {verb} {quoted(detail)}{scene.place}", 76, line)]


def rewritten_outcome(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say how a returned value changed."""
    old, new, line = pair.old, pair.new, pair.new.line
    if new.sort is Sort.JUMP or old.detail == new.detail:
        if old.text == new.text:
            return []
        return [claim(f"{quoted(old.text)} becomes {quoted(new.text)}{scene.place}", 60, line)]
    if not old.detail:
        text = f"The code now returns {quoted(new.detail)} instead of nothing"
    elif not new.detail:
        text = f"The code no longer returns {quoted(old.detail)} but nothing"
    else:
        before, after = contrast(old.detail, new.detail, scene.language)
        text = f"The code now returns {quoted(after)} instead of {quoted(before)}"
    return [
        claim(text + scene.place, 84, line),
        implication(_effect(old, new), 54, line),
    ]


_LITERALS = frozenset({"array"})
"""What is written like a call and makes a value of the language itself."""


def _effect(old: Statement, new: Statement) -> str:
    before = {c.short_name for c in old.calls}
    after = [c.short_name for c in new.calls if c.short_name not in before]
    if after:
        return f"Callers get a different result, made by {spoken(after[0])}"
    kept = {c.short_name for c in new.calls} | _LITERALS
    gone = [c.short_name for c in old.calls if c.short_name not in kept]
    if gone:
        return f"The returned result no longer involves {spoken(gone[0])}"
    return f"Callers that rely on the returned {quoted(old.detail, 50)} may behave differently"
