"""Claims about conditions, checks and what a function gives back."""

import re
from collections.abc import Sequence

from crscore_core.claims.model import ClaimKind
from crscore_core.claims.symbolic.actions import action
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
from crscore_core.claims.symbolic.difference import Edit, contrast, edits_between, renamed_names
from crscore_core.claims.symbolic.lexing import TokenKind, tokenize
from crscore_core.claims.symbolic.pairing import Pair
from crscore_core.claims.symbolic.statement import Sort, Statement

_EMPTY = r"(?:null|None|nil|undefined|nullptr|NULL)"
_OPERAND = r"\(?([\w.$>\[\]'\"-]+?(?:\(\))?)\)?"
_IS_NULL = re.compile(rf"^{_OPERAND}\s*(?:===?|is)\s*{_EMPTY}(?:$|\s*(?:\|\||or\b))")
_IS_SET = re.compile(rf"^{_OPERAND}\s*(?:!==?|is not)\s*{_EMPTY}(?:$|\s*(?:&&|and\b))")
_GO_ERROR = re.compile(r"(?:^|[\s;(.])(\w*[eE]rr(?:or)?)\s*!=\s*nil\b")
_ORDERED = frozenset({"<", "<=", ">", ">="})
_EQUAL = frozenset({"==", "===", "is"})
_UNEQUAL = frozenset({"!=", "!==", "is not"})
_COMPARISONS = _ORDERED | _EQUAL | _UNEQUAL


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
        return [claim(f"A switch over {quoted(detail)} is added{scene.place}", 88, line)]
    found = [
        claim(
            f"{head} is added{scene.place} to check {_test(statement)}"
            + (f"; if so, it {what}" if what else ""),
            88,
            line,
        )
    ]
    found += _consequences(statement, body, what, scene)
    return found


def _consequences(
    statement: Statement, body: Sequence[Statement], what: str, scene: Scene
) -> list[Candidate]:
    line, detail = statement.line, statement.detail
    first = next((s for s in body if s.sort not in {Sort.COMMENT, Sort.BLANK}), None)
    failed = _GO_ERROR.search(detail) if scene.language == "go" else None
    if failed:
        text = f"An error in {quoted(failed.group(1))} is handled here"
        return [implication(text + (f": it {what}" if what else ""), 62, line)]
    holds = statement.subject != "unless"
    guarded = _guarded(detail, first, holds=holds)
    if guarded:
        text = f"The check guards against {spoken(guarded)} being null or missing, which "
        return [implication(text + "avoids a null pointer or undefined error", 62, line)]
    case = f"in the case of {_case(detail)}" if holds else f"unless {_case(detail)}"
    if first is not None and first.sort in {Sort.RETURN, Sort.JUMP}:
        return [implication(f"The rest of the code is skipped {case}", 60, line)]
    if first is not None and first.sort is Sort.RAISE:
        return [implication(f"The code stops early with an error {case}", 60, line)]
    if what:
        return [implication(f"What happens now depends on {_case(detail)}", 50, line)]
    return []


def _guarded(detail: str, first: Statement | None, *, holds: bool) -> str:
    """What is kept from being used while it is null, or nothing.

    Either the branch that is taken where it is null leaves, or the one where it is not uses it.
    """
    null, known = _IS_NULL.match(detail), _IS_SET.match(detail)
    if not holds:
        null, known = known, null
    if null and (first is None or first.sort in _LEAVING or _sets(first, null.group(1))):
        return null.group(1)
    if known and (first is None or known.group(1) in first.text):
        return known.group(1)
    return ""


_LEAVING = frozenset({Sort.RETURN, Sort.JUMP, Sort.RAISE})


def _sets(statement: Statement, name: str) -> bool:
    return statement.sort is Sort.ASSIGNMENT and statement.subject == name


def removed_condition(
    statement: Statement, body: Sequence[Statement], scene: Scene
) -> list[Candidate]:
    """Describe a check, case or loop that is gone."""
    line, detail = statement.line, statement.detail
    what = next((a for s in body if (a := action(s))), "")
    if statement.sort is Sort.ELSE:
        return []
    noun = {Sort.CASE: "case for", Sort.LOOP: "loop over"}.get(
        statement.sort, "switch over" if statement.subject == "switch" else "condition that checked"
    )
    text = f"The {noun} {quoted(detail or 'default')} is removed{scene.place}"
    if detail and detail in scene.text_now:
        return [claim(text, 84, line)]
    found = [claim(text + (f", so it no longer {what}" if what else ""), 84, line)]
    names = {t.text for t in tokenize(detail, scene.language) if t.kind is TokenKind.NAME}
    brought = {t.text for t in tokenize(scene.text_now, scene.language)}
    if statement.sort is Sort.CONDITION and not names & brought:
        found.append(
            implication(
                f"Without the check, the case of {_case(detail)} is no longer treated specially",
                54,
                line,
            )
        )
    return found


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
    if not old.detail or not new.detail:
        return []
    turned = {old.subject, new.subject} in ({"if", "unless"}, {"while", "until"})
    renamed = renamed_names(before, after)
    if renamed and not turned and new.sort is Sort.CONDITION:
        return [
            claim(
                f"The {noun} checks {quoted(renamed[1])} instead of {quoted(renamed[0])} in "
                f"{quoted(new.detail)}{scene.place}",
                84,
                line,
            )
        ]
    found = [claim(f"The {noun}{scene.place} is modified", 84, line)]
    extension = [] if turned else _extension(old, new, edits, scene)
    if not any(c.kind is ClaimKind.CLAIM for c in extension):
        was, now = contrast(old.detail, new.detail, scene.language)
        if turned:
            was, now = f"{old.subject} {was}", f"{new.subject} {now}"
        text = f"It checked {quoted(was)} before and checks {quoted(now)} now"
        if new.sort is Sort.LOOP and {old.subject, new.subject} - {"while", "until"}:
            was, now = f"{old.subject} {was}", f"{new.subject} {now}"
            text = f"The loop {quoted(was)} becomes {quoted(now)}"
        found.append(claim(text, 86, line))
    return found + extension


_JOINING = {
    "&&": "also requires", "and": "also requires", "||": "is also true for",
    "or": "is also true for",
}  # fmt: skip
_LEADING = re.compile(r"^(&&|\|\||and\b|or\b)\s*|\s*(&&|\|\||\band|\bor)$")


def _extension(
    old: Statement, new: Statement, edits: Sequence[Edit], scene: Scene
) -> list[Candidate]:
    if new.sort is not Sort.CONDITION:
        return []
    line = new.line
    gained = [e.new for e in edits if not e.old]
    lost = [e.old for e in edits if not e.new]
    for part in gained:
        joint = _LEADING.search(part)
        if joint and len(edits) == len(gained) == 1:
            operator = (joint.group(1) or joint.group(2)).strip()
            rest = _LEADING.sub("", part).strip()
            if not _all_joined(new.detail, operator, scene):
                return []
            narrows = (_JOINING[operator] == "also requires") == (new.subject != "unless")
            return [
                claim(f"The condition {_JOINING[operator]} {quoted(rest)}", 80, line),
                implication(
                    f"The branch is taken in {'fewer' if narrows else 'more'} cases, which changes "
                    f"when {_case(rest)} is handled",
                    58,
                    line,
                ),
            ]
    for part in lost:
        joint = _LEADING.search(part)
        if joint and len(edits) == len(lost) == 1:
            rest = _LEADING.sub("", part).strip()
            text = f"The check for {_case(rest)} is taken out of this condition"
            return [implication(text, 62, line)]
    if len(edits) == 1 and {edits[0].old, edits[0].new} in _NEGATIONS:
        return [_negated(old, new, scene)]
    return [c for edit in edits for c in _operator(edit, line)][:2]


_NEGATIONS = ({"", "!"}, {"", "not"}, {"is", "is not"})


def _all_joined(detail: str, operator: str, scene: Scene) -> bool:
    """Whether `operator` joins all parts of a condition, none of them in brackets."""
    depth, found = 0, set()
    for token in tokenize(detail, scene.language):
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth == 0 and (token.text in _JOINING or token.text == "?"):
            found.add(_JOINING.get(token.text, "?"))
    return found == {_JOINING[operator]}


def _negated(old: Statement, new: Statement, scene: Scene) -> Candidate:
    tokens = [t.text for s in (old, new) for t in tokenize(s.detail, scene.language)]
    whole = not any(text in _JOINING for text in tokens)
    noun = "The condition" if whole else "A part of the condition"
    text = f"{noun} is negated, inverting when {quoted(new.detail, 60)} lets the branch run"
    return implication(text, 64, new.line)


def _operator(edit: Edit, line: int) -> list[Candidate]:
    """Say what another operator means; `and` or `or` may carry the operand that changed too."""
    old, new = edit.old, edit.new
    if old.split()[:1] and new.split()[:1]:
        was, now = old.split()[0], new.split()[0]
        if was in _JOINING and now in _JOINING and _JOINING[was] != _JOINING[now]:
            words = f"joined by {quoted(now)} and no longer by {quoted(was)}"
            text = f"The parts of the condition are {words}"
            return [implication(text, 66, line)]
    if not (old in _COMPARISONS and new in _COMPARISONS):
        return []
    text = f"The comparison uses {quoted(new)} instead of {quoted(old)}"
    if {old, new} in ({"==", "==="}, {"!=", "!=="}):
        how = "without" if len(new) > len(old) else "after"
        text += f", so it compares {how} a conversion of types"
    elif {old, new} <= _ORDERED and old[0] == new[0]:
        text += ", so the boundary or equal case is decided differently"
    elif {old, new} & _EQUAL and {old, new} & _UNEQUAL:
        text += ", which inverts it"
    elif {old, new} <= _ORDERED:
        text += ", which reverses it"
    return [implication(text, 64, line)]


def _case(detail: str) -> str:
    """Return a tested name in words; what an operator or a call has a part in, as it is."""
    return spoken(detail) if re.fullmatch(r"[\w.]+", detail) else quoted(detail, 60)


def _test(statement: Statement) -> str:
    if statement.subject == "unless":
        return f"that {quoted(statement.detail)} does not hold"
    return f"whether {quoted(statement.detail)}" if statement.detail else "the value"


def added_checks(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe new tests or assertions that stand together."""
    first = statements[0]
    if first.sort is Sort.TEST:
        return [
            claim(f"A new test case {quoted(s.detail)} is added{scene.place}", 88, s.line)
            for s in statements
        ]
    shown = listed([quoted(_assertion(s)) for s in statements], 3)
    noun = "assertion" if len(statements) == 1 else "assertions"
    found = [claim(f"The {noun} {shown} {are(statements)} added{scene.place}", 78, first.line)]
    if first.subject:
        return found
    text = f"The program stops with an assertion error otherwise: {spoken(first.detail)}"
    return [*found, implication(text, 54, first.line)]


def removed_checks(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    """Describe tests or assertions that are gone."""
    first = statements[0]
    if first.sort is Sort.TEST:
        names = listed([quoted(s.detail) for s in statements])
        return [
            claim(f"The test case {names} is removed{scene.place}", 86, first.line),
            implication(f"The behaviour {names} is no longer tested", 58, first.line),
        ]
    shown = listed([quoted(_assertion(s)) for s in statements], 3)
    return [
        claim(f"The assertion {shown} is removed{scene.place}", 82, first.line),
        implication(
            f"Without the check, a violation goes unnoticed: {spoken(first.detail)}",
            58,
            first.line,
        ),
    ]


def rewritten_check(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say what a test or an assertion expects now."""
    old, new, line = pair.old, pair.new, pair.new.line
    if new.sort is Sort.TEST:
        text = f"The test case {quoted(old.detail)} becomes {quoted(new.detail)}"
        return [claim(text + scene.place, 76, line)] if old.detail != new.detail else []
    before, after = _assertion(old), _assertion(new)
    if before == after:
        return []
    before, after = contrast(before, after, scene.language)
    return [
        claim(f"The test assertion{scene.place} is modified to expect something else", 70, line),
        claim(f"The assertion changes from {quoted(before)} to {quoted(after)}", 84, line),
    ]


def _assertion(statement: Statement) -> str:
    return statement.text.rstrip(";{ ") if statement.subject else statement.detail


_WORDS = {
    "continue": "a skip to the next iteration",
    "break": "a `break`",
    "pass": "a statement that does nothing",
}


def added_outcome(statement: Statement, scene: Scene) -> list[Candidate]:
    """Describe a new return or jump."""
    line, detail = statement.line, statement.detail
    if statement.sort is Sort.JUMP:
        word = _word(statement, scene)
        return [claim(f"There is now {word}{scene.place}", 58, line)]
    verb = "yields" if statement.subject == "yield" else "returns"
    if not detail:
        return [claim(f"The code now returns early{scene.place}", 60, line)]
    return [claim(f"The code now {verb} {quoted(detail)}{scene.place}", 74, line)]


def _word(statement: Statement, scene: Scene) -> str:
    if statement.subject == "break" and scene.in_loop:
        return "an exit from the loop"
    return _WORDS.get(statement.subject, quoted(statement.text))


def removed_outcome(statement: Statement, scene: Scene) -> list[Candidate]:
    """Describe a return or jump that is gone."""
    line, detail = statement.line, statement.detail
    if statement.sort is Sort.JUMP:
        word = _word(statement, scene)
        return [claim(f"There is no longer {word}{scene.place}", 58, line)]
    verb = "yields" if statement.subject == "yield" else "returns"
    if not detail:
        return [claim(f"The code no longer returns early{scene.place}", 60, line)]
    if statement.text.rstrip(";") in scene.text_now:
        return [claim(f"One place that {verb} {quoted(detail)} is removed{scene.place}", 66, line)]
    return [claim(f"The code no longer {verb} {quoted(detail)}{scene.place}", 76, line)]


def rewritten_outcome(pair: Pair, scene: Scene) -> list[Candidate]:
    """Say how a returned value changed."""
    old, new, line = pair.old, pair.new, pair.new.line
    if new.sort is Sort.JUMP or old.detail == new.detail:
        if old.text == new.text:
            return []
        return [claim(f"{quoted(old.text)} becomes {quoted(new.text)}{scene.place}", 60, line)]
    if not old.detail:
        text = f"The code now returns {quoted(new.detail)} instead of nothing"
    elif not new.detail:
        text = f"The code no longer returns {quoted(old.detail)} but nothing"
    else:
        before, after = contrast(old.detail, new.detail, scene.language)
        text = f"The code now returns {quoted(after)} instead of {quoted(before)}"
    return [
        claim(text + scene.place, 84, line),
        implication(_effect(old, new), 54, line),
    ]


_LITERALS = frozenset({"array"})
"""What is written like a call and makes a value of the language itself."""


def _effect(old: Statement, new: Statement) -> str:
    before = {c.short_name for c in old.calls}
    after = [c.short_name for c in new.calls if c.short_name not in before]
    if after:
        return f"Callers get a different result, made by {spoken(after[0])}"
    kept = {c.short_name for c in new.calls} | _LITERALS
    gone = [c.short_name for c in old.calls if c.short_name not in kept]
    if gone:
        return f"The returned result no longer involves {spoken(gone[0])}"
    return f"Callers that rely on the returned {quoted(old.detail, 50)} may behave differently"
