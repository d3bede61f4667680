"""Describe the edits of a hunk: blocks with their statements, and what differs in a statement."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

from crscore_core.claims.symbolic.brackets import Tokens, closing, completed, split, unclosed
from crscore_core.claims.symbolic.edits import VERSIONS, Edit, Statement
from crscore_core.claims.symbolic.fact import (
    BEHAVIOUR,
    CALLED,
    DEFINED,
    DETAIL,
    FROM,
    IN,
    IS,
    ITEM,
    PLAIN,
    SET,
    TRIVIAL,
    Fact,
    S,
    joined,
)
from crscore_core.claims.symbolic.lexis import LINKS, code_of
from crscore_core.claims.symbolic.sentences import (
    NOTHING,
    SENTENCES,
    about,
    condition_of,
    filled,
    is_field,
    place_of,
    value_of,
)
from crscore_core.claims.symbolic.statement import DEFINITIONS, Parts, Sort
from crscore_core.claims.symbolic.wording import (
    common_ends,
    contrasted,
    listed,
    quoted,
    reworded,
    said,
)

_SILENT = frozenset({"pass", "break", "<?php", "end", "fi", "done", "esac", "?>", "..."})


_DOES = {
    Sort.RETURN: "{operator}s {value}",
    Sort.RAISE: "{operator}s {value}",
    Sort.CALL: "calls {code}",
    Sort.CONDITION: "checks {value}",
    Sort.FUNCTION: "defines {name}",
}


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The surroundings of the edits of a hunk: the code of both sides, and the contents of blocks.

    `other_side` is the code on the other side of an added statement (True) or a removed one. For an
    added or removed heading, `inside` has the statements added or removed with it, and
    `held` those that were already there.
    """

    is_test: bool
    other_side: dict[bool, Container[str]]
    inside: dict[Statement, list[Edit]] = field(default_factory=dict)
    held: dict[Statement, list[Statement]] = field(default_factory=dict)


def facts_of_edits(edits: Sequence[Edit], *, is_test: bool) -> list[Fact]:
    """Return the facts about the edits of a hunk; a block is described with its statements."""
    now = [_essence(edit.new) for edit in edits if edit.new and edit.new.line.changed]
    before = [_essence(edit.old) for edit in edits if edit.old and edit.old.line.changed]
    surroundings = _Surroundings(is_test, {True: before, False: "\n".join(now)})
    headings = {edit.statement for edit in edits if edit.is_one_sided}
    outermost: list[Edit] = []
    for edit in edits:
        around = next((side for side in reversed(edit.statement.around) if side in headings), None)
        if edit.old and edit.new and edit.old.parts.key == edit.new.parts.key:
            for side in (edit.old, edit.new):
                if side.around and side.around[-1] in headings and side.sort is not Sort.COMMENT:
                    surroundings.held.setdefault(side.around[-1], []).append(side)
        if around and edit.is_one_sided:
            surroundings.inside.setdefault(around, []).append(edit)
        else:
            outermost.append(edit)
    return [fact for edit in outermost for fact in _facts_of(edit, surroundings)]


def _essence(statement: Statement) -> str:
    """Return the code of a statement without blanks, the same for any word before a condition."""
    parts = statement.parts
    is_condition = parts.sort is Sort.CONDITION
    return "if" + "".join(parts.value.split()) if is_condition else "".join(parts.key)


def _facts_of(edit: Edit, surroundings: _Surroundings) -> Iterator[Fact]:
    if edit.old and edit.new:
        yield from _difference(edit.old, edit.new)
    else:
        yield from _block(edit, surroundings)


_ACTS = (
    Sort.RAISE, Sort.RETURN, Sort.LOOP, Sort.CALL, Sort.ASSIGNMENT, Sort.CONDITION, Sort.OTHER,
)  # fmt: skip


_FACTS_OF_BODY = 2
"""Number of statements named with the heading of a block, and of facts about a new function."""


def _block(edit: Edit, surroundings: _Surroundings) -> Iterator[Fact]:
    """Yield the facts about an added or removed statement and what is in it."""
    statement, is_added = edit.statement, edit.new is not None
    inside = surroundings.inside.get(statement, [])
    acts = [edit.statement for edit in inside if edit.statement.sort in _ACTS]
    acts = [act for act in acts if act.parts.text not in _SILENT and act.parts.noun != "tail"]
    main = sorted(acts, key=lambda act: _ACTS.index(act.sort))[:_FACTS_OF_BODY]
    then = " and ".join(_does(act.parts) for act in acts if act in main)
    fact = _one_side(statement, surroundings, then, is_added=is_added)
    if fact:
        yield fact
    if statement.sort in DEFINITIONS and not is_added:
        return
    if fact and statement.sort not in DEFINITIONS:  # which tells the main acts
        inside = [
            e for e in inside if e.statement not in main or e.statement in surroundings.inside
        ]
    facts = [fact for edit in inside for fact in _facts_of(edit, surroundings)]
    if statement.sort is Sort.FUNCTION:
        facts = [fact for fact in joined(facts) if fact.rank <= CALLED and not surroundings.is_test]
        facts = sorted(facts, key=lambda fact: fact.rank)[:_FACTS_OF_BODY]
        facts = [replace(fact, rank=max(DETAIL, fact.rank)) for fact in facts]
    elif statement.sort is Sort.TEST:
        facts = [fact for fact in facts if fact.rank == DEFINED]
    yield from facts


def _does(parts: Parts) -> str:
    """Describe what a statement does: a verb in the third person with its object."""
    text = _DOES.get(parts.sort, "runs {code}")
    if parts.sort is Sort.ASSIGNMENT and parts.operator in {"=", ":="}:
        text = "sets {name} to {value}"
    elif parts.sort is Sort.RETURN and not parts.value:
        text = "returns early"
    name, code = quoted(parts.name, 60), quoted(parts.text)
    return text.format(value=value_of(parts), name=name, operator=parts.operator, code=code)


def _one_side(
    statement: Statement, surroundings: _Surroundings, then: str, *, is_added: bool
) -> Fact | None:
    """Return a fact about an added or removed statement."""
    parts = statement.parts
    held = surroundings.held.get(statement, [])
    is_version = parts.sort is Sort.ENTRY and parts.name.lower() in VERSIONS
    is_end = parts.sort is Sort.RETURN and not parts.value and not condition_of(statement)
    is_silent = is_version or is_end or parts.noun in {"namespace", "tail"}
    is_silent |= parts.text in _SILENT
    is_silent |= parts.sort is Sort.SECTION and statement in surroundings.inside
    is_silent |= (
        not (is_added and parts.sort in DEFINITIONS)
        and _essence(statement) in surroundings.other_side[is_added]
    )
    if is_silent:
        return None
    form = "then" if then else "held" if held else _form(statement)
    forms = [form, ""] if is_added else [f"{form} removed", "removed", form, ""]
    row = next((row for form in forms if (row := SENTENCES.get((parts.sort, form)))), None)
    if row is None:
        return None
    outer = [heading for heading in statement.around[-1:] if heading.sort is Sort.CONDITION]
    is_test = parts.sort is Sort.FUNCTION and surroundings.is_test and _TEST_NAME.match(parts.name)
    return filled(
        row,
        statement,
        added="added" if is_added else "removed",
        now="now" if is_added else "no longer",
        where=IN if is_added else FROM,
        noun="test" if is_test else parts.noun or "function",
        outer=f"{quoted(outer[0].parts.value, 60)} and " if outer else "",
        then=then,
        held=listed([quoted(heading.parts.text, 50) for heading in held], 2),
        held_s="" if len(held) > 1 else "s",
    )


_TEST_NAME = re.compile(r"(?:.*\.)?(?:test(?:_|[A-Z0-9]|$)|Test)[^.]*$")


def _form(statement: Statement) -> str:
    parts = statement.parts
    if statement.sort is not Sort.ASSIGNMENT:
        return parts.noun if statement.sort is Sort.OTHER else ""
    if is_field(statement) and parts.operator in {"", "="}:
        return "field"
    is_set = parts.operator in {"=", ":="} and parts.value
    return "" if not is_set else "variable" if parts.noun else "="


def _difference(old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield facts about how a statement changed."""
    if old.parts.key == new.parts.key:
        note = new.line.comment
        if old.line.comment != note:
            verb = "changes to" if old.line.comment else "is added:"
            way = f"{verb} {said(note)}" if note else "is removed"
            text = f"the comment beside {quoted(new.parts.text, 50)} {way}"
            yield about(text, TRIVIAL + 8, new)
        return
    facts: list[Fact] = []
    if old.sort is new.sort is Sort.COMMENT:
        text = reworded(old.parts.value.split(), new.parts.value.split(), "a comment")
        facts = [about(text + IN, TRIVIAL + 4, new)]
    elif old.sort is new.sort and new.sort in {Sort.FUNCTION, Sort.TYPE}:
        facts = list(_definition(old, new))
    elif old.sort is new.sort:
        facts = list(_instead(old, new))
    if not facts and new.sort is Sort.ENTRY and new.parts.name.lower() in VERSIONS:
        return  # of what is unknown
    rank = SET if new.parts.noun == "row" else TRIVIAL if new.sort is Sort.OTHER else PLAIN
    yield from facts or _narrowed(old, new, rank)


def _replaced(was: str, now: str, context: str, rank: int, new: Statement) -> Iterator[Fact]:
    if pair := contrasted(was, now):
        yield about(f"{pair[1]} replaces {pair[0]}{context}{IN}", rank, new)
    elif was != now:
        yield about(f"only blanks within {quoted(now)} change{IN}", TRIVIAL + 8, new)


_MAX_WHOLE = 60
"""Length from which only the difference of two values is quoted, except of strings."""


_STRING = re.compile(r"(?P<mark>[\"'`]).*(?P=mark)", re.DOTALL)


def _instead(old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield the new value and the old one, or where two long values differ."""
    before, after = old.parts, new.parts
    attribute = {Sort.LOOP: "name", Sort.CALL: "text", Sort.TEST: "name"}.get(new.sort, "value")
    was, now = str(getattr(before, attribute)), str(getattr(after, attribute))
    if new.sort in {Sort.ASSIGNMENT, Sort.ENTRY}:
        signs = {before.operator, after.operator} <= {"=", ":=", ":", "=>"}
        if before.name != after.name or not (signs and was and now):
            return
    name = quoted(after.name, 60)
    if new.sort is Sort.ENTRY and after.name.lower() in VERSIONS and after.operator == "=":
        name = f"the {after.name} of {quoted(after.noun)}" if after.noun else ""
    pair = contrasted(was, now)
    text, rank = SENTENCES.get((new.sort, "instead")) or SENTENCES.get((new.sort, ""), ("", 0))
    if "{was}" not in text:
        text = text.replace("{value}", "{value} instead of {was}")
    if pair is None or not name or "{was}" not in text:
        return
    is_long = len(max(was, now, key=len)) > _MAX_WHOLE and not (
        _STRING.match(was) and _STRING.match(now)
    )
    is_same_call = new.sort is Sort.CALL and before.name == after.name
    tokens = before.tokens, after.tokens
    is_narrow = is_long and (_innermost(*tokens) or _is_chain(*tokens))
    if is_same_call or is_narrow:
        yield from _narrowed(old, new, rank)
        return
    nothing = NOTHING.get(new.sort, "nothing")
    shown = {"was": pair[0] if was else nothing, "value": pair[1] if now else nothing}
    yield filled((text, rank), new, now="now", name=name, **shown)


_CALLEE = re.compile(
    r"(?<!\w)(?!(?:if|while|for|switch|catch|until|return|and|or|not|in|import)$)[\w$@][\w$.?!:>-]*$"
)


def _innermost(before: Tokens, after: Tokens) -> int:
    """Return where the innermost brackets start that hold the whole difference; 0 without any."""
    start, end = common_ends([token.text for token in before], [token.text for token in after])
    for opened in reversed(unclosed(after[:start])):
        stops = closing(before, opened) - len(before), closing(after, opened) - len(after)
        if min(stops) >= -end:
            return opened + 1
    return 0


_MIN_LINKS = 2
"""Number of links that stay if a chain of calls is described link by link."""


def _is_chain(before: Tokens, after: Tokens) -> bool:
    """Return True if only calls differ in a chain of them."""
    was, now = ({code_of(link) for link in split(side, LINKS)} for side in (before, after))
    return len(was & now) >= _MIN_LINKS and all(link.endswith(")") for link in was ^ now)


def _narrowed(old: Statement, new: Statement, rank: int) -> Iterator[Fact]:
    """Yield what differs in the innermost brackets with the whole difference, or in a chain."""
    before, after = old.parts.tokens, new.parts.tokens
    start, context = _innermost(before, after), ""
    verbs, separators = ("added", "removed"), frozenset(",")
    if start:
        context = _context(after[:start], new)
        before, after = (side[start : closing(side, start - 1)] for side in (before, after))
    elif _is_chain(before, after):
        rank, verbs, separators = CALLED, ("now called", "no longer called"), LINKS
    else:
        yield from _replaced(old.parts.text, new.parts.text, "", rank, new)
        return
    was, now = ([completed(part) for part in split(side, separators)] for side in (before, after))
    came, gone = (
        [part for part in now if part not in was],
        [part for part in was if part not in now],
    )
    if came and gone:
        pair = _word(before, after) or (", ".join(gone), ", ".join(came))
        yield from _replaced(*pair, context, rank, new)
    elif not (came or gone):
        yield from _replaced(old.parts.text, new.parts.text, "", rank, new)
    else:
        for item in came or gone:
            text = f"{ITEM} {IS} {verbs[0] if came else verbs[1]}{context}{IN}"
            yield about(text, rank, new, quoted(item, 60))


def _context(before: Tokens, statement: Statement) -> str:
    """Return the call whose arguments follow the tokens, else what the statement sets."""
    callee = _CALLEE.search(code_of(before[:-1])) if before[-1].text == "(" else None
    if callee:
        return f" in the call of {quoted(callee[0], 50)}"
    is_set = statement.parts.name and statement.sort in {Sort.ASSIGNMENT, Sort.ENTRY}
    return f" in {quoted(statement.parts.name, 50)}" if is_set else ""


def _word(before: Tokens, after: Tokens) -> tuple[str, str] | None:
    """Return the one word or number that differs between two pieces of code; None for more."""
    start, end = common_ends([token.text for token in before], [token.text for token in after])
    was, now = before[start : len(before) - end], after[start : len(after) - end]
    is_one = len(was) == len(now) == 1 and (was[0].text + now[0].text).isidentifier()
    return (was[0].text, now[0].text) if is_one else None


def _definition(old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield what changes in the head of a function or type."""
    before, after = old.parts, new.parts
    place = place_of(new)
    name = quoted(f"{place}.{after.name}" if place and "." not in after.name else after.name, 60)
    if before.name != after.name:
        what = f"the {after.noun} {name}" if new.sort is Sort.TYPE else name
        yield about(f"{quoted(before.name)} is renamed to {what}", DEFINED, new)
    old_of, new_of = (dict(parts.parameters) for parts in (before, after))
    came = [text for key, text in new_of.items() if key not in old_of]
    gone = [text for key, text in old_of.items() if key not in new_of]
    pairs = [(old_of[key], text) for key, text in new_of.items() if key in old_of]
    if len(old_of) == len(new_of):
        came, gone, pairs = [], [], list(zip(old_of.values(), new_of.values(), strict=True))
    for way, items in (("takes the new", came), ("no longer takes the", gone)):
        for item in items:
            yield about(f"{name} {way} parameter{S} {ITEM}", DEFINED, new, quoted(item))
    for was, now in pairs:
        if pair := contrasted(was, now):
            yield about(f"the parameter {pair[0]} of {name} becomes {pair[1]}", DEFINED, new)
    heads = [parts.value.replace(parts.name, "", 1) for parts in (before, after)]
    pair = contrasted(before.value, after.value)
    if before.operator == after.operator == "=" and old_of == new_of and before.name == after.name:
        yield from _narrowed(old, new, BEHAVIOUR)
    elif after.operator != "=" and heads[0] != heads[1] and pair:
        yield about(f"{name} is now declared as {pair[1]} instead of {pair[0]}", SET, new)
