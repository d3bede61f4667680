"""Statements that changed, one by one: what became of each, and what it does in plain words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby

from crscore_core.claims.symbolic.candidate import Candidate, claim
from crscore_core.claims.symbolic.pairing import Block, same_code
from crscore_core.claims.symbolic.speech import predicate
from crscore_core.claims.symbolic.statement import Sort, Statement

_SILENT = frozenset({Sort.BLANK, Sort.BRACKETS})


class Change(Enum):
    """What became of a statement; `NEW` is one that was rewritten, as it is now."""

    NEW = "new"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Changed:
    """A statement of either side, and what became of it; `before` is what it was rewritten from."""

    statement: Statement
    change: Change
    before: Statement | None = None


def changed_statements(block: Block, language: str | None) -> list[Changed]:
    """Return the statements that differ: rewritten ones first, then added, then removed ones.

    Comments that follow one another are one. What only another layout changed is left out, and
    so are the bodies of definitions that come or go as a whole.
    """
    if block.reflowed:
        return []
    found = [
        Changed(pair.new, Change.NEW, pair.old)
        for pair in block.pairs
        if not same_code(pair.old, pair.new, language)
    ]
    found += [Changed(s, Change.ADDED) for s in _outer(_joined(block.added))]
    gone = (s for s in _outer(_joined(block.removed)) if not _lives_on(s, block.text_now))
    return found + [Changed(s, Change.REMOVED) for s in gone]


def _lives_on(statement: Statement, code: str) -> bool:
    """Whether what a removed statement tests or sets is still tested or set by other `code`."""
    if statement.sort is Sort.CONDITION:
        return bool(statement.detail) and statement.detail in code
    return statement.sort is Sort.ASSIGNMENT and statement.subject in code


def _outer(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Leave out the bodies of definitions, which are told with their headings."""
    body = None
    for statement in statements:
        if body is not None and statement.source.indent > body:
            continue
        body = statement.source.indent if statement.heading is not None else None
        yield statement


def _joined(statements: Sequence[Statement]) -> Iterator[Statement]:
    told = [s for s in statements if s.sort not in _SILENT]
    for is_comment, run in groupby(told, key=lambda s: s.sort is Sort.COMMENT):
        if not is_comment:
            yield from run
        elif remarks := [s for s in run if s.detail]:
            yield replace(remarks[0], detail=" ".join(s.detail for s in remarks))


MAX_PLAIN = 2
"""Statements of one block that are told in plain words."""

WEIGHT = 40

_SUBJECTS = {
    Change.NEW: "The code now",
    Change.ADDED: "The code now",
    Change.REMOVED: "The code no longer",
}


def in_plain_words(changed: Sequence[Changed], language: str | None) -> list[Candidate]:
    """Say of each statement what the code does now or no longer, with names as words.

    What a rewritten statement was before is left to the claims that show both. What the new code
    does in other words, as if nothing had changed, is left out too.
    """
    said = [(one, predicate(one.statement, language)) for one in changed[:MAX_PLAIN]]
    return [
        claim(f"{_SUBJECTS[one.change]} {does}", WEIGHT, one.statement.line)
        for one, does in said
        if does and (one.before is None or does != predicate(one.before, language))
    ]
