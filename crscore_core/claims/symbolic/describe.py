"""Describe the edits of a hunk: added and removed blocks with their statements, and changes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from crscore_core.claims.symbolic import sentences
from crscore_core.claims.symbolic.differences import facts_of_changed_statement
from crscore_core.claims.symbolic.edits import Edit
from crscore_core.claims.symbolic.fact import Fact, Rank, merge_facts
from crscore_core.claims.symbolic.nesting import Statement
from crscore_core.claims.symbolic.patterns import DEFINITIONS, Kind
from crscore_core.claims.symbolic.sentences import fact_about
from crscore_core.claims.symbolic.statement import ParsedStatement
from crscore_core.claims.symbolic.wording import enumerate_items, quote

_IGNORED_CODE = frozenset({"pass", "break", "<?php", "end", "fi", "done", "esac", "?>", "..."})

_ACTIONS = {
    Kind.RETURN: "{verb} {value}",
    Kind.RAISE: "{verb} {value}",
    Kind.CALL: "calls {code}",
    Kind.CONDITION: "checks {value}",
    Kind.FUNCTION: "defines {name}",
}

_ACTION_KINDS = [*map(Kind, "raise return loop call assignment condition other".split())]
"""Kinds of statements that describe a block, the most informative first."""

_MAX_BODY_FACTS = 2
"""Maximum statements named with the heading of a block, and facts about a new function."""

_TEST_NAME = re.compile(r"(?:.*\.)?(?:test(?:_|[A-Z0-9]|$)|Test)[^.]*$")
"""The name of a function that is a test, in a file of tests."""


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The code around the edits of a hunk.

    removed_statements, added_code: for statements that moved: they are on both sides.
    inside: by added or removed heading, the statements added or removed with it.
    kept: by added or removed heading, the statements that stay.
    """

    is_test: bool
    removed_statements: list[str]
    added_code: str
    inside: dict[Statement, list[Edit]] = field(default_factory=dict)
    kept: dict[Statement, list[Statement]] = field(default_factory=dict)


def facts_of_edits(edits: Sequence[Edit], *, is_test: bool) -> list[Fact]:
    """Return the facts about the edits of a hunk; a block is described with its statements."""
    surroundings = _surroundings_of(edits, is_test=is_test)
    nested = {edit for inside in surroundings.inside.values() for edit in inside}
    outermost = [edit for edit in edits if edit not in nested]
    return [fact for edit in outermost for fact in _facts_of_edit(edit, surroundings)]


def _surroundings_of(edits: Sequence[Edit], *, is_test: bool) -> _Surroundings:
    now = [_comparable_code(edit.new) for edit in edits if edit.new and edit.new.line.changed]
    before = [_comparable_code(edit.old) for edit in edits if edit.old and edit.old.line.changed]
    surroundings = _Surroundings(is_test, before, "\n".join(now))
    one_sided = {edit.statement for edit in edits if edit.is_one_sided}
    for edit in edits:
        old, new = edit.old, edit.new
        if old and new:
            is_kept = old.parsed.key == new.parsed.key and new.kind is not Kind.COMMENT
            for side in (old, new) if is_kept else ():
                if side.headings and side.headings[-1] in one_sided:
                    surroundings.kept.setdefault(side.headings[-1], []).append(side)
        elif headings := [block for block in edit.statement.headings if block in one_sided]:
            surroundings.inside.setdefault(headings[-1], []).append(edit)
    return surroundings


def _comparable_code(statement: Statement) -> str:
    """Return code without blanks, and a condition as after `if`: equal for a moved statement."""
    parsed = statement.parsed
    is_condition = parsed.kind is Kind.CONDITION
    return "if" + "".join(parsed.value.split()) if is_condition else "".join(parsed.key)


def _facts_of_edit(edit: Edit, surroundings: _Surroundings) -> Iterator[Fact]:
    """Yield the facts about a changed statement, or an added or removed one with its contents."""
    if edit.old and edit.new:
        yield from facts_of_changed_statement(edit.old, edit.new)
        return
    statement = edit.statement
    inside = surroundings.inside.get(statement, [])
    actions = _main_actions([edit.statement for edit in inside])
    fact = _fact_of_one_side(edit, actions, surroundings)
    if fact:
        yield fact
    if statement.kind in DEFINITIONS:
        if edit.new:
            yield from _facts_of_body(statement, inside, surroundings)
        return
    named = [action for action in actions if fact and action not in surroundings.inside]
    for edit_inside in inside:
        if edit_inside.statement not in named:
            yield from _facts_of_edit(edit_inside, surroundings)


def _facts_of_body(
    definition: Statement, inside: Sequence[Edit], surroundings: _Surroundings
) -> Iterator[Fact]:
    """Yield the facts about the body of an added definition.

    All facts for a type, the most informative ones for a function, inner tests for a test.
    """
    facts = [fact for edit in inside for fact in _facts_of_edit(edit, surroundings)]
    if definition.kind is Kind.TYPE:
        yield from facts
    elif definition.kind is Kind.TEST:
        yield from (fact for fact in facts if fact.rank == Rank.DEFINITION)
    elif not surroundings.is_test:
        for fact in sorted(merge_facts(facts), key=lambda fact: fact.rank)[:_MAX_BODY_FACTS]:
            if fact.rank <= Rank.CALL:
                yield replace(fact, rank=max(Rank.SUPPLEMENT, fact.rank))


def _main_actions(statements: Sequence[Statement]) -> list[Statement]:
    """Return the most informative statements of a block, in order."""
    actions = [
        statement
        for statement in statements
        if statement.kind in _ACTION_KINDS and statement.parsed.text not in _IGNORED_CODE
    ]
    best = sorted(actions, key=lambda action: _ACTION_KINDS.index(action.kind))[:_MAX_BODY_FACTS]
    return [action for action in actions if action in best]


def _action(parsed: ParsedStatement) -> str:
    """Describe the action of a statement: a verb in the third person with its object."""
    template = _ACTIONS.get(parsed.kind, "runs {code}")
    if parsed.kind is Kind.ASSIGNMENT and parsed.operator in {"=", ":="}:
        template = "sets {name} to {value}"
    elif parsed.kind is Kind.RETURN and not parsed.value and parsed.operator != "yield":
        template = "returns early"
    name, code = quote(parsed.name, 60), quote(parsed.text)
    value, verb = sentences.value_of(parsed), sentences.verb_of(parsed)
    return template.format(name=name, code=code, value=value, verb=verb)


def _fact_of_one_side(
    edit: Edit, actions: Sequence[Statement], surroundings: _Surroundings
) -> Fact | None:
    """Return a fact about an added or removed statement, with the main actions inside it."""
    statement, is_added = edit.statement, edit.new is not None
    if _is_ignored(statement, surroundings, is_added=is_added):
        return None
    parsed, kept = statement.parsed, surroundings.kept.get(statement, [])
    form = "then" if actions else "kept" if kept else _form(statement)
    forms = [form, ""] if is_added else [f"{form} removed", "removed", form, ""]
    templates = sentences.SENTENCES.get(parsed.kind, {})
    template, rank = next((templates[form] for form in forms if form in templates), ("", 0))
    if not template:
        return None
    is_test = surroundings.is_test and bool(_TEST_NAME.match(parsed.name))
    return fact_about(
        template if is_added else template.replace("{where}", "{from_place}"),
        rank,
        statement,
        added="added" if is_added else "removed",
        now="now" if is_added else "no longer",
        noun="test" if is_test else "function",
        outer="" if statement.condition is None else f"{quote(statement.condition, 60)} and ",
        then=" and ".join(_action(action.parsed) for action in actions),
        kept=enumerate_items([quote(heading.parsed.text, 50) for heading in kept], 2),
        run="run" if len(kept) > 1 else "runs",
        depend="depend" if len(kept) > 1 else "depends",
    )


def _is_ignored(statement: Statement, surroundings: _Surroundings, *, is_added: bool) -> bool:
    """Return True if a statement says nothing, or is also on the other side."""
    parsed = statement.parsed
    if parsed.keyword == "namespace" or parsed.text in _IGNORED_CODE:
        return True
    if parsed.kind is Kind.RETURN and not parsed.value and not sentences.condition_of(statement):
        return True
    if parsed.kind is Kind.SECTION and statement in surroundings.inside:
        return True
    code = _comparable_code(statement)
    if not is_added:
        whole_words = rf"(?<!\w){re.escape(code)}(?!\w)"
        return re.search(whole_words, surroundings.added_code) is not None
    return code in surroundings.removed_statements and parsed.kind not in DEFINITIONS


def _form(statement: Statement) -> str:
    """Return the form of the sentence about a statement without contents; only for assignments."""
    parsed = statement.parsed
    if parsed.kind is not Kind.ASSIGNMENT:
        return ""
    if sentences.is_field(statement) and parsed.operator in {"", "="}:
        return "field"
    is_set = parsed.operator in {"=", ":="} and parsed.value
    return "" if not is_set else "declared" if parsed.is_declared else "="
