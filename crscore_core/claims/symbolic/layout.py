"""Changes of layout alone: blank lines, indentation, line breaks, brackets, moved lines."""

from collections.abc import Sequence
from itertools import groupby

from crscore_core.change import Hunk
from crscore_core.claims.symbolic.candidate import Candidate, claim, implication
from crscore_core.claims.symbolic.notation import NESTED_BY_INDENT
from crscore_core.claims.symbolic.pairing import Block, Pair, same_code
from crscore_core.claims.symbolic.quoting import are, listed, quoted
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["layout_of", "moves_within", "take_moved"]

MIN_MOVED = 12
"""Characters from which equal lines are taken to be one that moved."""

_RUN = frozenset({Sort.CALL, Sort.ASSIGNMENT, Sort.LOG, Sort.ASSERTION})
"""Statements that happen one after another."""

_LONG_STRINGS = ('"""', "'''", "`")
"""Marks of strings that can span lines, the blanks of which count."""


def take_moved(blocks: Sequence[Block]) -> list[Candidate]:
    """Take statements that moved out of `blocks`, and describe each run of them as one claim."""
    gone: dict[str, list[tuple[Block, Statement]]] = {}
    come: dict[str, list[tuple[Block, Statement]]] = {}
    for block in blocks:
        for statement in block.removed:
            if statement.sort is Sort.COMMENT:
                continue
            gone.setdefault(statement.source.text, []).append((block, statement))
        for statement in block.added:
            come.setdefault(statement.source.text, []).append((block, statement))
    moved = [
        (gone[text][0], come[text][0])
        for text in gone
        if len(text) >= MIN_MOVED and len(gone[text]) == len(come.get(text, ())) == 1
    ]
    if not moved:
        return []
    taken = {id(s) for pair in moved for _, s in pair}
    for block in blocks:
        block.removed = [s for s in block.removed if id(s) not in taken]
        block.added = [s for s in block.added if id(s) not in taken]
    return _moves([(old, new) for (_, old), (_, new) in moved])


def moves_within(block: Block) -> list[Candidate]:
    """Describe unchanged statements of `block` that changed places, or the block they are in."""
    shifted = {id(shift.statement) for shift in block.shifts}
    found = []
    for how, shifts in groupby(block.shifts, key=lambda shift: shift.how):
        statements = [shift.statement for shift in shifts]
        shown = listed([quoted(s.text, 70) for s in statements], 3)
        verb = "gets" if how.startswith("another") else "moves"
        verb = verb if len(statements) == 1 else verb.removesuffix("s")
        found.append(claim(f"{shown} {verb} {how}", 78, statements[0].line))
    moved = [(p.old, p.new) for p in block.moved if id(p.new) not in shifted]
    return [*found, *(_moves(moved) if moved else [])]


def _moves(moved: Sequence[tuple[Statement, Statement]]) -> list[Candidate]:
    shown = listed([quoted(new.text, 70) for _, new in moved], 3)
    old, new = moved[0]
    where = "further down" if new.source.positions[0] > old.source.positions[0] else "further up"
    found = [claim(f"{shown} {are(moved)} moved {where}", 70, new.line)]
    if new.sort in _RUN and old.source.indent == new.source.indent:
        text = f"The order in which {quoted(new.text, 50)} happens changes"
        found.append(implication(text, 44, new.line))
    return found


def layout_of(
    blocks: Sequence[Block], hunks: Sequence[Hunk], language: str | None
) -> list[Candidate]:
    """Describe `blocks` of `hunks`, in which no statement changes but its layout."""
    line = max(min((h.new_start for h in hunks), default=1), 1)
    pairs = [p for b in blocks for p in b.pairs]
    respaced = [p for p in pairs if same_code(p.old, p.new, language)]
    if respaced or any(b.reflowed for b in blocks):
        texts = [row.text for hunk in hunks for row in hunk.lines]
        in_string = any(mark in text for text in texts for mark in _LONG_STRINGS)
        return _respaced(blocks, respaced, line, None if in_string else language)
    added = [s for b in blocks for s in b.added]
    removed = [s for b in blocks for s in b.removed]
    verb = "changed" if added and removed else "added" if added else "removed"
    if not (added or removed):
        return []
    if all(s.sort is Sort.BLANK for s in (*added, *removed)):
        return [
            claim(f"Blank lines or whitespace are {verb}", 40, line),
        ]
    marks = listed([quoted(s.source.text, 30) for s in (*added, *removed)], 4)
    return [claim(f"The brackets or marks {marks} are {verb}", 45, line)]


def _respaced(
    blocks: Sequence[Block], respaced: Sequence[Pair], line: int, language: str | None
) -> list[Candidate]:
    shown = [s for b in blocks for s in b.members if s.sort not in {Sort.BLANK, Sort.BRACKETS}]
    example = f" of {quoted(shown[0].text, 70)}" if shown else ""
    if any(p.old.sort is not Sort.COMMENT and _other_end(p) for p in respaced):
        return [claim(f"Only the mark at the end{example} changes", 60, blocks[0].line)]
    indented = any(p.old.source.indent != p.new.source.indent for p in respaced)
    how = "indentation" if indented else "formatting, whitespace or line breaks"
    found = [claim(f"Only the {how}{example} changes", 60, blocks[0].line)]
    known = language is not None and not (indented and language in NESTED_BY_INDENT)
    if known:
        effect = "Behaviour stays the same, the formatting is for readability"
        found.append(implication(effect, 40, line))
    return found


def _other_end(pair: Pair) -> bool:
    return [t.text for t in pair.old.tokens] != [t.text for t in pair.new.tokens]
