"""Describe the edits of a hunk: blocks with their statements, and changed statements."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from crscore_core.claims.symbolic.brackets import (
    Tokens,
    close_brackets,
    closing_index,
    split,
    unclosed_brackets,
)
from crscore_core.claims.symbolic.edits import Edit, Statement
from crscore_core.claims.symbolic.fact import (
    FROM_PLACE,
    IN_PLACE,
    IS_OR_ARE,
    ITEM,
    PLURAL_S,
    Fact,
    Rank,
    merge_facts,
)
from crscore_core.claims.symbolic.lexis import LINKS, code_of
from crscore_core.claims.symbolic.sentences import (
    SENTENCES,
    WITHOUT_VALUE,
    condition_of,
    fact_about,
    fact_from_template,
    is_field,
    place_of,
    value_of,
    verb_of,
)
from crscore_core.claims.symbolic.statement import DEFINITIONS, ParsedStatement, StatementKind
from crscore_core.claims.symbolic.wording import (
    common_ends,
    contrast,
    describe_rewording,
    enumerate_items,
    quote,
    quote_prose,
    replaced_word,
    to_plain_words,
)

_IGNORED_CODE = frozenset({"pass", "break", "<?php", "end", "fi", "done", "esac", "?>", "..."})
_NAMES_A_VALUE = frozenset({StatementKind.ASSIGNMENT, StatementKind.ENTRY})

_ACTIONS = {
    StatementKind.RETURN: "{verb} {value}",
    StatementKind.RAISE: "{verb} {value}",
    StatementKind.CALL: "calls {code}",
    StatementKind.CONDITION: "checks {value}",
    StatementKind.FUNCTION: "defines {name}",
}

_ACTION_KINDS = [*map(StatementKind, "raise return loop call assignment condition other".split())]
"""Kinds of statements that describe a block, the most informative first."""

_MAX_BODY_FACTS = 2
"""Maximum statements named with the heading of a block, and facts about a new function."""

_RANKS_OF_CHANGES = {
    **dict.fromkeys(map(StatementKind, "row entry section".split()), Rank.VALUE),
    StatementKind.OTHER: Rank.TRIVIAL,
}
"""Ranks of changed statements of kinds without a sentence for a change; `TEXT` for others."""

_MAX_WHOLE = 60
"""Maximum characters of a value that is quoted as a whole if its difference is in brackets."""

_ATTRIBUTES = {StatementKind.LOOP: "name", StatementKind.CALL: "text", StatementKind.TEST: "name"}
"""The attribute of a statement that shows its change; `value` for other kinds."""

_MIN_LINKS = 2
"""Minimum number of unchanged calls in a chain that is described call by call."""

_TEST_FUNCTION = re.compile(r"(?:.*\.)?(?:test(?:_|[A-Z0-9]|$)|Test)[^.]*$")
_CALLEE = re.compile(
    r"(?<!\w)(?!(?:if|while|for|switch|catch|until|return|and|or|not|in|import)$)[\w$@][\w$.?!:>-]*$"
)


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The code around the edits of a hunk.

    removed_statements, added_code: what an added or a removed statement is looked up in.
    inside: by added or removed heading, the statements added or removed with it.
    kept: by added or removed heading, the statements that stay.
    """

    is_test: bool
    removed_statements: list[str]
    added_code: str
    inside: dict[Statement, list[Edit]] = field(default_factory=dict)
    kept: dict[Statement, list[Statement]] = field(default_factory=dict)


def repeated_renamings(edits: Iterable[Edit]) -> dict[Edit, Fact]:
    """Return edits that replace only a name, if several replace the same, with their fact."""
    edits_by_names: dict[tuple[str, str], list[Edit]] = {}
    for edit in edits:
        if not (edit.old and edit.new) or edit.new.kind is StatementKind.COMMENT:
            continue
        if names := replaced_word(edit.old.parsed.key, edit.new.parsed.key):
            edits_by_names.setdefault(names, []).append(edit)
    facts: dict[Edit, Fact] = {}
    for names, renaming in edits_by_names.items():
        if len(renaming) > 1:
            facts |= dict.fromkeys(renaming, _fact_of_renaming(*names, renaming))
    return facts


def _fact_of_renaming(was: str, now: str, edits: Sequence[Edit]) -> Fact:
    parsed = [edit.statement.parsed for edit in edits]
    is_definition = any(now == code.name and code.kind is not StatementKind.CALL for code in parsed)
    verb = "renamed to" if is_definition else "replaced by"
    examples = enumerate_items([quote(code.text, 50) for code in parsed], 2)
    text = f"{quote(was)} is {verb} {quote(now)} in {len(edits)} statements, such as {examples}"
    wording = f"the name {to_plain_words(was)} is renamed to {to_plain_words(now)}"
    rank = Rank.TEXT if {was, now} <= {"var", "let", "const"} else Rank.DEFINITION
    return Fact(text, rank, edits[0].statement.line.line, wordings=(wording,))


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
        headings = [heading for heading in edit.statement.headings if heading in one_sided]
        if headings and edit.is_one_sided:
            surroundings.inside.setdefault(headings[-1], []).append(edit)
        if edit.old and edit.new and edit.old.parsed.key == edit.new.parsed.key:
            for side in (edit.old, edit.new):
                is_comment = side.kind is StatementKind.COMMENT
                if side.headings and side.headings[-1] in one_sided and not is_comment:
                    surroundings.kept.setdefault(side.headings[-1], []).append(side)
    return surroundings


def _comparable_code(statement: Statement) -> str:
    """Return code without blanks, and a condition as after `if`: equal for a moved statement."""
    parsed = statement.parsed
    is_condition = parsed.kind is StatementKind.CONDITION
    return "if" + "".join(parsed.value.split()) if is_condition else "".join(parsed.key)


def _facts_of_edit(edit: Edit, surroundings: _Surroundings) -> Iterator[Fact]:
    """Yield the facts about a changed statement, or an added or removed one with its contents."""
    if edit.old and edit.new:
        yield from _facts_of_changed_statement(edit.old, edit.new)
        return
    statement, is_added = edit.statement, edit.new is not None
    inside = surroundings.inside.get(statement, [])
    main = _main_actions([edit.statement for edit in inside])
    then = " and ".join(_action(action.parsed) for action in main)
    fact = _fact_of_one_side(statement, surroundings, then, is_added=is_added)
    if fact:
        yield fact
    if statement.kind in DEFINITIONS and not is_added:
        return
    if fact and statement.kind not in DEFINITIONS:  # which names the main actions
        named = [action for action in main if action not in surroundings.inside]
        inside = [edit for edit in inside if edit.statement not in named]
    facts = [fact for edit in inside for fact in _facts_of_edit(edit, surroundings)]
    if statement.kind is StatementKind.FUNCTION:
        facts = [] if surroundings.is_test else _main_facts_of_body(facts)
    elif statement.kind is StatementKind.TEST:
        facts = [fact for fact in facts if fact.rank == Rank.DEFINITION]
    yield from facts


def _main_actions(statements: Sequence[Statement]) -> list[Statement]:
    """Return the most informative statements of a block, in order."""
    actions = [
        statement
        for statement in statements
        if statement.kind in _ACTION_KINDS and statement.parsed.text not in _IGNORED_CODE
    ]
    best = sorted(actions, key=lambda action: _ACTION_KINDS.index(action.kind))[:_MAX_BODY_FACTS]
    return [action for action in actions if action in best]


def _main_facts_of_body(facts: Sequence[Fact]) -> list[Fact]:
    """Return the most informative facts about the body of a new function."""
    best = sorted(merge_facts(facts), key=lambda fact: fact.rank)[:_MAX_BODY_FACTS]
    return [
        replace(fact, rank=max(Rank.SUPPLEMENT, fact.rank))
        for fact in best
        if fact.rank <= Rank.CALL
    ]


def _action(parsed: ParsedStatement) -> str:
    """Describe the action of a statement: a verb in the third person with its object."""
    text = _ACTIONS.get(parsed.kind, "runs {code}")
    if parsed.kind is StatementKind.ASSIGNMENT and parsed.operator in {"=", ":="}:
        text = "sets {name} to {value}"
    elif parsed.kind is StatementKind.RETURN and not parsed.value and parsed.operator != "yield":
        text = "returns early"
    name, code = quote(parsed.name, 60), quote(parsed.text)
    return text.format(value=value_of(parsed), name=name, verb=verb_of(parsed), code=code)


def _fact_of_one_side(
    statement: Statement, surroundings: _Surroundings, then: str, *, is_added: bool
) -> Fact | None:
    """Return a fact about an added or removed statement."""
    if _is_ignored(statement, surroundings, is_added=is_added):
        return None
    parsed, kept = statement.parsed, surroundings.kept.get(statement, [])
    form = "then" if then else "kept" if kept else _form(statement)
    forms = [form, ""] if is_added else [f"{form} removed", "removed", form, ""]
    templates = SENTENCES.get(parsed.kind, {})
    template = next((templates[form] for form in forms if form in templates), None)
    if template is None:
        return None
    outer = statement.condition
    is_function = parsed.kind is StatementKind.FUNCTION
    is_test = is_function and surroundings.is_test and _TEST_FUNCTION.match(parsed.name)
    return fact_from_template(
        template,
        statement,
        added="added" if is_added else "removed",
        now="now" if is_added else "no longer",
        where=IN_PLACE if is_added else FROM_PLACE,
        noun="test" if is_test else parsed.keyword or "function",
        outer="" if outer is None else f"{quote(outer, 60)} and ",
        then=then,
        kept=enumerate_items([quote(heading.parsed.text, 50) for heading in kept], 2),
        run="run" if len(kept) > 1 else "runs",
        depend="depend" if len(kept) > 1 else "depends",
    )


def _is_ignored(statement: Statement, surroundings: _Surroundings, *, is_added: bool) -> bool:
    """Return True if a statement says nothing, or is also on the other side."""
    parsed = statement.parsed
    if parsed.is_version or parsed.keyword == "namespace" or parsed.text in _IGNORED_CODE:
        return True
    if parsed.kind is StatementKind.RETURN and not parsed.value and not condition_of(statement):
        return True
    if parsed.kind is StatementKind.SECTION and statement in surroundings.inside:
        return True
    if is_added:
        is_moved = _comparable_code(statement) in surroundings.removed_statements
        return is_moved and parsed.kind not in DEFINITIONS
    return _comparable_code(statement) in surroundings.added_code


def _form(statement: Statement) -> str:
    parsed = statement.parsed
    if statement.kind is not StatementKind.ASSIGNMENT:
        return ""
    if is_field(statement) and parsed.operator in {"", "="}:
        return "field"
    is_set = parsed.operator in {"=", ":="} and parsed.value
    return "" if not is_set else "declared" if parsed.is_declared else "="


def _facts_of_changed_statement(old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield the facts about a changed statement."""
    if old.parsed.key == new.parsed.key:  # its comment changes, or it moves to another block
        comment = new.line.comment
        if old.line.comment != comment:
            verb = "changes to" if old.line.comment else "is added:"
            change = f"{verb} {quote_prose(comment)}" if comment else "is removed"
            text = f"the comment beside {quote(new.parsed.text, 50)} {change}"
            yield fact_about(text, Rank.LAYOUT, new)
        return
    facts: list[Fact] = []
    if old.kind is new.kind is StatementKind.COMMENT:
        text = describe_rewording(old.parsed.value.split(), new.parsed.value.split(), "a comment")
        facts = [fact_about(text + IN_PLACE, Rank.COMMENT, new)]
    elif old.kind is new.kind and new.kind in {StatementKind.FUNCTION, StatementKind.TYPE}:
        facts = list(_facts_of_definition(old, new))
    elif old.kind is new.kind:
        facts = list(_facts_of_new_value(old, new))
    if not facts and new.parsed.is_version:
        return  # a version of an unknown package
    rank = _RANKS_OF_CHANGES.get(new.kind, Rank.TEXT)
    yield from facts or _facts_of_difference(old, new, rank)


def _facts_of_definition(old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield the facts about a function or type whose head changed."""
    before, after = old.parsed, new.parsed
    place = place_of(new)
    name = quote(f"{place}.{after.name}" if place and "." not in after.name else after.name, 60)
    if before.name != after.name:
        what = f"the {after.keyword} {name}" if new.kind is StatementKind.TYPE else name
        yield fact_about(f"{quote(before.name)} is renamed to {what}", Rank.DEFINITION, new)
    yield from _facts_of_parameters(name, old, new)
    heads = [parsed.value.replace(parsed.name, "", 1) for parsed in (before, after)]
    pair = contrast(before.value, after.value)
    is_same_head = before.name == after.name and before.parameters == after.parameters
    if before.operator == after.operator == "=" and is_same_head:
        yield from _facts_of_difference(old, new, Rank.BEHAVIOUR)
    elif after.operator != "=" and heads[0] != heads[1] and pair:
        text = f"{name} is now declared as {pair[1]} instead of {pair[0]}"
        yield fact_about(text, Rank.VALUE, new)


def _facts_of_parameters(name: str, old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield the facts about the parameters of a function: added, removed, renamed or changed.

    If their number stays, two names at one position that each occur on one side are a renaming.
    """
    old_parameters, new_parameters = old.parsed.parameters, new.parsed.parameters
    before, after = dict(old_parameters), dict(new_parameters)
    old_names = {key: key for key in after if key in before}
    if len(old_parameters) == len(new_parameters):
        for (was, _), (now, _) in zip(old_parameters, new_parameters, strict=True):
            if was not in after and now not in before:
                old_names[now] = was
    added = [quote(text) for key, text in after.items() if key not in old_names]
    removed = [quote(text) for key, text in before.items() if key not in old_names.values()]
    for verb, items in (("takes the new", added), ("no longer takes the", removed)):
        if items:
            text = f"{name} {verb} parameter{PLURAL_S} {ITEM}"
            yield fact_about(text, Rank.DEFINITION, new, *items)
    for key, now in after.items():
        if key in old_names and (pair := contrast(before[old_names[key]], now)):
            text = f"the parameter {pair[0]} of {name} becomes {pair[1]}"
            yield fact_about(text, Rank.DEFINITION, new)


def _facts_of_new_value(old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield the fact with the new value and the old one, or with the difference of long values."""
    before, after = old.parsed, new.parsed
    attribute = _ATTRIBUTES.get(new.kind, "value")
    was, now = str(getattr(before, attribute)), str(getattr(after, attribute))
    if new.kind in _NAMES_A_VALUE:
        signs = {before.operator, after.operator} <= {"=", ":=", ":", "=>"}
        if before.name != after.name or not (signs and was and now):
            return
    name = quote(after.name, 60)
    if after.is_version and after.operator == "=":  # in a settings file
        name = f"the {after.name} of {quote(after.package)}" if after.package else ""
    pair, templates = contrast(was, now), SENTENCES.get(new.kind, {})
    text, rank = templates.get("instead") or templates.get("", ("", 0))
    if "{was}" not in text:
        text = text.replace("{value}", "{value} instead of {was}")
    if pair is None or not name or "{was}" not in text:
        return
    is_long = len(max(was, now, key=len)) > _MAX_WHOLE
    is_same_call = new.kind is StatementKind.CALL and before.name == after.name
    tokens = before.tokens, after.tokens
    if is_same_call or (is_long and (_innermost_start(*tokens) or _is_chain(*tokens))):
        yield from _facts_of_difference(old, new, rank)
        return
    nothing = WITHOUT_VALUE.get(new.kind, "nothing")
    values = {"was": pair[0] if was else nothing, "value": pair[1] if now else nothing}
    yield fact_from_template((text, rank), new, now="now", name=name, **values)


def _facts_of_difference(old: Statement, new: Statement, rank: int) -> Iterator[Fact]:
    """Yield the difference in the innermost brackets around it, or in a chain of calls."""
    sides: list[Tokens] = [old.parsed.tokens, new.parsed.tokens]
    context, verbs, signs = "", ("added", "removed"), frozenset(",")
    if start := _innermost_start(*sides):
        context = _context(new.parsed.tokens[:start], new)
        sides = [side[start : closing_index(side, start - 1)] for side in sides]
    elif _is_chain(*sides):
        rank, verbs, signs = Rank.CALL, ("now called", "no longer called"), LINKS
    else:
        sides = [(), ()]  # the difference is the whole statement
    old_parts, new_parts = ([close_brackets(part) for part in split(side, signs)] for side in sides)
    added = [part for part in new_parts if part not in old_parts]
    removed = [part for part in old_parts if part not in new_parts]
    if bool(added) != bool(removed):
        items = [quote(part, 60) for part in added or removed]
        text = f"{ITEM} {IS_OR_ARE} {verbs[0] if added else verbs[1]}{context}{IN_PLACE}"
        yield fact_about(text, rank, new, *items)
        return
    was, now = old.parsed.text, new.parsed.text
    if added:
        word = replaced_word(*([token.text for token in side] for side in sides))
        was, now = word or (", ".join(removed), ", ".join(added))
    if pair := contrast(was, now):
        text = f"{pair[1]} replaces {pair[0]}{context * bool(added)}{IN_PLACE}"
        yield fact_about(text, rank, new)
    elif was != now:
        yield fact_about(f"only blanks within {quote(now)} change{IN_PLACE}", Rank.LAYOUT, new)


def _innermost_start(before: Tokens, after: Tokens) -> int:
    """Return the index after the innermost bracket around the whole difference, or 0."""
    start, end = common_ends([token.text for token in before], [token.text for token in after])
    for bracket in reversed(unclosed_brackets(after[:start])):
        stops = [closing_index(side, bracket) - len(side) for side in (before, after)]
        if min(stops) >= -end:
            return bracket + 1
    return 0


def _is_chain(before: Tokens, after: Tokens) -> bool:
    """Return True if two chains of calls differ only in some of the calls."""
    was, now = ({code_of(link) for link in split(side, LINKS)} for side in (before, after))
    return len(was & now) >= _MIN_LINKS and all(link.endswith(")") for link in was ^ now)


def _context(before: Tokens, statement: Statement) -> str:
    """Describe the call whose arguments follow the tokens, else the target of the statement."""
    callee = _CALLEE.search(code_of(before[:-1])) if before[-1].text == "(" else None
    if callee:
        return f" in the call of {quote(callee[0], 50)}"
    is_set = statement.parsed.name and statement.kind in _NAMES_A_VALUE
    return f" in {quote(statement.parsed.name, 50)}" if is_set else ""
