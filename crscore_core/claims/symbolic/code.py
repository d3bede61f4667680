"""Turn hunks of code into facts: shared replacements, edits, and layout changes."""

import re
from collections.abc import Sequence
from dataclasses import replace

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.blocks import facts_of_hunk
from crscore_core.claims.symbolic.edits import Edit, EditKind, HunkEdits
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.grammar import Sort
from crscore_core.claims.symbolic.wording import in_plain_words, listed, quoted

Replacement = tuple[str, str]


def facts_of_code(read: Sequence[HunkEdits], hunks: Sequence[Hunk], *, is_test: bool) -> list[Fact]:
    """Return the facts about the edits of one file of code."""
    facts: list[Fact] = []
    for edits in read:
        facts += facts_of_hunk(edits, is_test=is_test)
    if is_test:
        facts = [
            replace(fact, weight=fact.weight - (_TEST if fact.is_definition else _IN_TEST))
            for fact in facts
        ]
    if facts or any(edits.is_taken for edits in read):
        return facts
    changes = any(line.kind is not LineKind.CONTEXT for hunk in hunks for line in hunk.lines)
    return [_layout(read, hunks)] if changes else []


_TEST, _IN_TEST = 25, 40
"""Weight subtracted from facts about tests, and about what tests do."""


def _layout(read: Sequence[HunkEdits], hunks: Sequence[Hunk]) -> Fact:
    """Return a fact about indentation, line breaks and blank lines, if nothing else changes."""
    nested = [e.statement for edits in read for e in edits.edits if e.kind is EditKind.NESTED]
    if laid_out := nested or [statement for edits in read for statement in edits.laid_out]:
        shown = listed([quoted(statement.line.text, 50) for statement in laid_out], 3)
        text = f"only the layout of {shown} changes: indentation, blanks or line breaks"
        if nested:
            text = f"{shown} {'moves' if len(nested) == 1 else 'move'} to another block"
        return Fact(text, 50, laid_out[0].line.line)
    rows = [line for hunk in hunks for line in hunk.lines if line.kind is not LineKind.CONTEXT]
    codes = list(dict.fromkeys(quoted(row.text) for row in rows if row.text.strip()))
    sides = {kind: [row.text.strip() for row in rows if row.kind is kind] for kind in LineKind}
    if codes and sides[LineKind.REMOVED] == sides[LineKind.ADDED]:
        text = f"only the layout of {listed(codes)} changes: blanks or line breaks"
        return Fact(text, 40, hunks[0].new_start)
    gone, come = (
        list(dict.fromkeys(quoted(text) for text in sides[kind] if text))
        for kind in (LineKind.REMOVED, LineKind.ADDED)
    )
    if gone and come:
        text = f"{listed(gone)} {'becomes' if len(gone) == 1 else 'become'} {listed(come)}"
        return Fact(text, 40, hunks[0].new_start)
    kinds = " and ".join(sorted({row.kind.name.lower() for row in rows}))
    text = f"only {f'lines that hold {listed(codes)}' if codes else 'blank lines'} are {kinds}"
    wording = "an empty line, only whitespace or formatting"
    return Fact(text, 40, hunks[0].new_start, wordings=(wording,))


_LEAST = 2
"""Number of statements from which a name replacement is reported once; one more for words."""


def take_replacements(files: Sequence[Sequence[HunkEdits]]) -> list[tuple[int, Fact]]:
    """Return one fact per replacement that explains several statements, and remove these edits.

    Each fact comes with the index of the first file with the replacement.
    """
    statements: dict[Replacement, list[tuple[int, Edit]]] = {}
    for index, hunks in enumerate(files):
        for edit in (edit for hunk in hunks for edit in hunk.edits):
            if edit.kind is EditKind.CHANGED and (replacement := _replacement(edit)):
                statements.setdefault(replacement, []).append((index, edit))
    facts, taken, told = [], set(), set()
    for (was, now), places in statements.items():
        is_name = was.isidentifier() and now.isidentifier()
        if len(places) < (_LEAST if is_name else _LEAST + 1):
            continue
        edits = [edit for _, edit in places]
        taken.update(edits)
        told.add((was, now))
        facts.append(
            (places[0][0], _told_once(was, now, edits, len({index for index, _ in places})))
        )
    for hunk in (hunk for hunks in files for hunk in hunks):
        kept = [edit for edit in hunk.edits if edit not in taken and not _is_told(edit, told)]
        hunk.is_taken |= len(kept) < len(hunk.edits)
        hunk.edits = kept
    return facts


def _is_told(edit: Edit, told: set[Replacement]) -> bool:
    """Return True if replacements that are reported once explain all of a changed statement."""
    if not (edit.old and edit.new) or len(edit.old.line.key) != len(edit.new.line.key):
        return False
    pairs = {(a, b) for a, b in zip(edit.old.line.key, edit.new.line.key, strict=True) if a != b}
    return bool(pairs) and pairs <= told


def _told_once(was: str, now: str, edits: Sequence[Edit], files: int) -> Fact:
    defined = next((edit for edit in edits if _defines(edit, now)), None)
    verb = "renamed to" if defined else "replaced by"
    shown = listed([quoted(edit.statement.line.text, 50) for edit in edits], 2)
    spread = f" of {files} files" if files > 1 else ""
    text = (
        f"{quoted(was)} is {verb} {quoted(now)} in {len(edits)} statements{spread}, such as {shown}"
    )
    wording = in_plain_words(f"the name of the variable {quoted(was)} is renamed to {quoted(now)}")
    line = (defined or edits[0]).statement.line.line
    weight = 40 if {was, now} <= {"var", "let", "const"} else 80
    return Fact(text, weight, line, wordings=(wording,), is_definition=defined is not None)


def _defines(edit: Edit, name: str) -> bool:
    """Return True if the new statement defines `name` in place of another."""
    parts = edit.statement.parts
    names = {parts.name, *(parameter.name for parameter in parts.parameters)}
    return name in names and parts.sort in {Sort.FUNCTION, Sort.TYPE, Sort.ASSIGNMENT}


def _replacement(edit: Edit) -> Replacement | None:
    """Return the name or word that a statement has in place of another, if any."""
    if edit.old is None or edit.new is None or edit.new.sort is Sort.COMMENT:
        return None
    old, new = edit.old.line, edit.new.line
    for before, after in ((old.key, new.key), (old.text.split(), new.text.split())):
        pairs = {(was, now) for was, now in zip(before, after, strict=False) if was != now}
        if len(before) == len(after) and len(pairs) == 1:
            was, now = pairs.pop()
            if _WORD.fullmatch(was) and _WORD.fullmatch(now):
                return (was, now) if was not in after and now not in before else None
    return None


_WORD = re.compile(r"[A-Za-z_][\w.:]*\w|[A-Za-z_]")
