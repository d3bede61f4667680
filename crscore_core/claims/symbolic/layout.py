"""Changes of layout alone, and one replacement in many statements."""

import re
from collections.abc import Sequence

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.edits import Edit
from crscore_core.claims.symbolic.fact import DEFINED, PLAIN, TRIVIAL, Fact
from crscore_core.claims.symbolic.statement import Sort
from crscore_core.claims.symbolic.wording import contrasted, in_plain_words, listed, quoted

_BY_SPACES = frozenset({"shell", "make", "docker"})
"""Languages in which a space may change what a row means."""


def fact_of_layout(
    hunks: Sequence[Hunk], edits: Sequence[Sequence[Edit]], language: str | None
) -> Fact:
    """Return a fact about indentation, line breaks, blanks or punctuation: nothing else changes."""
    rows = [row for hunk in hunks for row in hunk.lines if row.kind is not LineKind.CONTEXT]
    line = next((row.new for row in rows if row.new), hunks[0].new_start)
    gone, come = (
        [row.text.strip() for row in rows if row.kind is kind and row.text.strip()]
        for kind in (LineKind.REMOVED, LineKind.ADDED)
    )
    was, now = " ".join(gone), " ".join(come)
    if not was and not now:
        kinds = " and ".join(sorted({row.kind.name.lower() for row in rows}))
        wording = "an empty line, only whitespace or formatting"
        return Fact(f"only blank lines are {kinds}", TRIVIAL + 9, line, wordings=(wording,))
    blank = " " if language in _BY_SPACES else ""
    is_same = blank.join("".join(hunk.old_text + "\n" for hunk in hunks).split()) == blank.join(
        "".join(hunk.new_text + "\n" for hunk in hunks).split()
    )
    moved = [edit.statement.parts for part in edits for edit in part if not edit.is_one_sided]
    texts = [parts.text or parts.value for parts in moved] or come or gone
    shown = list(dict.fromkeys(quoted(text, 50) for text in texts))
    if is_same and not moved:
        text = f"only the layout of {listed(shown, 3)} changes: indentation, blanks or line breaks"
        return Fact(text, TRIVIAL + 9, line)
    if moved or sorted(gone) == sorted(come):
        verb, place = "moves" if len(shown) == 1 else "move", "block" if moved else "place"
        return Fact(f"{listed(shown, 3)} {verb} to another {place}", PLAIN, line)
    pair = contrasted(was, now)
    if was and now and pair:
        return Fact(f"{pair[0]} becomes {pair[1]}", TRIVIAL + 8, line)
    way = "added" if now else "removed"
    return Fact(f"{quoted(now or was)} is {way}", TRIVIAL + 8, line)


_LEAST = 2
"""Number of statements from which a name replacement is one fact; one more for words."""

_WORD = re.compile(r"[A-Za-z_][\w.:]*")


def take_replacements(
    files: Sequence[Sequence[list[Edit]]],
) -> tuple[list[tuple[int, Fact]], set[int]]:
    """Tell once each replacement of a word that explains several statements; take these edits.

    Return the facts, each with the index of the first file it is about, and all such indices.
    """
    found: dict[tuple[str, str], list[tuple[int, Edit]]] = {}
    for index, hunks in enumerate(files):
        for edit in (edit for edits in hunks for edit in edits):
            for pair in _replacements(edit):
                found.setdefault(pair, []).append((index, edit))
    facts, shared = [], set()
    for (was, now), places in found.items():
        edits = [edit for _, edit in places if len(_replacements(edit)) == 1]
        if len(edits) < _LEAST + (not (was.isidentifier() and now.isidentifier())):
            continue
        shared.add((was, now))
        named = {
            edit.statement.parts.name for edit in edits if edit.statement.sort is not Sort.CALL
        }
        number = len({index for index, _ in places})
        shown = listed([quoted(edit.statement.parts.text, 50) for edit in edits], 2)
        text = (
            f"{quoted(was)} is {'renamed to' if now in named else 'replaced by'} {quoted(now)} in "
        )
        text += f"{len(places)} statements{f' of {number} files' * (number > 1)}, such as {shown}"
        wording = f"the name {in_plain_words(was)} is renamed to {in_plain_words(now)}"
        rank = PLAIN if {was, now} <= {"var", "let", "const"} else DEFINED
        fact = Fact(text, rank, edits[0].statement.line.line, wordings=(wording,))
        facts.append((places[0][0], fact))
    for edits in (edits for hunks in files for edits in hunks):
        edits[:] = [edit for edit in edits if not (p := _replacements(edit)) or not p <= shared]
    return facts, {index for pair in shared for index, _ in found[pair]}


def _replacements(edit: Edit) -> set[tuple[str, str]]:
    """Return the words that a statement has in place of others, if nothing else differs."""
    if edit.old is None or edit.new is None or edit.new.sort is Sort.COMMENT:
        return set()
    before, after = edit.old.parts.key, edit.new.parts.key
    pairs = {(was, now) for was, now in zip(before, after, strict=False) if was != now}
    is_words = all(_WORD.fullmatch(word) for pair in pairs for word in pair)
    is_new = all(was not in after and now not in before for was, now in pairs)
    return pairs if len(before) == len(after) and is_words and is_new else set()
