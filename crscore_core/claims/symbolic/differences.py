"""Changed statement -> facts: the smallest difference that its tree or its tokens show."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from crscore_core.claims.symbolic.edits import Statement
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.kinds import (
    Scene,
    call_text,
    does,
    fact_about,
    implied,
    place_of,
    where,
    who,
)
from crscore_core.claims.symbolic.lexis import TokenKind, common_ends, tokenize
from crscore_core.claims.symbolic.statement import (
    CALLS,
    Parameter,
    Parts,
    Sort,
    callee_of,
    source_of,
)
from crscore_core.claims.symbolic.wording import cleaned, listed, quoted, said

if TYPE_CHECKING:
    from tree_sitter import Node

_SHORT = 60


def facts_of_difference(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    """Say how a statement differs from what it was."""
    if cleaned(old.line.text) == cleaned(new.line.text) and old.line.key != new.line.key:
        yield fact_about(f"only blanks within {quoted(new.line.text)} change{where(new)}", 20, new)
        return
    if old.line.key == new.line.key:
        yield fact_about(
            f"the comment beside {quoted(new.line.text, 50)} changes to {said(new.line.note)}"
            if new.line.note
            else f"the comment beside {quoted(new.line.text, 50)} is removed",
            20,
            new,
        )
        return
    told = list(_DIFFERENCES[new.sort](old, new, scene)) if (
        old.sort is new.sort and new.sort in _DIFFERENCES
    ) else []  # fmt: skip
    yield from told or [_rewritten(old, new)]


def _rewritten(old: Statement, new: Statement) -> Fact:
    if fact := _narrowed(old, new):
        return fact
    if fact := _narrowed_by_tokens(old, new):
        return fact
    before, after = old.line.text.rstrip(";,{ "), new.line.text.rstrip(";,{ ")
    return fact_about(f"{quoted(after)} replaces {quoted(before)}{where(new)}", 60, new)


def _narrowed_by_tokens(old: Statement, new: Statement) -> Fact | None:
    """Tell the tokens between those that two long statements share at both ends."""
    if old.sort is not new.sort:
        return None
    start, end = common_ends(old.line.key, new.line.key)
    was, now = (_between(statement.line.text, start, end) for statement in (old, new))
    if start + end < _SHARED or not (was or now) or len(was) + len(now) > 160:
        return None
    if not (_is_balanced(was) and _is_balanced(now)):
        return None
    context, place = _context(new) or f" in {quoted(new.line.text, 50)}", where(new)
    if was and now:
        text = f"{quoted(now)} replaces {quoted(was)}{context}{place}"
    else:
        text = f"{quoted(now or was)} is {'added' if now else 'removed'}{context}{place}"
    return fact_about(text, 60, new)


def _between(code: str, start: int, end: int) -> str:
    """Return code without its first `start` and its last `end` tokens."""
    tokens = [t for t in tokenize(code, None) if t.kind is not TokenKind.COMMENT]
    middle = tokens[start : len(tokens) - end]
    return code[middle[0].start : middle[-1].start + len(middle[-1].text)] if middle else ""


_SHARED = 6
"""Tokens that two statements share at their ends, from which only the others are told."""


def _narrowed(old: Statement, new: Statement, weight: int = 64) -> Fact | None:
    """Tell the one place within two statements where their trees differ."""
    if old.parts.node is None or new.parts.node is None:
        return None
    if bool(old.parts.value) != bool(new.parts.value):
        return None
    before, after, call = _differing(old.parts.node, new.parts.node)
    was, now = source_of(before), source_of(after)
    context = f" in the call of {quoted(call, 50)}" if call else _context(new)
    place = where(new)
    if before.type.endswith(("arguments", "argument_list")):
        return _arguments(*_children(before, after), call, new, weight)
    if before.type in _LISTS and before.type == after.type:
        return _elements(*_children(before, after), context + place, new, weight)
    if was == now or len(was) + len(now) > 200:
        return None
    if now and was and now.startswith(was) and len(now) - len(was) > 2:
        rest = now.removeprefix(was).strip()
        if _is_balanced(rest):
            return fact_about(
                f"{quoted(rest)} is added after {quoted(was, 50)}{context}{place}", weight, new
            )
    if now and was and was.startswith(now) and len(was) - len(now) > 2:
        rest = was.removeprefix(now).strip()
        if _is_balanced(rest):
            return fact_about(
                f"{quoted(rest)} is removed after {quoted(now, 50)}{context}{place}", weight, new
            )
    return fact_about(f"{quoted(now)} replaces {quoted(was)}{context}{place}", weight, new)


_LISTS = frozenset(
    "list tuple set dictionary array object hash array_initializer initializer_list literal_value "
    "array_creation_expression initializer_expression expression_list string_array symbol_array "
    "parenthesized_expression element_value_array_initializer collection_expression".split()
)


def _children(old: "Node", new: "Node") -> tuple[list[str], list[str]]:
    return [source_of(c) for c in old.named_children], [source_of(c) for c in new.named_children]


def _elements(
    old: Sequence[str], new: Sequence[str], context: str, statement: Statement, weight: int
) -> Fact | None:
    """Tell which elements of a list came or went."""
    came = [text for text in new if text not in old]
    gone = [text for text in old if text not in new]
    if came and gone:
        text = f"{_items(came)} replace{'s' * (len(came) == 1)} {_items(gone)}{context}"
    elif came or gone:
        verb = "added" if came else "removed"
        items = came or gone
        text = f"{_items(items)} {'is' if len(items) == 1 else 'are'} {verb}{context}"
    else:
        return None
    return fact_about(text, weight, statement)


def _is_balanced(code: str) -> bool:
    return all(code.count(a) == code.count(b) for a, b in ("()", "[]", "{}", '""')) and (
        code.count('"') % 2 == 0
    )


def _context(statement: Statement) -> str:
    parts = statement.parts
    match parts.sort:
        case Sort.RETURN:
            return " in what is returned"
        case Sort.ASSIGNMENT | Sort.ENTRY if parts.name:
            return f" in the value of {quoted(parts.name, 50)}"
        case Sort.CONDITION:
            return " in a condition"
        case Sort.RAISE if parts.name:
            return f" in the error {quoted(parts.name, 50)}"
        case Sort.LOOP:
            return " in the loop"
    return ""


def _differing(old: "Node", new: "Node") -> "tuple[Node, Node, str]":
    """Descend to the smallest nodes that hold the whole difference; name the call around them."""
    call = ""
    for _ in range(40):
        if old.type != new.type:
            break
        before, after = old.children, new.children
        if len(before) != len(after):
            break
        differing = [(a, b) for a, b in zip(before, after, strict=True) if a.text != b.text]
        if len(differing) != 1 or not (differing[0][0].is_named and differing[0][1].is_named):
            break
        if old.type in {"string", "template_string", "string_literal", "keyword_argument", "pair",
                        "named_argument", "concatenated_string", "interpreted_string_literal",
                        "interpolated_string_expression", "encapsed_string"}:  # fmt: skip
            break
        if old.type in CALLS and source_of(old.child_by_field_name("arguments")) != source_of(
            new.child_by_field_name("arguments")
        ):
            call = callee_of(new)
        old, new = differing[0]
    return old, new, call


def _arguments(
    old: Sequence[str], new: Sequence[str], call: str, statement: Statement, weight: int
) -> Fact:
    place, of = where(statement), f"the call of {quoted(call, 50)}" if call else "the arguments"
    came = [text for text in new if text not in old]
    gone = [text for text in old if text not in new]
    if came and gone:
        text = f"{of} now passes {_items(came)} instead of {_items(gone)}{place}"
    elif came:
        text = f"{of} now also passes {_items(came)}{place}"
    elif gone:
        text = f"{of} no longer passes {_items(gone)}{place}"
    else:
        text = f"{of} now passes {_items(new)} in another order{place}"
    return fact_about(text, weight, statement)


def _items(texts: Sequence[str]) -> str:
    return listed([quoted(text, 60) for text in texts], 3)


def _import_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    yield fact_about(
        f"{quoted(new.parts.value)} is now imported instead of {quoted(old.parts.value)}", 42, new
    )


def _condition_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after, place = old.parts.value, new.parts.value, where(new)
    if before == after:
        if old.parts.body and new.parts.body:
            yield fact_about(
                f"if {quoted(after)}, {who(new)} now {does(new.parts.body)}; before, it "
                f"{does(old.parts.body)}", 74, new,
            )  # fmt: skip
        return
    for marks, verb, lost in (
        (("&&", "and"), "now also requires", "no longer requires"),
        (("||", "or"), "now also holds if", "no longer holds just because"),
    ):
        for mark in marks:
            was, now = _clauses(before, mark), _clauses(after, mark)
            if len(was) == len(now):
                continue
            came = [clause for clause in now if clause not in was]
            gone = [clause for clause in was if clause not in now]
            if came and not gone:
                yield fact_about(
                    f"the check {quoted(before, 60)}{place} {verb} {_items(came)}", 82, new
                )
                return
            if gone and not came:
                yield fact_about(
                    f"the check {quoted(after, 60)}{place} {lost} {_items(gone)}", 82, new
                )
                return
    yield fact_about(f"{who(new)} now checks {quoted(after)} instead of {quoted(before)}", 80, new)


def _clauses(condition: str, mark: str) -> list[str]:
    """Split a condition at a mark outside brackets; whole where another mark joins clauses."""
    padded = f" {mark} "
    if padded not in condition:
        return [condition]
    others = {"&&", "and", "||", "or"} - {mark}
    clauses, depth, start, index = [], 0, 0, 0
    while index < len(condition):
        depth += (condition[index] in "([{") - (condition[index] in ")]}")
        if depth == 0 and condition.startswith(padded, index):
            clauses.append(condition[start:index].strip())
            index += len(padded)
            start = index
            continue
        if depth == 0 and any(condition.startswith(f" {other} ", index) for other in others):
            return [condition]
        index += 1
    return [*clauses, condition[start:].strip()]


def _return_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts.value, new.parts.value
    if max(len(before), len(after)) > _SHORT and (fact := _narrowed(old, new, 74)):
        yield fact
        return
    was = quoted(before) if before else "nothing"
    now = quoted(after) if after else "nothing"
    verb = "yields" if new.parts.operator.startswith("yield") else "returns"
    yield fact_about(f"{who(new)} now {verb} {now} instead of {was}", 78, new)


def _raise_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    if old.parts.name != new.parts.name:
        was, now = old.parts.name or old.parts.value, new.parts.name or new.parts.value
        verb = "throws" if "throw" in new.parts.operator else "raises"
        yield fact_about(f"{who(new)} now {verb} {quoted(now)} instead of {quoted(was)}", 80, new)
    elif fact := _narrowed(old, new, 64):
        yield fact


def _assignment_changed(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    before, after, place = old.parts, new.parts, where(new)
    name = quoted(after.name, 50)
    if before.name != after.name:
        if before.value == after.value and before.value:
            text = f"{quoted(after.value)} is now assigned to {name} instead of {quoted(before.name, 50)}"
            yield fact_about(text + place, 56, new)
        return
    if before.value == after.value:
        if before.result != after.result and before.result and after.result:
            text = f"the type of {name} is now {quoted(after.result)} instead of {quoted(before.result)}"
            yield fact_about(text + place, 68, new)
        elif before.modifiers != after.modifiers:
            yield _modified(before, after, name, new)
        return
    if not before.value or not after.value:
        was, now = before.value or "no value", after.value or "no value"
        yield fact_about(f"{name} now has the value {quoted(now)}{place}" if after.value
                    else f"{name} no longer has the value {quoted(was)}{place}", 62, new)  # fmt: skip
        return
    if max(len(before.value), len(after.value)) > _SHORT and (fact := _narrowed(old, new, 62)):
        yield fact
        return
    yield fact_about(
        f"{name} is now {quoted(after.value)} instead of {quoted(before.value)}{place}", 68, new
    )


def _modified(before: Parts, after: Parts, name: str, new: Statement) -> Fact:
    came = [m for m in after.modifiers if m not in before.modifiers]
    gone = [m for m in before.modifiers if m not in after.modifiers]
    place = where(new)
    if came and gone:
        text = (
            f"{name} is now {' '.join(map(quoted, came))} instead of {' '.join(map(quoted, gone))}"
        )
    elif came:
        text = f"{name} is now {' '.join(map(quoted, came))}"
    else:
        text = f"{name} is no longer {' '.join(map(quoted, gone))}"
    return fact_about(text + place, 64, new)


def _call_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    if before.name == after.name:
        if fact := _narrowed(old, new, 68):
            yield fact
        else:
            yield _arguments(before.items, after.items, after.name, new, 66)
        return
    if before.items == after.items and before.items:
        text = f"{quoted(after.name)} is now called instead of {quoted(before.name)} with {_items(after.items)}"
        yield fact_about(text + where(new), 70, new)
        return
    if max(len(call_text(before)), len(call_text(after))) > 80 and (fact := _narrowed(old, new)):
        yield fact
        return
    text = f"{quoted(call_text(after))} is now called instead of {quoted(call_text(before))}"
    yield fact_about(text + where(new), 68, new)


def _entry_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after, place = old.parts, new.parts, where(new)
    if before.name == after.name and before.value and after.value:
        if max(len(before.value), len(after.value)) > _SHORT and (fact := _narrowed(old, new, 60)):
            yield fact
            return
        yield fact_about(
            f"{quoted(after.name, 50)} is now {quoted(after.value)} instead of "
            f"{quoted(before.value)}{place}", 66, new,
        )  # fmt: skip
    elif before.value == after.value:
        yield fact_about(
            f"{quoted(before.name)} is now called {quoted(after.name)}{place}", 62, new
        )


def _catch_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    if old.parts.value != new.parts.value:
        was, now = (quoted(p.value) if p.value else "every error" for p in (old.parts, new.parts))
        yield fact_about(f"{who(new)} now catches {now} instead of {was}", 80, new)


def _comment_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts.value.split(), new.parts.value.split()
    start, end = common_ends(before, after)
    was = " ".join(before[start : len(before) - end])
    now = " ".join(after[start : len(after) - end])
    if not was:
        text = f"{said(now)} is added to the comment {said(old.parts.value, 60)}"
    elif not now:
        text = f"{said(was)} is removed from the comment {said(old.parts.value, 60)}"
    else:
        text = f"a comment now says {said(now)} instead of {said(was)}"
    topic = now or was
    yield Fact(
        text + where(new), 26, new.line.line,
        wordings=(f"{_kind_of_comment(new.parts.value)} says {topic[:200]}",),
    )  # fmt: skip


def _kind_of_comment(text: str) -> str:
    if "copyright" in text.lower() or "license" in text.lower():
        return "the copyright or license notice is updated and"
    return "the comment or documentation is updated and"


def _type_changed(old: Statement, new: Statement, _: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    if before.name != after.name:
        yield fact_about(
            f"the {after.noun} {quoted(before.name)} is renamed to {quoted(after.name)}", 84, new
        )
        yield implied(
            f"code that uses {quoted(before.name)} has to use {quoted(after.name)}", 40, new
        )
    if before.value != after.value:
        was = quoted(before.value) if before.value else "nothing"
        now = quoted(after.value) if after.value else "nothing"
        yield fact_about(
            f"the {after.noun} {quoted(after.name)} is now declared with {now} instead of {was}",
            78,
            new,
        )
    elif before.modifiers != after.modifiers and before.name == after.name:
        yield _modified(before, after, quoted(after.name), new)


def _function_changed(old: Statement, new: Statement, scene: Scene) -> Iterator[Fact]:
    before, after = old.parts, new.parts
    place = place_of(new)
    name = quoted(f"{place}.{after.name}" if place and "." not in after.name else after.name)
    if before.name != after.name:
        yield fact_about(f"{quoted(before.name)} is renamed to {name}", 86, new)
        if not scene.is_test and before.name and not before.name.startswith("_"):
            yield implied(
                f"callers of {quoted(before.name)} have to call {quoted(after.name)}", 42, new
            )
    yield from _parameters_changed(before.parameters, after.parameters, name, new, scene)
    if before.result != after.result:
        if before.result and after.result:
            yield fact_about(
                f"{name} now has the return type {quoted(after.result)} instead of "
                f"{quoted(before.result)}", 78, new,
            )  # fmt: skip
        elif after.result:
            yield fact_about(f"{name} now declares the return type {quoted(after.result)}", 66, new)
        else:
            yield fact_about(
                f"{name} no longer declares the return type {quoted(before.result)}", 66, new
            )
    if before.modifiers != after.modifiers:
        yield _modified(before, after, name, new)
    if throws := _throws(new) - _throws(old):
        yield fact_about(f"{name} now declares that it throws {_items(sorted(throws))}", 76, new)
    if throws := _throws(old) - _throws(new):
        yield fact_about(
            f"{name} no longer declares that it throws {_items(sorted(throws))}", 76, new
        )


def _throws(statement: Statement) -> set[str]:
    _, _, rest = statement.line.text.partition(" throws ")
    return {name.strip() for name in rest.rstrip("{; ").split(",") if name.strip()}


def _parameters_changed(
    old: Sequence[Parameter],
    new: Sequence[Parameter],
    name: str,
    statement: Statement,
    scene: Scene,
) -> Iterator[Fact]:
    before, after = {p.name: p for p in old}, {p.name: p for p in new}
    came = [p for p in new if p.name not in before]
    gone = [p for p in old if p.name not in after]
    if came and len(came) == len(gone) and len(old) == len(new):
        for was, now in zip(gone, came, strict=True):
            yield fact_about(
                f"the parameter {quoted(was.text)} of {name} becomes {quoted(now.text)}",
                72,
                statement,
            )
        came, gone = [], []
    if came:
        yield fact_about(f"{name} takes the new parameter<s> {{}}", 84, statement,
                    *(quoted(p.text) for p in came))  # fmt: skip
        required = [p for p in came if not p.is_optional]
        if required and not scene.is_test:
            yield implied(
                f"callers of {name} have to pass {_items([p.name for p in required])}",
                60,
                statement,
            )
    if gone:
        yield fact_about(f"{name} no longer takes the parameter<s> {{}}", 84, statement,
                    *(quoted(p.text) for p in gone))  # fmt: skip
        if not scene.is_test:
            yield implied(
                f"callers of {name} can no longer pass {_items([p.name for p in gone])}",
                58,
                statement,
            )
    for parameter in new:
        other = before.get(parameter.name)
        if other is None or other.text == parameter.text:
            continue
        short = quoted(parameter.name)
        if other.default != parameter.default:
            if other.default and parameter.default:
                text = (f"{short} of {name} defaults to {quoted(parameter.default)} instead of "
                        f"{quoted(other.default)}")  # fmt: skip
            elif parameter.default:
                text = f"{short} of {name} now defaults to {quoted(parameter.default)}"
            else:
                text = f"{short} of {name} no longer has the default {quoted(other.default)}"
            yield fact_about(text, 82, statement)
        else:
            text = f"the parameter {quoted(other.text)} of {name} becomes {quoted(parameter.text)}"
            yield fact_about(text, 74, statement)


_DIFFERENCES: dict[Sort, Callable[[Statement, Statement, Scene], Iterator[Fact]]] = {
    Sort.IMPORT: _import_changed,
    Sort.CONDITION: _condition_changed,
    Sort.RETURN: _return_changed,
    Sort.RAISE: _raise_changed,
    Sort.ASSIGNMENT: _assignment_changed,
    Sort.CALL: _call_changed,
    Sort.ENTRY: _entry_changed,
    Sort.CATCH: _catch_changed,
    Sort.COMMENT: _comment_changed,
    Sort.TYPE: _type_changed,
    Sort.FUNCTION: _function_changed,
}
