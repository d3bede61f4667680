"""Claims about values and remarks."""

import re
from collections.abc import Sequence

from crscore_core.claims.symbolic.actions import effect_of, operator_of
from crscore_core.claims.symbolic.candidate import (
    Candidate,
    Scene,
    are,
    claim,
    implication,
    listed,
    quoted,
    spoken,
)
from crscore_core.claims.symbolic.difference import (
    balanced,
    contrast,
    edits_between,
    renamed_names,
    text_edits,
)
from crscore_core.claims.symbolic.lexing import PROSE, tokenize
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.statement import Sort, Statement

MAX_WORKED = 6
"""Assignments to names with a value that are told one by one."""

_CONSTANT = frozenset({"final", "const", "readonly", "constexpr"})
_COLUMN = re.compile(
    r"\b(?:bool(?:ean)?|(?:big|small)?int(?:eger)?|(?:var)?char|text|timestamp|date|jsonb?)\b"
    r"(?:\s*\(\d+\))?\s+(?:default|not null|null|unique|primary|references)\b",
    re.IGNORECASE,
)
_FIELD = frozenset({"private", "public", "protected", "internal", "static"})


def added_values(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe new values of one sort that stand together."""
    worked = [s for s in statements if operator_of(s)]
    found = [claim(effect_of(s) + scene.place, 74, s.line) for s in worked[:MAX_WORKED]]
    others = [s for s in statements if not operator_of(s)]
    return found + (_added_alike(others, scene) if others else [])


def _added_alike(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    first = statements[0]
    if first.sort is Sort.ITEM:
        items = listed([quoted(s.detail, 60) for s in statements])
        if _COLUMN.search(first.detail):
            text = f"The database column {items} {are(statements)} added to the table{scene.place}"
            effect = "The existing table needs a migration before the column can be used"
            return [claim(text, 76, first.line), implication(effect, 48, first.line)]
        if not {first.text[0], first.text[-1]} & {",", "-"} and first.text[0] in "\"'`+.":
            text = f"The text {items} {are(statements)} added to the string{scene.place}"
            return [claim(text, 70, first.line)]
        noun = "entry" if len(statements) == 1 else "entries"
        text = f"The new {noun} {items} {are(statements)} added to the list{scene.place}"
        effect = f"Whatever uses the list now also handles {spoken(first.detail)}"
        return [claim(text, 70, first.line), implication(effect, 44, first.line)]
    if first.sort in {Sort.QUERY, Sort.MARKUP}:
        noun = _noun_of_text(first.sort, len(statements))
        items = listed([quoted(s.detail) for s in statements], 3)
        return [claim(f"The {noun} {items} {are(statements)} added{scene.place}", 70, first.line)]
    if len(statements) > 2:
        return _several(statements, scene)
    found = []
    for statement in statements:
        found += _added(statement, scene)
    return found


def _noun_of_text(sort: Sort, count: int) -> str:
    noun = {Sort.ITEM: "list element", Sort.QUERY: "SQL clause"}.get(sort, "markup")
    return noun if count == 1 or noun == "markup" else f"{noun}s"


def _several(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    noun = _noun(statements[0], plural=True)
    names = listed(list(dict.fromkeys(quoted(s.subject, 40) for s in statements)), 6)
    found = [
        claim(
            f"The new {noun} {names} are added{_where(statements[0], scene)}",
            80,
            statements[0].line,
        )
    ]
    valued = [f"{quoted(s.subject, 40)} to {quoted(s.detail, 50)}" for s in statements if s.detail]
    if valued:
        found.append(claim(f"It sets {listed(valued, 4)}", 62, statements[0].line))
    return found


def _added(statement: Statement, scene: Scene) -> list[Candidate]:
    name, line = quoted(statement.subject, 60), statement.line
    noun = _noun(statement)
    if statement.sort is Sort.ENTRY:
        text = f"A new {noun} {name} is added{scene.place}"
        value = (
            f" with the value {quoted(statement.detail)}" if statement.detail.strip("{[") else ""
        )
        return [
            claim(text + value, 78, line),
        ]
    if statement.text.endswith(("{", "[", "(")):
        return [claim(f"A new {noun} {name} is defined{scene.place}", 74, line)]
    if not statement.detail:
        text = f"A new {noun} {name} is declared{_where(statement, scene)} without a value"
        effect = f"The code can now keep track of the {spoken(statement.subject)}"
        return [claim(text, 74, line), implication(effect, 44, line)]
    if not statement.modifiers:
        return [claim(f"{name} is set to {quoted(statement.detail)}{scene.place}", 70, line)]
    found = [
        claim(
            f"A new {noun} {name} is defined{_where(statement, scene)} with the value "
            f"{quoted(statement.detail)}",
            78,
            line,
        )
    ]
    if "public" in statement.modifiers or "export" in statement.modifiers:
        text = f"Other code can now use the {spoken(statement.subject)}"
        return [*found, implication(text, 42, line)]
    return found


def _where(statement: Statement, scene: Scene) -> str:
    """The type of a field, the function of a variable."""
    return scene.owner if set(statement.modifiers) & _FIELD else scene.place


def _noun(statement: Statement, *, plural: bool = False) -> str:
    if statement.sort is Sort.ENTRY:
        if f"{statement.subject}=" in statement.text:
            return "arguments" if plural else "argument"
        return "properties" if plural else "property"
    if "type" in statement.modifiers:
        return "types" if plural else "type"
    shown = [m for m in statement.modifiers if m in {"private", "public", "protected", "static"}]
    if set(statement.modifiers) & _CONSTANT and (
        statement.subject.isupper() or "static" in shown
    ):  # fmt: skip
        noun = "constant"
    elif set(statement.modifiers) & _FIELD:
        noun = "field"
    else:
        noun = "variable"
    return " ".join([*shown, noun + ("s" if plural else "")])


def removed_values(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe values of one sort that are gone."""
    first = statements[0]
    if first.sort in {Sort.ITEM, Sort.QUERY, Sort.MARKUP}:
        noun = _noun_of_text(first.sort, len(statements))
        items = listed([quoted(s.detail, 60) for s in statements])
        return [claim(f"The {noun} {items} {are(statements)} removed{scene.place}", 72, first.line)]
    if any(operator_of(s) for s in statements):
        shown = listed([quoted(s.text.rstrip("; "), 60) for s in statements])
        return [claim(f"{shown} {are(statements)} removed{scene.place}", 74, first.line)]
    names = listed([quoted(s.subject, 50) for s in statements])
    if len(statements) == 1 and first.detail:
        names += f" with the value {quoted(first.detail)}"
    if first.sort is Sort.ASSIGNMENT and not first.modifiers and len(statements) == 1:
        text = f"{quoted(first.subject)} is no longer set to {quoted(first.detail)}{scene.place}"
        return [claim(text, 74, first.line)]
    noun = _noun(first, plural=len(statements) > 1)
    verb = "are" if len(statements) > 1 else "is"
    removed = claim(f"The {noun} {names} {verb} removed{scene.place}", 76, first.line)
    if any(s.subject in scene.text_now for s in statements):
        return [removed]
    return [
        removed,
        implication(
            f"Anything that still reads {listed([quoted(s.subject, 50) for s in statements], 2)} "
            "fails or falls back to a default",
            46,
            first.line,
        ),
    ]


def rewritten_value(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say how a value changed, or the name that has it."""
    old, new, line = pair.old, pair.new, pair.new.line
    if old.sort is not new.sort or new.sort in {Sort.QUERY, Sort.MARKUP, Sort.ITEM}:
        return []
    if operator_of(old) or operator_of(new):
        return _otherwise_worked(pair, scene)
    if not old.detail and not new.detail and _type_of(old) != _type_of(new):
        return []
    found: list[Candidate] = []
    noun = _noun(new)
    name = quoted(new.subject, 60)
    if old.subject != new.subject:
        if {old.subject[:1], new.subject[:1]} & {"{", "[", "("}:
            return []
        same = old.detail == new.detail and old.detail
        text = f"The {noun} {quoted(old.subject, 60)} is renamed to {name}"
        if noun != _noun(old):
            text = f"The {_noun(old)} {quoted(old.subject, 60)} becomes the {noun} {name}"
        if not same:
            text = (
                f"{name} is set to {quoted(new.detail)} where {quoted(old.subject, 60)} was set "
                f"to {quoted(old.detail)}"
            )
        return [claim(text + scene.place, 80, line)]
    if old.detail != new.detail:
        found += _value_change(old, new, scene)
    if set(old.modifiers) != set(new.modifiers):
        before, after = (" ".join(s.modifiers) for s in (old, new))
        how = f"from {before} to {after}" if before and after else f"to {after}"
        text = f"The declaration of {name} " + (
            f"changes {how}" if after else f"is no longer {before}"
        )
        found.append(claim(text, 76, line))
    return found


def _otherwise_worked(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say what an assignment to a name with a value does now; nothing where that is new."""
    old, new = pair.old, pair.new
    if operator_of(old) != operator_of(new) or old.subject != new.subject:
        return []
    if old.detail == new.detail:
        return []
    text = f"{effect_of(new)} instead of {quoted(old.detail)}{scene.place}"
    return [claim(text, 84, new.line)]


def _type_of(statement: Statement) -> list[str]:
    """The declaration of a value without its name and modifiers."""
    said = {statement.subject, *statement.modifiers}
    return [t.text for t in statement.tokens if t.text not in said]


def _value_change(old: Statement, new: Statement, scene: Scene) -> list[Candidate]:
    name, line = quoted(new.subject, 60), new.line
    before = tokenize(old.detail, scene.language)
    after = tokenize(new.detail, scene.language)
    if not new.detail or not old.detail:
        value = quoted(new.detail or old.detail)
        text = (
            f"{name} is now given the value {value}" if new.detail else f"{name} has no value now"
        )
        return [claim(text + scene.place, 78, line)]
    edits = edits_between(before, old.detail, after, new.detail)
    renamed = renamed_names(before, after)
    if renamed:
        text = f"The value of {name} uses {quoted(renamed[1])} instead of {quoted(renamed[0])}"
        return [
            claim(text + scene.place, 82, line),
            claim(f"{name} is now {quoted(new.detail)}", 60, line),
        ]
    only_added = [e.new.strip(" ,") for e in edits if not e.old and e.new.strip(" ,;()[]")]
    if only_added and len(only_added) == len(edits) and all(map(balanced, only_added)):
        parts = listed([quoted(a) for a in only_added])
        text = f"{parts} {are(only_added)} added to the value of {name}"
        found = [claim(text + scene.place, 82, line)]
        if new.detail[:1] in "[{" and spoken(only_added[0]):
            text = f"What uses {spoken(new.subject)} has to deal with {spoken(only_added[0])} too"
            found.append(implication(text, 40, line))
        return found
    only_lost = [e.old.strip(" ,") for e in edits if not e.new and e.old.strip(" ,;()[]")]
    if only_lost and len(only_lost) == len(edits) and all(map(balanced, only_lost)):
        parts = listed([quoted(a) for a in only_lost])
        text = f"{parts} {are(only_lost)} removed from the value of {name}"
        return [claim(text + scene.place, 82, line)]
    shown_old, shown_new = contrast(old.detail, new.detail, scene.language)
    text = f"The value of {name} changes from {quoted(shown_old)} to {quoted(shown_new)}"
    return [claim(text + scene.place, 84, line)]


_TASK = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b[:\s]*", re.IGNORECASE)
_LICENCE = re.compile(r"copyright|licen[sc]e", re.IGNORECASE)
_SUPPRESSION = re.compile(r"\b(noqa|eslint-disable|nolint|type: ignore|pylint: ?disable|NOSONAR)\b")
MAX_PROSE = 160
"""Characters of a comment that are quoted."""


def added_remarks(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe comment lines, or decorators, that stand together as one claim."""
    first = statements[0]
    if first.sort is Sort.DECORATOR:
        names = listed([quoted(s.detail) for s in statements])
        return [claim(f"The annotation {names} is added{scene.place}", 74, first.line)]
    prose = _prose(statements)
    if not prose:
        return []
    task = None if scene.language in PROSE else _TASK.search(prose)
    if task:
        what = _TASK.sub("", prose, count=1)
        return [
            claim(
                f"A {task.group(1).upper()} comment is added{scene.place}: {_cut(what)}",
                70,
                first.line,
            ),
            implication(f"The work is left unfinished: {_cut(what, 80)}", 48, first.line),
        ]
    if _SUPPRESSION.search(first.detail):
        prose = first.detail
        text = f"The comment {quoted(prose)} suppresses a linter warning{scene.place}"
        return [claim(text, 66, first.line)]
    return [
        claim(
            f"A {_comment_noun(prose, scene)} is added{scene.place}: {_cut(prose)}", 60, first.line
        )
    ]


def removed_remarks(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe comment lines, or decorators, that are gone as one claim."""
    first = statements[0]
    if first.sort is Sort.DECORATOR:
        names = listed([quoted(s.detail) for s in statements])
        return [claim(f"The annotation {names} is removed{scene.place}", 76, first.line)]
    prose = _prose(statements)
    if not prose:
        return []
    noun = _comment_noun(prose, scene)
    return [claim(f"The {noun} is removed{scene.place}: {_cut(prose)}", 58, first.line)]


def rewritten_remark(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say how a comment or a decorator is reworded."""
    old, new, line = pair.old, pair.new, pair.new.line
    if new.sort is Sort.DECORATOR:
        text = f"The annotation {quoted(old.detail)} becomes {quoted(new.detail)}"
        return [claim(text + scene.place, 76, line)] if old.detail != new.detail else []
    if old.detail == new.detail:
        return []
    noun = _comment_noun(new.detail, scene)
    facts = [claim(f"The {noun}{scene.place} is updated", 50, line)]
    edits = text_edits(old.detail[:600], new.detail[:600])
    added = [e.new for e in edits if e.new and not e.old]
    if added and len(added) == len(edits):
        return [
            *facts,
            claim(
                f"The {noun} now mentions {listed([quoted(a) for a in added], 2)}: "
                f"{_cut(new.detail)}",
                64,
                line,
            ),
        ]
    if len(edits) == 1 and edits[0].old and edits[0].new:
        text = f"The {noun} says {quoted(edits[0].new)} instead of {quoted(edits[0].old)}"
        return [*facts, claim(f"{text}: {_cut(new.detail)}", 64, line)]
    return [claim(f"The {noun} {quoted(old.detail)} is reworded to {quoted(new.detail)}", 62, line)]


def _comment_noun(prose: str, scene: Scene) -> str:
    if scene.language in PROSE:
        return "text in the documentation"
    return "copyright or license notice" if _LICENCE.search(prose) else "comment"


def _prose(statements: Sequence[Statement]) -> str:
    return " ".join(s.detail for s in statements[:8] if s.detail)


def _cut(prose: str, limit: int = MAX_PROSE) -> str:
    return quoted(prose, limit)[1:-1]
