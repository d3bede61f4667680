"""Assertions and tests."""

from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import Candidate, Scene, claim, implication
from crscore_core.claims.symbolic.difference import contrast
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.quoting import are, listed, quoted, spoken
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["added_checks", "removed_checks", "rewritten_check"]


def added_checks(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe new tests or assertions that stand together."""
    first = statements[0]
    if first.sort is Sort.TEST:
        return [
            claim(f"A new test case {quoted(s.detail)} is added{scene.place}", 88, s.line)
            for s in statements
        ]
    shown = listed([quoted(_assertion(s)) for s in statements], 3)
    noun = "assertion" if len(statements) == 1 else "assertions"
    found = [claim(f"The {noun} {shown} {are(statements)} added{scene.place}", 78, first.line)]
    if first.subject:
        return found
    text = f"The program stops with an assertion error otherwise: {spoken(first.detail)}"
    return [*found, implication(text, 54, first.line)]


def removed_checks(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe tests or assertions that are gone."""
    first = statements[0]
    if first.sort is Sort.TEST:
        names = listed([quoted(s.detail) for s in statements])
        return [
            claim(f"The test case {names} is removed{scene.place}", 86, first.line),
            implication(f"The behaviour {names} is no longer tested", 58, first.line),
        ]
    shown = listed([quoted(_assertion(s)) for s in statements], 3)
    return [
        claim(f"The assertion {shown} is removed{scene.place}", 82, first.line),
        implication(
            f"Without the check, a violation goes unnoticed: {spoken(first.detail)}",
            58,
            first.line,
        ),
    ]


def rewritten_check(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say what a test or an assertion expects now."""
    old, new, line = pair.old, pair.new, pair.new.line
    if new.sort is Sort.TEST:
        text = f"The test case {quoted(old.detail)} becomes {quoted(new.detail)}"
        return [claim(text + scene.place, 76, line)] if old.detail != new.detail else []
    before, after = _assertion(old), _assertion(new)
    if before == after:
        return []
    before, after = contrast(before, after, scene.language)
    return [
        claim(f"The test assertion{scene.place} is modified to expect something else", 70, line),
        claim(f"The assertion changes from {quoted(before)} to {quoted(after)}", 84, line),
    ]


def _assertion(statement: Statement) -> str:
    return statement.text.rstrip(";{ ") if statement.subject else statement.detail
