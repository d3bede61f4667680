"""Physical lines of a hunk -> logical lines of its old and its new side.

A statement that a bracket or a method chain spreads over several lines is one logical line,
context lines included, so that a new argument on a line of its own is seen in its call.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from crscore_core.change import ChangedLine, Hunk, LineKind
from crscore_core.claims.symbolic.lexing import MAX_EXAMINED, TokenKind, tokenize
from crscore_core.claims.symbolic.notation import PROSE

__all__ = ["LogicalLine", "Side", "logical_lines"]

MAX_JOINED = 10
"""Physical lines that are joined to one statement; a longer one is read line by line."""


@dataclass(frozen=True, slots=True)
class Side:
    """Which of the two files of a hunk is read: the kind of line that only it has."""

    own: LineKind
    other: LineKind


OLD = Side(LineKind.REMOVED, LineKind.ADDED)
NEW = Side(LineKind.ADDED, LineKind.REMOVED)


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One statement of one side.

    `positions` are the indices of its lines in the hunk, `changed` those that only this side
    has. `line` is the line of the new file where it stands, or where what replaced it stands.
    `prose` says that it lies within a block comment or a docstring.
    """

    text: str
    positions: tuple[int, ...]
    changed: tuple[int, ...]
    line: int
    indent: int
    prose: bool

    @property
    def touched(self) -> bool:
        """Whether the change made or removed at least a part of it."""
        return bool(self.changed)


_OPEN = frozenset("([")
_CLOSE = frozenset(")]")
_CONTINUES = re.compile(r"\s*(?:\.(?!\.)|\?\.|&&|\|\||\+ |\? |: )")
_UNBRACED = frozenset("python py ruby rb yaml yml toml ini properties css scss less".split())


def logical_lines(hunk: Hunk, side: Side, language: str | None) -> tuple[LogicalLine, ...]:
    """Return the logical lines of one side of `hunk`, in order."""
    rows = [(i, line) for i, line in enumerate(hunk.lines) if line.kind is not side.other]
    places = _new_lines(hunk)
    prose = _prose([line.text for _, line in rows], language)
    if language in PROSE:
        prose = [True] * len(rows)
    chains = (language or "").casefold() not in _UNBRACED
    found: list[LogicalLine] = []
    at = 0
    while at < len(rows):
        count = 1 if prose[at] else _span(rows, prose, at, language, chains=chains)
        part = rows[at : at + count]
        changed = tuple(i for i, line in part if line.kind is side.own)
        first = part[0][1].text[:MAX_EXAMINED]
        found.append(
            LogicalLine(
                text=_joined([line.text for _, line in part], language),
                positions=tuple(i for i, _ in part),
                changed=changed,
                line=places[changed[0] if changed else part[0][0]],
                indent=len(first.expandtabs(4)) - len(first.expandtabs(4).lstrip()),
                prose=prose[at],
            )
        )
        at += count
    return tuple(found)


def _joined(texts: Sequence[str], language: str | None) -> str:
    """Return one text for the lines of a statement; only a single line keeps its comment."""
    if len(texts) == 1:
        return texts[0][:MAX_EXAMINED].strip()
    parts = []
    for text in texts:
        code = [t for t in tokenize(text, language) if t.kind is not TokenKind.COMMENT]
        if code:
            parts.append(text[code[0].start : code[-1].end])
    return " ".join(parts)


def _new_lines(hunk: Hunk) -> list[int]:
    """Return, for each line of the hunk, the line of the new file that stands at its place."""
    last = hunk.new_start + hunk.new_count - 1
    places, following = [0] * len(hunk.lines), 0
    for index in range(len(hunk.lines) - 1, -1, -1):
        following = hunk.lines[index].new or following
        places[index] = following or max(last, 1)
    return places


def _span(
    rows: Sequence[tuple[int, ChangedLine]],
    prose: Sequence[bool],
    at: int,
    language: str | None,
    *,
    chains: bool,
) -> int:
    """Return how many rows from `at` on make one statement."""
    depth, count, size = 0, 0, 0
    chains = chains and not _CONTINUES.match(rows[at][1].text)
    braced = rows[at][1].text.lstrip().startswith(("import {", "import type {", "export {"))
    while at + count < len(rows) and count < MAX_JOINED and size < MAX_EXAMINED:
        text = rows[at + count][1].text
        if count and (prose[at + count] or not text.strip()):
            return 1 if depth > 0 else count
        size += len(text)
        tokens = [t for t in tokenize(text, language) if t.kind is not TokenKind.COMMENT]
        for token in tokens:
            if token.kind is TokenKind.MARK and braced:
                depth += (token.text == "{") - (token.text == "}")
            if token.kind is TokenKind.MARK:
                depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if count and not tokens:
            return 1
        count += 1
        if depth < 0:
            return 1
        if depth > 0:
            if tokens and tokens[-1].text in {"{", "=>"} and not braced:
                return 1
            continue
        following = rows[at + count][1].text if at + count < len(rows) else ""
        if not (chains and tokens and _CONTINUES.match(following)):
            return count
    return 1


_TRIPLE = re.compile(r'"""|\'\'\'')
_STRING_STARTS = re.compile(r'[=(,+]\s*[rRuUbBfF]{0,2}("""|\'\'\')')
_QUERY = re.compile(r"\s*(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|SET|VALUES|ON|WITH|CREATE)\b")
_HASHED = frozenset({"python", "py"})


def _prose(texts: Sequence[str], language: str | None) -> list[bool]:
    """Say which lines lie within a docstring or a block comment."""
    if (language or "").casefold() in _HASHED:
        return _docstrings(texts)
    flags: list[bool] = []
    inside = False
    for text in texts:
        line = text[:MAX_EXAMINED].strip()
        opens = line.startswith(("/*", "<!--"))
        starred = line.startswith("*") and (len(line) == 1 or line[1] in " /*")
        flags.append(inside or opens or starred)
        if inside or opens or starred:
            inside = not ("*/" in line or "-->" in line) and (inside or opens)
    return flags


def _docstrings(texts: Sequence[str]) -> list[bool]:
    """Read triple quotes; a lone one after prose, not after a heading, ends what came before."""
    flags = [False] * len(texts)
    inside, since, previous = False, 0, ""
    for index, text in enumerate(texts):
        line = text[:MAX_EXAMINED].strip()
        marks = len(_TRIPLE.findall(line))
        if marks % 2:
            bare = line.lstrip("rRuUbBfF")
            starts = bare.startswith(('"""', "'''"))
            opens = starts and (len(bare) > 3 or previous.endswith(":"))
            if inside:
                inside, since = False, index + 1
                flags[index] = True
            elif opens:
                inside = flags[index] = True
            elif starts or not _STRING_STARTS.search(line):
                if any(_QUERY.match(t) for t in texts[since:index]):
                    since = index + 1
                    continue
                flags[since : index + 1] = [True] * (index + 1 - since)
                since = index + 1
        else:
            flags[index] = inside or line.startswith(('"""', "'''"))
        previous = line or previous
    return flags
