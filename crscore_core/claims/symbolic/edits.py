"""Find edits in hunks: statements added, removed, changed, moved or put in another block."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import StrEnum

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.grammar import Sort
from crscore_core.claims.symbolic.lexis import LogicalLine, logical_lines
from crscore_core.claims.symbolic.statement import DEFINITIONS, HEADINGS, Parts, read_statement


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A statement on one side, with the headings around it, outermost first."""

    line: LogicalLine
    parts: Parts
    around: tuple["Statement", ...] = ()

    @property
    def sort(self) -> Sort:
        """Its sort."""
        return self.parts.sort


class EditKind(StrEnum):
    """Kinds of change to a statement."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    NESTED = "nested"


ONE_SIDED = frozenset({EditKind.ADDED, EditKind.REMOVED})


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """A statement before and after; one is None if it was added or removed.

    A nested edit is an unchanged statement in different blocks than before.
    """

    kind: EditKind
    old: Statement | None
    new: Statement | None

    @property
    def statement(self) -> Statement:
        """The new statement, else the old one."""
        statement = self.new or self.old
        if statement is None:
            raise ValueError("an edit needs a statement")
        return statement


@dataclass(slots=True)
class HunkEdits:
    """The edits of a hunk, and the statements that changed only in layout.

    It is taken if edits are told elsewhere.
    """

    edits: list[Edit] = field(default_factory=list)
    laid_out: list[Statement] = field(default_factory=list)
    is_taken: bool = False


_MOST_PAIRED = 60
"""Maximum number of statements on a side of a region to compare with the other side."""

_ALIKE, _MORE_ALIKE = 0.5, 0.65
"""Share of common tokens from which two statements count as one that changed.

The larger one is for definitions, comments, and statements of different sorts.
"""


def read_side(hunk: Hunk, own: LineKind, language: str | None) -> list[Statement]:
    """Return the statements on one side of a hunk, each with the headings around it."""
    statements: list[Statement] = []
    section = _section(hunk, language)
    open_ = [section] if section else []
    lines = logical_lines(hunk.lines, own, language)
    for line, previous in zip(lines, ["", *(line.text for line in lines)], strict=False):
        if line.is_comment:
            parts = Parts(Sort.COMMENT, value=line.text, text=line.text)
            inner = [h for h in open_ if h is not section and h.line.indent < line.indent]
            statements.append(Statement(line, parts, tuple(inner)))
            continue
        has_code = any(token not in _CLOSING for token in line.key)
        is_member = language in _IN_CLASSES and not has_code
        if section and line.indent <= 4 * (is_member and section.sort is Sort.FUNCTION):
            open_ = [heading for heading in open_ if heading is not section]
        if not has_code:
            while open_ and open_[-1].line.indent > line.indent:
                open_.pop()
            continue
        parts = read_statement(line.text, language)
        is_argument = language == "python" and previous.endswith(",")
        is_argument &= parts.sort is Sort.ASSIGNMENT
        parts = replace(parts, sort=Sort.ENTRY) if is_argument else parts
        if _GOES_ON.match(line.text) and parts.sort in {Sort.OTHER, Sort.CALL}:
            continue
        if parts.sort is Sort.OTHER and _OUTDENTED.match(line.text):
            statements.append(Statement(line, parts, tuple(open_)))
            continue
        while open_ and open_[-1].line.indent >= line.indent:
            before = open_.pop()
            is_whole = before.line.indent == line.indent and before.parts.noun != "else"
            if parts.sort is Sort.ELSE and is_whole:
                parts = replace(parts, value=before.parts.value)
        statement = Statement(line, parts, tuple(open_))
        statements.append(statement)
        if parts.sort in HEADINGS or line.text.endswith(("{", "do", "->", "=>", "|", "[", "(")):
            open_.append(statement)
    for index in range(len(statements) - 2, -1, -1):
        if statements[index].sort is Sort.DECORATOR:
            parts = replace(statements[index].parts, name=statements[index + 1].parts.name)
            statements[index] = replace(statements[index], parts=parts)
    return statements


_OUTDENTED = re.compile(r"#\s*(?:if|el|end|define|undef|pragma|region)|\w+:$")
"""Lines that may be indented less than their block."""
_IN_CLASSES = frozenset({"java", "csharp", "php"})
"""Languages in which a bracket at the indentation of members ends a function."""

_GOES_ON = re.compile(r"[)\]}](?!\s*(?:\.|\?\.|->)?\w)")


_CLOSING = frozenset(
    {"{", "}", ")", "]", "(", "[", ";", ",", "end", "fi", "done", "esac", "<", "?", "php"}
)


def _section(hunk: Hunk, language: str | None) -> Statement | None:
    """Read the heading after the range of a hunk; it is indented less than every line."""
    text = hunk.section.strip()
    if not text or text.endswith(";"):
        return None
    parts = read_statement(text, language)
    if parts.sort not in DEFINITIONS:
        return None
    line = LogicalLine(
        text, tuple(text.split()), range(0), line=hunk.new_start, indent=-1, changed=False,
        is_comment=False,
    )  # fmt: skip
    return Statement(line, parts)


def _edits_of(hunk: Hunk, language: str | None) -> HunkEdits:
    """Pair the statements of both sides of a hunk."""
    old = read_side(hunk, LineKind.REMOVED, language)
    new = read_side(hunk, LineKind.ADDED, language)
    result = HunkEdits()
    for before, after in _regions(old, new):
        if language in _FREE and _tokens(before) == _tokens(after):
            result.laid_out += after
        else:
            _match(before, after, result)
    return result


_FREE = frozenset({"java", "javascript", "typescript", "c", "cpp", "csharp", "php", "css", "json"})
"""Languages in which a line break is rarely significant."""


def _tokens(statements: Sequence[Statement]) -> list[str]:
    """Return the tokens of consecutive statements, without separators.

    The end of a bare `return` counts, since some languages end the statement there.
    """
    tokens: list[str] = []
    for one in statements:
        tokens += [token for token in one.line.key if token not in {",", ";", "{", "}"}]
        tokens += [one.line.note, "\n"] if one.line.note or one.line.key == ("return",) else []
    return tokens


def _regions(
    old: Sequence[Statement], new: Sequence[Statement]
) -> Iterator[tuple[list[Statement], list[Statement]]]:
    """Yield the statements on both sides between unchanged ones."""
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
    """Pair statements in order, maximising the sum of their likenesses."""
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
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + likeness[i][j])
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


_FEW = 3
"""Number of tokens up to which statements are compared by letters."""

_LONGER = DEFINITIONS | {Sort.COMMENT}
_LOOSE = frozenset("( ) [ ] { } , ; : .".split())
_NAMED = frozenset({Sort.FUNCTION, Sort.TYPE, Sort.ASSIGNMENT, Sort.ENTRY, Sort.CALL})
_SAME_PLACE = frozenset({Sort.RETURN, Sort.RAISE, Sort.CONDITION, Sort.LOOP, Sort.CATCH, Sort.CASE})


def _likeness(old: Statement, new: Statement, *, alone: bool) -> float:
    """Return the likeness of two statements, from 0 for unrelated ones to 2.

    Statements that share a row are the same.
    """
    if old.line.rows[0] <= new.line.rows[-1] and new.line.rows[0] <= old.line.rows[-1]:
        return 2.0
    if (old.sort is Sort.COMMENT) != (new.sort is Sort.COMMENT):
        return 0.0
    if max(len(old.line.key), len(new.line.key)) <= _FEW and old.sort is new.sort:
        same = SequenceMatcher(None, old.line.text, new.line.text, autojunk=False).ratio()
        if same >= 0.7:
            return same
    before = Counter(t for t in old.line.key if t not in _LOOSE)
    after = Counter(t for t in new.line.key if t not in _LOOSE)
    size = before.total() + after.total()
    common = 2 * (before & after).total() / size if size else 0.0
    if old.sort is not new.sort:
        is_heading = old.sort in HEADINGS or new.sort in HEADINGS
        return common if common >= _MORE_ALIKE and not is_heading else 0.0
    name, other = old.parts.name, new.parts.name
    least = _MORE_ALIKE if old.sort in _LONGER else _ALIKE
    if old.sort is Sort.CONDITION and old.parts.value == new.parts.value:
        common += 0.4
    elif old.sort in _NAMED and name and name == other:
        common += 0.1 if old.sort is Sort.CALL else 0.4
        least = _ALIKE
    elif old.sort is Sort.CALL and not alone:
        least = _ALIKE if SequenceMatcher(None, name, other).ratio() >= _ALIKE else 2.0
    elif (old.sort in _SAME_PLACE and alone) or (
        old.sort in {Sort.RETURN, Sort.RAISE} and _block(old) == _block(new)
    ):
        common, least = max(common, 0.3), 0.0
    return common if common >= least else 0.0


def read_edits(hunks: Sequence[Hunk], language: str | None) -> list[HunkEdits]:
    """Return the edits of each hunk of a file; code moved between hunks counts as moved."""
    read = [_edits_of(hunk, language) for hunk in hunks]
    _part_doubtful(read)
    _take_moves(read)
    return read


_LEAST_MOVED = 3
"""Number of tokens from which a moved statement is reported."""


def _part_doubtful(hunks: Sequence[HunkEdits]) -> None:
    """Split pairs in which one side belongs to another statement.

    A definition does not take the name of another one that stays. A statement does not replace
    one in another function, call or value.
    """
    edits = [edit for hunk in hunks for edit in hunk.edits]
    both = [(edit.old, edit.new) for edit in edits if edit.old and edit.new]
    paired: dict[Statement | None, Statement | None] = dict(both)
    lone = {edit.statement for edit in edits if not (edit.old and edit.new)}
    names = {(one.sort, one.parts.name) for one in lone}

    def parted(edit: Edit) -> list[Edit]:
        if edit.kind is not EditKind.CHANGED or edit.old is None or edit.new is None:
            return [edit]
        old, new = edit.old, edit.new
        around, other = _holder(old), _holder(new)
        is_apart = not lone.isdisjoint({around, other}) or paired.get(around, other) is not other
        if old.sort in DEFINITIONS and old.parts.name != new.parts.name:
            is_apart |= not names.isdisjoint({(one.sort, one.parts.name) for one in (old, new)})
        parts = [Edit(EditKind.REMOVED, old, None), Edit(EditKind.ADDED, None, new)]
        return parts if is_apart else [edit]

    for hunk in hunks:
        hunk.edits = [part for edit in hunk.edits for part in parted(edit)]


def _holder(statement: Statement) -> Statement | None:
    """Return the definition, call or value that contains a statement."""
    around = reversed(statement.around)
    return next((h for h in around if h.sort in DEFINITIONS or h.sort not in HEADINGS), None)


def _take_moves(hunks: Sequence[HunkEdits]) -> None:
    """Merge a statement removed in one place and added in another into one that moved.

    The contents of a moved heading move with it; equal statements are not reported. A definition
    that keeps its name counts as changed.
    """
    place = {edit: hunk for hunk in hunks for edit in hunk.edits}
    taken: set[Edit] = set()
    for gone, come in _by_key(place, lambda statement: statement.line.key):
        if len(gone) == len(come) or len(gone[0].statement.line.key) < _LEAST_MOVED:
            taken |= {edit for pair in zip(gone, come, strict=False) for edit in pair}
    holding = {heading for edit in taken for heading in edit.statement.around}
    moved: set[Statement | None] = set()
    pairs = [edit for edit in place if edit in taken]
    for gone, come in _by_key(pairs, lambda statement: statement.line.key):
        old = gone[0].statement
        if len(gone) == 1 and len(old.line.key) >= _LEAST_MOVED and old.sort is not Sort.COMMENT:
            is_whole = old.sort not in DEFINITIONS or old in holding
            if is_whole and not moved.intersection(old.around):
                place[come[0]].edits.append(Edit(EditKind.MOVED, old, come[0].new))
            moved.add(old)
    left = [edit for edit in place if edit not in taken and edit.statement.sort in DEFINITIONS]
    for gone, come in _by_key(left, _identity):
        if len(gone) == len(come) == 1 and gone[0].statement.line.key != come[0].statement.line.key:
            place[come[0]].edits.append(Edit(EditKind.CHANGED, gone[0].old, come[0].new))
            taken |= {gone[0], come[0]}
    for hunk in hunks:
        hunk.edits = [edit for edit in hunk.edits if edit not in taken]
        hunk.edits.sort(key=lambda edit: edit.statement.line.rows.start)


def _identity(statement: Statement) -> tuple[str, ...]:
    """Return the sort and the dotted name of a definition."""
    names = (heading.parts.name for heading in statement.around)
    return (statement.sort, *names, statement.parts.name)


def take_moves_between(files: Sequence[Sequence[HunkEdits]]) -> None:
    """Treat a definition removed in one file and added in another as moved, with its statements.

    Half of the statements in it have to be the same, and at least two.
    """
    edits = [edit for hunks in files for hunk in hunks for edit in hunk.edits]
    inside: dict[Statement, set[tuple[str, ...]]] = {}
    for edit in edits:
        for heading in edit.statement.around if edit.kind in ONE_SIDED else ():
            inside.setdefault(heading, set()).add(edit.statement.line.key)
    same: dict[Statement, set[tuple[str, ...]]] = {}
    replaced: dict[Edit, list[Edit]] = {}
    definitions = [edit for edit in edits if edit.statement.sort in DEFINITIONS]
    for gone, come in _by_key(definitions, lambda one: (one.sort, one.parts.name)):
        old, new = gone[0].statement, come[0].statement
        sides = inside.get(old, set()), inside.get(new, set())
        both = sides[0] & sides[1]
        if len(gone) == len(come) == 1 and len(both) >= max(2, max(map(len, sides)) / 2):
            same |= {old: both, new: both}
            replaced |= {gone[0]: [Edit(EditKind.MOVED, old, None)], come[0]: []}
    for edit in edits:
        key = edit.statement.line.key
        if any(key in same.get(heading, ()) for heading in edit.statement.around):
            replaced[edit] = []
    for hunk in (hunk for hunks in files for hunk in hunks):
        hunk.is_taken |= any(edit in replaced for edit in hunk.edits)
        hunk.edits = [one for edit in hunk.edits for one in replaced.get(edit, [edit])]


def _by_key(
    edits: Iterable[Edit], key_of: Callable[[Statement], tuple[str, ...]]
) -> list[tuple[list[Edit], list[Edit]]]:
    """Return the edits that removed something and those that added it, grouped by key."""
    found: dict[tuple[str, ...], tuple[list[Edit], list[Edit]]] = {}
    for edit in edits:
        if edit.kind in ONE_SIDED:
            gone, come = found.setdefault(key_of(edit.statement), ([], []))
            (gone if edit.new is None else come).append(edit)
    return [(gone, come) for gone, come in found.values() if gone and come]
