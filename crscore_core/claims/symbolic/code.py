"""Hunks of code -> facts: edits, what they share, and the blocks that they stand in."""

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.blocks import facts_of_hunk
from crscore_core.claims.symbolic.edits import (
    Edit,
    EditKind,
    HunkEdits,
    edits_of,
    take_moves,
)
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.grammar import Sort
from crscore_core.claims.symbolic.lexis import TokenKind, common_ends, tokenize
from crscore_core.claims.symbolic.wording import in_plain_words, listed, quoted

_LEAST_REPEATED, _LEAST_PASSAGES = 2, 3
"""Statements from which one replacement of a name, or of other code, is told once."""


def read_edits(hunks: Sequence[Hunk], language: str | None) -> list[HunkEdits]:
    """Return the edits of each hunk of a file."""
    read = [edits_of(hunk, language) for hunk in hunks]
    take_moves(read)
    return read


def facts_of_code(read: Sequence[HunkEdits], hunks: Sequence[Hunk], *, is_test: bool) -> list[Fact]:
    """Return the facts about the edits of one file of code."""
    facts: list[Fact] = []
    for hunk_edits in read:
        facts += facts_of_hunk(hunk_edits, is_test=is_test)
    if not facts and not any(hunk_edits.is_taken for hunk_edits in read):
        facts = _layout(read) or _blank_lines(hunks)
    return facts


def _blank_lines(hunks: Sequence[Hunk]) -> list[Fact]:
    """Tell of lines that hold nothing but blanks and brackets, where nothing else changes."""
    facts = []
    for hunk in hunks:
        for index, line in enumerate(hunk.lines):
            if line.kind is LineKind.CONTEXT:
                continue
            verb = "added" if line.kind is LineKind.ADDED else "removed"
            before = (
                next((o.text for o in hunk.lines[index - 1 :: -1] if o.text.strip()), "")
                if index
                else ""
            )
            after = f" after {quoted(before, 60)}" if before else ""
            what = f"{quoted(line.text)} is" if line.text.strip() else "a blank line is"
            facts.append(
                Fact(
                    f"{what} {verb}{after}",
                    40,
                    line.new or hunk.new_start,
                    wordings=(f"an empty line, only whitespace or formatting, is {verb}",),
                )
            )
    return facts


def take_replacements(
    files: Sequence[tuple[int, str | None, list[HunkEdits]]],
) -> dict[int, list[Fact]]:
    """Tell a replacement of a name that explains several statements once, and take these out.

    `files` have a number, a language and edits; the facts are returned by the number of the file
    in which the replacement comes first.
    """
    of_edit: dict[Edit, frozenset[tuple[str, str]]] = {}
    file_of: dict[Edit, int] = {}
    passages: dict[tuple[str, str], list[Edit]] = {}
    for number, language, hunks in files:
        for hunk in hunks:
            for edit in hunk.edits:
                if edit.kind is not EditKind.CHANGED:
                    continue
                file_of[edit] = number
                if found := _replacements(edit, language):
                    of_edit[edit] = found
                elif passage := _passage(edit):
                    passages.setdefault(passage, []).append(edit)
    for passage, edits in passages.items():
        if len(edits) >= _LEAST_PASSAGES:
            of_edit |= dict.fromkeys(edits, frozenset({passage}))
    counts = Counter(pair for found in of_edit.values() for pair in found)
    repeated = {pair for pair, count in counts.items() if count >= _LEAST_REPEATED}
    facts: dict[int, list[Fact]] = {}
    taken: set[Edit] = set()
    for was, now in sorted(repeated, key=lambda pair: -counts[pair]):
        edits = [e for e, found in of_edit.items() if (was, now) in found and found <= repeated]
        if len(edits) < _LEAST_REPEATED:
            continue
        taken.update(edits)
        spread = len({file_of[edit] for edit in edits})
        places = f"{len(edits)} statements" + (f" of {spread} files" if spread > 1 else "")
        shown = listed([quoted(e.statement.line.text, 50) for e in edits], 2)
        defined = [e for e in edits if e.old and e.new and _is_defined(e, was, now)]
        line = (defined or edits)[0].statement.line.line
        verb = "is renamed to" if defined else "is replaced by"
        facts.setdefault(file_of[edits[0]], []).append(
            Fact(
                f"{quoted(was)} {verb} {quoted(now)} in {places}, such as {shown}",
                80,
                line,
                wordings=(
                    in_plain_words(
                        f"the name of the variable {quoted(was)} is renamed to {quoted(now)}"
                    ),
                ),
            )
        )
    for _, _, hunks in files:
        for hunk in hunks:
            kept = [edit for edit in hunk.edits if edit not in taken]
            hunk.is_taken = len(kept) < len(hunk.edits)
            hunk.edits = kept
    return facts


def _is_defined(edit: Edit, was: str, now: str) -> bool:
    old, new = edit.old, edit.new
    if old is None or new is None or old.sort is not new.sort:
        return False
    if old.sort in {Sort.FUNCTION, Sort.TYPE, Sort.ASSIGNMENT}:
        names = {p.name for p in new.parts.parameters} | {new.parts.name}
        return now in names
    return False


def _replacements(edit: Edit, language: str | None) -> frozenset[tuple[str, str]]:
    """Return the names by which a statement differs from what it was; none if by more."""
    if edit.old is None or edit.new is None or edit.new.sort is Sort.COMMENT:
        return frozenset()
    pairs = set()
    for was, now in zip_longest(edit.old.line.key, edit.new.line.key):
        if was == now:
            continue
        if was is None or now is None:
            return frozenset()
        kinds = {t.kind for text in (was, now) for t in tokenize(text, language)}
        if kinds != {TokenKind.NAME} or was in edit.new.line.key or now in edit.old.line.key:
            return frozenset()
        pairs.add((was, now))
    return frozenset(pairs)


_LONGEST_REPLACED = 8
"""Tokens that one replacement takes away or brings."""


def _passage(edit: Edit) -> tuple[str, str] | None:
    """Return the one passage of a statement that is replaced, with a name beside an empty one."""
    if edit.old is None or edit.new is None or edit.new.sort is Sort.COMMENT:
        return None
    old, new = edit.old.line.key, edit.new.line.key
    start, end = common_ends(old, new)
    if len(old) == start + end or len(new) == start + end:
        if end and old[-end].isidentifier():
            end -= 1
        elif start:
            start -= 1
    while start and not (old[start].isidentifier() and new[start].isidentifier()):
        start -= 1
    was, now = old[start : len(old) - end], new[start : len(new) - end]
    if not was or not now or max(len(was), len(now)) > _LONGEST_REPLACED or start + end == 0:
        return None
    return "".join(was), "".join(now)


def _layout(hunks: Sequence[HunkEdits]) -> list[Fact]:
    laid_out = [statement for hunk in hunks for statement in hunk.laid_out]
    nested = [e.statement for h in hunks for e in h.edits if e.kind is EditKind.NESTED]
    if nested:
        shown = listed([quoted(s.line.text, 50) for s in nested], 3)
        return [Fact(f"{shown} moves to another block", 50, nested[0].line.line)]
    if laid_out:
        shown = listed([quoted(s.line.text, 50) for s in laid_out], 3)
        text = f"only the layout of {shown} changes: indentation, blanks or line breaks"
        return [Fact(text, 50, laid_out[0].line.line)]
    return []
