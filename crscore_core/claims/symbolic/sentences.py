"""The table of sentences, one for each kind of edit, and the functions that fill them."""

import re

from crscore_core.claims.symbolic.fact import Fact, Rank
from crscore_core.claims.symbolic.nesting import Statement
from crscore_core.claims.symbolic.patterns import Kind
from crscore_core.claims.symbolic.statement import ParsedStatement
from crscore_core.claims.symbolic.wording import quote, quote_prose, to_plain_words

SENTENCES: dict[Kind, dict[str, tuple[str, int]]] = {
    Kind.COMMENT: {"": ("a comment is {added}{where}: {comment}", Rank.COMMENT)},
    Kind.IMPORT: {
        "": ("{item} {is_or_are} {now} imported", Rank.IMPORT),
        "instead": ("the import {was} becomes {value}", Rank.IMPORT),
    },
    Kind.FUNCTION: {
        "": ("the {noun}{plural_s} {item} {is_or_are} {added}{where}", Rank.DEFINITION)
    },
    Kind.TYPE: {"": ("the {keyword} {name} is {added}{where}", Rank.DEFINITION)},
    Kind.TEST: {"": ("the test{plural_s} {item} {is_or_are} {added}", Rank.DEFINITION)},
    Kind.CONDITION: {
        "": ("{subject} now checks {value}", Rank.BEHAVIOUR),
        "removed": ("the check {value} is removed{where}", Rank.BEHAVIOUR),
        "then": ("if {outer}{value}, {subject} now {then}", Rank.BEHAVIOUR),
        "then removed": (
            "the check {value}, after which {subject} {then}, is removed",
            Rank.BEHAVIOUR,
        ),
        "kept": ("{kept} now {run} only if {value}{in_place}", Rank.BEHAVIOUR),
        "kept removed": ("{kept} no longer {depend} on {value}{in_place}", Rank.BEHAVIOUR),
    },
    Kind.CASE: {
        "": ("{subject} {now} handles the case {value}", Rank.CALL),
        "then": ("{subject} {now} handles the case {value}, where it {then}", Rank.CALL),
    },
    Kind.LOOP: {
        "": ("a loop {name} is added{where}", Rank.CALL),
        "removed": ("{item} {is_or_are} removed{where}", Rank.TRIVIAL),
        "then": ("a loop {name} is added{where} that {then}", Rank.CALL),
        "kept": ("{kept} now {run} in the loop {name}{in_place}", Rank.CALL),
        "kept removed": ("{kept} no longer {run} inside {name}{in_place}", Rank.CALL),
        "instead": ("the loop {value} replaces {was}{in_place}", Rank.CALL),
    },
    Kind.SCOPE: {"kept": ("{kept} {now} {run} inside {name}{in_place}", Rank.CALL)},
    Kind.CATCH: {
        "": ("{subject} {now} catches {value}", Rank.BEHAVIOUR),
        "then": ("{subject} {now} catches {value} and then {then}", Rank.BEHAVIOUR),
        "then removed": ("{subject} no longer catches {value}", Rank.BEHAVIOUR),
    },
    Kind.RETURN: {
        "": ("{subject} now {verb} {value}{if_condition}", Rank.BEHAVIOUR),
        "removed": ("{item} {is_or_are} removed{where}", Rank.TRIVIAL),
    },
    Kind.RAISE: {"": ("{subject} {now} {verb} {value}{if_condition}", Rank.BEHAVIOUR)},
    Kind.CALL: {
        "": ("{item} {is_or_are} now called{where}", Rank.CALL),
        "removed": ("the call{plural_s} {item} {is_or_are} removed{where}", Rank.CALL),
        "instead": ("{value} is now called instead of {was}{where}", Rank.CALL),
    },
    Kind.ASSIGNMENT: {
        "": ("{item} {is_or_are} {added}{where}", Rank.TRIVIAL),
        "=": ("{name} is set to {value}{where}", Rank.VALUE),
        "declared": ("the variable {name} is set to {value}{where}", Rank.TRIVIAL),
        "field": ("the field{plural_s} {item} {is_or_are} {added}{where}", Rank.VALUE),
        "removed": ("{item} {is_or_are} removed{where}", Rank.TRIVIAL),
        "instead": ("{name} is now {value} instead of {was}{where}", Rank.VALUE),
    },
    Kind.ENTRY: {
        "": ("the entr{y_or_ies} {item} {is_or_are} {added}{where}", Rank.VALUE),
        "instead": ("{name} is now {value} instead of {was}{in_place}", Rank.VALUE),
    },
    Kind.SECTION: {"": ("the section {name} is {added}", Rank.TEXT)},
    Kind.OTHER: {"": ("{item} {is_or_are} {added}{where}", Rank.TRIVIAL)},
    Kind.ROW: {"": ("{item} {is_or_are} {added}{where}", Rank.TEXT)},
    Kind.ANNOTATION: {"": ("{item} {is_or_are} {added} as {an_annotation}{of_place}", Rank.TEXT)},
}
"""Template and rank of a sentence, by the kind of a statement and by form; "" is the default form.

If a statement is removed, "form removed" and "removed" come before "form" and "". Without
"instead", the template of "" describes a new value, followed by the old one. `{where}` is the place
and condition that a statement is in, or the place that it is removed from.
"""

WITHOUT_VALUE = {
    Kind.CATCH: "every error",
    Kind.CASE: "`default`",
    Kind.RAISE: "the caught error",
}
"""Meanings of statements without a value, by kind."""

_SECOND_WORDINGS = {
    Kind.COMMENT: "the comment or documentation about {value}",
    Kind.IMPORT: "the import of the module {value}",
    Kind.FUNCTION: "the method or function {name} with {items}",
    Kind.TYPE: "the {keyword} {title}",
    Kind.CONDITION: "the condition, an if statement[ that checks whether {value}]",
    Kind.CASE: "the case[ {value}] of the switch",
    Kind.LOOP: "the loop[, the iteration over {value}]",
    Kind.CATCH: "the error handling[, the exception {value} that is caught]",
    Kind.RETURN: "the return value[ {value}]",
    Kind.RAISE: "the error or exception[ with its error message {value}]",
    Kind.ASSIGNMENT: "the {variable} {name}[ with the value {value}]",
    Kind.ENTRY: "the property or key {name}[ with the value {value}]",
    Kind.TEST: "the test {name}",
}
"""Second wordings by kind, in a reviewer's words; text in brackets needs a value."""

_CALL_NOUNS = (
    (r"^(?:print\w*|echo|puts|console\.log|fmt\.Print\w*|System\.out\.\w+)\b", "print statement"),
    (r"^(?:\w+[.:])*(?:assert\w*|expect|should\w*|require)\b", "assertion in the test"),
    (r"(?i)^(?:\w+[.:])*(?:log\w*|warn\w*|debug|info|trace|error|fatal)\b", "log message"),
    (r"^[\w.>:$-]+\(", "call of the method"),
    (r"", "code"),
)
"""The noun of a call by a pattern of its code; the first that matches counts."""

_CONDITIONAL_KINDS = frozenset(map(Kind, "call assignment return raise".split()))
_VALUE_KINDS = frozenset(map(Kind, "assignment entry section".split()))


def outer_name(statement: Statement) -> str:
    """Return the dotted name of the function or type around a statement; empty if unknown."""
    names: list[str] = []
    for heading in reversed(statement.headings):
        if heading.kind is Kind.TYPE and heading.parsed.keyword not in {"namespace", "module"}:
            return ".".join([heading.parsed.name, *names])
        if heading.kind is Kind.FUNCTION and not names:
            names = [heading.parsed.name]
    return "".join(names)


def condition_clause(statement: Statement) -> str:
    """Return ` if ...` with the condition directly around a statement; empty without one."""
    if statement.kind not in _CONDITIONAL_KINDS or statement.condition is None:
        return ""
    return f" if {quote(statement.condition, 60)}"


def _within(statement: Statement) -> str:
    """Return the function, type, test or value around a statement; empty if unknown."""
    if place := outer_name(statement):
        return quote(place, 60)
    for heading in reversed(statement.headings):
        if heading.kind is Kind.TEST:
            return f"the test {quote(heading.parsed.name)}"
        if heading.kind in _VALUE_KINDS and heading.parsed.name:
            return quote(heading.parsed.name, 40)
    return ""


def _subject(statement: Statement) -> str:
    """Return the function around a statement, quoted; "the code" if unknown."""
    is_in_function = statement.owner and statement.owner.kind is Kind.FUNCTION
    return quote(outer_name(statement), 60) if is_in_function else "the code"


def fact_about(template: str, rank: int, statement: Statement, *items: str, **fields: str) -> Fact:
    """Return a fact about a statement, with its place and its second wording.

    The template names parts of the statement, or `fields`. Without `items`, the item is its code.
    """
    template = template.replace("{where}", "{in_place}{if_condition}")
    parsed = statement.parsed
    parts = {
        "name": quote(_title(parsed), 60),
        "keyword": parsed.keyword,
        "value": quoted_value(parsed),
        "verb": third_person_verb(parsed),
        "comment": quote_prose(parsed.value),
        "subject": _subject(statement),
        "if_condition": condition_clause(statement),
    } | fields
    used = {name: text for name, text in parts.items() if f"{{{name}}}" in template}
    if not items and "{item}" in template:
        items = (quote(_item_code(parsed)),)
    place = _within(statement) if "_place}" in template else ""
    places, wordings = (place,) if place else (), (_second_wording(statement),)
    return Fact(template, rank, statement.line.line, used, items, places, wordings)


def _item_code(parsed: ParsedStatement) -> str:
    """Return the code that stands for a statement in a list."""
    if parsed.kind is Kind.FUNCTION:
        return f"{parsed.name}({', '.join(parameter.text for parameter in parsed.parameters)})"
    if parsed.kind is Kind.TEST:
        return parsed.name
    return parsed.value if parsed.kind is Kind.IMPORT else parsed.text


def _second_wording(statement: Statement) -> str:
    """Describe the construct of a statement, with its names as plain words."""
    parsed = statement.parsed
    if parsed.kind not in _SECOND_WORDINGS:
        noun = next(noun for pattern, noun in _CALL_NOUNS if re.search(pattern, parsed.text))
        return f"the {noun} {to_plain_words(parsed.text[:120])}"
    is_constant = re.fullmatch(r"[A-Z][A-Z0-9_]+", parsed.name)
    items = to_plain_words(" ".join(parameter.name for parameter in parsed.parameters)[:80])
    value = to_plain_words(parsed.value[:100])
    template = re.sub(r"\[(.*)\]", r"\1" if value else "", _SECOND_WORDINGS[parsed.kind])
    return template.format(
        name=to_plain_words(parsed.name[:60]),
        title=to_plain_words(_title(parsed)[:100]),
        value=value,
        keyword=parsed.keyword,
        items=f"the parameters {items}" if items else "no parameters",
        variable="constant" if is_constant else "field" if is_field(statement) else "variable",
    )


def third_person_verb(parsed: ParsedStatement) -> str:
    """Return the verb of a statement that returns, yields or raises, in the third person."""
    verb = re.split(r"\W", parsed.operator)[0] + "s"
    return f"{verb} from" if parsed.operator.endswith("from") else verb


def quoted_value(parsed: ParsedStatement) -> str:
    """Return the value of a statement, quoted, or the meaning of a missing value."""
    return quote(parsed.value) if parsed.value else WITHOUT_VALUE.get(parsed.kind, "nothing")


def _title(parsed: ParsedStatement) -> str:
    """Return the name of a definition; for a type, with its bases and the rest of its head."""
    if parsed.kind is not Kind.TYPE:
        return parsed.name
    start = r"\bimpl\s" if parsed.keyword == "impl" else rf"\b(?={re.escape(parsed.name)}\b)"
    return re.split(start, parsed.text, maxsplit=1)[-1]


def is_field(statement: Statement) -> bool:
    """Return True if the statement is directly in the body of a type."""
    if not statement.headings or statement.headings[-1].kind is not Kind.TYPE:
        return False
    return statement.line.indent <= statement.headings[-1].line.indent + 5
