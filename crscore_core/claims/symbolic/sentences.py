"""The table of sentences, one for each kind of edit of code or settings, and what fills them."""

import re

from crscore_core.claims.symbolic.edits import Statement
from crscore_core.claims.symbolic.fact import (
    BEHAVIOUR,
    CALLED,
    DEFINED,
    IN,
    IS,
    ITEM,
    OF,
    PLAIN,
    SET,
    TRIVIAL,
    Fact,
    S,
    Y,
)
from crscore_core.claims.symbolic.statement import Parts, Sort
from crscore_core.claims.symbolic.wording import in_plain_words, quoted, said

SENTENCES: dict[tuple[Sort, str], tuple[str, int]] = {
    (Sort.COMMENT, ""): ("a comment is {added}{where}: {said}", TRIVIAL + 5),
    (Sort.IMPORT, ""): ("{item} {is_} {now} imported", TRIVIAL + 3),
    (Sort.IMPORT, "instead"): ("the import {was} becomes {value}", TRIVIAL + 3),
    (Sort.FUNCTION, ""): ("the {noun}{s} {item} {is_} {added}{where}", DEFINED),
    (Sort.TYPE, ""): ("the {noun} {name} is {added}{where}", DEFINED),
    (Sort.TEST, ""): ("the test{s} {item} {is_} {added}", DEFINED),
    (Sort.TEST, "instead"): ("the test {was} is renamed to {value}", DEFINED),
    (Sort.CONDITION, ""): ("{who} now checks {value}", BEHAVIOUR),
    (Sort.CONDITION, "removed"): ("the check {value} is removed{where}", BEHAVIOUR),
    (Sort.CONDITION, "then"): ("if {outer}{value}, {who} now {then}", BEHAVIOUR),
    (Sort.CONDITION, "then removed"): (
        "the check {value}, after which {who} {then}, is removed",
        BEHAVIOUR,
    ),
    (Sort.CONDITION, "held"): ("{held} now run{held_s} only if {value}{in_}", BEHAVIOUR),
    (Sort.CONDITION, "held removed"): (
        "{held} no longer depend{held_s} on {value}{in_}",
        BEHAVIOUR,
    ),
    (Sort.CASE, ""): ("{who} {now} handles the case {value}", CALLED),
    (Sort.CASE, "then"): ("{who} {now} handles the case {value}, where it {then}", CALLED),
    (Sort.LOOP, ""): ("a loop {name} is added{where}", CALLED),
    (Sort.LOOP, "removed"): ("{item} {is_} removed{where}", TRIVIAL),
    (Sort.LOOP, "then"): ("a loop {name} is added{where} that {then}", CALLED),
    (Sort.LOOP, "held"): ("{held} now run{held_s} in the loop {name}{in_}", CALLED),
    (Sort.LOOP, "held removed"): ("{held} no longer run{held_s} inside {name}{in_}", CALLED),
    (Sort.LOOP, "instead"): ("the loop {value} replaces {was}{in_}", CALLED),
    (Sort.SCOPE, "held"): ("{held} {now} run{held_s} inside {name}{in_}", CALLED),
    (Sort.CATCH, ""): ("{who} {now} catches {value}", BEHAVIOUR),
    (Sort.CATCH, "then"): ("{who} {now} catches {value} and then {then}", BEHAVIOUR),
    (Sort.CATCH, "then removed"): ("{who} no longer catches {value}", BEHAVIOUR),
    (Sort.RETURN, ""): ("{who} now {operator}s {value}{if_}", BEHAVIOUR),
    (Sort.RETURN, "removed"): ("{item} {is_} removed{where}", TRIVIAL),
    (Sort.RAISE, ""): ("{who} {now} {operator}s {value}{if_}", BEHAVIOUR),
    (Sort.CALL, ""): ("{item} {is_} now called{where}", CALLED),
    (Sort.CALL, "removed"): ("the call{s} {item} {is_} removed{where}", CALLED),
    (Sort.CALL, "instead"): ("{value} is now called instead of {was}{in_}", CALLED),
    (Sort.ASSIGNMENT, ""): ("{item} {is_} {added}{where}", TRIVIAL),
    (Sort.ASSIGNMENT, "="): ("{name} is set to {value}{where}", SET),
    (Sort.ASSIGNMENT, "variable"): ("the variable {name} is set to {value}{where}", TRIVIAL),
    (Sort.ASSIGNMENT, "field"): ("the field{s} {item} {is_} {added}{where}", SET),
    (Sort.ASSIGNMENT, "removed"): ("{item} {is_} removed{where}", TRIVIAL),
    (Sort.ASSIGNMENT, "instead"): ("{name} is now {value} instead of {was}{in_}", SET),
    (Sort.ENTRY, ""): ("the entr{y} {item} {is_} {added}{where}", SET),
    (Sort.ENTRY, "instead"): ("{name} is now {value} instead of {was}{in_}", SET),
    (Sort.SECTION, ""): ("the section {name} is {added}", PLAIN),
    (Sort.OTHER, ""): ("{item} {is_} {added}{where}", TRIVIAL),
    (Sort.OTHER, "row"): ("{item} {is_} {added}{where}", PLAIN),
    (Sort.OTHER, "note"): ("{item} {is_} {added} as an annotation{of_}", PLAIN),
}
"""Sentence and rank of an edit by the sort of its statement and a form, "" if there is no other.

If a statement is removed, "form removed" and "removed" come before "form" and "". Without
"instead", a new value is described by the sentence of "", followed by the value before.
"""


NOTHING = {
    Sort.CATCH: "every error",
    Sort.CASE: "`default`",
    Sort.RAISE: "the caught error",
}


_ASPECTS = {
    Sort.COMMENT: "the comment or documentation about {value}",
    Sort.IMPORT: "the import of the module {value}",
    Sort.FUNCTION: "the method or function {name} with {items}",
    Sort.TYPE: "the {noun} {title}",
    Sort.CONDITION: "the condition, an if statement that checks whether {value}",
    Sort.CASE: "the case {value} of the switch",
    Sort.LOOP: "the loop, the iteration over {value}",
    Sort.CATCH: "the error handling, the exception {value} that is caught",
    Sort.RETURN: "the return value {value}",
    Sort.RAISE: "the error or exception with its error message {value}",
    Sort.ASSIGNMENT: "the {variable} {name} with the value {value}",
    Sort.ENTRY: "the property or key {name} with the value {value}",
    Sort.TEST: "the test {name}",
}
"""Second wordings: the construct in a reviewer's words, with names as plain words."""


_CALLS = (
    (
        r"^(?:print\w*|echo|puts|console\.log|fmt\.Print\w*|System\.out\.\w+)\b",
        "the print statement",
    ),
    (r"^(?:\w+[.:])*(?:assert\w*|expect|should\w*|require)\b", "the assertion in the test"),
    (r"(?i)^(?:\w+[.:])*(?:log\w*|warn\w*|debug|info|trace|error|fatal)\b", "the log message"),
    (r"^[\w.>:$-]+\(", "the call of the method"),
    (r"", "the code"),
)


def place_of(statement: Statement) -> str:
    """Return the dotted name of the function or type around a statement; empty if unknown."""
    names: list[str] = []
    for heading in reversed(statement.around):
        if heading.sort is Sort.TYPE and heading.parts.noun not in {"namespace", "module"}:
            return ".".join([heading.parts.name, *names])
        if heading.sort is Sort.FUNCTION and not names:
            names = [heading.parts.name]
    return "".join(names)


def condition_of(statement: Statement) -> str:
    """Return ` if ...` with the condition directly around a statement; empty without one."""
    acts = statement.sort in {Sort.CALL, Sort.ASSIGNMENT, Sort.RETURN, Sort.RAISE}
    if not (acts and statement.around and statement.around[-1].sort is Sort.CONDITION):
        return ""
    return f" if {quoted(statement.around[-1].parts.value, 60)}"


def _within(statement: Statement) -> str:
    """Return the function, type, test or value around a statement; empty if unknown."""
    if place := place_of(statement):
        return quoted(place, 60)
    for heading in reversed(statement.around):
        if heading.sort is Sort.TEST:
            return f"the test {quoted(heading.parts.name)}"
        if heading.sort in {Sort.ASSIGNMENT, Sort.ENTRY, Sort.SECTION} and heading.parts.name:
            return quoted(heading.parts.name, 40)
    return ""


def _who_of(statement: Statement) -> str:
    """Return the function around a statement, quoted; "the code" if unknown."""
    outer = statement.owner
    is_known = outer is not None and outer.sort is Sort.FUNCTION
    return quoted(place_of(statement), 60) if is_known else "the code"


def about(text: str, rank: int, statement: Statement, item: str = "") -> Fact:
    """Return a fact about a statement, with its second wording."""
    text = text.replace(IN, IN + condition_of(statement))
    where = _within(statement) if IN[0] in text else ""
    items, wordings = (item,) if item else (), (_aspect(statement),)
    return Fact(text, rank, statement.line.line, items, where, wordings)


def _aspect(statement: Statement) -> str:
    """Describe the construct of a statement, with its names as plain words."""
    parts = statement.parts
    if parts.sort not in _ASPECTS:
        noun = next(noun for pattern, noun in _CALLS if re.search(pattern, parts.text))
        return f"{noun} {in_plain_words(parts.text[:120])}"
    is_constant = re.fullmatch(r"[A-Z][A-Z0-9_]+", parts.name)
    items = in_plain_words(" ".join(parameter.name for parameter in parts.parameters)[:80])
    return _ASPECTS[parts.sort].format(
        name=in_plain_words(parts.name[:60]),
        title=in_plain_words(_title(parts)[:100]),
        value=in_plain_words(parts.value[:100]),
        noun=parts.noun,
        items=f"the parameters {items}" if items else "no parameters",
        variable="constant" if is_constant else "field" if is_field(statement) else "variable",
    )


def filled(row: tuple[str, int], statement: Statement, **fields: str) -> Fact:
    """Return the fact of a row of `SENTENCES`, with the parts of a statement and other fields."""
    parts, (text, rank) = statement.parts, row
    head = f"{parts.name}({', '.join(one.text for one in parts.parameters)})"
    items = {Sort.FUNCTION: head, Sort.TEST: parts.name, Sort.IMPORT: parts.value}
    common = {
        "name": quoted(_title(parts), 60),
        "value": value_of(parts),
        "operator": parts.operator,
        "said": said(parts.value),
        "who": _who_of(statement),
        "if_": condition_of(statement),
    }
    marks = {"item": ITEM, "is_": IS, "s": S, "y": Y, "where": IN, "in_": IN, "of_": OF}
    item = quoted(items.get(parts.sort, parts.text)) if "{item}" in text else ""
    return about(text.format(**(common | marks | fields)), rank, statement, item)


def value_of(parts: Parts) -> str:
    """Return the value of a statement, quoted, or what it means that there is none."""
    return quoted(parts.value) if parts.value else NOTHING.get(parts.sort, "nothing")


def _title(parts: Parts) -> str:
    """Return the name of a definition with what follows it, such as its bases."""
    if parts.sort is not Sort.TYPE:
        return parts.name
    start = parts.noun if parts.noun == "impl" else parts.name
    return parts.text[parts.text.find(start) :].removeprefix("impl ")


def is_field(statement: Statement) -> bool:
    """Return True if a statement is directly in a type."""
    around = statement.around[-1:]
    is_near = bool(around) and statement.line.indent <= around[0].line.indent + 5
    return is_near and around[0].sort is Sort.TYPE
