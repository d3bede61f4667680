"""Facts about changes of layout only, and about a word that is replaced in many statements."""

from collections.abc import Sequence

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.edits import Edit
from crscore_core.claims.symbolic.fact import Fact, Rank
from crscore_core.claims.symbolic.statement import StatementKind
from crscore_core.claims.symbolic.wording import (
    contrast,
    enumerate_items,
    quote,
    replaced_word,
    to_plain_words,
)

_BY_SPACES = frozenset({"shell", "make", "docker"})
"""Languages in which a space may change the meaning of a line."""


def fact_of_layout(
    hunks: Sequence[Hunk], edits: Sequence[Sequence[Edit]], language: str | None
) -> Fact:
    """Return a fact about indentation, line breaks, blanks or punctuation, if only these change."""
    rows = [row for hunk in hunks for row in hunk.lines if row.kind is not LineKind.CONTEXT]
    line = next((row.new for row in rows if row.new), hunks[0].new_start)
    removed, added = (
        [row.text.strip() for row in rows if row.kind is kind and row.text.strip()]
        for kind in (LineKind.REMOVED, LineKind.ADDED)
    )
    was, now = " ".join(removed), " ".join(added)
    if not was and not now:
        kinds = " and ".join(sorted({row.kind.name.lower() for row in rows}))
        wording = "an empty line, only whitespace or formatting"
        return Fact(f"only blank lines are {kinds}", Rank.LAYOUT, line, wordings=(wording,))
    blank = " " if language in _BY_SPACES else ""
    is_same = blank.join("".join(hunk.old_text + "\n" for hunk in hunks).split()) == blank.join(
        "".join(hunk.new_text + "\n" for hunk in hunks).split()
    )
    moved = [edit.statement.parsed for part in edits for edit in part if not edit.is_one_sided]
    texts = [parsed.text or parsed.value for parsed in moved] or added or removed
    quotes = list(dict.fromkeys(quote(text, 50) for text in texts))
    code = enumerate_items(quotes, 3)
    if is_same and not moved:
        text = f"only the layout of {code} changes: indentation, blanks or line breaks"
        return Fact(text, Rank.LAYOUT, line)
    if moved or sorted(removed) == sorted(added):
        verb, place = "moves" if len(quotes) == 1 else "move", "block" if moved else "place"
        return Fact(f"{code} {verb} to another {place}", Rank.TEXT, line)
    pair = contrast(was, now)
    if was and now and pair:
        return Fact(f"{pair[0]} becomes {pair[1]}", Rank.LAYOUT, line)
    verb = "added" if now else "removed"
    return Fact(f"{quote(now or was)} is {verb}", Rank.LAYOUT, line)


_MIN_STATEMENTS = 2
"""Minimum number of statements with the same replaced name."""


def split_off_replacements(
    files: Sequence[Sequence[Sequence[Edit]]],
) -> tuple[list[tuple[list[int], Fact]], list[list[list[Edit]]]]:
    """Describe each replaced word once, and remove the edits that it explains.

    Return the facts, each with the indices of its files, and the remaining edits of each file.
    """
    replaced: dict[tuple[str, str], list[tuple[int, Edit]]] = {}
    for index, hunks in enumerate(files):
        for edit in (edit for edits in hunks for edit in edits):
            if not (edit.old and edit.new) or edit.new.kind is StatementKind.COMMENT:
                continue
            if pair := replaced_word(edit.old.parsed.key, edit.new.parsed.key):
                replaced.setdefault(pair, []).append((index, edit))
    facts: list[tuple[list[int], Fact]] = []
    explained: set[Edit] = set()
    for (was, now), places in replaced.items():
        if len(places) < _MIN_STATEMENTS:
            continue
        statements = [edit.statement for _, edit in places]
        parsed = [statement.parsed for statement in statements]
        names = {code.name for code in parsed if code.kind is not StatementKind.CALL}
        verb = "renamed to" if now in names else "replaced by"
        indices = list(dict.fromkeys(index for index, _ in places))
        number = f" of {len(indices)} files" * (len(indices) > 1)
        examples = enumerate_items([quote(code.text, 50) for code in parsed], 2)
        text = f"{quote(was)} is {verb} {quote(now)} in {len(places)} statements{number}, such as "
        wording = f"the name {to_plain_words(was)} is renamed to {to_plain_words(now)}"
        rank = Rank.TEXT if {was, now} <= {"var", "let", "const"} else Rank.DEFINITION
        fact = Fact(text + examples, rank, statements[0].line.line, wordings=(wording,))
        facts.append((indices, fact))
        explained |= {edit for _, edit in places}
    remaining = [
        [[edit for edit in edits if edit not in explained] for edits in hunks] for hunks in files
    ]
    return facts, remaining
