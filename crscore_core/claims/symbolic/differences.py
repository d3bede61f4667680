"""Describe a changed statement by the smallest difference in its tree or values."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from crscore_core.claims.symbolic.edits import Statement
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.grammar import Sort, sort_of
from crscore_core.claims.symbolic.kinds import (
    Scene,
    condition_of,
    fact_about,
    implied,
    place_of,
    where,
    who,
)
from crscore_core.claims.symbolic.statement import DEFINITIONS, Parts, callee_of, source_of
from crscore_core.claims.symbolic.wording import cleaned, contrasted, listed, quoted, reworded, said

if TYPE_CHECKING:
    from tree_sitter import Node

_LONG = 60
"""Length from which only the difference of two values is shown."""

_INSTEAD: dict[Sort, tuple[str, int]] = {
    Sort.IMPORT: ("the import {was} becomes {now}", 42),
    Sort.RETURN: ("{who} now returns {now} instead of {was}{condition}", 78),
    Sort.RAISE: ("{who} now raises {now} instead of {was}{condition}", 80),
    Sort.ASSIGNMENT: ("{name} is now {now} instead of {was}{where}", 68),
    Sort.ENTRY: ("{name} is now {now} instead of {was}{where}", 66),
    Sort.CALL: ("{now} is now called instead of {was}{where}", 68),
    Sort.CATCH: ("{who} now catches {now} instead of {was}", 80),
    Sort.CASE: ("{who} now handles the case {now} instead of {was}", 72),
    Sort.CONDITION: ("{who} now checks {now} instead of {was}", 80),
    Sort.LOOP: ("the loop {now} replaces {was}{where}", 74),
    Sort.SCOPE: ("{now} replaces {was}{where}", 66),
}
"""Sentence and weight for a statement with one value instead of another."""

_NOTHING = {Sort.CATCH: "every error", Sort.CASE: "`default`", Sort.RAISE: "the caught error"}


def facts_of_difference(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    """Yield facts about how a statement changed."""
    if old.line.key == new.line.key:
        verb = "changes to" if old.line.note else "is added:"
        note = f"{verb} {said(new.line.note)}" if new.line.note else "is removed"
        yield fact_about(f"the comment beside {quoted(new.line.text, 50)} {note}", 20, new)
        return
    if cleaned(old.line.text) == cleaned(new.line.text):
        yield fact_about(f"only blanks within {quoted(new.line.text)} change{where(new)}", 20, new)
        return
    if _is_spread(old, new):
        return  # what runs then is told by itself
    told: list[Fact] = []
    if old.sort is new.sort:
        told = list(_DIFFERENCES.get(new.sort, _instead)(old, new, scene))
    if told:
        yield from told
    elif fact := _narrowed(old, new, 64):
        yield fact
    else:
        before, after = old.line.text.rstrip(";,{ "), new.line.text.rstrip(";,{ ")
        yield _replaced(before, after, "", 60, new)


def _is_spread(old: Statement, new: Statement) -> bool:
    """Return True if one side of a condition has its body on the line, the other in a block."""
    before, after = old.parts, new.parts
    is_same = before.sort is after.sort is Sort.CONDITION and before.value == after.value
    return is_same and before.noun == after.noun and bool(before.body) != bool(after.body)


def _value(parts: Parts) -> str:
    """Return the part of a statement that `_INSTEAD` compares."""
    if parts.sort is Sort.CALL:
        return parts.text
    is_named = parts.sort in {Sort.RAISE, Sort.LOOP, Sort.SCOPE}
    return parts.name or parts.value if is_named else parts.value


def _instead(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    """Yield the new value and the old one, or where two long values differ."""
    was, now = _value(old.parts), _value(new.parts)
    is_named = new.sort in {Sort.ASSIGNMENT, Sort.ENTRY}
    if new.sort not in _INSTEAD or was == now:
        return
    if is_named and (old.parts.name != new.parts.name or not (was and now)):
        return
    text, weight = _INSTEAD[new.sort]
    is_same_call = new.sort is Sort.CALL and old.parts.name == new.parts.name
    if (max(len(was), len(now)) > _LONG or is_same_call) and (fact := _narrowed(old, new, weight)):
        yield fact
        return
    nothing = _NOTHING.get(new.sort, "nothing")
    before, after = contrasted(was, now)
    text = text.format(
        now=after if now else nothing,
        was=before if was else nothing,
        who=who(new),
        name=quoted(new.parts.name, 50),
        where=where(new),
        condition=condition_of(new),
    )
    yield fact_about(text, weight, new)


def _replaced(was: str, now: str, context: str, weight: int, new: Statement) -> Fact:
    before, after = contrasted(was, now)
    return fact_about(f"{after} replaces {before}{context}{where(new)}", weight, new)


_LISTS = frozenset(
    "list tuple set dictionary array object hash array_initializer initializer_list literal_value "
    "array_creation_expression initializer_expression expression_list string_array symbol_array "
    "parenthesized_expression element_value_array_initializer collection_expression arguments "
    "argument_list".split()
)
_WHOLE = frozenset(
    "string template_string string_literal keyword_argument pair named_argument "
    "concatenated_string interpreted_string_literal interpolated_string_expression "
    "encapsed_string".split()
)


def _narrowed(old: Statement, new: Statement, weight: int) -> Fact | None:
    """Return a fact about the only place where the trees of two statements differ."""
    if old.parts.node is None or new.parts.node is None or new.sort in DEFINITIONS:
        return None
    before, after, call = _differing(old.parts.node, new.parts.node)
    is_named_alike = old.parts.name == new.parts.name or new.sort is not Sort.ASSIGNMENT
    if not is_named_alike or bool(old.parts.value) != bool(new.parts.value):
        return None
    context = f" in the call of {quoted(call, 50)}" if call else ""
    if not call and new.parts.name and new.sort in {Sort.ASSIGNMENT, Sort.ENTRY}:
        context = f" in {quoted(new.parts.name, 50)}"
    if before.type in _LISTS and before.type == after.type:
        return _elements(before.named_children, after.named_children, context, weight, new)
    was, now = source_of(before), source_of(after)
    if was == now or before is old.parts.node:
        return None
    return _replaced(was, now, context, weight, new)


def _differing(old: "Node", new: "Node") -> "tuple[Node, Node, str]":
    """Descend to the smallest nodes that contain the whole difference; name the enclosing call."""
    call = ""
    while old.type == new.type and old.type not in _WHOLE:
        if len(old.children) != len(new.children):
            break
        differing = [
            (a, b) for a, b in zip(old.children, new.children, strict=True) if a.text != b.text
        ]
        if len(differing) != 1 or not (differing[0][0].is_named and differing[0][1].is_named):
            break
        if sort_of(old.type) is Sort.CALL and differing[0][0].type in _LISTS:
            call = callee_of(new)
        old, new = differing[0]
    return old, new, call


def _elements(
    old: "Sequence[Node]", new: "Sequence[Node]", context: str, weight: int, statement: Statement
) -> Fact | None:
    """Return a fact about added and removed arguments or elements."""
    before, after = list(map(source_of, old)), list(map(source_of, new))
    came = [text for text in after if text not in before]
    gone = [text for text in before if text not in after]
    if len(came) == len(gone) == 1:
        return _replaced(gone[0], came[0], context, weight, statement)
    if came and gone:
        is_cut = {quoted(one, 60) for one in came} & {quoted(one, 60) for one in gone}
        limit = 240 if is_cut else 60
        text = f"{_items(came, limit)} replace{'s' * (len(came) == 1)} {_items(gone, limit)}"
    elif items := came or gone:
        is_are = "is" if len(items) == 1 else "are"
        text = f"{_items(items)} {is_are} {'added' if came else 'removed'}"
    else:
        return None
    return fact_about(f"{text}{context}{where(statement)}", weight, statement)


def _items(texts: Sequence[str], limit: int = 60) -> str:
    return listed([quoted(text, limit) for text in texts], 3)


def _assignment(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    name = quoted(after.name, 50)
    if before.name != after.name or {before.operator, after.operator} - {"=", ":=", ""}:
        return
    if before.value != after.value:
        yield from _instead(old, new, scene)
        return
    if before.result and after.result and before.result != after.result:
        was, now = contrasted(before.result, after.result)
        yield fact_about(f"the type of {name} is now {now} instead of {was}{where(new)}", 68, new)
    yield from _modifiers(before, after, name, new)


def _modifiers(before: Parts, after: Parts, name: str, new: Statement) -> Iterator[Fact]:
    came = " ".join(quoted(m) for m in after.modifiers if m not in before.modifiers)
    gone = " ".join(quoted(m) for m in before.modifiers if m not in after.modifiers)
    if came:
        instead = f" instead of {gone}" if gone else ""
        yield fact_about(f"{name} is now {came}{instead}{where(new)}", 64, new)
    elif gone:
        yield fact_about(f"{name} is no longer {gone}{where(new)}", 64, new)


def _comment(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts.value.split(), new.parts.value.split()
    is_notice = re.search(r"copyright|licen[sc]e", new.parts.value, re.IGNORECASE)
    noun = "copyright or license notice" if is_notice else "comment or documentation"
    text, words = reworded(before, after, "a comment")
    wording = f"the {noun} is updated and says {words[:200]}"
    yield Fact(text + where(new), 26, new.line.line, wordings=(wording,))


def _type(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    what = f"the {after.noun} {quoted(after.name)}"
    if before.name != after.name:
        yield fact_about(f"{quoted(before.name)} is renamed to {what}", 86, new)
    if "".join(before.value.split()) != "".join(after.value.split()):
        was, now = contrasted(before.value, after.value)
        yield fact_about(f"{what} is now declared with {now} instead of {was}", 78, new)
    yield from _modifiers(before, after, what, new)


def _function(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    place = place_of(new)
    name = quoted(f"{place}.{after.name}" if place and "." not in after.name else after.name)
    if before.name != after.name:
        yield fact_about(
            f"{quoted(before.name)} is renamed to {name}", 70 if scene.is_test else 86, new
        )
        if not scene.is_test and not before.name.startswith("_"):
            text = f"callers of {quoted(before.name)} have to call {quoted(after.name)}"
            yield implied(text, 58, new)
    yield from _parameters(before, after, name, new, scene)
    if before.result != after.result:
        shown = contrasted(before.result, after.result)
        was, now = (shown[0] if before.result else "none", shown[1] if after.result else "none")
        yield fact_about(f"{name} now has the return type {now} instead of {was}", 78, new)
    yield from _modifiers(before, after, name, new)


def _unnamed(parts: Parts) -> Parts:
    """Return a header whose parameters are known by their code, as in C without names."""
    return replace(parts, parameters=tuple(replace(p, name=p.text) for p in parts.parameters))


def _parameters(
    before: Parts, after: Parts, name: str, new: Statement, scene: Scene
) -> Iterator[Fact]:
    if any(len({p.name for p in one.parameters}) < len(one.parameters) for one in (before, after)):
        before, after = _unnamed(before), _unnamed(after)
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
        shown = contrasted(was.text, now.text)
        text = f"the parameter {shown[0]} of {name} becomes {shown[1]}"
        if was.default != now.default and was.default and now.default and was.name == now.name:
            defaults = f"{quoted(now.default)} instead of {quoted(was.default)}"
            text = f"{quoted(now.name)} of {name} defaults to {defaults}"
        yield fact_about(text, 80, new)


_DIFFERENCES: dict[Sort, Callable[[Statement, Statement, Scene], Iterator[Fact]]] = {
    Sort.ASSIGNMENT: _assignment,
    Sort.COMMENT: _comment,
    Sort.TYPE: _type,
    Sort.FUNCTION: _function,
}
