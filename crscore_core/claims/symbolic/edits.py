"""Pair the statements on both sides of a hunk: added, removed, changed, or in another block."""

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import chain, pairwise, repeat, takewhile

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic import lexer, patterns
from crscore_core.claims.symbolic.nesting import Statement, read_statements
from crscore_core.claims.symbolic.patterns import CODE, CONTROL, DEFINITIONS, KINDS, Kind, languages

_MAX_COMPARED = 100  # maximum number of statements on a side for comparing all pairs
_MIN_MOVED = 10  # minimum number of characters of a statement recognised in another function
_MIN_COMMON = {"function": 0.75, "type": 0.6, "test": 0.6, "call": 0.6, "assignment": 0.6}
"""The minimum share of common words in a pair, if not 0.5; in these, words match by chance."""

Statements = Sequence[Statement]


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """A statement before and after the change: `old` is None if added, `new` is None if removed.

    Equal statements are an edit if the headings around them differ, or if they have moved from the
    first of `paths` to the second. A one-sided edit is repeated if the other side has the same
    check, case, handler or variable, or a call of it. A described edit is part of a renaming.
    """

    old: Statement | None
    new: Statement | None
    is_moved: bool = False
    is_repeated: bool = False
    is_described: bool = False
    paths: tuple[str, ...] = ()
    kept: tuple[Statement, ...] = ()  # the unchanged statements of the hunk

    @property
    def statement(self) -> Statement:
        """The new statement, else the old one."""
        return [side for side in (self.old, self.new) if side][-1]


def find_edits(hunks: Sequence[Hunk], language: str | None) -> Iterator[list[Edit]]:
    """Pair the statements on both sides of each hunk of a file, and yield the pairs that differ.

    A definition, check or loop that is removed and added in the file is paired only with itself.
    """
    of = [lexer.PROSE if _is_prose(hunk, language) else language for hunk in hunks]
    before = [*map(read_statements, hunks, repeat(LineKind.REMOVED), of)]
    sections = (replace(hunk, section=_new_section(hunk, hunks)) for hunk in hunks)
    after = [*map(read_statements, sections, repeat(LineKind.ADDED), of)]
    sides = ([one for one in chain(*side) if one.line.changed] for side in (before, after))
    kept = set.intersection(*({*map(_key, side)} for side in sides)) - {""}
    for old, new in zip(before, after, strict=True):
        old_keys, new_keys = (  # an unchanged row is paired only with itself
            [one if one.line.changed else (one.line.rows, _content(one)) for one in side]
            for side in (old, new)
        )
        matcher = SequenceMatcher(None, old_keys, new_keys, autojunk=False)
        edits: list[Edit] = []
        scopes: dict[Statement, Statement] = {}
        for tag, i, i_end, j, j_end in matcher.get_opcodes():
            was, now = old[i:i_end], new[j:j_end]
            edits += map(Edit, was, now) if tag == "equal" else _pairs(was, now, scopes, kept)
        unchanged = tuple(edit.statement for edit in edits if _is_unchanged(edit))
        yield [
            replace(e, is_repeated=_is_known(e.statement, new if e.old else old), kept=unchanged)
            for e in edits
            if e.statement not in unchanged
        ]


def _new_section(hunk: Hunk, hunks: Sequence[Hunk]) -> str:
    """Return the heading before a hunk in the new file: what replaces it if it is a removed row."""
    section = hunk.section.strip()
    for lines in (one.lines for one in hunks if section):
        for index, line in enumerate(lines):
            if line.kind is LineKind.REMOVED and (text := line.text.lstrip()).startswith(section):
                run = takewhile(lambda one: one.kind is not LineKind.CONTEXT, lines[index:])
                start = line.text.removesuffix(text) + "\\w"
                added = [one.text for one in run if one.kind is LineKind.ADDED]
                return next((row for row in added[::-1] if re.match(start, row)), "")
    return hunk.section


def _is_known(statement: Statement, others: Statements) -> bool:
    """Return True if the other side has the same check or return, or calls the function."""
    kind, value = statement.kind, statement.parsed.value
    if kind is Kind.CALL:
        call = f"{''.join(statement.parsed.name.split())}("
        return any(call in one.parsed.text for one in others)
    nearby = [one for one in others if one.outer_name == statement.outer_name]
    if statement.parsed.is_declared:
        return statement.parsed.name in [x.parsed.name for x in nearby if x.parsed.is_declared]
    if name := _definition(statement):  # such as one for each platform
        return name in map(_definition, nearby)
    values = [one.parsed.value for one in nearby if one.kind is kind]
    if kind in KINDS["exits"]:
        is_beside = any(one.kind is kind and _same_blocks(statement, one) for one in nearby)
        return value in values or (is_beside and not value)
    heads = [one for one in statement.headings if one.kind is Kind.FUNCTION and one.line.changed]
    is_error = kind is Kind.CONDITION and bool(CODE["error"].match(value) and (nearby or not heads))
    is_part = any(value in one if value else not one for one in values)  # perhaps one of several
    return is_error or (is_part and kind in KINDS["branches"])


def _is_prose(hunk: Hunk, language: str | None) -> bool:
    """Return True if a hunk is inside a docstring or comment whose marks it lacks."""
    texts = [re.sub("`[^`]+`", "code", line.text) for line in hunk.lines]
    rows = [text for text in texts if not text.strip().startswith(">>>")]
    is_code = language not in languages("docstrings free_form")
    is_code |= any(map(patterns.ROWS["block_mark"].search, rows))
    counts = Counter(
        "code"
        if patterns.ROWS["no_sentence"].match(row)
        else bool(patterns.ROWS["sentence"].match(row))
        for row in rows
    )
    return not is_code and counts[True] > max(1, 2 * counts["code"])


def pair_moves(files: Sequence[Sequence[list[Edit]]], paths: Sequence[str]) -> None:
    """Join the removal and the addition of a statement: in a hunk, else a file, else the change.

    `files` contains the edits of each hunk of each file, and `paths` the path of each file. Short
    statements and returns occur in many places, so they are joined only in the same hunk and
    function, or in blocks that have moved. Imports are joined only in the same file.
    """
    hunks = list(chain(*files))
    named = zip(paths, files, strict=True)
    path_of = {edit.statement: path for path, file in named for edit in chain(*file)}
    for group in (*([hunk] for hunk in hunks), *files, hunks):
        removed: dict[str, list[Statement]] = defaultdict(list)
        added: Counter[str] = Counter()
        for edit in chain(*group):
            key = _definition(edit.statement) or comparable_code(edit.statement)
            if edit.old and not edit.new:
                removed[key].append(edit.old)
            added[key] += edit.old is None
        moved: dict[Statement | None, Statement] = {}
        for hunk in group:
            by_depth = sorted(enumerate(hunk), key=lambda one: len(one[1].statement.headings))
            for index, edit in by_depth:
                if edit.old or not edit.new:
                    continue
                key = _definition(edit.new) or comparable_code(edit.new)
                candidates = removed[key]
                for old in candidates[:_MAX_COMPARED]:
                    is_inside = bool(edit.new.block) and moved.get(old.block) is edit.new.block
                    is_near = len(group) == 1
                    is_move = _is_move(old, edit.new, is_near=is_near, in_file=group is not hunks)
                    is_clear = is_near or len(candidates) == (added[key] if group in files else 1)
                    if is_inside or (is_clear and is_move):
                        candidates.remove(old)
                        added[key] -= 1
                        moved[old] = edit.new
                        ends = path_of[old], path_of[edit.new]
                        is_same = comparable_code(old) == comparable_code(edit.new)
                        kept = edit.kept if is_near else ()
                        hunk[index] = Edit(old, edit.new, is_moved=is_same, paths=ends, kept=kept)
                        break
        for hunk in group:
            hunk[:] = [edit for edit in hunk if edit.new or edit.old not in moved]


def take_renamings(hunks: Sequence[list[Edit]]) -> list[tuple[str, str, list[Edit]]]:
    """Return the edits that only replace a name, the same one twice or more, as described."""
    alike: dict[tuple[str, str], list[Edit]] = defaultdict(list)
    for edit in chain(*hunks):
        if edit.old and edit.new and not edit.is_moved:
            differing = [*dict.fromkeys(differing_names(edit.old, edit.new))]
            is_use = edit.old.kind not in DEFINITIONS  # else the renamed definition itself
            is_use |= not {*edit.old.defined_names}.isdisjoint(chain(*differing))
            if len(differing) == 1 and is_use:
                alike[differing[0]].append(edit)
    renamings = [(was, now, edits) for (was, now), edits in alike.items() if len(edits) > 1]
    taken = set(chain(*(edits for _, _, edits in renamings)))
    for hunk in hunks:
        hunk[:] = [replace(e, is_described=True) if e in taken else e for e in hunk]
    return renamings


def differing_names(old: Statement, new: Statement) -> list[tuple[str, str]]:
    """Return the names that differ between statements; none if anything else differs."""
    sides = [[token.text for token in side.parsed.tokens] for side in (old, new)]
    if len(sides[0]) != len(sides[1]) or old.line.comment != new.line.comment:
        return []
    differing = [pair for pair in zip(*sides, strict=True) if pair[0] != pair[1]]
    are_names = all(CODE["name"].match(name) for pair in differing for name in pair)
    return differing if are_names else []


def _is_move(old: Statement, new: Statement, *, is_near: bool, in_file: bool) -> bool:
    is_short = len(comparable_code(new)) < _MIN_MOVED and new.kind not in DEFINITIONS
    is_common = is_short or bool(CODE["directive"].match(new.parsed.text))
    is_common |= new.kind in KINDS["common"]
    is_here = in_file if new.kind is Kind.IMPORT else is_near and old.outer_name == new.outer_name
    is_same = comparable_code(old) == comparable_code(new)
    is_same |= in_file and old.outer_name == new.outer_name  # only the head differs
    return old.kind is new.kind and is_same and (is_here or not is_common)


def _definition(statement: Statement) -> str:
    """Return the kind, name and parameters of a definition; empty for other statements."""
    parameters = ",".join(code for _, code in statement.parsed.parameters)
    is_named = statement.kind in DEFINITIONS and statement.parsed.name
    return f"{statement.kind} {statement.parsed.name}({parameters})" if is_named else ""


def _key(statement: Statement) -> str:
    """Return how a definition, a check, a loop or a statement directly in one is recognised."""
    code, block = comparable_code(statement), statement.block
    if statement.kind not in CONTROL:
        inside = _key(block) if block and block.kind in CONTROL else ""
        return _definition(statement) or (f"{inside} {code}" if inside else "")
    return code if len(code) >= _MIN_MOVED else ""


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
    labels = statement.parsed.value if statement.kind is Kind.CASE else ""
    return (statement.parsed.key, statement.line.comment, labels)


def _same_blocks(old: Statement, new: Statement) -> bool:
    """Return True if the same blocks are around, in the same or in changed definitions."""
    before, after = (
        [
            one.parsed.key
            if one.kind not in DEFINITIONS
            else one.line.changed or one.parsed.name * bool(one.line.rows)
            for one in side.headings
        ]
        for side in (old, new)
    )
    return before == after


def _pairs(
    old: Statements, new: Statements, paired: dict[Statement, Statement], kept: Set[str]
) -> Iterator[Edit]:
    """Yield edits in order; the outermost scopes are paired first, then similar statements.

    Statements are paired only in the same scope: the same definition or value, or `paired` ones.
    A statement whose key is `kept`, because both sides have it, is paired only with itself.
    """
    ranked: list[tuple[float, int, int]] = []
    if max(len(old), len(new)) <= _MAX_COMPARED:
        is_only = len(old) == len(new) == 1
        old_words, new_words = ([_words(statement) for statement in side] for side in (old, new))
        ranked = [
            (fit, i, j)
            for i, before in enumerate(old_words)
            for j, after in enumerate(new_words)
            if (fit := _similarity(old[i], new[j], before, after, is_only=is_only)) is not None
            and (len(names := {*map(_key, (old[i], new[j]))}) == 1 or not kept & names)
        ]
        depths = {scope: len(scope.headings) for scope in map(_scope, old) if scope}
        ranked.sort(key=lambda pair: (depths.get(old[pair[1]], len(old)), -pair[0]))
    pairs: list[tuple[int, int]] = [(-1, -1), (len(old), len(new))]
    for _, i, j in ranked:
        position = bisect(pairs, (i, len(new)))
        is_free = pairs[position - 1][0] < i and pairs[position - 1][1] < j < pairs[position][1]
        if is_free and _in_same_scope(old[i], new[j], paired):
            pairs.insert(position, (i, j))
            paired[old[i]] = new[j]
    for (i, j), (next_i, next_j) in pairwise(pairs):
        if i >= 0:
            yield Edit(old[i], new[j])
        yield from (Edit(statement, None) for statement in old[i + 1 : next_i])
        yield from (Edit(None, statement) for statement in new[j + 1 : next_j])


def _scope(statement: Statement) -> Statement | None:
    """Return the innermost definition or named value around a statement."""
    return next((one for one in statement.headings[::-1] if one.kind in KINDS["named"]), None)


def _in_same_scope(old: Statement, new: Statement, paired: Mapping[Statement, Statement]) -> bool:
    before, after = _scope(old), _scope(new)
    if before and after and not before.line.changed:  # the same one, or both before the hunk
        return before.parsed.name == after.parsed.name or not (before.line.rows or after.line.rows)
    return paired.get(before) is after if before else after is None


def _words(statement: Statement) -> Counter[str]:
    """Return the words and signs that are used to compare statements."""
    text = statement.parsed.text or statement.parsed.value  # of code, or of a comment
    return Counter(re.findall(r"\w+|[^\w\s()\[\]{},;:.\"'`]", text))


def _similarity(
    old: Statement, new: Statement, before: Counter[str], after: Counter[str], *, is_only: bool
) -> float | None:
    """Return the similarity of statements with the words `before` and `after`; None if no pair.

    It is 8 for equal statements, and 2 to 6 for statements that set the same name, share a row of
    context or have the same value. Otherwise, it is the share of common words, which must reach a
    minimum; statements such as returns need none if they are alone or in the same blocks.
    """
    size = before.total() + after.total()
    common = 2 * (before & after).total() / size if size else 0.0
    is_same_kind, is_same_name = old.kind is new.kind, old.parsed.name == new.parsed.name
    is_wrapped = old.parsed.value == new.parsed.text or old.parsed.text == new.parsed.value
    is_wrapped &= not is_same_kind and not {old.kind, new.kind} & (patterns.BLOCKS | {Kind.COMMENT})
    rest = old.parsed.key[1:] if not is_same_kind else ()
    if is_wrapped or (rest and rest == new.parsed.key[1:]):  # or only the first word differs
        return 3.0 + common
    if is_same_kind:
        if before == after and _content(old) == _content(new):
            return 8.0
        is_set = new.parsed.operator in {"", *patterns.WORDS["sets"]} or _same_blocks(old, new)
        is_named = old.kind in KINDS["named"] and is_same_name and new.parsed.name and is_set
        value = new.parsed.value if new.kind is Kind.ASSIGNMENT else ""
        is_renamed = old.parsed.value == value and len(value) >= _MIN_MOVED
        ends = [{side.line.rows[0], side.line.rows[-1]} for side in (old, new)]
        if is_named or is_renamed or not ends[0].isdisjoint(ends[1]):
            return 2.0 + common + _same_blocks(old, new) + 2 * is_renamed
        is_in_case = new.block is not None and new.block.kind is Kind.CASE
        by_place = old.kind in KINDS["by_place"] or is_in_case
        by_place |= old.kind is Kind.CALL and is_same_name
        if by_place and (is_only or _same_blocks(old, new)):
            return 0.3 + common + _same_blocks(old, new)
    elif {old.kind, new.kind} & (patterns.BLOCKS | {Kind.COMMENT}):
        return None
    minimum = 0.3 if old.kind is Kind.CALL and is_same_name else _MIN_COMMON.get(old.kind, 0.5)
    minimum = 0.65 if not is_same_kind else min(minimum, 0.5) if is_only else minimum
    return common if common >= minimum or (is_only and old.kind is Kind.COMMENT) else None
