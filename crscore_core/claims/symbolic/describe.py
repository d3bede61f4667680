"""Describe the edits of a hunk: added and removed blocks with their statements, and changes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from crscore_core.claims.symbolic import sentences
from crscore_core.claims.symbolic.differences import describe_changed_statement
from crscore_core.claims.symbolic.edits import Edit
from crscore_core.claims.symbolic.fact import Fact, Rank, merge_facts
from crscore_core.claims.symbolic.nesting import Statement
from crscore_core.claims.symbolic.patterns import DEFINITIONS, Kind
from crscore_core.claims.symbolic.sentences import fact_about
from crscore_core.claims.symbolic.statement import ParsedStatement
from crscore_core.claims.symbolic.wording import enumerate_items, quote

_IGNORED_CODE = frozenset(
    "<?php end fi done esac ?> ... endif endfor endwhile endtry endfunction".split()
)

_JUMPS = frozenset("break continue next fallthrough pass return".split())
"""Statements without a value; they say little next to others."""

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


@dataclass(frozen=True, slots=True, eq=False)
class _NestedEdit:
    """An edit, with the contents of the block that it adds or removes.

    is_moved: True if an added or removed statement is also on the other side.
    inside: the statements added or removed with the block.
    kept: the unchanged statements inside the block.
    """

    edit: Edit
    is_moved: bool
    inside: list["_NestedEdit"] = field(default_factory=list)
    kept: list[Statement] = field(default_factory=list)

    @property
    def statement(self) -> Statement:
        """The statement of the edit."""
        return self.edit.statement


def describe_edits(edits: Sequence[Edit], *, in_tests: bool) -> list[Fact]:
    """Return the facts about the edits of a hunk; `in_tests` is True for a file of tests."""
    return [fact for nested in _nest(edits) for fact in _describe_edit(nested, in_tests=in_tests)]


def _nest(edits: Sequence[Edit]) -> list[_NestedEdit]:
    """Return the edits outside of added and removed blocks, and the others inside the blocks."""
    removed = [_comparable_code(edit.old) for edit in edits if edit.old and edit.old.line.changed]
    added = [_comparable_code(edit.new) for edit in edits if edit.new and edit.new.line.changed]
    all_added = "\n".join(added)
    all_nested = [_NestedEdit(edit, _is_moved(edit, removed, all_added)) for edit in edits]
    blocks = {nested.statement: nested for nested in all_nested if nested.edit.is_one_sided}
    outermost: list[_NestedEdit] = []
    for nested in all_nested:
        old, new = nested.edit.old, nested.edit.new
        if old and new:
            outermost.append(nested)
            is_kept = old.parsed.key == new.parsed.key and new.kind is not Kind.COMMENT
            for side in (old, new) if is_kept else ():
                if side.headings and side.headings[-1] in blocks:
                    blocks[side.headings[-1]].kept.append(side)
        else:
            around = [heading for heading in nested.statement.headings if heading in blocks]
            (blocks[around[-1]].inside if around else outermost).append(nested)
    return outermost


def _is_moved(edit: Edit, removed: Sequence[str], all_added: str) -> bool:
    """Return True if an added or removed statement is also on the other side."""
    code = _comparable_code(edit.statement)
    if edit.new is None:
        return re.search(rf"(?<!\w){re.escape(code)}(?!\w)", all_added) is not None
    return edit.old is None and code in removed


def _comparable_code(statement: Statement) -> str:
    """Return code without blanks, and a condition as after `if`: equal for a moved statement."""
    parsed = statement.parsed
    is_condition = parsed.kind is Kind.CONDITION
    return "if" + "".join(parsed.value.split()) if is_condition else "".join(parsed.key)


def _describe_edit(nested: _NestedEdit, *, in_tests: bool) -> list[Fact]:
    """Return the facts about a changed statement, or an added or removed one with its contents."""
    old, new = nested.edit.old, nested.edit.new
    if old and new:
        return describe_changed_statement(old, new)
    actions = _main_actions(nested.inside)
    fact = _one_sided_fact(nested, actions, in_tests=in_tests)
    facts = [fact] if fact else []
    is_definition = nested.statement.kind in DEFINITIONS
    if old and (is_definition or (fact and nested.statement.kind is Kind.SECTION)):
        return facts
    is_named = fact and not is_definition  # the fact names the actions
    named = [action for action in actions if is_named and not action.inside]
    others = [other for other in nested.inside if other not in named]
    inner = [fact for other in others for fact in _describe_edit(other, in_tests=in_tests)]
    return facts + _main_facts(nested.statement.kind, inner, in_tests=in_tests)


def _main_facts(kind: Kind, facts: list[Fact], *, in_tests: bool) -> list[Fact]:
    """Return the facts about the contents of a block; those that say little get a low rank.

    The most informative ones in a function and inner tests in a test keep theirs.
    """
    if kind not in {Kind.FUNCTION, Kind.TEST, Kind.ENTRY}:
        return facts
    facts = sorted(merge_facts(facts), key=lambda fact: fact.rank)
    lowest = Rank.DEFINITION if in_tests or kind is Kind.TEST else Rank.CALL
    best = [fact for fact in facts[:_MAX_BODY_FACTS] if fact.rank <= lowest]
    little = [replace(fact, rank=Rank.LAYOUT) for fact in facts[len(best) :]]
    return [replace(fact, rank=Rank.SUPPLEMENT) for fact in best] + little


def _main_actions(inside: Sequence[_NestedEdit]) -> list[_NestedEdit]:
    """Return the edits of the most informative statements of a block, in order."""
    actions = [
        nested
        for nested in inside
        if nested.statement.kind in _ACTION_KINDS
        and nested.statement.parsed.text not in _IGNORED_CODE
    ]
    actions = [edit for edit in actions if edit.statement.parsed.text not in _JUMPS] or actions
    best = sorted(actions, key=lambda action: _ACTION_KINDS.index(action.statement.kind))
    return [action for action in actions if action in best[:_MAX_BODY_FACTS]]


def _action(parsed: ParsedStatement) -> str:
    """Describe the action of a statement: a verb in the third person with its object."""
    template = _ACTIONS.get(parsed.kind, "runs {code}")
    if parsed.kind is Kind.ASSIGNMENT and parsed.operator in {"=", ":="}:
        template = "sets {name} to {value}"
    elif parsed.kind is Kind.RETURN and not parsed.value and parsed.operator != "yield":
        template = "returns early"
    name, code = quote(parsed.name, 60), quote(parsed.text)
    value, verb = sentences.quoted_value(parsed), sentences.third_person_verb(parsed)
    return template.format(name=name, code=code, value=value, verb=verb)


def _one_sided_fact(
    nested: _NestedEdit, actions: Sequence[_NestedEdit], *, in_tests: bool
) -> Fact | None:
    """Return a fact about an added or removed statement, with the main actions inside it."""
    if _is_ignored(nested):
        return None
    statement, is_added = nested.statement, nested.edit.new is not None
    parsed, kept = statement.parsed, nested.kept
    form = "then" if actions else "kept" if kept else _form(statement)
    forms = [form, ""] if is_added else [f"{form} removed", "removed", form, ""]
    templates = sentences.SENTENCES.get(parsed.kind, {})
    template, rank = next((templates[form] for form in forms if form in templates), ("", 0))
    if not template:
        return None
    if parsed.text in _JUMPS and not sentences.condition_clause(statement):
        rank = Rank.LAYOUT
    is_test = in_tests and bool(_TEST_NAME.match(parsed.name))
    return fact_about(
        template if is_added else template.replace("{where}", "{from_place}"),
        rank,
        statement,
        added="added" if is_added else "removed",
        now="now" if is_added else "no longer",
        noun="test" if is_test else "function",
        outer="" if statement.condition is None else f"{quote(statement.condition, 60)} and ",
        then=" and ".join(_action(action.statement.parsed) for action in actions),
        kept=enumerate_items([quote(inner.parsed.text, 50) for inner in kept], 2),
        run="run" if len(kept) > 1 else "runs",
        depend="depend" if len(kept) > 1 else "depends",
    )


def _is_ignored(nested: _NestedEdit) -> bool:
    """Return True if a statement is moved, or says nothing by itself."""
    parsed = nested.statement.parsed
    if nested.is_moved or parsed.keyword == "namespace" or parsed.text in _IGNORED_CODE:
        return True
    is_named = " " in parsed.name  # such as `message Order`
    return parsed.kind is Kind.SECTION and bool(nested.inside) and not is_named


def _form(statement: Statement) -> str:
    """Return the form of the sentence about a statement without contents; only for assignments."""
    parsed = statement.parsed
    if parsed.kind is not Kind.ASSIGNMENT:
        return ""
    if sentences.is_field(statement) and parsed.operator in {"", "="}:
        return "field"
    is_set = parsed.operator in {"=", ":="} and parsed.value
    return "" if not is_set else "declared" if parsed.is_declared else "="
