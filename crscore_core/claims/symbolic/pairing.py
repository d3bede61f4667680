"""Which removed statement became which added one."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.actions import operator_of
from crscore_core.claims.symbolic.candidate import quoted
from crscore_core.claims.symbolic.difference import renamed_in
from crscore_core.claims.symbolic.inline import statements_of
from crscore_core.claims.symbolic.lexing import (
    MAX_EXAMINED,
    NESTED_BY_INDENT,
    NEW,
    OLD,
    Token,
    TokenKind,
    breaks_matter,
    logical_lines,
    same_tokens,
    tokenize,
)
from crscore_core.claims.symbolic.statement import Sort, Statement

WINDOW = 12
"""Neighbours of a removed statement's place, either side, where its successor is looked for."""

ALIKE = 0.5
"""Likeness from which a removed and an added statement are the same one, rewritten."""

ALIKE_ALONE = 0.2
"""The same where each side has just one statement, so that no other can be meant."""

ALIKE_ELSEWHERE = 0.6
"""The same for statements that leave the code around them at different places of it."""

_LEAVING = frozenset({Sort.RETURN, Sort.RAISE})
_BRANCHES = frozenset({Sort.CONDITION, Sort.CASE, Sort.ELSE, Sort.CATCH})

_OPENERS = frozenset({Sort.ASSIGNMENT, Sort.ENTRY, Sort.CALL, Sort.TEST})
_LEFT_OPEN = ("(", "[", "{", ":", "=>")


@dataclass(frozen=True, slots=True)
class Pair:
    """A statement before and after the change."""

    old: Statement
    new: Statement


@dataclass(frozen=True, slots=True)
class Shift:
    """A statement that only its indentation moves to another block, `how` in words."""

    statement: Statement
    how: str


@dataclass(slots=True)
class Block:
    """One run of changed lines: what was rewritten, added and removed there, in order.

    `within` are the headings and opening lines that enclose it, the outermost first, and
    `after` the unchanged statements that follow it at once. `reflowed` says that it has the same
    code before and after, but for blanks and line breaks. `shifts` are unchanged
    statements that now belong to another block, where indentation decides that, `moved` pairs
    of unchanged statements that changed places. `called_before`
    and `called_now` name all calls of the hunk's two sides, `in_loop` says that the hunk shows
    a loop around it and no switch, `text_now` is the code that the change brought to the hunk,
    `renamed` says which local names have others throughout it.
    """

    pairs: list[Pair] = field(default_factory=list)
    added: list[Statement] = field(default_factory=list)
    removed: list[Statement] = field(default_factory=list)
    within: tuple[Statement, ...] = ()
    after: Sequence[Statement] = ()
    reflowed: bool = False
    shifts: list[Shift] = field(default_factory=list)
    moved: list[Pair] = field(default_factory=list)
    called_before: frozenset[str] = frozenset()
    called_now: frozenset[str] = frozenset()
    in_loop: bool = False
    text_now: str = ""
    renamed: dict[str, str] = field(default_factory=dict)

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


def same_code(old: Statement, new: Statement, language: str | None) -> bool:
    """Whether both have the same tokens, but for a mark that separates them from the next."""
    if old.sort is Sort.COMMENT and new.sort is Sort.COMMENT:
        return old.detail.split() == new.detail.split()
    sides = []
    for statement in (old, new):
        tokens = list(statement.tokens)
        if tokens and tokens[-1].text in _separators(statement):
            tokens.pop()
        sides.append(tokens)
    return same_tokens(sides[0], sides[1], language)


def _separators(statement: Statement) -> str:
    """The marks at its end that do not belong to it; a comma makes a tuple of a value."""
    return ";" if statement.sort in {Sort.ASSIGNMENT, Sort.RETURN} else ",;"


def blocks_of(hunk: Hunk, language: str | None) -> list[Block]:
    """Return the blocks of `hunk` in order."""
    olds, news = (
        [s for line in logical_lines(hunk, side, language) for s in statements_of(line, language)]
        for side in (OLD, NEW)
    )
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
    reflowed = _reflowed(hunk, runs, language)
    for key, item in found.items():
        item.reflowed = key in reflowed
    leaving = any(s.sort in _LEAVING for item in ordered for s in item.removed)
    places = _Places(olds, news) if leaving else None
    for item in ordered:
        _pair_within(item, places)
        item.after = _following(item, news, lines)
        item.moved = _moved(item, language)
    _enclose(ordered, news)
    before, now = (frozenset(c.short_name for s in side for c in s.calls) for side in (olds, news))
    renamed = renamed_in([(p.old, p.new) for b in ordered for p in b.pairs], olds, news)
    text_now = "\n".join(s.text for s in news if s.source.touched)
    switched = any(s.sort is Sort.CASE or s.subject == "switch" for s in (*olds, *news))
    for item in ordered:
        item.text_now = text_now
        item.renamed = renamed
        item.called_before, item.called_now = before, now
        item.in_loop = not switched and any(s.sort is Sort.LOOP for s in item.within)
    if language in NESTED_BY_INDENT:
        _find_shifts(ordered, olds, news, language)
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


def _moved(block: Block, language: str | None) -> list[Pair]:
    """Return the unchanged statements of `block` that others have passed."""
    same = [p for p in block.pairs if same_code(p.old, p.new, language)]
    same = sorted((p for p in same if p.old.source.touched), key=lambda p: p.new.line)
    highest, moved = -1, []
    for pair in same:
        position = pair.old.source.positions[0]
        if position < highest and pair.old.sort is not Sort.COMMENT:
            moved.append(pair)
        highest = max(highest, position)
    return moved


_Chain = tuple[Statement, ...]


def _find_shifts(
    blocks: Sequence[Block],
    olds: Sequence[Statement],
    news: Sequence[Statement],
    language: str | None,
) -> None:
    """Tell each block which of its unchanged statements changed the block they belong to."""
    before, after = _chains(olds), _chains(news)
    for block in blocks:
        for pair in block.pairs:
            old, new = pair.old, pair.new
            if (
                old.sort is Sort.COMMENT
                or old.source.indent == new.source.indent
                or not same_code(old, new, language)
            ):
                continue
            how = _shift(before[id(old)], after[id(new)])
            if how:
                block.shifts.append(Shift(new, how))


def _chains(statements: Sequence[Statement]) -> dict[int, _Chain]:
    """Return the statements that enclose each, the outermost first, judged by indentation."""
    chains: dict[int, _Chain] = {}
    chain: list[tuple[int, Statement]] = []
    for statement in statements:
        chains[id(statement)] = tuple(s for _, s in chain)
        if statement.sort in {Sort.BLANK, Sort.COMMENT}:
            continue
        depth = 2 * statement.source.indent + statement.source.text.startswith("- ")
        if statement.sort is Sort.BRACKETS:
            chains[id(statement)] = tuple(s for d, s in chain if d < depth)
            continue
        while chain and chain[-1][0] >= depth:
            chain.pop()
        chains[id(statement)] = tuple(s for _, s in chain)
        chain.append((depth, statement))
    return chains


def _shift(before: _Chain, after: _Chain) -> str:
    """Say from where to where a statement moves; nothing where a changed heading tells that."""
    olds, news = [s.text for s in before], [s.text for s in after]
    if not olds and not news:
        return "another indentation, which decides the block that it belongs to"
    common = 0
    while common < min(len(olds), len(news)) and olds[common] == news[common]:
        common += 1
    left, entered = before[common:], after[common:]
    if any(s.source.touched for s in (*left, *entered)):
        return ""
    parts = []
    if left:
        parts.append(f"out of the block of {quoted(left[0].text, 60)}")
    if entered:
        parts.append(f"into the block of {quoted(entered[-1].text, 60)}")
    return " and ".join(parts)


def _reflowed(hunk: Hunk, runs: Sequence[int], language: str | None) -> set[int]:
    """Return the runs of which only blanks and line breaks without a meaning differ."""
    sides: dict[int, tuple[list[str], list[str]]] = {}
    for run, line in zip(runs, hunk.lines, strict=True):
        if line.kind is not LineKind.CONTEXT:
            old, new = sides.setdefault(run, ([], []))
            (old if line.kind is LineKind.REMOVED else new).append(line.text)
    return {
        run for run, (old, new) in sides.items() if old and new and _same_flow(old, new, language)
    }


def _same_flow(old: Sequence[str], new: Sequence[str], language: str | None) -> bool:
    if max(map(len, (*old, *new))) > MAX_EXAMINED:
        return list(old) == list(new)
    breaks, flows = [], []
    for texts in (old, new):
        starts: list[tuple[int, int]] = []
        flow: list[Token] = []
        depth = 0
        for text in texts:
            if depth <= 0 and text.strip():
                starts.append((len(flow), len(text) - len(text.lstrip())))
            for token in tokenize(text, language):
                if token.kind is TokenKind.MARK:
                    depth += (token.text in "([{") - (token.text in ")]}")
                flow.append(token)
        breaks.append(starts)
        flows.append(flow)
    if breaks_matter(language, (*old, *new)) and breaks[0] != breaks[1]:
        return False
    return same_tokens(flows[0], flows[1], language)


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


class _Places:
    """What encloses the statements of a hunk before and after it, judged by indentation."""

    def __init__(self, olds: Sequence[Statement], news: Sequence[Statement]) -> None:
        """Read both sides once."""
        self._chains = {**_chains(olds), **_chains(news)}

    def likeness(self, old: Statement, new: Statement, overlap: float) -> float:
        """How alike two statements are that leave the code around them, by where they do so.

        At the same place they are one, rewritten; at different ones only where what they give is
        much alike, and where a branch comes or goes only where it is the same.
        """
        before, after = (self._chains[id(s)][-1:] for s in (old, new))
        if not before and not after:
            return overlap if old.source.indent == new.source.indent else 0.0
        if before and after and _same_place(before[0], after[0]):
            return 0.55 + 0.45 * overlap
        branches = [bool(side) and side[0].sort in _BRANCHES for side in (before, after)]
        least = 1.0 if any(branches) else ALIKE_ELSEWHERE
        shared = _shared_words(old, new)
        return overlap if shared >= least else 0.0


def _same_place(old: Statement, new: Statement) -> bool:
    """Whether what encloses a statement before the change is what does so after it."""
    if old.source.positions == new.source.positions or old.text == new.text:
        return True
    if old.sort is not new.sort:
        return False
    if old.heading is not None:
        return old.subject == new.subject or not old.source.touched
    return _shared_words(old, new) >= ALIKE


def _shared_words(old: Statement, new: Statement) -> float:
    """The share of names, numbers and strings of both, keywords left out, that they share."""
    before, after = (
        Counter(
            t.text
            for t in s.tokens
            if t.kind not in {TokenKind.MARK, TokenKind.COMMENT} and t.text != s.subject
        )
        for s in (old, new)
    )
    total = before.total() + after.total()
    return 2 * (before & after).total() / total if total else 1.0


def _pair_within(block: Block, places: _Places | None) -> None:
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
            if places is not None and old.sort is news[j].sort and old.sort in _LEAVING:
                score = places.likeness(old, news[j], score)
            if score >= least:
                scored.append((-score, abs(j - middle), i, j))
    scored += _lone_conditions(olds, news)
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


def _lone_conditions(
    olds: Sequence[Statement], news: Sequence[Statement]
) -> list[tuple[float, int, int, int]]:
    """The only condition of each side is the same one where both test the same name."""
    found = [[i for i, s in enumerate(side) if s.sort is Sort.CONDITION] for side in (olds, news)]
    if len(found[0]) != 1 or len(found[1]) != 1:
        return []
    (i,), (j,) = found
    if (olds[i].subject == "switch") != (news[j].subject == "switch"):
        return []
    names = [
        {t.text for t in tokenize(s.detail, None) if t.kind is TokenKind.NAME}
        for s in (olds[i], news[j])
    ]
    return [(-ALIKE, abs(i - j), i, j)] if names[0] & names[1] else []


_CONTROL = frozenset({Sort.CONDITION, Sort.CASE, Sort.ELSE, Sort.LOOP, Sort.TRY, Sort.CATCH})
_CALLS = frozenset({Sort.CALL, Sort.LOG})
_COMMENTS = frozenset({Sort.COMMENT})


def _likeness(old: Statement, new: Statement, have: Counter[str], want: Counter[str]) -> float:
    total = have.total() + want.total()
    overlap = 2 * (have & want).total() / total if total else 0.0
    if any((old.sort in kind) != (new.sort in kind) for kind in (_COMMENTS, _CONTROL)):
        return 0.0
    if {old.sort, new.sort} <= _CALLS and old.subject != new.subject:
        total = sum(n for t, n in (have + want).items() if t[0].isalnum())
        shared = sum(n for t, n in (have & want).items() if t[0].isalnum())
        overlap = (overlap + 2 * shared / total) / 2 if total else overlap
    return _likeness_of_kin(old, new, overlap) if old.sort is new.sort else overlap * 0.9


def _likeness_of_kin(old: Statement, new: Statement, overlap: float) -> float:
    """How alike two statements of one sort are, of whose tokens the share `overlap` is shared."""
    if old.sort in _LEAVING:
        return overlap
    if (old.subject == "switch") != (new.subject == "switch"):
        return 0.0
    if old.sort is Sort.CONDITION:
        return max(overlap, 0.2)
    if operator_of(old) != operator_of(new):
        return overlap / 2
    return 0.55 + 0.45 * overlap if old.subject and old.subject == new.subject else overlap
