"""One block of a hunk -> candidates, each statement told by its family."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from crscore_core.claims.symbolic.candidate import (
    Candidate,
    Scene,
    are,
    claim,
    cleaned,
    listed,
    quoted,
)
from crscore_core.claims.symbolic.conditions import (
    added_checks,
    added_condition,
    added_outcome,
    removed_checks,
    removed_condition,
    removed_outcome,
    rewritten_check,
    rewritten_condition,
    rewritten_outcome,
)
from crscore_core.claims.symbolic.definitions import (
    added_definition,
    removed_definition,
    rewritten_definition,
)
from crscore_core.claims.symbolic.difference import balanced, contrast, edits_between, only_renames
from crscore_core.claims.symbolic.failures import (
    added_failure,
    removed_failure,
    rewritten_failure,
)
from crscore_core.claims.symbolic.invocations import (
    added_calls,
    added_imports,
    call_changes,
    removed_calls,
    removed_imports,
    rewritten_import,
)
from crscore_core.claims.symbolic.layout import moves_within
from crscore_core.claims.symbolic.lexing import Token, TokenKind
from crscore_core.claims.symbolic.pairing import Block, Pair, same_code
from crscore_core.claims.symbolic.recognition import CONFLICT
from crscore_core.claims.symbolic.statement import Sort, Statement
from crscore_core.claims.symbolic.values import (
    added_remarks,
    added_values,
    removed_remarks,
    removed_values,
    rewritten_remark,
    rewritten_value,
)

NESTED = 18
"""How much less a statement tells that stands in a body already summed up."""

EXPLAINED = 80
"""Weight from which a changed call explains how the value that it gives changes."""

MAX_TOLD = 60
"""Statements of one block, of each kind of change, that are told one by one."""

_Grouped = Callable[[Sequence[Statement], Scene], list[Candidate]]
_Headed = Callable[[Statement, Sequence[Statement], Scene], list[Candidate]]
_Rewritten = Callable[[Pair, Scene], list[Candidate]]


def _others_added(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    shown = listed([quoted(s.text) for s in statements], 3)
    noun = "The new constant or item " if all(s.text.isupper() for s in statements) else ""
    text = f"{noun}{shown} {are(statements)} added{scene.owner if noun else scene.place}"
    return [claim(text, 60, statements[0].line)]


def _others_removed(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    shown = listed([quoted(s.text) for s in statements], 3)
    return [claim(f"{shown} {are(statements)} removed{scene.place}", 60, statements[0].line)]


def _outcomes_added(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    return [c for s in statements for c in added_outcome(s, scene)]


def _outcomes_removed(statements: Sequence[Statement], scene: Scene) -> list[Candidate]:
    return [c for s in statements for c in removed_outcome(s, scene)]


_VALUES = (Sort.ASSIGNMENT, Sort.ENTRY, Sort.ITEM, Sort.QUERY, Sort.MARKUP)
_CONDITIONS = (Sort.CONDITION, Sort.CASE, Sort.ELSE, Sort.LOOP)
_FAILURES = (Sort.TRY, Sort.CATCH, Sort.FINALLY, Sort.RAISE)
_DEFINITIONS = (Sort.FUNCTION, Sort.TYPE)

_GROUPED: dict[Sort, tuple[_Grouped, _Grouped]] = {
    Sort.IMPORT: (added_imports, removed_imports),
    Sort.COMMENT: (added_remarks, removed_remarks),
    Sort.DECORATOR: (added_remarks, removed_remarks),
    Sort.ASSERTION: (added_checks, removed_checks),
    Sort.TEST: (added_checks, removed_checks),
    Sort.CALL: (added_calls, removed_calls),
    Sort.LOG: (added_calls, removed_calls),
    Sort.RETURN: (_outcomes_added, _outcomes_removed),
    Sort.JUMP: (_outcomes_added, _outcomes_removed),
    Sort.OTHER: (_others_added, _others_removed),
    **dict.fromkeys(_VALUES, (added_values, removed_values)),
}

_HEADED: dict[Sort, tuple[_Headed, _Headed]] = {
    **dict.fromkeys(_DEFINITIONS, (added_definition, removed_definition)),
    **dict.fromkeys(_CONDITIONS, (added_condition, removed_condition)),
    **dict.fromkeys(_FAILURES, (added_failure, removed_failure)),
}

_REWRITTEN: dict[Sort, _Rewritten] = {
    Sort.IMPORT: rewritten_import,
    Sort.COMMENT: rewritten_remark,
    Sort.DECORATOR: rewritten_remark,
    Sort.ASSERTION: rewritten_check,
    Sort.TEST: rewritten_check,
    Sort.RETURN: rewritten_outcome,
    Sort.JUMP: rewritten_outcome,
    **dict.fromkeys(_VALUES, rewritten_value),
    **dict.fromkeys(_DEFINITIONS, rewritten_definition),
    **dict.fromkeys(_CONDITIONS, rewritten_condition),
    **dict.fromkeys(_FAILURES, rewritten_failure),
}

_SUMMED_UP = frozenset(
    {Sort.CALL, Sort.ASSIGNMENT, Sort.RETURN, Sort.LOG, Sort.JUMP, Sort.ASSERTION, Sort.OTHER}
)
_SILENT = frozenset({Sort.BLANK, Sort.BRACKETS})
_WITHOUT_CALLS = frozenset(
    {Sort.COMMENT, Sort.IMPORT, Sort.TEST, Sort.FUNCTION, Sort.TYPE, Sort.DECORATOR, Sort.ASSERTION}
)


def narrate(block: Block, scene: Scene) -> list[Candidate]:
    """Return what there is to say about `block`; its place is named once."""
    found: list[Candidate] = []
    elsewhere = scene.elsewhere
    if block.reflowed:
        return []
    found += _renamed(block, scene)
    for pair in block.pairs[:MAX_TOLD]:
        if only_renames(pair.old, pair.new, block.renamed):
            continue
        if not same_code(pair.old, pair.new, scene.language):
            found += _rewritten(pair, elsewhere if found else scene)
    found += moves_within(block)
    for statements, verb in ((block.added, "added"), (block.removed, "removed")):
        marks = [s for s in statements if s.subject == CONFLICT and s.sort is Sort.BRACKETS]
        if marks:
            found.append(claim(f"A merge conflict mark is {verb}{scene.place}", 92, marks[0].line))
    added = [s for s in block.added if s.sort not in _SILENT]
    kept = [s.text for s in (*block.added, *(p.new for p in block.pairs))]
    removed = [s for s in block.removed if s.sort not in _SILENT and not _inlined(s, kept)]
    context = sorted([*block.after, *(p.new for p in block.pairs)], key=lambda s: s.line)
    found += _told(added, context, elsewhere if found else scene, side=0)
    found += _told(removed, (), elsewhere if found else scene, side=1)
    return found


def _renamed(block: Block, scene: Scene) -> list[Candidate]:
    """Say once which local names have others, where the first statement that shows it stands."""
    shown = [p for p in block.pairs if only_renames(p.old, p.new, block.renamed)]
    shown = [p for p in shown if [t.text for t in p.old.tokens] != [t.text for t in p.new.tokens]]
    if not shown:
        return []
    used = {t.text for p in shown for t in p.old.tokens}
    names = [(a, b) for a, b in block.renamed.items() if a in used]
    said = [f"{quoted(a, 40)} is renamed to {quoted(b, 40)}" for a, b in names]
    return [claim(listed(said, 3) + scene.place, 88, shown[0].new.line)]


def _inlined(statement: Statement, texts: Sequence[str]) -> bool:
    """Whether an assignment lives on as an expression within another statement."""
    inline = f"{statement.subject} := {statement.detail}"
    return statement.sort is Sort.ASSIGNMENT and any(inline in text for text in texts)


def _told(
    statements: Sequence[Statement], after: Sequence[Statement], scene: Scene, *, side: int
) -> list[Candidate]:
    """Tell statements of one side: those with a body together with it, others in groups."""
    found: list[Candidate] = []
    nested_until = -1
    consumed: set[int] = set()
    shown = statements[:MAX_TOLD]
    groups = groupby(range(len(shown)), key=lambda i: _group_key(shown[i], i))
    for _, indices in groups:
        members = [i for i in indices if i not in consumed]
        if not members:
            continue
        first = shown[members[0]]
        if first.sort in _HEADED:
            body, end = _body(shown, members[0], after)
            told = _HEADED[first.sort][side](first, body, scene)
            if first.sort not in _DEFINITIONS and end > members[0]:
                consumed.add(members[0] + 1)
        else:
            end = -1
            told = _GROUPED[first.sort][side]([shown[i] for i in members], scene)
        if members[0] <= nested_until and first.sort in _SUMMED_UP:
            continue
        if _belongs_to_next(shown, members[-1]):
            continue
        penalty = NESTED if members[0] <= nested_until else 0
        found += [replace(c, weight=c.weight - penalty) for c in told]
        if first.sort in _DEFINITIONS:
            nested_until = max(nested_until, end)
        if found:
            scene = scene.elsewhere
    return found


def _belongs_to_next(statements: Sequence[Statement], at: int) -> bool:
    """Whether it only says of a new definition that it overrides another."""
    following = statements[at + 1].sort if at + 1 < len(statements) else None
    return statements[at].subject == "Override" and following in _DEFINITIONS


def _group_key(statement: Statement, index: int) -> tuple[object, ...]:
    """Neighbours with the same key are told together."""
    if statement.sort in _HEADED:
        return (statement.sort, index)
    if statement.sort is Sort.COMMENT:
        return (statement.sort,)
    return (statement.sort, bool(statement.modifiers), statement.source.indent)


def _body(
    statements: Sequence[Statement], at: int, after: Sequence[Statement]
) -> tuple[list[Statement], int]:
    """Return the statements more indented than the one at `at`, and the index of the last."""
    indent = statements[at].source.indent
    end = at
    while end + 1 < len(statements) and statements[end + 1].source.indent > indent:
        end += 1
    body = list(statements[at + 1 : end + 1])
    if not body and end == len(statements) - 1:
        following = [s for s in after if s.line > statements[at].line and s.sort not in _SILENT]
        body = list(takewhile(lambda s: s.source.indent > indent, following))
    return body, end


def _rewritten(pair: Pair, scene: Scene) -> list[Candidate]:
    was, now = pair.old.text, pair.new.text
    if pair.old.sort is not Sort.COMMENT and was != now and cleaned(was) == cleaned(now):
        text = f"The blanks within {quoted(now)} change"
        return [claim(text + scene.place, 60, pair.new.line)]
    found: list[Candidate] = []
    teller = _REWRITTEN.get(pair.new.sort)
    if teller is not None and pair.old.sort is pair.new.sort:
        found += teller(pair, scene)
    if {pair.old.sort, pair.new.sort} & _WITHOUT_CALLS or (found and pair.new.sort in _CONDITIONS):
        return found or _generic(pair, scene)
    if found and pair.new.sort is Sort.RAISE:
        return found
    calls = call_changes(pair, scene.elsewhere if found else scene)
    if pair.new.sort in _VALUES and any(c.weight >= EXPLAINED for c in calls):
        named = replace(scene, place=f" for {quoted(pair.new.subject, 60)}")
        return call_changes(pair, named) if pair.new.subject else calls
    found += calls
    return found or _generic(pair, scene)


def _generic(pair: Pair, scene: Scene) -> list[Candidate]:
    old, new = pair.old, pair.new
    before, after = _code(old.tokens), _code(new.tokens)
    line = new.line
    if [t.text for t in before] == [t.text for t in after]:
        comments = [t.text for s in (old, new) for t in s.tokens if t.kind is TokenKind.COMMENT]
        if comments:
            text = f"The comment beside {quoted(new.text, 50)} changes: {quoted(comments[-1])}"
            return [claim(text, 50, line)]
        whole = (quoted(s.source.text) for s in (old, new))
        return [claim(" is replaced with ".join(whole) + scene.place, 60, line)]
    edits = [
        e
        for e in edits_between(before, old.source.text, after, new.source.text)
        if any(c.isalnum() for c in e.old + e.new)
    ]
    plain = 0 < len(edits) < 3 and all(balanced(part) for e in edits for part in (e.old, e.new))
    if plain and old.sort is new.sort and not any(e.old for e in edits):
        parts = listed([quoted(e.new.strip(" ,")) for e in edits])
        return [claim(f"{parts} {are(edits)} added{scene.place}", 74, line)]
    if plain and old.sort is new.sort and not any(e.new for e in edits):
        parts = listed([quoted(e.old.strip(" ,")) for e in edits])
        return [claim(f"{parts} {are(edits)} removed{scene.place}", 74, line)]
    was, now = contrast(old.text, new.text, scene.language)
    found = [claim(f"{quoted(was)} is replaced with {quoted(now)}{scene.place}", 74, line)]
    for edit in edits[:2] if plain else ():
        size = len(edit.old) + len(edit.new)
        if edit.old and edit.new and size < len(old.text + new.text) * 0.7:
            text = f"{quoted(edit.new)} takes the place of {quoted(edit.old)}"
            found.append(claim(text, 66, line))
    return found


def _code(tokens: Sequence[Token]) -> list[Token]:
    return [t for t in tokens if t.kind is not TokenKind.COMMENT]
