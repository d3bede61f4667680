"""Changes of layout alone: blank lines, indentation, line breaks, brackets, moved lines."""

from collections.abc import Sequence

from crscore_core.claims.symbolic.candidate import Candidate, claim, implication
from crscore_core.claims.symbolic.pairing import Block, same_code
from crscore_core.claims.symbolic.quoting import listed, quoted
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["layout_of", "take_moved"]

MIN_MOVED = 12
"""Characters from which equal lines are taken to be one that moved."""


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
    shown = listed([quoted(new.text, 70) for _, (_, new) in moved], 3)
    old, new = moved[0][0][1], moved[0][1][1]
    where = "further down" if new.line > old.line else "further up"
    return [
        claim(f"{shown} is moved {where}", 70, new.line),
        implication(f"The order in which {quoted(new.text, 50)} happens changes", 44, new.line),
    ]


def layout_of(blocks: Sequence[Block], line: int) -> list[Candidate]:
    """Describe blocks in which no statement changes but its layout."""
    respaced = [p for b in blocks for p in b.pairs if same_code(p.old, p.new)]
    if respaced or any(b.reflowed for b in blocks):
        shown = [s for b in blocks for s in b.members if s.sort not in {Sort.BLANK, Sort.BRACKETS}]
        indented = any(p.old.source.indent != p.new.source.indent for p in respaced)
        how = "indentation" if indented else "formatting, whitespace or line breaks"
        example = f" of {quoted(shown[0].text, 70)}" if shown else ""
        return [
            claim(f"Only the {how}{example} changes", 60, blocks[0].line),
            implication("Behaviour stays the same, the formatting is for readability", 40, line),
        ]
    added = [s for b in blocks for s in b.added]
    removed = [s for b in blocks for s in b.removed]
    verb = "changed" if added and removed else "added" if added else "removed"
    if not (added or removed):
        return []
    if all(s.sort is Sort.BLANK for s in (*added, *removed)):
        return [
            claim(f"Blank lines or whitespace are {verb}", 40, line),
            implication("Spacing changes readability but not what the code does", 30, line),
        ]
    marks = listed([quoted(s.source.text, 30) for s in (*added, *removed)], 4)
    return [claim(f"The brackets or marks {marks} are {verb}", 45, line)]
