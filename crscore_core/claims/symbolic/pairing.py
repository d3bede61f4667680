"""Which removed statement became which added one."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.logical import NEW, OLD, logical_lines
from crscore_core.claims.symbolic.recognition import recognise
from crscore_core.claims.symbolic.statement import Sort, Statement

__all__ = ["Block", "Pair", "blocks_of", "same_code"]

WINDOW = 12
"""Neighbours of a removed statement's place, either side, where its successor is looked for."""

ALIKE = 0.5
"""Likeness from which a removed and an added statement are the same one, rewritten."""

ALIKE_ALONE = 0.2
"""The same where each side has just one statement, so that no other can be meant."""


_OPENERS = frozenset({Sort.ASSIGNMENT, Sort.ENTRY, Sort.CALL, Sort.TEST})
_LEFT_OPEN = ("(", "[", "{", ":", "=>")


@dataclass(frozen=True, slots=True)
class Pair:
    """A statement before and after the change."""

    old: Statement
    new: Statement


@dataclass(slots=True)
class Block:
    """One run of changed lines: what was rewritten, added and removed there, in order.

    `within` are the headings and opening lines that enclose it, the outermost first, and
    `after` the unchanged statements that follow it at once. `reflowed` says that it has the same
    code before and after, but for blanks and line breaks.
    """

    pairs: list[Pair] = field(default_factory=list)
    added: list[Statement] = field(default_factory=list)
    removed: list[Statement] = field(default_factory=list)
    within: tuple[Statement, ...] = ()
    after: Sequence[Statement] = ()
    reflowed: bool = False

    @property
    def line(self) -> int:
        """The first line of the new file that it concerns."""
        return min(statement.line for statement in self.members)

    @property
    def members(self) -> list[Statement]:
        """All its statements; of a rewritten one, the new version."""
        return [*self.added, *self.removed, *(p.new for p in self.pairs)]

    @property
    def indent(self) -> int:
        """The indentation of its outermost statement of code, 0 without any."""
        silent = {Sort.BLANK, Sort.COMMENT}
        return min((s.source.indent for s in self.members if s.sort not in silent), default=0)


def same_code(old: Statement, new: Statement) -> bool:
    """Whether both differ in blanks, line breaks or the mark at its end at most."""
    if old.sort is Sort.COMMENT and new.sort is Sort.COMMENT:
        return old.detail.split() == new.detail.split()
    one, other = ("".join(s.source.text.split()).rstrip(",;") for s in (old, new))
    return one == other


def blocks_of(hunk: Hunk, language: str | None) -> list[Block]:
    """Return the blocks of `hunk` in order."""
    olds = [recognise(line, language) for line in logical_lines(hunk, OLD, language)]
    news = [recognise(line, language) for line in logical_lines(hunk, NEW, language)]
    runs = _runs(hunk)
    found: dict[int, Block] = {}

    def block(statement: Statement) -> Block:
        position = (statement.source.changed or statement.source.positions)[0]
        return found.setdefault(runs[position], Block())

    shared = _pairs_by_context(olds, news)
    taken_old, taken_new = {id(p.old) for p in shared}, {id(p.new) for p in shared}
    for pair in shared:
        block(pair.new if pair.new.source.touched else pair.old).pairs.append(pair)
    for statement in news:
        if statement.source.touched and id(statement) not in taken_new:
            block(statement).added.append(statement)
    for statement in olds:
        if statement.source.touched and id(statement) not in taken_old:
            block(statement).removed.append(statement)
    ordered = [found[key] for key in sorted(found)]
    lines = [s.line for s in news]
    reflowed = _reflowed(hunk, runs)
    for key, item in found.items():
        item.reflowed = key in reflowed
    for item in ordered:
        _pair_within(item)
        item.after = _following(item, news, lines)
    _enclose(ordered, news)
    return ordered


def _following(
    block: Block, news: Sequence[Statement], lines: Sequence[int]
) -> tuple[Statement, ...]:
    last = max((s.line for s in (*block.added, *(p.new for p in block.pairs))), default=0)
    last = max(last, block.line - 1)
    start = bisect_right(lines, last)
    return tuple(s for s in news[start : start + 4] if not s.source.touched)


def _enclose(blocks: Sequence[Block], news: Sequence[Statement]) -> None:
    """Tell each block which headings of the hunk it stands under, judged by indentation."""
    open_headings: list[Statement] = []
    at = 0
    for block in blocks:
        while at < len(news) and news[at].line < block.line:
            statement = news[at]
            at += 1
            if statement.sort in {Sort.BLANK, Sort.COMMENT}:
                continue
            indent = statement.source.indent
            while open_headings and open_headings[-1].source.indent >= indent:
                open_headings.pop()
            if statement.heading is not None or (
                statement.sort in _OPENERS and statement.source.text.endswith(_LEFT_OPEN)
            ):
                open_headings.append(statement)
        least = block.indent
        block.within = tuple(s for s in open_headings if s.source.indent < least)


def _runs(hunk: Hunk) -> list[int]:
    """Number the runs of changed lines; a context line has the number of the run before it."""
    numbers, current, inside = [], 0, False
    for line in hunk.lines:
        changed = line.kind is not LineKind.CONTEXT
        current += changed and not inside
        inside = changed
        numbers.append(current)
    return numbers


def _reflowed(hunk: Hunk, runs: Sequence[int]) -> set[int]:
    """Return the runs that remove and add the same characters, blanks aside."""
    sides: dict[int, tuple[list[str], list[str]]] = {}
    for run, line in zip(runs, hunk.lines, strict=True):
        if line.kind is not LineKind.CONTEXT:
            old, new = sides.setdefault(run, ([], []))
            (old if line.kind is LineKind.REMOVED else new).append("".join(line.text.split()))
    return {run for run, (old, new) in sides.items() if old and "".join(old) == "".join(new)}


def _pairs_by_context(olds: Sequence[Statement], news: Sequence[Statement]) -> list[Pair]:
    """Pair statements of which the change touched only a part: they share context lines."""
    by_position = {p: new for new in news for p in new.source.positions}
    pairs: list[Pair] = []
    used: set[int] = set()
    for old in olds:
        for position in old.source.positions:
            new = by_position.get(position)
            if new is None or id(new) in used:
                continue
            if old.source.touched or new.source.touched:
                used.add(id(new))
                pairs.append(Pair(old, new))
                break
    return pairs


def _tokens(statement: Statement) -> Counter[str]:
    if statement.sort is Sort.COMMENT:
        return Counter(statement.detail.split())
    return Counter(t.text for t in statement.tokens)


def _pair_within(block: Block) -> None:
    """Move what was rewritten from the removed and added statements to the pairs."""
    olds = [s for s in block.removed if s.sort not in {Sort.BLANK, Sort.BRACKETS}]
    news = [s for s in block.added if s.sort not in {Sort.BLANK, Sort.BRACKETS}]
    if not olds or not news:
        return
    least = ALIKE_ALONE if len(olds) == len(news) == 1 else ALIKE
    counts = [_tokens(s) for s in news]
    scored = []
    for i, old in enumerate(olds):
        have = _tokens(old)
        middle = i * len(news) // len(olds)
        for j in range(max(0, middle - WINDOW), min(len(news), middle + WINDOW + 1)):
            score = _likeness(old, news[j], have, counts[j])
            if score >= least:
                scored.append((-score, abs(j - middle), i, j))
    pairs, used_old, used_new = [], set(), set()
    for _, _, i, j in sorted(scored):
        if i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            pairs.append((j, Pair(olds[i], news[j])))
    block.pairs += [pair for _, pair in sorted(pairs, key=lambda item: item[0])]
    gone = {id(p.old) for p in block.pairs}
    come = {id(p.new) for p in block.pairs}
    block.removed = [s for s in block.removed if id(s) not in gone]
    block.added = [s for s in block.added if id(s) not in come]


def _likeness(old: Statement, new: Statement, have: Counter[str], want: Counter[str]) -> float:
    total = have.total() + want.total()
    overlap = 2 * (have & want).total() / total if total else 0.0
    if (old.sort is Sort.COMMENT) != (new.sort is Sort.COMMENT):
        return 0.0
    if old.sort is new.sort:
        if old.subject and old.subject == new.subject and old.sort is not Sort.CONDITION:
            return 0.55 + 0.45 * overlap
        if old.sort in {Sort.RETURN, Sort.CONDITION}:
            return max(overlap, 0.2)
        return overlap
    return overlap * 0.9
