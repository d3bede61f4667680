"""The table of kinds of change: sentence and weight for each added or removed statement.

A text may use the fields of `_fields`; facts of one kind are merged over `{item}`. A form refines
the sort of a statement: what a block does (`then`), or the statements it contains (`held`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from crscore_core.claims.model import ClaimKind
from crscore_core.claims.symbolic.aspects import aspect_of, variable_noun
from crscore_core.claims.symbolic.edits import Edit, Statement
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.grammar import Sort
from crscore_core.claims.symbolic.statement import DEFINITIONS, HEADINGS, Parts
from crscore_core.claims.symbolic.wording import listed, quoted, said


class Kind(NamedTuple):
    """The sentence and weight of a kind of change, and the field used as its item."""

    text: str
    weight: int
    item: str = ""


ADDED: dict[tuple[Sort, str], Kind] = {
    (Sort.COMMENT, ""): Kind("a comment is added{where}: {said}", 25),
    (Sort.IMPORT, ""): Kind("{item} <is> now imported", 38, "value"),
    (Sort.DECORATOR, ""): Kind("{item} <is> added as an annotation{target}{where}", 56, "code"),
    (Sort.FUNCTION, ""): Kind("the {noun}<s> {item} <is> added{where}", 80, "head"),
    (Sort.TYPE, ""): Kind("the {noun} {name} is added{where}{based}", 82),
    (Sort.CONDITION, ""): Kind("{who} now checks {value}", 76),
    (Sort.CONDITION, "then"): Kind("if {outer}{value}, {who} now {then}", 84),
    (Sort.CONDITION, "held"): Kind("{held} now run{s} only if {value}{where}", 84),
    (Sort.ELSE, "then"): Kind("unless {value}, {who} now {then}", 62),
    (Sort.CASE, ""): Kind("{who} now handles the case {value}", 72),
    (Sort.CASE, "then"): Kind("{who} now handles the case {value}, where it {then}", 72),
    (Sort.LOOP, ""): Kind("a loop {name} is added{where}", 74),
    (Sort.LOOP, "then"): Kind("a loop {name} is added{where} that {then}", 74),
    (Sort.LOOP, "held"): Kind("{held} now run{s} in the loop {name}{where}", 78),
    (Sort.SCOPE, "held"): Kind("{held} now run{s} inside {name}{where}", 76),
    (Sort.CATCH, ""): Kind("{who} now catches {value}", 78),
    (Sort.CATCH, "then"): Kind("{who} now catches {value} and then {then}", 78),
    (Sort.FINALLY, "then"): Kind("{who} now {then} in the end", 66),
    (Sort.RETURN, ""): Kind("{who} now {does}{if}", 76),
    (Sort.RAISE, ""): Kind("{who} now {does}{if}", 82),
    (Sort.CALL, ""): Kind("{item} <is> now called{where}", 64, "code"),
    (Sort.CALL, "test"): Kind("the test<s> {item} <is> added", 80, "name"),
    (Sort.ASSIGNMENT, ""): Kind("{item} <is> added{where}", 50, "code"),
    (Sort.ASSIGNMENT, "="): Kind("{name} is set to {value}{where}", 58),
    (Sort.ASSIGNMENT, "variable"): Kind("the variable {name} is set to {value}{where}", 50),
    (Sort.ASSIGNMENT, "field"): Kind("the field {name} is added{where} with the value {value}", 58),
    (Sort.ASSIGNMENT, "typed"): Kind("the {variable}<s> {item} <is> declared{where}", 48, "code"),
    (Sort.ENTRY, ""): Kind("the entr<y> {item} <is> added{where}", 56, "code"),
    (Sort.OTHER, ""): Kind("{item} <is> added{where}", 48, "code"),
}

REMOVED: dict[tuple[Sort, str], Kind] = {
    (Sort.COMMENT, ""): Kind("a comment is removed{source}: {said}", 22),
    (Sort.IMPORT, ""): Kind("{item} <is> no longer imported", 38, "value"),
    (Sort.FUNCTION, ""): Kind("the {noun}<s> {item} <is> removed{source}", 82, "head"),
    (Sort.TYPE, ""): Kind("the {noun} {name} is removed{source}", 82),
    (Sort.CONDITION, ""): Kind("the check {value} is removed{source}", 78),
    (Sort.CONDITION, "then"): Kind("the check {value}, after which {who} {then}, is removed", 84),
    (Sort.CONDITION, "held"): Kind("{held} no longer depend{s} on {value}{where}", 84),
    (Sort.ELSE, "then"): Kind("the branch in which {who} {then} unless {value} is removed", 60),
    (Sort.CASE, ""): Kind("{who} no longer handles the case {value}", 70),
    (Sort.LOOP, "held"): Kind("{held} no longer run{s} inside {name}{where}", 78),
    (Sort.SCOPE, "held"): Kind("{held} no longer run{s} inside {name}{where}", 78),
    (Sort.SCOPE, "then"): Kind("{name}, in which {who} {then}, is removed", 62),
    (Sort.CATCH, ""): Kind("{who} no longer catches {value}", 80),
    (Sort.RAISE, ""): Kind("{who} no longer {does}", 80),
    (Sort.CALL, ""): Kind("the call<s> {item} <is> removed{source}", 64, "code"),
    (Sort.CALL, "test"): Kind("the test<s> {item} <is> removed", 80, "name"),
    (Sort.ASSIGNMENT, ""): Kind("{item} <is> removed{source}", 48, "code"),
    (Sort.ENTRY, ""): Kind("the entr<y> {item} <is> removed{source}", 56, "code"),
    (Sort.OTHER, ""): Kind("{item} <is> removed{source}", 50, "code"),
}

_UNTOLD = frozenset({Sort.TRY, Sort.FINALLY, Sort.ELSE})
"""Sorts that are described by their contents, if at all."""

_BASED = re.compile(r"(?:extends\s|:\s|<\s|\((?=.*\)$))\s*(.*?)\)?$")

_DOES = {
    Sort.RETURN: "{operator}s {value}",
    Sort.RAISE: "{operator}s {value}",
    Sort.CALL: "calls {code}",
    Sort.CONDITION: "checks {value}",
    Sort.FUNCTION: "defines {name}",
}


@dataclass(frozen=True, slots=True)
class Scene:
    """The edits of a hunk by enclosing heading, and the kind of the file.

    For an added or removed heading, `inside` has the statements added or removed with it, and
    `nested` those that were already there. `code_now` is the added code, without spaces, and
    `code_before` has the removed statements and conditions.
    """

    is_test: bool
    code_now: str = ""
    code_before: frozenset[str] = frozenset()
    inside: dict[Statement, list[Edit]] = field(default_factory=dict)
    nested: dict[Statement, list[Statement]] = field(default_factory=dict)


def squeezed(code: str) -> str:
    """Return code without spaces."""
    return "".join(code.split())


_OR = re.compile(r"&&|\|\||\band\b|\bor\b")


def removed_code(statements: Sequence[Statement]) -> frozenset[str]:
    """Return removed statements, their conditions and parts of these, without spaces."""
    codes = [one.line.text for one in statements]
    for parts in (one.parts for one in statements):
        codes += [parts.body.text] if parts.body else []
        codes += [parts.value, *_OR.split(parts.value)] if parts.sort is Sort.CONDITION else []
    return frozenset(squeezed(code).rstrip(";{") for code in codes) - {""}


def does(parts: Parts) -> str:
    """Describe what a statement does: a verb in the third person with its object."""
    text = _DOES.get(parts.sort, "runs {code}")
    if parts.sort is Sort.ASSIGNMENT and parts.operator in {"=", ":="} and parts.value:
        text = "sets {name} to {value}"
    elif parts.sort in {Sort.RETURN, Sort.RAISE} and not parts.value:
        text = "returns early" if parts.sort is Sort.RETURN else "raises the error again"
    told = text.format(
        value=quoted(parts.value),
        name=quoted(parts.name, 60),
        operator=parts.operator.partition("_")[0],
        code=quoted(parts.text),
    )
    return f"{told} and then {does(parts.body)}" if parts.body else told


def place_of(statement: Statement) -> str:
    """Return the dotted name of the function or type around a statement; empty if unknown."""
    names: list[str] = []
    for heading in reversed(statement.around):
        if heading.sort is Sort.FUNCTION and not names:
            names.append(heading.parts.name)
        elif heading.sort is Sort.TYPE and heading.parts.noun not in {"namespace", "module"}:
            names.append(heading.parts.name)
            break
    return ".".join(reversed([name for name in names if name and len(name) <= 60]))


_TEST_HEADING = re.compile(r"test(?:_|[A-Z0-9]|$)|Test.*testing\.")
_TEST = re.compile(
    r"(?:describe|it|test|context|should|specify|suite|t\.Run|TEST(?:_[A-Z]+)?)\b"
    r"(?:\.(?:each|only|skip|todo|concurrent|failing|describe|step)\b[^\"'`]*)?"
    r"[( ]\s*(([\"'`])(?:\\.|(?!\2)[^\\])*\2)"
)


def where(statement: Statement) -> str:
    """Return ` in ...` with the location of a statement, and its condition; empty if unknown."""
    return _within(statement) + condition_of(statement)


_ACTING = frozenset({Sort.CALL, Sort.ASSIGNMENT, Sort.RETURN, Sort.RAISE})
"""Sorts of statements for which it matters whether they run."""


def condition_of(statement: Statement) -> str:
    """Return ` if ...` with the condition directly around a statement; empty without one."""
    around = statement.around[-1:]
    if statement.sort not in _ACTING or not around or around[0].sort is not Sort.CONDITION:
        return ""
    return f" if {quoted(around[0].parts.value, 60)}"


def _within(statement: Statement) -> str:
    if place := place_of(statement):
        return f" in {quoted(place)}"
    for heading in reversed(statement.around):
        if test := _TEST.match(heading.parts.text):
            return f" in the test {quoted(test[1])}"
        if heading.sort in {Sort.ASSIGNMENT, Sort.ENTRY} and heading.parts.name:
            return f" in {quoted(heading.parts.name, 40)}"
    return ""


_CONTROL = HEADINGS - DEFINITIONS


def who(statement: Statement) -> str:
    """Return the name of the function around a statement; `the code` if unknown."""
    outer = next((h for h in reversed(statement.around) if h.sort not in _CONTROL), None)
    is_known = outer is not None and outer.sort is Sort.FUNCTION and outer.parts.name
    return quoted(place_of(statement)) if is_known else "the code"


def fact_about(text: str, weight: int, statement: Statement, *items: str) -> Fact:
    """Return a fact about a statement, with its second wording."""
    is_preamble = statement.sort in {Sort.IMPORT, Sort.COMMENT} or (
        statement.sort is Sort.TYPE and statement.parts.noun in {"namespace", "module"}
    )
    place = where(statement)
    return Fact(
        text,
        weight,
        statement.line.line,
        items=items,
        wordings=(aspect_of(statement),),
        is_preamble=is_preamble,
        where=place if text.endswith(place) else "",
        is_definition=statement.sort is Sort.FUNCTION
        or (statement.sort is Sort.TYPE and not _within(statement))
        or form_of(statement) == "test",
    )


def implied(text: str, weight: int, statement: Statement) -> Fact:
    """Return an implication of a change to a statement."""
    return Fact(text, weight, statement.line.line, ClaimKind.IMPLICATION)


def fact_of_one_side(
    statement: Statement, scene: Scene, then: str, held: Sequence[Statement], *, is_added: bool
) -> Fact | None:
    """Return a fact about an added or removed statement; `held` are older statements inside it."""
    parts, table = statement.parts, ADDED if is_added else REMOVED
    if parts.text in _SILENT or (parts.sort is Sort.ELSE and not parts.value):
        return None
    if parts.value in {"{…}", "[…]"} and scene.inside.get(statement):
        return None
    if _stood_before(statement, scene) if is_added else _still_stands(statement, scene):
        return None
    block = "then" if then else "held" if held else ""
    form = form_of(statement)
    keys = [(Sort.CALL, form)] if form == "test" else []
    keys += [(parts.sort, key) for key in (form or block, block, "")]
    keys += [] if parts.sort in _UNTOLD else [(Sort.OTHER, "")]
    kind = next((table[key] for key in keys if key in table), None)
    if kind is None:
        return None
    fields = _fields(statement, scene, then, held)
    items = (fields[kind.item],) if kind.item else ()
    text = kind.text.format(item="{}", **fields)
    return fact_about(text, kind.weight + _MORE * _is_item(statement), statement, *items)


_MORE = 8
"""Weight added to facts about fields, items, and rows in languages without a grammar."""


def _is_item(statement: Statement) -> bool:
    if statement.sort is Sort.ASSIGNMENT:
        return variable_noun(statement) == "field"
    around = statement.around[-1:]
    is_inside = bool(around) and around[0].sort in {Sort.ASSIGNMENT, Sort.ENTRY}
    return statement.sort is Sort.OTHER and (is_inside or statement.parts.noun == "row")


_SILENT = frozenset({"pass", "<?php"})


_DECLARING = "(?:class|interface|type|struct|enum|const|let|var|function|def|func)"


def _stood_before(statement: Statement, scene: Scene) -> bool:
    """Return True if the change removes the same condition or code, in another form."""
    parts = statement.parts
    code = parts.value if parts.sort is Sort.CONDITION else parts.text
    return parts.sort not in DEFINITIONS and squeezed(code) in scene.code_before


def _still_stands(statement: Statement, scene: Scene) -> bool:
    """Return True if the change adds the same code, or the same name in another form."""
    parts = statement.parts
    if parts.sort is Sort.CALL and f"{parts.name}(" in scene.code_now:
        return True
    if parts.sort in DEFINITIONS and re.search(
        rf"{_DECLARING}{re.escape(parts.name)}\b", scene.code_now
    ):
        return True
    return squeezed(parts.text) in scene.code_now


def form_of(statement: Statement) -> str:
    """Return the form of a single statement: a kind of assignment, a test."""
    parts = statement.parts
    if statement.sort is Sort.ASSIGNMENT:
        noun = variable_noun(statement)
        if parts.operator in {"=", ":="} and parts.value:
            return noun if parts.noun or noun == "field" else "="
        return "typed" if parts.result and not parts.value else ""
    is_block = statement.sort is Sort.OTHER and parts.text.endswith((" do", " do … end", "{"))
    is_call = statement.sort is Sort.CALL or is_block
    return "test" if is_call and _TEST.match(parts.text) else ""


def _fields(
    statement: Statement, scene: Scene, then: str, held: Sequence[Statement]
) -> dict[str, str]:
    parts = statement.parts
    head = parts.name
    if parts.node is not None:
        head += f"({', '.join(parameter.text for parameter in parts.parameters)})"
    is_test = scene.is_test and bool(_TEST_HEADING.match(head.rpartition(".")[2] or head))
    value = {Sort.CATCH: "every error", Sort.CASE: "`default`"}.get(parts.sort, "nothing")
    based = _BASED.match(parts.value)
    outer = next((h for h in statement.around[-1:] if h.sort is Sort.CONDITION), None)
    test = _TEST.match(parts.text)
    return {
        "where": where(statement),
        "if": condition_of(statement),
        "source": _within(statement).replace(" in ", " from ", 1),
        "target": f" of {quoted(parts.name)}" if parts.name else "",
        "who": who(statement),
        "value": quoted(parts.value) if parts.value else value,
        "outer": f"{quoted(outer.parts.value, 60)} and " if outer else "",
        "name": quoted(test[1] if test else parts.name, 60),
        "head": quoted(head),
        "variable": variable_noun(statement),
        "noun": "test" if is_test else parts.noun or "function",
        "based": f", based on {quoted(based[1], 60)}" if based else "",
        "code": quoted(parts.text),
        "said": said(parts.value),
        "does": does(parts),
        "then": then,
        "s": "" if len(held) > 1 else "s",
        "held": listed([quoted(one.line.text, 50) for one in held], 2),
    }
