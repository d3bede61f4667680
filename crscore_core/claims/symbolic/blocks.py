"""Turn the edits of a hunk into facts; added or removed blocks include what they do."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from crscore_core.claims.symbolic.differences import facts_of_difference
from crscore_core.claims.symbolic.edits import ONE_SIDED, Edit, EditKind, HunkEdits, Statement
from crscore_core.claims.symbolic.fact import Fact, joined
from crscore_core.claims.symbolic.grammar import Sort
from crscore_core.claims.symbolic.kinds import (
    Scene,
    condition_of,
    does,
    fact_about,
    fact_of_one_side,
    form_of,
    place_of,
    removed_code,
    squeezed,
    where,
)
from crscore_core.claims.symbolic.statement import DEFINITIONS
from crscore_core.claims.symbolic.wording import quoted

_ACTS = (
    Sort.RAISE, Sort.RETURN, Sort.LOOP, Sort.CALL, Sort.ASSIGNMENT, Sort.CONDITION, Sort.OTHER,
)  # fmt: skip
_EMPTY = frozenset({"break", "pass"})
_TOLD_OF_BLOCK = 2
"""Number of statements of a block described with its heading."""

_TOLD_OF_FUNCTION = 2
"""Number of facts about the body of a function that is added or removed whole."""

_DEEPER = 9
"""Weight subtracted from a fact for each enclosing block within an added or removed one."""


def facts_of_hunk(hunk: HunkEdits, *, is_test: bool) -> list[Fact]:
    """Return the facts of all edits of a hunk."""
    came = _code(edit.new for edit in hunk.edits)
    now = "\n".join(squeezed(one.line.text) for one in came)
    scene = Scene(is_test, now, removed_code(_code(edit.old for edit in hunk.edits)))
    definitions = {
        (e.kind, e.statement.parts.name) for e in hunk.edits if e.statement.sort in DEFINITIONS
    }
    headings = {edit.statement for edit in hunk.edits if not (edit.old and edit.new)}
    outermost: list[Edit] = []
    for edit in hunk.edits:
        if edit.kind is EditKind.NESTED and edit.statement.sort is not Sort.COMMENT:
            for statement in filter(None, (edit.old, edit.new)):
                if statement.around and statement.around[-1] in headings:
                    scene.nested.setdefault(statement.around[-1], []).append(statement)
        goes_along = _is_annotation(edit) and (edit.kind, edit.statement.parts.name) in definitions
        if edit.kind is EditKind.NESTED or goes_along:
            continue
        around = next((h for h in reversed(edit.statement.around) if h in headings), None)
        if edit.kind in ONE_SIDED and around is not None:
            scene.inside.setdefault(around, []).append(edit)
        else:
            outermost.append(edit)
    return [fact for edit in outermost for fact in _facts_of(edit, scene)]


def _code(side: Iterable[Statement | None]) -> list[Statement]:
    """Return the changed code of a side; what is commented out is no code."""
    return [one for one in side if one and one.line.changed and one.sort is not Sort.COMMENT]


def _facts_of(edit: Edit, scene: Scene, *, depth: int = 0) -> Iterator[Fact]:
    """Yield the facts of an edit and of the edits nested in it."""
    if edit.kind in ONE_SIDED:
        yield from _of_block(edit.statement, scene, depth, is_added=edit.new is not None)
    elif edit.old and edit.new and edit.kind is EditKind.CHANGED:
        yield from facts_of_difference(edit.old, edit.new, scene)
    elif edit.kind is EditKind.MOVED:
        yield _moved(edit.statement, edit.old, edit.new)


def _is_annotation(edit: Edit) -> bool:
    return edit.statement.sort is Sort.DECORATOR


def _moved(new: Statement, old: Statement | None, to: Statement | None) -> Fact:
    before, after = place_of(old or new), place_of(new)
    if old is None or to is None:
        way = "<is> moved to another file"
    elif before and after and before != after:
        way = f"<is> moved from {quoted(before)} to {quoted(after)}"
    elif condition_of(new) == condition_of(old):
        way = f"<is> moved further {'up' if new.line.line < old.line.line else 'down'}{where(new)}"
    elif condition_of(new):
        way = f"now <runs>{where(new)}"
    else:
        way = f"no longer <runs> only{condition_of(old)}"
    what = quoted(new.line.text, 60)
    if new.sort in DEFINITIONS and new.parts.name:
        what = f"the {new.parts.noun} {quoted(new.parts.name)}"
    return fact_about(f"{{}} {way}", 55, new, what)


def _of_block(statement: Statement, scene: Scene, depth: int, *, is_added: bool) -> Iterator[Fact]:
    inside = [e for e in scene.inside.get(statement, []) if e.statement.parts.text not in _EMPTY]
    held = scene.nested.get(statement, [])
    acts = _acts(inside)
    then = " and ".join(does(act.parts) for act in acts)
    if statement.parts.body and not acts:
        then = does(statement.parts.body)
    if fact := fact_of_one_side(statement, scene, then, held, is_added=is_added):
        is_plain = depth and statement.sort is Sort.RETURN and statement.parts.value.isidentifier()
        yield replace(fact, weight=fact.weight - _DEEPER * (depth + 2 * bool(is_plain)))
    else:
        acts = []
    is_test = form_of(statement) == "test"
    is_definition = is_test or statement.sort in DEFINITIONS
    told: list[Fact] = []
    if is_test:
        inside = [edit for edit in inside if form_of(edit.statement) == "test"]
    for edit in inside if is_added or not is_definition else ():
        if is_definition or edit.statement not in acts or scene.inside.get(edit.statement):
            told += _facts_of(edit, scene, depth=depth + 1)
    if statement.sort is Sort.FUNCTION:
        most = 0 if scene.is_test else _TOLD_OF_FUNCTION
        told = sorted(joined(told), key=lambda fact: -fact.weight)[:most]
    yield from told


def _acts(edits: Sequence[Edit]) -> list[Statement]:
    """Return the statements that best describe what a block does, in order."""
    statements = [edit.statement for edit in edits if edit.statement.sort in _ACTS]
    ranked = sorted(statements, key=lambda one: _ACTS.index(one.sort))[:_TOLD_OF_BLOCK]
    return [statement for statement in statements if statement in ranked]
