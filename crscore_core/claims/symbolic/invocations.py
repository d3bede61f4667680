"""Calls and log statements."""

from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import Candidate, Scene, claim, implication
from crscore_core.claims.symbolic.difference import edits_between
from crscore_core.claims.symbolic.lexing import Call, tokenize
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.quoting import are, listed, quoted, spoken
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["added_calls", "call_changes", "removed_calls"]


def added_calls(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe new calls, or log statements, that stand together."""
    first = statements[0]
    if first.sort is Sort.LOG:
        messages = listed([quoted(s.detail) for s in statements], 3)
        return [claim(f"Log output {messages} is added{scene.place}", 76, first.line)]
    if len(statements) > 2:
        names = listed(list(dict.fromkeys(quoted(s.subject) for s in statements)))
        return [claim(f"Calls of {names} are added{scene.place}", 76, first.line)]
    return [
        claim(f"A call to {quoted(s.text.rstrip(';,'))} is added{scene.place}", 78, s.line)
        for s in statements
    ]


def removed_calls(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe calls, or log statements, that are gone."""
    first = statements[0]
    if first.sort is Sort.LOG:
        messages = listed([quoted(s.detail) for s in statements], 3)
        return [claim(f"Log output {messages} is removed{scene.place}", 74, first.line)]
    found = []
    shown = listed([quoted(s.text.rstrip(";,")) for s in statements], 3)
    noun = "call" if len(statements) == 1 else "calls"
    found.append(
        claim(f"The {noun} {shown} {are(statements)} removed{scene.place}", 78, first.line)
    )
    if all(c.short_name not in scene.called_now for c in first.calls[:1]):
        text = f"What relied on {spoken(first.subject)} may no longer work after the removal"
        found.append(implication(text, 50, first.line))
    return found


def call_changes(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say how the calls within a rewritten statement differ: name, arguments, new or gone.

    A call that the other side of the hunk makes elsewhere is neither new nor gone.
    """
    line = pair.new.line
    old_calls, new_calls = list(pair.old.calls), list(pair.new.calls)
    left = [c for c in old_calls if c not in new_calls]
    come = [c for c in new_calls if c not in old_calls]
    found: list[Candidate] = []
    for call in list(come):
        twin = next((c for c in left if c.name == call.name), None)
        if twin is not None:
            left.remove(twin)
            come.remove(call)
            found += _arguments(twin, call, line, scene)
    found = found[-3:]
    left, come = _outer(left), _outer(come)
    before, now = ({t.text for t in s.tokens} for s in (pair.old, pair.new))
    if any(c.short_name in scene.called_now | now for c in left) or any(
        c.short_name in scene.called_before | before for c in come
    ):
        return found
    if len(left) == len(come) == 1:
        found += _replaced_call(left[0], come[0], line, scene)
    elif come and not left:
        names = listed([quoted(c.name) for c in come], 4)
        found.append(claim(f"{names} {are(come)} called as well{scene.place}", 70, line))
    elif left and not come:
        names = listed([quoted(c.name) for c in left], 4)
        found.append(claim(f"{names} {are(left)} no longer called{scene.place}", 70, line))
    elif left and come:
        names = listed([quoted(c.name) for c in come], 4)
        gone = listed([quoted(c.name) for c in left], 4)
        found.append(claim(f"It calls {names} instead of {gone}{scene.place}", 72, line))
    return found


def _outer(calls: Sequence[Call]) -> list[Call]:
    return list({c.name: c for c in calls}.values())


def _replaced_call(old: Call, new: Call, line: int, scene: Scene) -> list[Candidate]:
    found = [
        claim(f"{quoted(new.name)} is called instead of {quoted(old.name)}{scene.place}", 80, line)
    ]
    if old.short_name == new.short_name:
        return found
    text = (
        f"The change from {spoken(old.short_name)} to {spoken(new.short_name)} may give another "
        "result"
    )
    return [*found, implication(text, 48, line)]


def _arguments(old: Call, new: Call, line: int, scene: Scene) -> list[Candidate]:
    name = quoted(new.name)
    gone = [a for a in old.arguments if a not in new.arguments]
    come = [a for a in new.arguments if a not in old.arguments]
    if come and not gone:
        noun = "argument" if len(come) == 1 else "arguments"
        given = listed([quoted(a) for a in come])
        return [
            claim(
                f"The additional {noun} {given} {are(come)} passed to {name}{scene.place}", 84, line
            ),
            implication(
                f"The extra argument can change what {spoken(new.short_name)} returns or does",
                52,
                line,
            ),
        ]
    if gone and not come:
        noun = "argument" if len(gone) == 1 else "arguments"
        dropped = listed([quoted(a) for a in gone])
        return [
            claim(
                f"The {noun} {dropped} {are(gone)} no longer passed to {name}{scene.place}",
                84,
                line,
            ),
            implication(
                f"{spoken(new.short_name)} has to work without the argument",
                52,
                line,
            ),
        ]
    found = []
    for before, after in list(zip(gone, come, strict=False))[:2]:
        found.append(_changed_argument(before, after, name, line, scene))
    if not found and old.arguments != new.arguments:
        found.append(claim(f"The order of the arguments of {name} changes", 72, line))
    return found


def _changed_argument(before: str, after: str, name: str, line: int, scene: Scene) -> Candidate:
    if len(before) > 60 or len(after) > 60:
        olds, news = tokenize(before, scene.language), tokenize(after, scene.language)
        edits = edits_between(olds, before, news, after)
        if len(edits) == 1 and edits[0].old and edits[0].new:
            before, after = edits[0].old, edits[0].new
    return claim(
        f"The argument passed to {name}{scene.place} changes from {quoted(before)} to "
        f"{quoted(after)}",
        82,
        line,
    )
