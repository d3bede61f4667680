"""Pair the statements of both sides of a hunk: added, removed, changed, or in another block."""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
    Parts,
    Sort,
    read,
    setting,
    statements_of,
)


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A statement on one side, with the headings around it, outermost first."""

    parts: Parts
    line: LogicalLine
    around: tuple["Statement", ...] = ()

    @property
    def sort(self) -> Sort:
        """Its sort."""
        return self.parts.sort

    @property
    def owner(self) -> "Statement | None":
        """The definition, call or value that contains it."""
        return next(
            (heading for heading in reversed(self.around) if heading.sort not in CONTROL), None
        )


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """A statement before and after; one is None if it was added or removed.

    Statements that are equal are an edit if their blocks differ.
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


_MAX_DEPTH = 20
"""Maximum number of headings around a statement."""

_OPENING = ("{", "do", "->", "=>", "|", "[", "(")


def statements_of_side(hunk: Hunk, own: LineKind, language: str | None) -> list[Statement]:
    """Return the statements on one side of a hunk, each with the headings around it."""
    section = _section(hunk, language)
    open_: list[tuple[int, Statement]] = [(0, section)] if section else []
    statements: list[Statement] = []
    for line in logical_lines(hunk.lines, own, language):
        if not line.tokens or _is_docstring(line, statements):
            text = line.comment or comment_text([line.tokens[0].text])
            parts = Parts(Sort.COMMENT, value=text)
            around = [heading for indent, heading in open_ if indent < line.indent]
            inside = tuple(heading for heading in around if heading is not section)
            statements.append(Statement(parts, line, inside))
            continue
        read_ = list(statements_of(line.tokens, language))
        if not read_ or not read_[0][0].tokens:
            while open_ and open_[-1][0] > line.indent:
                open_.pop()
            continue
        for parts, depth in read_:
            indent = line.indent + depth + 2 * (line.tokens[0].text == "-" and language == "yaml")
            is_directive = line.tokens[0].text == "#" and parts.sort is Sort.OTHER
            while open_ and open_[-1][0] >= indent and not is_directive:
                open_.pop()
            is_signature = parts.sort is Sort.CALL and open_ and _is_interface(open_[-1][1])
            parts_ = replace(parts, sort=Sort.OTHER) if is_signature else parts
            statement = Statement(parts_, line, tuple(heading for _, heading in open_))
            statements.append(statement)
            is_heading = parts.sort in CONTROL | DEFINITIONS | {Sort.SECTION}
            is_heading |= line.tokens[-1].text in _OPENING
            if is_heading and len(open_) < _MAX_DEPTH:
                open_.append((indent, statement))
    if language in BY_ROW:
        return list(_with_owners(statements))
    for index in range(len(statements) - 2, -1, -1):
        note, target = statements[index : index + 2]
        if _ANNOTATION.match(note.parts.text) and target.sort in DEFINITIONS:
            parts = replace(note.parts, sort=Sort.OTHER, noun="note")
            statements[index] = Statement(parts, note.line, (*target.around, target))
    return statements


def _is_interface(statement: Statement) -> bool:
    return statement.sort is Sort.TYPE and "interface" in statement.parts.text.split()


VERSIONS = frozenset({"version", "rev", "tag", "ref", "revision", "sha256", "hash", "checksum"})
_OWNERS = frozenset({"name", "artifactid", "id", "repo", "repository", "image", "package", "url"})


def _with_owners(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the rows of a settings file; the noun of a version is what it is the version of."""
    owners: dict[tuple[Statement, ...], str] = {}
    for statement in statements:
        name = statement.parts.name.lower()
        if statement.line.tokens and statement.line.tokens[0].text == "-":
            owners.pop(statement.around, None)
        if name in _OWNERS:
            owners[statement.around] = statement.parts.value.strip("\"'")
        if statement.sort is Sort.ENTRY and name in VERSIONS:
            parts = replace(statement.parts, noun=owners.get(statement.around, ""))
            yield Statement(parts, statement.line, statement.around)
        else:
            yield statement


_ANNOTATION = re.compile(r"@\w[\w.]*(?:\(.*\))?$|#?\[\w.*\]$", re.DOTALL)


def _is_docstring(line: LogicalLine, before: Sequence[Statement]) -> bool:
    if len(line.tokens) != 1:
        return False
    text = line.tokens[0].text
    follows = not before or before[-1].sort in {Sort.FUNCTION, Sort.TYPE, Sort.COMMENT}
    return bool(re.match(r"[rRuUbB]{0,2}(?:\"\"\"|''')", text)) and (follows or "\n" in text)


def _section(hunk: Hunk, language: str | None) -> Statement | None:
    """Read the heading after the range of a hunk; it is indented less than every line."""
    text = hunk.section.strip()
    tokens = tokenize(text, language)
    if not text or text.endswith(";") or language is None:
        return None
    parts = read(tokens, language, opens=True) if tokens else Parts(Sort.OTHER)
    if language in BY_ROW:
        parts = setting(tokens, language)
    line = LogicalLine(tuple(tokens), "", range(0), changed=False, line=hunk.new_start, indent=-1)
    is_heading = parts.sort in {Sort.FUNCTION, Sort.TYPE, Sort.SECTION}
    return Statement(parts, line) if is_heading else None


# --- pairing ------------------------------------------------------------------------------------


def edits_of(hunk: Hunk, language: str | None) -> list[Edit]:
    """Pair the statements of both sides of a hunk, and return those that differ."""
    old = statements_of_side(hunk, LineKind.REMOVED, language)
    new = statements_of_side(hunk, LineKind.ADDED, language)
    edits = []
    for before, after in _paired(old, new):
        if before and after and _same(before) == _same(after) and _are_near(before, after):
            continue
        edits.append(Edit(before, after))
    return edits


Pair = tuple[Statement | None, Statement | None]
Key = object


def _same(statement: Statement) -> Key:
    return (statement.parts.key, statement.line.comment)


def _are_near(old: Statement, new: Statement) -> bool:
    """Return True if the same blocks are around both statements."""
    before, after = ([heading.parts.key for heading in s.around] for s in (old, new))
    return before == after


def _anchor(statement: Statement) -> Key:
    """Rows that no side changes are equal to themselves alone."""
    return statement if statement.line.changed else (statement.line.rows, _same(statement))


def _paired(old: Sequence[Statement], new: Sequence[Statement]) -> Iterator[Pair]:
    """Yield pairs in order: unchanged statements, and between these similar ones."""
    before, after = ([_anchor(statement) for statement in side] for side in (old, new))
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(old[i:j], new[k:m], strict=True)
        else:
            yield from _alike(old[i:j], new[k:m])


_NAMED = DEFINITIONS | {Sort.ASSIGNMENT, Sort.ENTRY, Sort.SECTION}
_MAX_COMPARED = 100
"""Maximum statements on a side to compare with each on the other one."""


def _alike(old: Sequence[Statement], new: Sequence[Statement]) -> Iterator[Pair]:
    """Yield pairs of similar statements in order, the most similar first, and the rest alone."""
    likeness: list[tuple[float, int, int]] = []
    if max(len(old), len(new)) <= _MAX_COMPARED:
        words = [(_words(statement), [_words(other) for other in new]) for statement in old]
        likeness = [
            (-alike, i, j)
            for i, (before, others) in enumerate(words)
            for j, after in enumerate(others)
            if (alike := _likeness(old[i], new[j], before, after, alone=len(old) == len(new) == 1))
        ]
    pairs: list[tuple[int, int]] = [(-1, -1), (len(old), len(new))]
    for _, i, j in sorted(likeness):
        at = bisect(pairs, (i, len(new)))
        if pairs[at - 1][0] < i and pairs[at - 1][1] < j < pairs[at][1]:
            pairs.insert(at, (i, j))
    for (i, j), (k, m) in pairwise(pairs):
        if i >= 0:
            yield old[i], new[j]
        yield from ((statement, None) for statement in old[i + 1 : k])
        yield from ((None, statement) for statement in new[j + 1 : m])


_SAME_PLACE = frozenset({Sort.RETURN, Sort.RAISE, Sort.CONDITION, Sort.LOOP, Sort.CATCH, Sort.CASE})


def _words(statement: Statement) -> Counter[str]:
    if statement.sort is Sort.COMMENT:
        return Counter(statement.parts.value.split())
    is_condition = statement.sort is Sort.CONDITION  # an if may become an elif
    code = statement.parts.value if is_condition else statement.parts.text
    return Counter(re.findall(r"\w+|[^\w\s()\[\]{},;:.\"'`]", code))


def _likeness(
    old: Statement, new: Statement, before: Counter[str], after: Counter[str], *, alone: bool
) -> float:
    """Return the share of common words, or 0 if it is too small for one statement that changed.

    It is above 1 for the same statement, one of the same name, or one that shares a row.
    """
    size = before.total() + after.total()
    common = 2 * (before & after).total() / size if size else 0.0
    is_heading = bool({old.sort, new.sort} & (CONTROL | DEFINITIONS))
    is_comment = Sort.COMMENT in {old.sort, new.sort}
    least = 0.5
    if old.sort is not new.sort:
        least = 1.1 if is_heading or is_comment else 0.7
    elif before == after and _same(old) == _same(new):
        return 4.0
    elif old.sort in _NAMED and old.parts.name == new.parts.name != "":
        return 2.0 + common + _are_near(old, new)
    elif old.line.rows[0] in new.line.rows:  # of both sides
        return 2.0
    elif old.sort in _SAME_PLACE and (alone or _are_near(old, new)):
        return max(common, 0.3) + 0.1 * _are_near(old, new)
    elif not alone and old.sort in DEFINITIONS:
        least = 0.75 if old.sort is Sort.FUNCTION else 0.6
    elif not alone and old.sort is Sort.CALL and old.parts.name != new.parts.name:
        owners = {owner and (owner.sort, owner.parts.name) for owner in (old.owner, new.owner)}
        least = 0.6 if len(owners) == 1 else 1.0
    return common if common >= least else 0.0
