"""The table of sentences: one for each kind of edit of code or settings."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

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
    OF,
    PLAIN,
    SET,
    TRIVIAL,
    Fact,
    S,
    Y,
    joined,
)
from crscore_core.claims.symbolic.lexis import LINKS, code_of
from crscore_core.claims.symbolic.statement import (
    DEFINITIONS,
    Parts,
    Sort,
    Tokens,
    closing,
    completed,
    split,
    unclosed,
)
from crscore_core.claims.symbolic.wording import (
    common_ends,
    contrasted,
    in_plain_words,
    listed,
    quoted,
    reworded,
    said,
)

_SENTENCES: dict[tuple[Sort, str], tuple[str, int]] = {
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

_NOTHING = {
    Sort.CATCH: "every error",
    Sort.CASE: "`default`",
    Sort.RAISE: "the caught error",
}
_SILENT = frozenset({"pass", "break", "<?php", "end", "fi", "done", "esac", "?>", "..."})
_DOES = {
    Sort.RETURN: "{operator}s {value}",
    Sort.RAISE: "{operator}s {value}",
    Sort.CALL: "calls {code}",
    Sort.CONDITION: "checks {value}",
    Sort.FUNCTION: "defines {name}",
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
        around = next((one for one in reversed(edit.statement.around) if one in headings), None)
        if edit.old and edit.new and edit.old.parts.key == edit.new.parts.key:
            for one in (edit.old, edit.new):
                if one.around and one.around[-1] in headings and one.sort is not Sort.COMMENT:
                    surroundings.held.setdefault(one.around[-1], []).append(one)
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
    direct = [one.statement for one in inside if one.statement.sort in _ACTS]
    direct = [one for one in direct if one.parts.text not in _SILENT and one.parts.noun != "tail"]
    acts = sorted(direct, key=lambda one: _ACTS.index(one.sort))[:_FACTS_OF_BODY]
    then = " and ".join(_does(one.parts) for one in direct if one in acts)
    fact = _one_side(statement, surroundings, then, is_added=is_added)
    if fact:
        yield fact
    if statement.sort in DEFINITIONS and not is_added:
        return
    facts = [
        found
        for one in inside
        if statement.sort in DEFINITIONS
        or not fact
        or one.statement not in acts
        or surroundings.inside.get(one.statement)
        for found in _facts_of(one, surroundings)
    ]
    if statement.sort is Sort.FUNCTION:
        facts = [] if surroundings.is_test else [one for one in joined(facts) if one.rank <= CALLED]
        facts = sorted(facts, key=lambda one: one.rank)[:_FACTS_OF_BODY]
        facts = [replace(one, rank=max(DETAIL, one.rank)) for one in facts]
    elif statement.sort is Sort.TEST:
        facts = [one for one in facts if one.is_definition]
    yield from facts


def _does(parts: Parts) -> str:
    """Describe what a statement does: a verb in the third person with its object."""
    text = _DOES.get(parts.sort, "runs {code}")
    if parts.sort is Sort.ASSIGNMENT and parts.operator in {"=", ":="}:
        text = "sets {name} to {value}"
    elif parts.sort is Sort.RETURN and not parts.value:
        text = "returns early"
    name, code = quoted(parts.name, 60), quoted(parts.text)
    return text.format(value=_value(parts), name=name, operator=parts.operator, code=code)


# --- places -------------------------------------------------------------------------------------


def _place(statement: Statement) -> str:
    """Return the dotted name of the function or type around a statement; empty if unknown."""
    names: list[str] = []
    for heading in reversed(statement.around):
        if heading.sort is Sort.TYPE and heading.parts.noun not in {"namespace", "module"}:
            return ".".join([heading.parts.name, *names])
        if heading.sort is Sort.FUNCTION and not names:
            names = [heading.parts.name]
    return "".join(names)


def _condition(statement: Statement) -> str:
    """Return ` if ...` with the condition directly around a statement; empty without one."""
    acts = statement.sort in {Sort.CALL, Sort.ASSIGNMENT, Sort.RETURN, Sort.RAISE}
    if not (acts and statement.around and statement.around[-1].sort is Sort.CONDITION):
        return ""
    return f" if {quoted(statement.around[-1].parts.value, 60)}"


def _within(statement: Statement) -> str:
    """Return the function, type, test or value around a statement; empty if unknown."""
    if place := _place(statement):
        return quoted(place, 60)
    for heading in reversed(statement.around):
        if heading.sort is Sort.TEST:
            return f"the test {quoted(heading.parts.name)}"
        if heading.sort in {Sort.ASSIGNMENT, Sort.ENTRY, Sort.SECTION} and heading.parts.name:
            return quoted(heading.parts.name, 40)
    return ""


def _who(statement: Statement) -> str:
    outer = statement.owner
    is_known = outer is not None and outer.sort is Sort.FUNCTION
    return quoted(_place(statement), 60) if is_known else "the code"


def _about(text: str, rank: int, statement: Statement, item: str = "") -> Fact:
    """Return a fact about a statement, with its second wording."""
    text = text.replace(IN, IN + _condition(statement))
    where = _within(statement) if IN[0] in text else ""
    items, wordings = (item,) if item else (), (_aspect(statement),)
    is_definition = statement.sort in DEFINITIONS
    return Fact(text, rank, statement.line.line, items, where, wordings, is_definition)


def _aspect(statement: Statement) -> str:
    """Describe the construct of a statement, with its names as plain words."""
    parts = statement.parts
    if parts.sort not in _ASPECTS:
        noun = next(noun for pattern, noun in _CALLS if re.search(pattern, parts.text))
        return f"{noun} {in_plain_words(parts.text[:120])}"
    is_constant = re.fullmatch(r"[A-Z][A-Z0-9_]+", parts.name)
    items = in_plain_words(" ".join(one.name for one in parts.parameters)[:80])
    return _ASPECTS[parts.sort].format(
        name=in_plain_words(parts.name[:60]),
        title=in_plain_words(_title(parts)[:100]),
        value=in_plain_words(parts.value[:100]),
        noun=parts.noun,
        items=f"the parameters {items}" if items else "no parameters",
        variable="constant" if is_constant else "field" if _is_field(statement) else "variable",
    )


# --- one side -----------------------------------------------------------------------------------


def _one_side(
    statement: Statement, surroundings: _Surroundings, then: str, *, is_added: bool
) -> Fact | None:
    """Return a fact about an added or removed statement."""
    parts = statement.parts
    held = surroundings.held.get(statement, [])
    is_version = parts.sort is Sort.ENTRY and parts.name.lower() in VERSIONS
    is_end = parts.sort is Sort.RETURN and not parts.value and not _condition(statement)
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
    row = next((row for form in forms if (row := _SENTENCES.get((parts.sort, form)))), None)
    if row is None:
        return None
    outer = [one for one in statement.around[-1:] if one.sort is Sort.CONDITION]
    is_test = parts.sort is Sort.FUNCTION and surroundings.is_test and _TEST_NAME.match(parts.name)
    return _filled(
        row,
        statement,
        added="added" if is_added else "removed",
        now="now" if is_added else "no longer",
        where=IN if is_added else FROM,
        noun="test" if is_test else parts.noun or "function",
        outer=f"{quoted(outer[0].parts.value, 60)} and " if outer else "",
        then=then,
        held=listed([quoted(one.parts.text, 50) for one in held], 2),
        held_s="" if len(held) > 1 else "s",
    )


def _filled(row: tuple[str, int], statement: Statement, **fields: str) -> Fact:
    """Return the fact of a row of `_SENTENCES`, with the parts of a statement and other fields."""
    parts, (text, rank) = statement.parts, row
    head = f"{parts.name}({', '.join(one.text for one in parts.parameters)})"
    items = {Sort.FUNCTION: head, Sort.TEST: parts.name, Sort.IMPORT: parts.value}
    common = {
        "name": quoted(_title(parts), 60),
        "value": _value(parts),
        "operator": parts.operator,
        "said": said(parts.value),
        "who": _who(statement),
        "if_": _condition(statement),
    }
    marks = {"item": ITEM, "is_": IS, "s": S, "y": Y, "where": IN, "in_": IN, "of_": OF}
    item = quoted(items.get(parts.sort, parts.text)) if "{item}" in text else ""
    return _about(text.format(**(common | marks | fields)), rank, statement, item)


def _value(parts: Parts) -> str:
    return quoted(parts.value) if parts.value else _NOTHING.get(parts.sort, "nothing")


_TEST_NAME = re.compile(r"(?:.*\.)?(?:test(?:_|[A-Z0-9]|$)|Test)[^.]*$")


def _title(parts: Parts) -> str:
    """Return the name of a definition with what follows it, such as its bases."""
    if parts.sort is not Sort.TYPE:
        return parts.name
    start = parts.noun if parts.noun == "impl" else parts.name
    return parts.text[parts.text.find(start) :].removeprefix("impl ")


def _form(statement: Statement) -> str:
    parts = statement.parts
    if statement.sort is not Sort.ASSIGNMENT:
        return parts.noun if statement.sort is Sort.OTHER else ""
    if _is_field(statement) and parts.operator in {"", "="}:
        return "field"
    is_set = parts.operator in {"=", ":="} and parts.value
    return "" if not is_set else "variable" if parts.noun else "="


def _is_field(statement: Statement) -> bool:
    around = statement.around[-1:]
    is_near = bool(around) and statement.line.indent <= around[0].line.indent + 5
    return is_near and around[0].sort is Sort.TYPE


# --- both sides ---------------------------------------------------------------------------------


def _difference(old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield facts about how a statement changed."""
    if old.parts.key == new.parts.key:
        note = new.line.comment
        if old.line.comment != note:
            verb = "changes to" if old.line.comment else "is added:"
            way = f"{verb} {said(note)}" if note else "is removed"
            text = f"the comment beside {quoted(new.parts.text, 50)} {way}"
            yield _about(text, TRIVIAL + 8, new)
        return
    facts: list[Fact] = []
    if old.sort is new.sort is Sort.COMMENT:
        text = reworded(old.parts.value.split(), new.parts.value.split(), "a comment")
        facts = [_about(text + IN, TRIVIAL + 4, new)]
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
        yield _about(f"{pair[1]} replaces {pair[0]}{context}{IN}", rank, new)
    elif was != now:
        yield _about(f"only blanks within {quoted(now)} change{IN}", TRIVIAL + 8, new)


_LONG = 60
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
    text, rank = _SENTENCES.get((new.sort, "instead")) or _SENTENCES.get((new.sort, ""), ("", 0))
    if "{was}" not in text:
        text = text.replace("{value}", "{value} instead of {was}")
    if pair is None or not name or "{was}" not in text:
        return
    is_long = len(max(was, now, key=len)) > _LONG and not (
        _STRING.match(was) and _STRING.match(now)
    )
    is_same_call = new.sort is Sort.CALL and before.name == after.name
    tokens = before.tokens, after.tokens
    is_narrow = is_long and (_innermost(*tokens) or _is_chain(*tokens))
    if is_same_call or is_narrow:
        yield from _narrowed(old, new, rank)
        return
    nothing = _NOTHING.get(new.sort, "nothing")
    shown = {"was": pair[0] if was else nothing, "value": pair[1] if now else nothing}
    yield _filled((text, rank), new, now="now", name=name, **shown)


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
    start, context, verbs, separators = _innermost(before, after), "", ("added", "removed"), {","}
    if start:
        context = _context(after[:start], new)
        before, after = (side[start : closing(side, start - 1)] for side in (before, after))
    elif _is_chain(before, after):
        rank, verbs, separators = CALLED, ("now called", "no longer called"), LINKS
    else:
        yield from _replaced(old.parts.text, new.parts.text, "", rank, new)
        return
    was, now = ([completed(part) for part in split(side, separators)] for side in (before, after))
    came, gone = [one for one in now if one not in was], [one for one in was if one not in now]
    if came and gone:
        pair = _word(before, after) or (", ".join(gone), ", ".join(came))
        yield from _replaced(*pair, context, rank, new)
    elif not (came or gone):
        yield from _replaced(old.parts.text, new.parts.text, "", rank, new)
    else:
        for item in came or gone:
            text = f"{ITEM} {IS} {verbs[0] if came else verbs[1]}{context}{IN}"
            yield _about(text, rank, new, quoted(item, 60))


def _context(before: Tokens, statement: Statement) -> str:
    """Return the call whose arguments follow the tokens, else what the statement sets."""
    callee = _CALLEE.search(code_of(before[:-1])) if before[-1].text == "(" else None
    if callee:
        return f" in the call of {quoted(callee[0], 50)}"
    is_set = statement.parts.name and statement.sort in {Sort.ASSIGNMENT, Sort.ENTRY}
    return f" in {quoted(statement.parts.name, 50)}" if is_set else ""


def _word(before: Tokens, after: Tokens) -> tuple[str, str] | None:
    """Return the one word or number that differs between two pieces of code; None for more."""
    start, end = common_ends([one.text for one in before], [one.text for one in after])
    was, now = before[start : len(before) - end], after[start : len(after) - end]
    is_one = len(was) == len(now) == 1 and (was[0].text + now[0].text).isidentifier()
    return (was[0].text, now[0].text) if is_one else None


def _definition(old: Statement, new: Statement) -> Iterator[Fact]:
    """Yield what changes in the head of a function or type."""
    before, after = old.parts, new.parts
    place = _place(new)
    name = quoted(f"{place}.{after.name}" if place and "." not in after.name else after.name, 60)
    if before.name != after.name:
        what = f"the {after.noun} {name}" if new.sort is Sort.TYPE else name
        yield _about(f"{quoted(before.name)} is renamed to {what}", DEFINED, new)
    old_of, new_of = (dict(parts.parameters) for parts in (before, after))
    came = [text for key, text in new_of.items() if key not in old_of]
    gone = [text for key, text in old_of.items() if key not in new_of]
    pairs = [(old_of[key], text) for key, text in new_of.items() if key in old_of]
    if len(old_of) == len(new_of):
        came, gone, pairs = [], [], list(zip(old_of.values(), new_of.values(), strict=True))
    for item in came:
        yield _about(f"{name} takes the new parameter{S} {ITEM}", DEFINED, new, quoted(item))
    for item in gone:
        yield _about(f"{name} no longer takes the parameter{S} {ITEM}", DEFINED, new, quoted(item))
    for was, now in pairs:
        if pair := contrasted(was, now):
            yield _about(f"the parameter {pair[0]} of {name} becomes {pair[1]}", DEFINED, new)
    heads = [parts.value.replace(parts.name, "", 1) for parts in (before, after)]
    pair = contrasted(before.value, after.value)
    if before.operator == after.operator == "=" and old_of == new_of and before.name == after.name:
        yield from _narrowed(old, new, BEHAVIOUR)
    elif after.operator != "=" and heads[0] != heads[1] and pair:
        yield _about(f"{name} is now declared as {pair[1]} instead of {pair[0]}", SET, new)
