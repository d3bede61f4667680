"""Changed statement -> facts: the smallest difference that its tree or its tokens show."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from crscore_core.claims.symbolic.edits import Statement
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.grammar import Sort
from crscore_core.claims.symbolic.kinds import (
    Scene,
    call_text,
    fact_about,
    implied,
    place_of,
    where,
    who,
)
from crscore_core.claims.symbolic.lexis import between, common_ends
from crscore_core.claims.symbolic.statement import CALLS, Parts, callee_of, source_of
from crscore_core.claims.symbolic.wording import cleaned, listed, quoted, said

if TYPE_CHECKING:
    from tree_sitter import Node

_LONG = 60
"""Characters from which only the difference of two values is told."""

_INSTEAD: dict[Sort, tuple[str, int]] = {
    Sort.IMPORT: ("{now} is now imported instead of {was}", 42),
    Sort.RETURN: ("{who} now returns {now} instead of {was}", 78),
    Sort.RAISE: ("{who} now raises {now} instead of {was}", 80),
    Sort.ASSIGNMENT: ("{name} is now {now} instead of {was}{where}", 68),
    Sort.ENTRY: ("{name} is now {now} instead of {was}{where}", 66),
    Sort.CALL: ("{now} is now called instead of {was}{where}", 68),
    Sort.CATCH: ("{who} now catches {now} instead of {was}", 80),
    Sort.CASE: ("{who} now handles the case {now} instead of {was}", 72),
    Sort.CONDITION: ("{who} now checks {now} instead of {was}", 80),
    Sort.LOOP: ("the loop {now} replaces {was}{where}", 74),
    Sort.SCOPE: ("{now} replaces {was}{where}", 66),
}
"""Sentence and weight where a statement has one value instead of another."""

_NOTHING = {Sort.CATCH: "every error", Sort.CASE: "`default`", Sort.RAISE: "the caught error"}


def facts_of_difference(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    """Yield how a statement differs from what it was."""
    if old.line.key == new.line.key:
        note = f"changes to {said(new.line.note)}" if new.line.note else "is removed"
        yield fact_about(f"the comment beside {quoted(new.line.text, 50)} {note}", 20, new)
        return
    if cleaned(old.line.text) == cleaned(new.line.text):
        yield fact_about(f"only blanks within {quoted(new.line.text)} change{where(new)}", 20, new)
        return
    told: list[Fact] = []
    if old.sort is new.sort and (tell := _DIFFERENCES.get(new.sort)):
        told = list(tell(old, new, scene))
    elif old.sort is new.sort and new.sort in _INSTEAD:
        told = list(_instead(old, new))
    yield from told or [_rewritten(old, new)]


def _value(parts: Parts) -> str:
    """Return what `_INSTEAD` compares of a statement."""
    if parts.sort is Sort.CALL:
        return call_text(parts)
    is_named = parts.sort in {Sort.RAISE, Sort.LOOP, Sort.SCOPE}
    return parts.name or parts.value if is_named else parts.value


def _instead(old: Statement, new: Statement) -> Iterator[Fact]:
    """Tell the new value beside the old one, or where two long values differ."""
    before, after = old.parts, new.parts
    was, now = _value(before), _value(after)
    is_named = new.sort in {Sort.ASSIGNMENT, Sort.ENTRY}
    if is_named and before.name != after.name:
        if was == now and was:
            names = f"{quoted(after.name)} instead of {quoted(before.name)}"
            yield fact_about(f"{quoted(was)} is now given to {names}{where(new)}", 60, new)
        return
    if was == now or (is_named and not (was and now)):
        return
    text, weight = _INSTEAD[new.sort]
    is_long = max(len(was), len(now)) > _LONG or (
        new.sort is Sort.CALL and before.name == after.name
    )
    if is_long and (fact := _narrowed(old, new, weight)):
        yield fact
        return
    nothing = _NOTHING.get(new.sort, "nothing")
    yield fact_about(
        text.format(
            now=quoted(now) if now else nothing,
            was=quoted(was) if was else nothing,
            who=who(new),
            name=quoted(after.name, 50),
            where=where(new),
        ),
        weight,
        new,
    )


def _rewritten(old: Statement, new: Statement) -> Fact:
    if fact := _narrowed(old, new, 64) or _narrowed_by_tokens(old, new):
        return fact
    before, after = old.line.text.rstrip(";,{ "), new.line.text.rstrip(";,{ ")
    return _replaced(before, after, "", 60, new)


def _replaced(was: str, now: str, context: str, weight: int, new: Statement) -> Fact:
    if was and now:
        limit = 80 if quoted(was) != quoted(now) else 200
        text = f"{quoted(now, limit)} replaces {quoted(was, limit)}"
    else:
        text = f"{quoted(now or was)} is {'added' if now else 'removed'}"
    return fact_about(f"{text}{context}{where(new)}", weight, new)


_SHARED = 6
"""Tokens that two statements share at their ends, from which only the others are told."""


def _narrowed_by_tokens(old: Statement, new: Statement) -> Fact | None:
    """Tell the tokens between those that two long statements share at both ends."""
    start, end = common_ends(old.line.key, new.line.key)
    was, now = (between(one.line, start, end).strip(",; ") for one in (old, new))
    if old.sort is not new.sort or start + end < _SHARED or not (was or now):
        return None
    if len(was) + len(now) > 160 or not (_is_balanced(was) and _is_balanced(now)):
        return None
    if not all(re.search(r"\w", text) for text in (was, now) if text):
        return None
    context = _context(new) if old.parts.name == new.parts.name else ""
    return _replaced(was, now, context or f" in {quoted(new.line.text, 50)}", 60, new)


def _is_balanced(code: str) -> bool:
    return code.count('"') % 2 == 0 and all(
        code.count(opening) == code.count(closing) for opening, closing in ("()", "[]", "{}")
    )


_LISTS = frozenset(
    "list tuple set dictionary array object hash array_initializer initializer_list literal_value "
    "array_creation_expression initializer_expression expression_list string_array symbol_array "
    "parenthesized_expression element_value_array_initializer collection_expression arguments "
    "argument_list".split()
)
_DEFINITIONS = frozenset({Sort.FUNCTION, Sort.TYPE})
_WHOLE = frozenset(
    "string template_string string_literal keyword_argument pair named_argument "
    "concatenated_string interpreted_string_literal interpolated_string_expression "
    "encapsed_string".split()
)


def _narrowed(old: Statement, new: Statement, weight: int) -> Fact | None:
    """Tell the one place within two statements where their trees differ."""
    if old.parts.node is None or new.parts.node is None or new.sort in _DEFINITIONS:
        return None
    before, after, call = _differing(old.parts.node, new.parts.node)
    is_other = new.sort is Sort.ASSIGNMENT and old.parts.name != new.parts.name
    if (
        is_other
        or bool(old.parts.value) != bool(new.parts.value)
        or (before is old.parts.node and before.type != after.type)
    ):
        return None
    context = f" in the call of {quoted(call, 50)}" if call else _context(new)
    if before is old.parts.node and not new.parts.value:
        context = ""
    if before.type in _LISTS and before.type == after.type:
        return _elements(before.named_children, after.named_children, context, weight, new)
    was, now = source_of(before), source_of(after)
    if was == now or len(was) + len(now) > 200:
        return None
    shorter, longer = sorted((was, now), key=len)
    rest = longer.removeprefix(shorter)
    if (
        shorter
        and not (shorter[-1].isalnum() and rest[:1].isalnum())
        and longer.startswith(shorter)
        and len(rest) > 2
        and _is_balanced(rest)
    ):
        verb = "added" if longer == now else "removed"
        text = f"{quoted(rest.strip())} is {verb} after {quoted(shorter, 50)}{context}{where(new)}"
        return fact_about(text, weight, new)
    return _replaced(was, now, context, weight, new)


def _differing(old: "Node", new: "Node") -> "tuple[Node, Node, str]":
    """Descend to the smallest nodes that hold the whole difference; name the call around them."""
    call = ""
    for _ in range(40):
        before, after = old.children, new.children
        if old.type != new.type or len(before) != len(after) or old.type in _WHOLE:
            break
        differing = [(a, b) for a, b in zip(before, after, strict=True) if a.text != b.text]
        if len(differing) != 1 or not (differing[0][0].is_named and differing[0][1].is_named):
            break
        if old.type in CALLS and differing[0][0].type in _LISTS:
            call = callee_of(new)
        old, new = differing[0]
    return old, new, call


def _context(statement: Statement) -> str:
    parts = statement.parts
    match parts.sort:
        case Sort.RETURN:
            return " in what is returned"
        case Sort.ASSIGNMENT | Sort.ENTRY if parts.name:
            return f" in the value of {quoted(parts.name, 50)}"
        case Sort.CONDITION:
            return " in a condition"
        case Sort.CALL if parts.name:
            return f" in the call of {quoted(parts.name, 50)}"
        case Sort.RAISE if parts.name:
            return f" in the error {quoted(parts.name, 50)}"
    return ""


def _elements(
    old: "Sequence[Node]", new: "Sequence[Node]", context: str, weight: int, statement: Statement
) -> Fact | None:
    """Tell which arguments or elements came or went."""
    before, after = list(map(source_of, old)), list(map(source_of, new))
    came = [text for text in after if text not in before]
    gone = [text for text in before if text not in after]
    if came and gone:
        text = f"{_items(came)} replace{'s' * (len(came) == 1)} {_items(gone)}"
    elif came or gone:
        items = came or gone
        text = (
            f"{_items(items)} {'is' if len(items) == 1 else 'are'} {'added' if came else 'removed'}"
        )
    elif before == after:
        return None
    else:
        text = f"the order of {_items(after)} changes"
    return fact_about(f"{text}{context}{where(statement)}", weight, statement)


def _items(texts: Sequence[str]) -> str:
    return listed([quoted(text, 60) for text in texts], 3)


def _import(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    """Tell the names that an import gained or lost; else the imports."""
    came = [t for t in new.line.key if t.isidentifier() and t not in old.line.key]
    gone = [t for t in old.line.key if t.isidentifier() and t not in new.line.key]
    if bool(came) == bool(gone) or "as" in (*came, *gone):
        yield from _instead(old, new)
        return
    verb = "is now imported too" if came else "is no longer imported"
    verb = verb if len(came or gone) == 1 else verb.replace("is", "are", 1)
    yield fact_about(f"{_items(came or gone)} {verb} by {quoted(new.line.text)}", 42, new)


_MARKS = re.compile(r" (&&|\|\||and|or) ")


def _condition(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    """Tell a clause that a condition gained or lost; else the conditions, or what follows them."""
    before, after = old.parts.value, new.parts.value
    if before == after and old.parts.body and new.parts.body:
        yield fact_about(
            f"{quoted(new.line.text)} replaces {quoted(old.line.text)}{where(new)}", 74, new
        )
    was, now = _clauses(before), _clauses(after)
    if before == after or len(was) == len(now):
        yield from _instead(old, new)
        return
    (few, many), is_more = sorted((was, now), key=len), len(now) > len(was)
    marks = set(_MARKS.findall(after if is_more else before))
    extra = [clause for clause in many if clause not in few]
    if len(extra) + len(few) != len(many) or len(marks) != 1:
        yield from _instead(old, new)
        return
    is_and = marks <= {"&&", "and"}
    if is_more:
        verb = "also requires" if is_and else "also holds if"
    else:
        verb = "no longer requires" if is_and else "no longer holds just because"
    check = quoted(before if is_more else after, 60)
    yield fact_about(f"the check {check}{where(new)} now {verb} {_items(extra)}".replace(
        "now no longer", "no longer"), 82, new)  # fmt: skip


def _clauses(condition: str) -> list[str]:
    """Split a condition at its marks outside of brackets."""
    clauses: list[str] = []
    for piece in _MARKS.split(condition)[::2]:
        if clauses and not _is_balanced(clauses[-1]):
            clauses[-1] += f" {piece}"
        else:
            clauses.append(piece)
    return [clause.strip() for clause in clauses]


def _assignment(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    name = quoted(after.name, 50)
    if {before.operator, after.operator} - {"=", ":=", ""}:
        was, now = quoted(old.line.text.rstrip(";")), quoted(new.line.text.rstrip(";"))
        yield fact_about(f"{now} replaces {was}{where(new)}", 64, new)
    elif before.name == after.name and before.value == after.value:
        if before.result and after.result and before.result != after.result:
            text = f"the type of {name} is now {quoted(after.result)} instead of "
            yield fact_about(f"{text}{quoted(before.result)}{where(new)}", 68, new)
        yield from _modifiers(before, after, name, new)
    elif before.name == after.name and not (before.value and after.value):
        verb = "now has" if after.value else "no longer has"
        value = quoted(after.value or before.value)
        yield fact_about(f"{name} {verb} the value {value}{where(new)}", 62, new)
    else:
        yield from _instead(old, new)


def _modifiers(before: Parts, after: Parts, name: str, new: Statement) -> Iterator[Fact]:
    came = [quoted(m) for m in after.modifiers if m not in before.modifiers]
    gone = [quoted(m) for m in before.modifiers if m not in after.modifiers]
    if "override" in new.line.text:  # which is virtual
        gone = [modifier for modifier in gone if modifier != "`virtual`"]
    if came:
        instead = f" instead of {' '.join(gone)}" if gone else ""
        yield fact_about(f"{name} is now {' '.join(came)}{instead}{where(new)}", 64, new)
    elif gone:
        yield fact_about(f"{name} is no longer {' '.join(gone)}{where(new)}", 64, new)


def _comment(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts.value.split(), new.parts.value.split()
    start, end = common_ends(before, after)
    was, now = (" ".join(words[start : len(words) - end]) for words in (before, after))
    if was and now:
        text = f"a comment now says {said(now)} instead of {said(was)}"
    else:
        way = "added to" if now else "removed from"
        text = f"{said(now or was)} is {way} the comment {said(old.parts.value, 60)}"
    is_notice = re.search(r"copyright|licen[sc]e", new.parts.value, re.IGNORECASE)
    noun = "copyright or license notice" if is_notice else "comment or documentation"
    wording = f"the {noun} is updated and says {(now or was)[:200]}"
    yield Fact(text + where(new), 26, new.line.line, wordings=(wording,))


def _type(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    what = f"the {after.noun} {quoted(after.name)}"
    if before.name != after.name:
        yield fact_about(f"{quoted(before.name)} is renamed to {what}", 86, new)
        text = f"code that uses {quoted(before.name)} has to use {quoted(after.name)}"
        yield implied(text, 40, new)
    if before.value != after.value:
        was, now = (quoted(p.value) if p.value else "nothing" for p in (before, after))
        yield fact_about(f"{what} is now declared with {now} instead of {was}", 78, new)
    yield from _modifiers(before, after, what, new)


def _function(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    place = place_of(new)
    name = quoted(f"{place}.{after.name}" if place and "." not in after.name else after.name)
    if before.name != after.name:
        yield fact_about(f"{quoted(before.name)} is renamed to {name}", 86, new)
        if not scene.is_test and not before.name.startswith("_"):
            text = f"callers of {quoted(before.name)} have to call {quoted(after.name)}"
            yield implied(text, 42, new)
    yield from _parameters(before, after, name, new, scene)
    if before.result != after.result:
        was, now = (quoted(p.result) if p.result else "none" for p in (before, after))
        yield fact_about(f"{name} now has the return type {now} instead of {was}", 78, new)
    yield from _modifiers(before, after, name, new)
    for some, others, verb in ((new, old, "now"), (old, new, "no longer")):
        if throws := sorted(_throws(some) - _throws(others)):
            text = f"{name} {verb} declares that it throws {_items(throws)}"
            yield fact_about(text, 76, new)


def _throws(statement: Statement) -> set[str]:
    _, _, rest = statement.line.text.partition(" throws ")
    return {name.strip() for name in rest.rstrip("{; ").split(",") if name.strip()}


def _parameters(
    before: Parts, after: Parts, name: str, new: Statement, scene: Scene
) -> Iterator[Fact]:
    old_of = {p.name: p for p in before.parameters}
    came = [p for p in after.parameters if p.name not in old_of]
    gone = [p for p in before.parameters if p.name not in {p.name for p in after.parameters}]
    pairs = [(old_of[p.name], p) for p in after.parameters if p.name in old_of]
    if len(came) == len(gone) and len(before.parameters) == len(after.parameters):
        pairs += zip(gone, came, strict=True)
        came, gone = [], []
    if came:
        items = [quoted(p.text) for p in came]
        yield fact_about(f"{name} takes the new parameter<s> {{}}", 84, new, *items)
    if gone:
        items = [quoted(p.text) for p in gone]
        yield fact_about(f"{name} no longer takes the parameter<s> {{}}", 84, new, *items)
    required = [p.name for p in came if not p.is_optional]
    if required and not scene.is_test:
        yield implied(f"callers of {name} have to pass {_items(required)}", 60, new)
    for was, now in pairs:
        if was.text == now.text:
            continue
        short = f"{quoted(now.name)} of {name}"
        if was.default == now.default or was.name != now.name:
            text = f"the parameter {quoted(was.text)} of {name} becomes {quoted(now.text)}"
        elif was.default and now.default:
            text = f"{short} defaults to {quoted(now.default)} instead of {quoted(was.default)}"
        elif now.default:
            text = f"{short} now defaults to {quoted(now.default)}"
        else:
            text = f"{short} no longer has the default {quoted(was.default)}"
        yield fact_about(text, 80, new)


_DIFFERENCES: dict[Sort, Callable[[Statement, Statement, Scene], Iterator[Fact]]] = {
    Sort.IMPORT: _import,
    Sort.CONDITION: _condition,
    Sort.ASSIGNMENT: _assignment,
    Sort.COMMENT: _comment,
    Sort.TYPE: _type,
    Sort.FUNCTION: _function,
}
