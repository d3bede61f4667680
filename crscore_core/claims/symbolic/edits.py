"""Pair the statements on both sides of a hunk: added, removed, changed, or in another block."""

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, pairwise

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.nesting import Statement, read_statements
from crscore_core.claims.symbolic.patterns import BLOCKS, DEFINITIONS, WORDS, Kind

_MAX_COMPARED = 100  # maximum number of statements on a side for comparing all pairs
_NAMED = DEFINITIONS | {Kind.ASSIGNMENT, Kind.ENTRY, Kind.SECTION}
_COMMON = frozenset(map(Kind, "import return raise catch block case annotation".split()))
_MIN_MOVED = 10  # minimum number of characters of a statement recognised in another function

_PAIRED_BY_PLACE = frozenset(map(Kind, "return raise condition loop catch case".split()))


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """A statement before and after the change: `old` is None if added, `new` is None if removed.

    Equal statements are an edit if the headings around them differ, or if they have moved from the
    first of `paths` to the second.
    """

    old: Statement | None
    new: Statement | None
    is_moved: bool = False
    paths: tuple[str, ...] = ()

    @property
    def statement(self) -> Statement:
        """The new statement, else the old one."""
        return [side for side in (self.old, self.new) if side][-1]


def find_edits(hunk: Hunk, language: str | None) -> list[Edit]:
    """Pair the statements on both sides of a hunk, and return the pairs that differ."""
    old = read_statements(hunk, LineKind.REMOVED, language)
    new = read_statements(hunk, LineKind.ADDED, language)
    old_keys, new_keys = (  # an unchanged row is paired only with itself
        [one if one.line.changed else (one.line.rows, _content(one)) for one in side]
        for side in (old, new)
    )
    matcher = SequenceMatcher(None, old_keys, new_keys, autojunk=False)
    edits: list[Edit] = []
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        before, after = old[old_start:old_end], new[new_start:new_end]
        edits += map(Edit, before, after) if tag == "equal" else _similar_pairs(before, after)
    return [edit for edit in edits if not _is_unchanged(edit)]


def pair_moves(files: Sequence[Sequence[list[Edit]]], paths: Sequence[str]) -> None:
    """Join the removal and the addition of a statement: in a hunk, else a file, else the change.

    `files` contains the edits of each hunk of each file, and `paths` the path of each file. Short
    statements and returns occur in many places, so they are joined only in the same hunk and
    function, or in blocks that have moved. Imports are joined only in the same file.
    """
    hunks = list(chain(*files))
    path_of = {
        edit.statement: path
        for path, file in zip(paths, files, strict=True)
        for edit in chain(*file)
    }
    for group in (*([hunk] for hunk in hunks), *files, hunks):
        removed: dict[str, list[Statement]] = defaultdict(list)
        for edit in chain(*group):
            if edit.old and not edit.new:
                removed[comparable_code(edit.old)].append(edit.old)
        moved: dict[Statement | None, Statement] = {}
        for hunk in group:
            for index, edit in enumerate(hunk):
                if edit.old or not edit.new:
                    continue
                candidates = removed[comparable_code(edit.new)]
                for old in candidates[:_MAX_COMPARED]:
                    is_inside = bool(old.block) and moved.get(old.block) is edit.new.block
                    is_near = len(group) == 1
                    is_move = _is_move(old, edit.new, is_near=is_near, in_file=group is not hunks)
                    if is_inside or ((is_near or len(candidates) == 1) and is_move):
                        candidates.remove(old)
                        moved[old] = edit.new
                        ends = path_of[old], path_of[edit.new]
                        hunk[index] = Edit(old, edit.new, is_moved=True, paths=ends)
                        break
        for hunk in group:
            hunk[:] = [edit for edit in hunk if edit.new or edit.old not in moved]


def _is_move(old: Statement, new: Statement, *, is_near: bool, in_file: bool) -> bool:
    is_short = len(comparable_code(new)) < _MIN_MOVED and new.kind not in DEFINITIONS
    is_common = is_short or new.kind in _COMMON
    is_here = in_file if new.kind is Kind.IMPORT else is_near and old.outer_name == new.outer_name
    return old.kind is new.kind and (is_here or not is_common)


def comparable_code(statement: Statement) -> str:
    """Return code without blanks, and any condition as if after `if`, to find moved statements."""
    parsed = statement.parsed
    is_condition = parsed.kind is Kind.CONDITION
    return "if" + "".join(parsed.value.split()) if is_condition else "".join(parsed.key)


def _is_unchanged(edit: Edit) -> bool:
    old, new = edit.old, edit.new
    if not (old and new):
        return not edit.statement.line.changed
    return _content(old) == _content(new) and _same_blocks(old, new)


def _content(statement: Statement) -> object:
    return (statement.parsed.key, statement.line.comment)


def _same_blocks(old: Statement, new: Statement) -> bool:
    """Return True if the same definitions and blocks are around; heads of functions may differ."""
    before, after = (
        [one.parsed.name if one.kind in DEFINITIONS else one.parsed.key for one in side.headings]
        for side in (old, new)
    )
    return before == after


def _similar_pairs(old: Sequence[Statement], new: Sequence[Statement]) -> Iterator[Edit]:
    """Yield edits in order; the most similar statements are paired first."""
    ranked: list[tuple[float, int, int]] = []
    if max(len(old), len(new)) <= _MAX_COMPARED:
        is_only = len(old) == len(new) == 1
        old_words, new_words = ([_words(statement) for statement in side] for side in (old, new))
        ranked = [
            (fit, i, j)
            for i, before in enumerate(old_words)
            for j, after in enumerate(new_words)
            if (fit := _similarity(old[i], new[j], before, after, is_only=is_only)) is not None
        ]
        ranked.sort(key=lambda pair: -pair[0])
    pairs: list[tuple[int, int]] = [(-1, -1), (len(old), len(new))]
    for _, i, j in ranked:
        position = bisect(pairs, (i, len(new)))
        if pairs[position - 1][0] < i and pairs[position - 1][1] < j < pairs[position][1]:
            pairs.insert(position, (i, j))
    for (i, j), (next_i, next_j) in pairwise(pairs):
        if i >= 0:
            yield Edit(old[i], new[j])
        yield from (Edit(statement, None) for statement in old[i + 1 : next_i])
        yield from (Edit(None, statement) for statement in new[j + 1 : next_j])


def _words(statement: Statement) -> Counter[str]:
    """Return the words and signs that are used to compare statements."""
    if statement.kind is Kind.COMMENT:
        return Counter(statement.parsed.value.split())
    is_condition = statement.kind is Kind.CONDITION  # an if may become an elif
    code = statement.parsed.value if is_condition else statement.parsed.text
    return Counter(re.findall(r"\w+|[^\w\s()\[\]{},;:.\"'`]", code))


def _similarity(
    old: Statement, new: Statement, before: Counter[str], after: Counter[str], *, is_only: bool
) -> float | None:
    """Return the similarity of statements with the words `before` and `after`; None if no pair.

    It is 5 for equal statements, and 2 to 4 for statements that define or set the same name or
    share a row of context. Otherwise, it is the share of common words, which must reach a minimum.
    Statements such as returns need no common words if they are alone or in the same blocks.
    """
    size = before.total() + after.total()
    common = 2 * (before & after).total() / size if size else 0.0
    if old.kind is new.kind:
        if before == after and _content(old) == _content(new):
            return 5.0
        is_named = old.kind in _NAMED and old.parsed.name == new.parsed.name != ""
        if is_named and (new.parsed.operator in {"", *WORDS["sets"]} or _same_blocks(old, new)):
            return 2.0 + common + _same_blocks(old, new)
        ends = [{side.line.rows[0], side.line.rows[-1]} for side in (old, new)]
        if not ends[0].isdisjoint(ends[1]):
            return 2.0
        by_place = (
            old.kind in _PAIRED_BY_PLACE or {old.parsed.text, new.parsed.text} <= WORDS["jumps"]
        )
        by_place |= new.block is not None and new.block.kind is Kind.CASE
        if by_place and (is_only or _same_blocks(old, new)):
            return max(common, 0.3) + 0.5 * _same_blocks(old, new)
    minimum = _min_common_words(old, new, is_only=is_only)
    return common if minimum is not None and common >= minimum else None


def _min_common_words(old: Statement, new: Statement, *, is_only: bool) -> float | None:
    """Return the minimum share of common words of a pair; None if the two cannot be a pair.

    It is higher where words often match by chance.
    """
    if old.kind is not new.kind:
        return None if {old.kind, new.kind} & (BLOCKS | {Kind.COMMENT}) else 0.65
    is_same = old.parsed.name == new.parsed.name
    if old.kind is Kind.CALL and is_same:
        return 0.3
    if is_only:
        return 0.0 if old.kind is Kind.COMMENT else 0.5
    if old.kind in DEFINITIONS:
        return 0.75 if old.kind is Kind.FUNCTION else 0.6
    return 0.6 if old.kind is Kind.CALL or (old.kind is Kind.ASSIGNMENT and not is_same) else 0.5
