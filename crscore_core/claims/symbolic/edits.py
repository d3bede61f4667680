"""Pair the statements of both sides of a hunk: added, removed, changed, or in another block."""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from crscore_core.change import Hunk, LineKind
from crscore_core.claims.symbolic.lexis import (
    BY_ROW,
    LogicalLine,
    comment_text,
    logical_lines,
    tokenize,
)
from crscore_core.claims.symbolic.statement import (
    CONTROL,
    DEFINITIONS,
    ParsedStatement,
    StatementKind,
    parse_line,
    parse_setting,
    parse_statement,
)

_MAX_HEADINGS = 20
"""Maximum number of headings around a statement."""

_PACKAGE_KEYS = frozenset("name artifactid id repo repository image package url".split())
"""Keys of the name of a package, before its version in a settings file."""

_MAX_COMPARED = 100
"""Maximum statements on a side that are compared with every statement on the other side."""

_OPENING = ("{", "do", "->", "=>", "|", "[", "(")
_ANNOTATION = re.compile(r"@\w[\w.]*(?:\(.*\)|(?:\s+@[\w.]+)+)?$|#?\[\w.*\]$", re.DOTALL)
_NAMED = DEFINITIONS | {StatementKind.ASSIGNMENT, StatementKind.ENTRY, StatementKind.SECTION}
_PAIRED_BY_PLACE = frozenset(map(StatementKind, "return raise condition loop catch case".split()))


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A statement on one side, with the headings around it, outermost first."""

    parsed: ParsedStatement
    line: LogicalLine
    headings: tuple["Statement", ...] = ()

    @property
    def kind(self) -> StatementKind:
        """The kind of the statement."""
        return self.parsed.kind

    @property
    def owner(self) -> "Statement | None":
        """The definition, call or value that contains it."""
        return next((outer for outer in reversed(self.headings) if outer.kind not in CONTROL), None)

    @property
    def condition(self) -> str | None:
        """The condition of the block directly around it; None for another block."""
        is_in_condition = self.headings and self.headings[-1].kind is StatementKind.CONDITION
        return self.headings[-1].parsed.value if is_in_condition else None


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """A statement before and after the change: `old` is None if added, `new` is None if removed.

    Equal statements are an edit if the headings around them differ.
    """

    old: Statement | None
    new: Statement | None

    @property
    def statement(self) -> Statement:
        """The new statement, else the old one."""
        statement = self.new or self.old
        if statement is None:
            raise ValueError("an edit needs a statement")
        return statement

    @property
    def is_one_sided(self) -> bool:
        """True if the statement was added or removed."""
        return self.old is None or self.new is None


def edits_of(hunk: Hunk, language: str | None) -> list[Edit]:
    """Pair the statements of both sides of a hunk, and return the pairs that differ."""
    old = statements_of_side(hunk, LineKind.REMOVED, language)
    new = statements_of_side(hunk, LineKind.ADDED, language)
    old_keys, new_keys = ([_pairing_key(statement) for statement in side] for side in (old, new))
    matcher = SequenceMatcher(None, old_keys, new_keys, autojunk=False)
    edits: list[Edit] = []
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        before, after = old[old_start:old_end], new[new_start:new_end]
        edits += map(Edit, before, after) if tag == "equal" else _similar_pairs(before, after)
    return [edit for edit in edits if not _is_unchanged(edit)]


def statements_of_side(hunk: Hunk, side: LineKind, language: str | None) -> list[Statement]:
    """Return the statements on one side of a hunk, each with the headings around it."""
    section = _section(hunk, language)
    open_headings: list[tuple[int, Statement]] = [(0, section)] if section else []
    statements: list[Statement] = []
    packages: dict[tuple[Statement, ...], str] = {}
    for line in logical_lines(hunk.lines, side, language):
        if not line.tokens or _is_docstring(line, statements):
            text = line.comment or comment_text([line.tokens[0].text])
            parsed = ParsedStatement(StatementKind.COMMENT, value=text)
            outer = [heading for indent, heading in open_headings if indent < line.indent]
            headings = tuple(heading for heading in outer if heading is not section)
            statements.append(Statement(parsed, line, headings))
            continue
        parsed_line = list(parse_line(line.tokens, language))
        if not parsed_line:  # it only closes blocks
            open_headings = [block for block in open_headings if block[0] <= line.indent]
        for parsed, depth in parsed_line:
            indent = line.indent + depth + 2 * (line.tokens[0].text == "-" and language == "yaml")
            is_directive = line.tokens[0].text == "#" and parsed.kind is StatementKind.OTHER
            open_headings = [block for block in open_headings if is_directive or block[0] < indent]
            headings = tuple(heading for _, heading in open_headings)
            if line.tokens[0].text == "-":  # the next package
                packages.pop(headings, None)
            if parsed.name.lower() in _PACKAGE_KEYS:
                packages[headings] = parsed.value.strip("\"'")
            package = packages.get(headings, "") if parsed.is_version else ""
            kind = parsed.kind
            if kind is StatementKind.CALL and headings and _is_interface(headings[-1]):
                kind = StatementKind.OTHER  # the signature of a method
            statement = Statement(replace(parsed, kind=kind, package=package), line, headings)
            statements.append(statement)
            is_heading = kind in CONTROL | DEFINITIONS | {StatementKind.SECTION}
            is_heading |= line.tokens[-1].text in _OPENING
            if is_heading and len(open_headings) < _MAX_HEADINGS:
                open_headings.append((indent, statement))
    for index in range(len(statements) - 2, -1, -1):
        annotation, target = statements[index : index + 2]
        if _ANNOTATION.match(annotation.parsed.text) and target.kind in DEFINITIONS:
            parsed = replace(annotation.parsed, kind=StatementKind.ANNOTATION)
            statements[index] = Statement(parsed, annotation.line, (*target.headings, target))
    return statements


def _is_interface(statement: Statement) -> bool:
    return statement.kind is StatementKind.TYPE and "interface" in statement.parsed.text.split()


def _is_docstring(line: LogicalLine, before: Sequence[Statement]) -> bool:
    if len(line.tokens) != 1:
        return False
    text = line.tokens[0].text
    heads = {StatementKind.FUNCTION, StatementKind.TYPE, StatementKind.COMMENT}
    follows = not before or before[-1].kind in heads
    return bool(re.match(r"[rRuUbB]{0,2}(?:\"\"\"|''')", text)) and (follows or "\n" in text)


def _section(hunk: Hunk, language: str | None) -> Statement | None:
    """Parse the heading after the ranges of a hunk; it counts as indented less than any line."""
    text = hunk.section.strip()
    tokens = tokenize(text, language)
    if not text or text.endswith(";") or language is None:
        return None
    if language in BY_ROW:
        parsed = parse_setting(tokens, language)
    else:
        parsed = parse_statement(tokens, language, is_head=True)
    line = LogicalLine(tuple(tokens), "", range(0), changed=False, line=hunk.new_start, indent=-1)
    is_heading = parsed.kind in {StatementKind.FUNCTION, StatementKind.TYPE, StatementKind.SECTION}
    return Statement(parsed, line) if is_heading else None


def _is_unchanged(edit: Edit) -> bool:
    old, new = edit.old, edit.new
    return bool(old and new and _content(old) == _content(new) and _same_blocks(old, new))


def _content(statement: Statement) -> object:
    return (statement.parsed.key, statement.line.comment)


def _same_blocks(old: Statement, new: Statement) -> bool:
    """Return True if the same blocks are around both statements."""
    before, after = ([block.parsed.key for block in side.headings] for side in (old, new))
    return before == after


def _pairing_key(statement: Statement) -> object:
    """Return a key that is equal for a pair; an unchanged row is paired only with itself."""
    return statement if statement.line.changed else (statement.line.rows, _content(statement))


def _similar_pairs(old: Sequence[Statement], new: Sequence[Statement]) -> Iterator[Edit]:
    """Yield edits in order; the most similar statements are paired first."""
    similarities: list[tuple[float, int, int]] = []
    if max(len(old), len(new)) <= _MAX_COMPARED:
        is_only = len(old) == len(new) == 1
        old_words, new_words = ([_words(statement) for statement in side] for side in (old, new))
        similarities = [
            (-similarity, i, j)
            for i, before in enumerate(old_words)
            for j, after in enumerate(new_words)
            if (similarity := _pairing_score(old[i], new[j], before, after, is_only=is_only))
        ]
    pairs: list[tuple[int, int]] = [(-1, -1), (len(old), len(new))]
    for _, i, j in sorted(similarities):
        position = bisect(pairs, (i, len(new)))
        if pairs[position - 1][0] < i and pairs[position - 1][1] < j < pairs[position][1]:
            pairs.insert(position, (i, j))
    for (i, j), (next_i, next_j) in pairwise(pairs):
        if i >= 0:
            yield Edit(old[i], new[j])
        yield from (Edit(statement, None) for statement in old[i + 1 : next_i])
        yield from (Edit(None, statement) for statement in new[j + 1 : next_j])


def _words(statement: Statement) -> Counter[str]:
    if statement.kind is StatementKind.COMMENT:
        return Counter(statement.parsed.value.split())
    is_condition = statement.kind is StatementKind.CONDITION  # an if may become an elif
    code = statement.parsed.value if is_condition else statement.parsed.text
    return Counter(re.findall(r"\w+|[^\w\s()\[\]{},;:.\"'`]", code))


def _pairing_score(
    old: Statement, new: Statement, before: Counter[str], after: Counter[str], *, is_only: bool
) -> float:
    """Return how well two statements fit as a pair; 0 is no pair. The best pairs come first.

    4: equal statements. 2 to 4: both define or set the same name, or share a row of context. Less:
    the share of common words, from 0 to 1, or 0 below a threshold. That is higher where words often
    agree by chance, and cannot be reached at 1.1. If alone or in the same blocks, statements such
    as returns need no common words: they have at least 0.3, and 0.1 more in the same blocks.
    """
    size = before.total() + after.total()
    common = 2 * (before & after).total() / size if size else 0.0
    is_heading = bool({old.kind, new.kind} & (CONTROL | DEFINITIONS))
    is_comment = StatementKind.COMMENT in {old.kind, new.kind}
    threshold = 0.5
    if old.kind is not new.kind:
        threshold = 1.1 if is_heading or is_comment else 0.7
    elif before == after and _content(old) == _content(new):
        return 4.0
    elif old.kind in _NAMED and old.parsed.name == new.parsed.name != "":
        return 2.0 + common + _same_blocks(old, new)
    elif old.line.rows[0] in new.line.rows:  # a row of context
        return 2.0
    elif old.kind in _PAIRED_BY_PLACE and (is_only or _same_blocks(old, new)):
        return max(common, 0.3) + 0.1 * _same_blocks(old, new)
    elif not is_only and old.kind in DEFINITIONS:
        threshold = 0.75 if old.kind is StatementKind.FUNCTION else 0.6
    elif not is_only and old.kind is StatementKind.CALL and old.parsed.name != new.parsed.name:
        owners = {owner and (owner.kind, owner.parsed.name) for owner in (old.owner, new.owner)}
        threshold = 0.6 if len(owners) == 1 else 1.0
    return common if common >= threshold else 0.0
