"""Hunks of code -> facts: what several statements share, the edits, and the layout."""

from collections.abc import Sequence

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.blocks import facts_of_hunk
from crscore_core.claims.symbolic.edits import Edit, EditKind, HunkEdits
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.grammar import Sort
from crscore_core.claims.symbolic.lexis import between, common_ends
from crscore_core.claims.symbolic.wording import in_plain_words, listed, quoted

Replacement = tuple[str, str]


def facts_of_code(read: Sequence[HunkEdits], hunks: Sequence[Hunk], *, is_test: bool) -> list[Fact]:
    """Return the facts about the edits of one file of code."""
    facts = [fact for edits in read for fact in facts_of_hunk(edits, is_test=is_test)]
    if facts or any(edits.is_taken for edits in read):
        return facts
    return _layout(read) or (_blank_lines(hunks) if hunks else [])


def _layout(hunks: Sequence[HunkEdits]) -> list[Fact]:
    nested = [e.statement for h in hunks for e in h.edits if e.kind is EditKind.NESTED]
    laid_out = nested or [statement for hunk in hunks for statement in hunk.laid_out]
    if not laid_out:
        return []
    shown = listed([quoted(statement.line.text, 50) for statement in laid_out], 3)
    text = f"only the layout of {shown} changes: indentation, blanks or line breaks"
    if nested:
        text = f"{shown} {'moves' if len(nested) == 1 else 'move'} to another block"
    return [Fact(text, 50, laid_out[0].line.line)]


def _blank_lines(hunks: Sequence[Hunk]) -> list[Fact]:
    """Tell of lines that hold nothing but blanks and brackets, where nothing else changes."""
    blanks = [
        line.kind for hunk in hunks for line in hunk.lines if line.kind is not LineKind.CONTEXT
    ]
    if blanks and blanks.count(LineKind.ADDED) == blanks.count(LineKind.REMOVED):
        return [Fact("only blanks at the ends of lines change", 40, hunks[0].new_start)]
    facts = []
    for hunk in hunks:
        before = ""
        for line in hunk.lines:
            if line.kind is not LineKind.CONTEXT:
                verb = "added" if line.kind is LineKind.ADDED else "removed"
                what = quoted(line.text) if line.text.strip() else "a blank line"
                after = f" after {quoted(before, 60)}" if before else ""
                wording = f"an empty line, only whitespace or formatting, is {verb}"
                place = line.new or hunk.new_start
                facts.append(Fact(f"{what} is {verb}{after}", 40, place, wordings=(wording,)))
            before = line.text.strip() or before
    return facts


_LEAST_NAMES, _LEAST_PASSAGES = 2, 3
"""Statements from which one replacement of a name, or of other code, is told once."""

_LONGEST = 8
"""Tokens that one replacement takes away or brings."""


def take_replacements(files: Sequence[Sequence[HunkEdits]]) -> list[tuple[int, Fact]]:
    """Tell a replacement that explains several statements once, and take these out.

    Each fact comes with the index of the file in which the replacement is first.
    """
    statements: dict[Replacement, list[tuple[int, Edit]]] = {}
    for index, hunks in enumerate(files):
        for edit in (edit for hunk in hunks for edit in hunk.edits):
            if edit.kind is EditKind.CHANGED and (replacement := _replacement(edit)):
                statements.setdefault(replacement, []).append((index, edit))
    facts, taken = [], set()
    for (was, now), places in statements.items():
        is_name = was.isidentifier() and now.isidentifier()
        if len(places) < (_LEAST_NAMES if is_name else _LEAST_PASSAGES):
            continue
        edits = [edit for _, edit in places]
        taken.update(edits)
        facts.append(
            (places[0][0], _told_once(was, now, edits, len({index for index, _ in places})))
        )
    for hunk in (hunk for hunks in files for hunk in hunks):
        kept = [edit for edit in hunk.edits if edit not in taken]
        hunk.is_taken, hunk.edits = len(kept) < len(hunk.edits), kept
    return facts


def _told_once(was: str, now: str, edits: Sequence[Edit], files: int) -> Fact:
    defined = next((edit for edit in edits if _defines(edit, now)), None)
    verb = "renamed to" if defined and was.isidentifier() else "replaced by"
    shown = listed([quoted(edit.statement.line.text, 50) for edit in edits], 2)
    spread = f" of {files} files" if files > 1 else ""
    text = (
        f"{quoted(was)} is {verb} {quoted(now)} in {len(edits)} statements{spread}, such as {shown}"
    )
    wording = in_plain_words(f"the name of the variable {quoted(was)} is renamed to {quoted(now)}")
    line = (defined or edits[0]).statement.line.line
    return Fact(text, 80, line, wordings=(wording,))


def _defines(edit: Edit, name: str) -> bool:
    """Return True if the new statement defines `name` in place of another."""
    old, new = edit.old, edit.new
    if old is None or new is None or old.sort is not new.sort:
        return False
    names = {new.parts.name, *(parameter.name for parameter in new.parts.parameters)}
    return name in names and new.sort in {Sort.FUNCTION, Sort.TYPE, Sort.ASSIGNMENT}


def _replacement(edit: Edit) -> Replacement | None:
    """Return what a statement differs by: a name throughout, or one passage; None if by more."""
    if edit.old is None or edit.new is None or edit.new.sort is Sort.COMMENT:
        return None
    old, new = edit.old.line.key, edit.new.line.key
    if len(old) == len(new):
        pairs = {(was, now) for was, now in zip(old, new, strict=True) if was != now}
        if len(pairs) == 1:
            was, now = pairs.pop()
            is_name = was.isidentifier() and now.isidentifier()
            return (was, now) if is_name and was not in new and now not in old else None
    start, end = common_ends(old, new)
    if min(len(old), len(new)) == start + end and end and old[-end].isidentifier():
        end -= 1
    while start and not (
        start < min(len(old), len(new)) - end
        and old[start].isidentifier()
        and new[start].isidentifier()
    ):
        start -= 1
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    if not gone or not come or max(len(gone), len(come)) > _LONGEST or start + end == 0:
        return None
    return between(edit.old.line, start, end), between(edit.new.line, start, end)
