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


_MIN_STATEMENTS = 2
"""Minimum number of statements in which a replaced name is one fact; one more for words."""

_WORD = re.compile(r"[A-Za-z_][\w.:]*")


def take_replacements(
    files: Sequence[Sequence[list[Edit]]],
) -> tuple[list[tuple[int, Fact]], set[int]]:
    """Describe each replacement of a word in several statements once, and remove its edits.

    Return the facts, each with the index of the first file it is about, and all such indices.
    """
    replaced: dict[tuple[str, str], list[tuple[int, Edit]]] = {}
    for index, hunks in enumerate(files):
        for edit in (edit for edits in hunks for edit in edits):
            if pair := _replacement(edit):
                replaced.setdefault(pair, []).append((index, edit))
    facts, indices = [], set()
    for (was, now), places in replaced.items():
        if len(places) < _MIN_STATEMENTS + (not (was.isidentifier() and now.isidentifier())):
            continue
        statements = [edit.statement for _, edit in places]
        named = {each.parts.name for each in statements if each.sort is not Sort.CALL}
        verb = "renamed to" if now in named else "replaced by"
        files_of_pair = {index for index, _ in places}
        number = f" of {len(files_of_pair)} files" * (len(files_of_pair) > 1)
        shown = listed([quoted(each.parts.text, 50) for each in statements], 2)
        text = (
            f"{quoted(was)} is {verb} {quoted(now)} in {len(places)} statements{number}, such as "
        )
        wording = f"the name {in_plain_words(was)} is renamed to {in_plain_words(now)}"
        rank = PLAIN if {was, now} <= {"var", "let", "const"} else DEFINED
        fact = Fact(text + shown, rank, statements[0].line.line, wordings=(wording,))
        facts.append((places[0][0], fact))
        indices |= files_of_pair
        for index, edit in places:
            for edits in files[index]:
                edits[:] = [other for other in edits if other is not edit]
    return facts, indices


def _replacement(edit: Edit) -> tuple[str, str] | None:
    """Return the word that a statement has in place of another, if nothing else differs."""
    if edit.old is None or edit.new is None or edit.new.sort is Sort.COMMENT:
        return None
    before, after = edit.old.parts.key, edit.new.parts.key
    pairs = {(was, now) for was, now in zip(before, after, strict=False) if was != now}
    if len(before) != len(after) or len(pairs) != 1:
        return None
    was, now = pairs.pop()
    is_new = was not in after and now not in before
    return (was, now) if is_new and _WORD.fullmatch(was) and _WORD.fullmatch(now) else None
