"""Hunk -> edits: statements that were added, removed, changed, moved or given another block."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.lexis import LogicalLine, logical_lines
from crscore_core.claims.symbolic.statement import HEADINGS, Parts, Sort, read_statement


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A statement of one side, with the headings that it stands in, from the outermost in."""

    line: LogicalLine
    parts: Parts
    around: tuple["Statement", ...] = ()

    @property
    def sort(self) -> Sort:
        """Its sort."""
        return self.parts.sort


class EditKind(StrEnum):
    """What happened to a statement."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    NESTED = "nested"


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """A statement before and after; one of them is None where it was added or removed.

    A nested one stands, else the same, in other blocks than before.
    """

    kind: EditKind
    old: Statement | None
    new: Statement | None

    @property
    def statement(self) -> Statement:
        """The new statement, the old one where there is no new one."""
        statement = self.new or self.old
        if statement is None:
            raise ValueError("an edit needs a statement")
        return statement


@dataclass(slots=True)
class HunkEdits:
    """The edits of a hunk, and how many statements changed only in their layout."""

    edits: list[Edit] = field(default_factory=list)
    laid_out: list[Statement] = field(default_factory=list)
    is_taken: bool = False


_MOST_PAIRED = 60
"""Statements of a side of a region that are compared with each of the other side."""

_ALIKE = 0.5
"""Share of common tokens from which two statements are taken for one that changed."""


def read_side(hunk: Hunk, own: LineKind, language: str | None) -> list[Statement]:
    """Return the statements of one side of a hunk, each with the headings around it."""
    statements: list[Statement] = []
    open_: list[Statement] = []
    if section := _section(hunk, language):
        open_.append(section)
    for line in logical_lines(hunk.lines, own, language):
        if line.is_comment:
            parts = Parts(Sort.COMMENT, value=line.text)
        elif not _has_code(line):
            while len(open_) > 1 and open_[-1].line.indent > line.indent:
                open_.pop()
            if section in open_ and line.indent <= 0 and section is open_[-1]:
                open_.pop()
            continue
        else:
            parts = read_statement(line.text, language)
        while open_ and open_[-1].line.indent >= line.indent and line.text:
            open_.pop()
        statement = Statement(line, parts, tuple(open_))
        statements.append(statement)
        if parts.sort in HEADINGS or line.text.endswith(("{", "do", "->", "=>", "|", "[", "(")):
            open_.append(statement)
    return statements


def _has_code(line: LogicalLine) -> bool:
    """Return True unless the line only closes what others opened."""
    return any(token not in _CLOSING for token in line.key)


_CLOSING = frozenset({"{", "}", ")", "]", "(", "[", ";", ",", "end", "fi", "done", "esac"})


def _section(hunk: Hunk, language: str | None) -> Statement | None:
    """Read the heading after the range of a hunk; it stands further out than every line."""
    text = hunk.section.strip()
    if not text:
        return None
    parts = read_statement(text, language)
    if parts.sort not in {Sort.FUNCTION, Sort.TYPE}:
        return None
    line = LogicalLine(text, tuple(text.split()), range(0), False, hunk.new_start, -1, False)
    return Statement(line, parts)


def edits_of(hunk: Hunk, language: str | None) -> HunkEdits:
    """Pair the statements of both sides of a hunk."""
    old = read_side(hunk, LineKind.REMOVED, language)
    new = read_side(hunk, LineKind.ADDED, language)
    result = HunkEdits()
    for before, after in _regions(old, new):
        _match(before, after, result)
    _take_moves(result)
    result.edits.sort(key=lambda edit: edit.statement.line.rows.start)
    return result


def _regions(
    old: Sequence[Statement], new: Sequence[Statement]
) -> Iterator[tuple[list[Statement], list[Statement]]]:
    """Yield the statements of both sides between those that no change touches."""
    anchors = {s.line.rows for s in old if not s.line.changed} & {
        s.line.rows for s in new if not s.line.changed
    }
    position = 0
    before: list[Statement] = []
    for statement in old:
        if statement.line.rows not in anchors:
            before.append(statement)
            continue
        after = []
        while new[position].line.rows not in anchors:
            after.append(new[position])
            position += 1
        if before or after:
            yield before, after
        before, position = [], position + 1
    after = list(new[position:])
    if before or after:
        yield before, after


def _match(old: list[Statement], new: list[Statement], result: HunkEdits) -> None:
    matcher = SequenceMatcher(
        None, [s.line.key for s in old], [s.line.key for s in new], autojunk=False
    )
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            for before, after in zip(old[first:last], new[start:end], strict=True):
                _add_unchanged(before, after, result)
        else:
            result.edits += _paired(old[first:last], new[start:end])


def _add_unchanged(old: Statement, new: Statement, result: HunkEdits) -> None:
    if _block(old) != _block(new):
        result.edits.append(Edit(EditKind.NESTED, old, new))
    elif old.line.note != new.line.note:
        result.edits.append(Edit(EditKind.CHANGED, old, new))
    else:
        result.laid_out.append(new)


def _block(statement: Statement) -> list[tuple[str, ...]]:
    return [heading.line.key for heading in statement.around]


def _paired(old: Sequence[Statement], new: Sequence[Statement]) -> list[Edit]:
    """Pair statements in their order so that the sum of their likenesses is largest."""
    if not old or not new:
        return [*_only(EditKind.REMOVED, old), *_only(EditKind.ADDED, new)]
    if max(len(old), len(new)) > _MOST_PAIRED:
        half_old, half_new = len(old) // 2, len(new) // 2
        return [
            *_paired(old[:half_old], new[:half_new]),
            *_paired(old[half_old:], new[half_new:]),
        ]
    alone = len(old) == len(new) == 1
    likeness = [[_likeness(o, n, alone=alone) for n in new] for o in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            best[i][j] = max(
                best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + likeness[i][j]
            )
    edits: list[Edit] = []
    i = j = 0
    while i < len(old) and j < len(new):
        if likeness[i][j] and best[i][j] == best[i + 1][j + 1] + likeness[i][j]:
            edits.append(Edit(EditKind.CHANGED, old[i], new[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            edits += _only(EditKind.REMOVED, old[i : i + 1])
            i += 1
        else:
            edits += _only(EditKind.ADDED, new[j : j + 1])
            j += 1
    return [*edits, *_only(EditKind.REMOVED, old[i:]), *_only(EditKind.ADDED, new[j:])]


def _only(kind: EditKind, statements: Iterable[Statement]) -> list[Edit]:
    if kind is EditKind.ADDED:
        return [Edit(kind, None, statement) for statement in statements]
    return [Edit(kind, statement, None) for statement in statements]


_LOOSE = frozenset("( ) [ ] { } , ; : .".split())
_NAMED = frozenset({Sort.FUNCTION, Sort.TYPE, Sort.ASSIGNMENT, Sort.ENTRY, Sort.CALL})
_SAME_PLACE = frozenset({Sort.RETURN, Sort.RAISE, Sort.CONDITION, Sort.LOOP, Sort.CATCH, Sort.CASE})


def _likeness(old: Statement, new: Statement, *, alone: bool) -> float:
    """Return how alike two statements are, from 0 for another statement to 1.5."""
    if (old.sort is Sort.COMMENT) != (new.sort is Sort.COMMENT):
        return 0.0
    before = Counter(t for t in old.line.key if t not in _LOOSE)
    after = Counter(t for t in new.line.key if t not in _LOOSE)
    size = before.total() + after.total()
    common = 2 * (before & after).total() / size if size else 0.0
    if old.sort is new.sort:
        if old.sort in _NAMED and old.parts.name and old.parts.name == new.parts.name:
            same_name = 0.4 if old.sort is not Sort.CALL else 0.1
            return common + same_name if common + same_name >= _ALIKE else 0.0
        if old.sort in _SAME_PLACE and (alone or common >= _ALIKE):
            return max(common, 0.3)
        if old.sort in {Sort.RETURN, Sort.RAISE} and _block(old) == _block(new):
            return max(common, 0.2)
        threshold = 0.6 if old.sort in {Sort.FUNCTION, Sort.TYPE, Sort.COMMENT} else _ALIKE
        return common if common >= threshold else 0.0
    if old.sort in HEADINGS or new.sort in HEADINGS:
        return 0.0
    return common if common >= 0.6 else 0.0


_LEAST_MOVED = 4
"""Tokens from which equal statements are taken for one that moved."""


def _take_moves(result: HunkEdits) -> None:
    """Join a statement that is removed here and added there, once each, to one that moved."""
    gone: dict[tuple[str, ...], list[Edit]] = {}
    come: dict[tuple[str, ...], list[Edit]] = {}
    for edit in result.edits:
        if edit.kind is EditKind.REMOVED:
            gone.setdefault(edit.statement.line.key, []).append(edit)
        elif edit.kind is EditKind.ADDED:
            come.setdefault(edit.statement.line.key, []).append(edit)
    for key, old in gone.items():
        new = come.get(key, [])
        if len(old) == len(new) == 1 and len(key) >= _LEAST_MOVED:
            result.edits.remove(old[0])
            result.edits.remove(new[0])
            result.edits.append(Edit(EditKind.MOVED, old[0].old, new[0].new))
