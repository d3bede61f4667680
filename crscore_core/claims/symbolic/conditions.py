"""Conditions, cases and loops."""

import re
from collections.abc import Sequence

from crscore_core.claims.model import ClaimKind
from crscore_core.claims.symbolic.actions import action
from crscore_core.claims.symbolic.candidate import Candidate, Scene, claim, implication
from crscore_core.claims.symbolic.difference import Edit, contrast, edits_between, renamed_names
from crscore_core.claims.symbolic.lexing import tokenize
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.quoting import quoted, spoken
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["added_condition", "removed_condition", "rewritten_condition"]

_EMPTY = r"(?:null|None|nil|undefined|nullptr|NULL)"
_NULL_TEST = re.compile(
    rf"^!?\s*\(?([\w.$>\[\]()'\"-]+?)\)?\s*(?:===?|!==?|is not|is)\s*{_EMPTY}\b"
)
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "===", "!=="})


def added_condition(
    statement: Statement, body: Sequence[Statement], scene: Scene
) -> list[Candidate]:
    """Describe a new check, case or loop with what it guards."""
    line, detail = statement.line, statement.detail
    what = next((a for s in body if (a := action(s))), "")
    if statement.sort is Sort.CASE:
        text = f"A case for {quoted(detail or 'default')} is added{scene.place}"
        return [claim(text + (f", which {what}" if what else ""), 78, line)]
    if statement.sort is Sort.ELSE:
        if not what:
            return []
        return [claim(f"Otherwise, in the new else branch, the code {what}", 66, line)]
    if statement.sort is Sort.LOOP:
        text = f"A loop over {quoted(detail)} is added{scene.place}"
        if statement.subject in {"while", "until"}:
            text = f"A loop that runs {statement.subject} {quoted(detail)} is added{scene.place}"
        return [
            claim(text + (f" and {what} each time" if what else ""), 80, line),
            implication(
                f"The time taken grows with the number of iterations over {quoted(detail, 50)}",
                38,
                line,
            ),
        ]
    head = "An else-if branch" if statement.subject in {"else if", "elif"} else "A condition"
    if statement.subject == "switch":
        head = "A switch"
    found = [
        claim(
            f"{head} is added{scene.place} to check {_test(statement)}"
            + (f"; if so, it {what}" if what else ""),
            88,
            line,
        )
    ]
    found += _consequences(statement, body, what)
    return found


def _consequences(statement: Statement, body: Sequence[Statement], what: str) -> list[Candidate]:
    line, detail = statement.line, statement.detail
    null = _NULL_TEST.match(detail)
    first = next((s for s in body if s.sort not in {Sort.COMMENT, Sort.BLANK}), None)
    if null:
        text = f"The check guards against {spoken(null.group(1))} being null or missing, which "
        return [implication(text + "avoids a null pointer or undefined error", 62, line)]
    if first is not None and first.sort in {Sort.RETURN, Sort.JUMP}:
        text = f"The rest of the code is skipped in the case of {spoken(detail)}"
        return [implication(text, 60, line)]
    if first is not None and first.sort is Sort.RAISE:
        text = f"Invalid input is rejected early with an error: {spoken(detail)}"
        return [implication(text, 60, line)]
    if what:
        text = f"What happens now depends on {spoken(detail)}"
        return [implication(text, 50, line)]
    return []


def removed_condition(
    statement: Statement, body: Sequence[Statement], scene: Scene
) -> list[Candidate]:
    """Describe a check, case or loop that is gone."""
    line, detail = statement.line, statement.detail
    what = next((a for s in body if (a := action(s))), "")
    if statement.sort is Sort.ELSE:
        return []
    noun = {Sort.CASE: "case for", Sort.LOOP: "loop over"}.get(
        statement.sort, "condition that checked"
    )
    text = f"The {noun} {quoted(detail or 'default')} is removed{scene.place}"
    found = [claim(text + (f", so it no longer {_base(what)}" if what else ""), 84, line)]
    if statement.sort is Sort.CONDITION:
        found.append(
            implication(
                f"Without the check, the case of {spoken(detail)} is no longer treated specially",
                54,
                line,
            )
        )
    return found


def _base(what: str) -> str:
    """Return an action in the base form of its verb: "calls x" as "call x"."""
    verb, _, rest = what.partition(" ")
    verb = verb.removesuffix("es") if verb.endswith(("sses", "shes")) else verb.removesuffix("s")
    return f"{verb} {rest}".strip()


def rewritten_condition(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say what changed in a condition, case or loop."""
    old, new, line = pair.old, pair.new, pair.new.line
    if old.detail == new.detail:
        if old.subject == new.subject:
            return []
        text = f"The check of {quoted(new.detail)} changes from {old.subject} to {new.subject}"
        return [claim(text + scene.place, 70, line)]
    before = tokenize(old.detail, scene.language)
    after = tokenize(new.detail, scene.language)
    edits = edits_between(before, old.detail, after, new.detail)
    noun = {Sort.LOOP: "loop", Sort.CASE: "case"}.get(new.sort, f"{new.subject} condition")
    if new.subject == "switch":
        noun = "switch expression"
    renamed = renamed_names(before, after)
    if renamed:
        return [
            claim(
                f"The {noun} checks {quoted(renamed[1])} instead of {quoted(renamed[0])} in "
                f"{quoted(new.detail)}{scene.place}",
                84,
                line,
            )
        ]
    found = [claim(f"The {noun}{scene.place} is modified", 84, line)]
    extension = _extension(new, edits, line)
    if not any(c.kind is ClaimKind.CLAIM for c in extension):
        was, now = contrast(old.detail, new.detail, scene.language)
        text = f"It checked {quoted(was)} before and checks {quoted(now)} now"
        found.append(claim(text, 86, line))
    return found + extension


_JOINING = {
    "&&": "also requires", "and": "also requires", "||": "is also true for",
    "or": "is also true for",
}  # fmt: skip
_LEADING = re.compile(r"^(&&|\|\||and\b|or\b)\s*|\s*(&&|\|\||\band|\bor)$")


def _extension(new: Statement, edits: Sequence[Edit], line: int) -> list[Candidate]:
    if new.sort is not Sort.CONDITION:
        return []
    gained = [e.new for e in edits if not e.old]
    lost = [e.old for e in edits if not e.new]
    for part in gained:
        joint = _LEADING.search(part)
        if joint and len(edits) == len(gained):
            word = _JOINING[(joint.group(1) or joint.group(2)).strip()]
            rest = _LEADING.sub("", part).strip()
            narrows = word == "also requires"
            effect = "fewer" if narrows else "more"
            return [
                claim(f"The condition {word} {quoted(rest)}", 80, line),
                implication(
                    f"The branch is taken in {effect} cases, which changes when "
                    f"{spoken(rest, 40)} is handled",
                    58,
                    line,
                ),
            ]
    for part in lost:
        joint = _LEADING.search(part)
        if joint and len(edits) == len(lost):
            rest = _LEADING.sub("", part).strip()
            return [
                implication(
                    f"The check for {spoken(rest)} is taken out of this condition", 62, line
                )
            ]
    for edit in edits:
        if edit.old in _COMPARISONS and edit.new in _COMPARISONS:
            return [
                implication(
                    f"The comparison uses {quoted(edit.new)} instead of {quoted(edit.old)}, so the "
                    "boundary or equal case is decided differently",
                    64,
                    line,
                )
            ]
    if len(edits) == 1 and {edits[0].old, edits[0].new} & {"!", "not", "is not"}:
        return [
            implication(f"The condition is negated, inverting when {quoted(new.detail, 60)} "
                        "lets the branch run", 64, line)
        ]  # fmt: skip
    return []


def _test(statement: Statement) -> str:
    if statement.subject == "unless":
        return f"that {quoted(statement.detail)} does not hold"
    return f"whether {quoted(statement.detail)}" if statement.detail else "the value"
