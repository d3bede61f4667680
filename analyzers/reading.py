"""Readable parts of a file: the new side and, if known, the old side."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from analyzers.model import Fragment, SourceFile, Status
from analyzers.tool import Finding, Sight

Line = tuple[int | None, str]
"""A line's number in the new file (None for scaffold) and its text."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Text that a tool can read, with the line number in the new file of each of its lines.

    `line_numbers[i]` belongs to row i + 1; None marks scaffold, added to make the rest parse.
    """

    text: str
    line_numbers: tuple[int | None, ...]

    @classmethod
    def of_lines(cls, lines: Iterable[Line]) -> "Passage":
        """Join numbered lines."""
        pairs = list(lines)
        return cls("".join(f"{text}\n" for _, text in pairs), tuple(number for number, _ in pairs))

    def line(self, row: int) -> int | None:
        """Return the line of the new file that `row`, from 1, shows; None for scaffold."""
        return self.line_numbers[row - 1] if 0 < row <= len(self.line_numbers) else None

    def nearest_line(self, row: int) -> int | None:
        """Return the last line shown up to `row`, else the first line shown."""
        above = reversed(self.line_numbers[: max(row, 1)])
        shown = (number for number in (*above, *self.line_numbers) if number is not None)
        return next(shown, None)

    def shows(self, first_row: int, last_row: int, lines: frozenset[int]) -> bool:
        """Return True if a row from `first_row` to `last_row` shows one of `lines`."""
        return any(number in lines for number in self.line_numbers[first_row - 1 : last_row])


def source_lines(text: str) -> list[str]:
    """Split `text` at line feeds only, so that every tool counts lines like the diff.

    A carriage return inside a line becomes a space; one before the line feed is dropped, and so
    is a leading byte order mark.
    """
    body = text.removeprefix("\ufeff").removesuffix("\n").removesuffix("\r")
    return body.replace("\r\n", "\n").replace("\r", " ").split("\n")


_MAX_CUT = 6
_MAX_LENGTH_TO_CUT = 20_000  # in characters: longer hunks are not cut


def cuts(lines: list[Line], changed_lines: frozenset[int]) -> Iterator[list[Line]]:
    """Yield `lines`, then ever fewer of them, with up to six context lines cut off the ends."""
    may_cut = sum(len(text) for _, text in lines) <= _MAX_LENGTH_TO_CUT
    for count in range(_MAX_CUT + 1 if may_cut else 1):
        for top in range(count + 1):
            end = len(lines) - (count - top)
            left_out = lines[:top] + lines[end:]
            if top < end and not any(number in changed_lines for number, _ in left_out):
                yield lines[top:end]


# A row counts once for each block around it: a limit for chains of thousands of `else if`.
_MOST_ROWS_OF_BLOCKS = 3_000_000


class BlockKind(StrEnum):
    """Kinds of blocks that rules distinguish."""

    CLASS = "class"
    FUNCTION = "function"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of a class, function, loop, handler or similar construct.

    `ends_in_sight` is False if the text may end before the block does.
    """

    kind: BlockKind
    name: str | None
    first_row: int
    last_row: int
    ends_in_sight: bool


@dataclass(frozen=True, slots=True)
class Context:
    """A passage, its lines, and the innermost block and function of each row.

    `definitions` maps the first row of each function and class to its block and its qualified
    name.
    """

    passage: Passage
    lines: tuple[str, ...]
    blocks: dict[int, Block]
    functions: dict[int, Block]
    definitions: dict[int, tuple[Block, str]]

    @classmethod
    def of(cls, passage: Passage, blocks: Iterable[Block]) -> "Context":
        """Index `blocks` by row; outer blocks must come before the blocks inside them."""
        innermost: dict[int, Block] = {}
        functions: dict[int, Block] = {}
        definitions: dict[int, tuple[Block, str]] = {}
        around: dict[int, str] = {}
        left = _MOST_ROWS_OF_BLOCKS
        for block in blocks:
            rows = range(block.first_row, block.last_row + 1)
            left -= len(rows)
            if left < 0:  # inner blocks then share the sight of the outer one
                break
            innermost.update(dict.fromkeys(rows, block))
            if block.kind is BlockKind.FUNCTION:
                functions.update(dict.fromkeys(rows, block))
            if block.kind is not BlockKind.OTHER and block.name is not None:
                name = f"{around.get(block.first_row, '')}.{block.name}"
                definitions.setdefault(block.first_row, (block, name))
                around.update(dict.fromkeys(rows, name))
        return cls(passage, tuple(passage.text.split("\n")), innermost, functions, definitions)

    def function(self, row: int) -> Block | None:
        """Return the function around `row` if its header is visible."""
        found = self.functions.get(row)
        shown = found is not None and self.passage.line(found.first_row) is not None
        return found if shown else None

    def sight(self, finding: Finding) -> Sight:
        """Return how much of the code around `finding` a fragment shows completely."""
        if finding.scope is None:
            function = self.function(finding.first_row)
            shows_function = function is not None and function.ends_in_sight
        else:
            shows_function = all(self.passage.line(row) is not None for row in finding.scope)
        if shows_function:
            return Sight.FUNCTION
        block = self.blocks.get(finding.first_row)
        return Sight.BLOCK if block is not None and block.ends_in_sight else Sight.LINE

    def line(self, row: int) -> str:
        """Return the text of `row`; empty for a row outside the text."""
        return self.lines[row - 1] if 0 < row <= len(self.lines) else ""

    def code(self, finding: Finding) -> str:
        """Return the first line of the code that a finding points to."""
        line = self.line(finding.first_row)
        end = finding.last_column - 1 if finding.first_row == finding.last_row else len(line)
        return line[finding.first_column - 1 : end]


MOST_CHARACTERS, MOST_LINES, MOST_TOKENS = 1_000_000, 20_000, 300_000
"""Limits on the size of an analysed file; tools take up to 3 kB of memory per token."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_SECONDS_A_FILE = 20.0


class UnparsableError(Exception):
    """The text cannot be parsed; `line`, from 1, is the place and `reason` the cause."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Reading:
    """The readable parts of a file, and the `reason` why others are unreadable.

    `old` holds the known parts of the file before the change.
    """

    contexts: tuple[Context, ...]
    status: Status
    reason: str | None = None
    old: tuple[Context, ...] = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads files of one language.

    `whole` reads a whole file, `part` a hunk without dropping a changed line. Both raise
    `UnparsableError`.
    """

    whole: Callable[[Fragment], Context]
    part: Callable[[Fragment, frozenset[int]], Context]

    def read(self, file: SourceFile) -> Reading:
        """Read a whole file as it is, or each hunk with changed lines in a scaffold."""
        if limit := _exceeded(file.fragments):
            return _unread(f"more than {limit}")
        if _exceeded(file.old_fragments):
            file = replace(file, old_fragments=())
        return self._read_whole(file) if file.is_whole else self._read_hunks(file)

    def _read_whole(self, file: SourceFile) -> Reading:
        try:
            context = self.whole(file.fragments[0])
        except UnparsableError as error:
            return _unread(str(error))
        old: list[Context] = []
        for fragment in file.old_fragments:
            try:
                old.append(self.whole(fragment))
            except UnparsableError:
                continue  # without the old side every smell counts as new
        return Reading((context,), Status.ANALYSED, old=tuple(old))

    def _read_hunks(self, file: SourceFile) -> Reading:
        hunks = [part for part in file.fragments if _is_changed(part, file.changed_lines)]
        if not hunks:
            return _unread("no changed line is shown")
        contexts, errors = self._read_parts(hunks, file.changed_lines)
        # The old side is only context; its unreadable parts hide no smell of the new side.
        old, _ = self._read_parts(file.old_fragments, frozenset())
        if not errors:
            return Reading(tuple(contexts), Status.FRAGMENT, old=tuple(old))
        if len(hunks) == 1:
            return _unread(f"the hunk could not be parsed: {errors[0]}")
        reason = f"{len(errors)} of {len(hunks)} hunks could not be parsed: {errors[0]}"
        if not contexts:
            return _unread(reason)
        return Reading(tuple(contexts), Status.FRAGMENT, reason, tuple(old))

    def _read_parts(
        self, hunks: Sequence[Fragment], changed_lines: frozenset[int]
    ) -> tuple[list[Context], list[UnparsableError]]:
        contexts: list[Context] = []
        errors: list[UnparsableError] = []
        deadline = time.monotonic() + _SECONDS_A_FILE
        for hunk in hunks:
            if time.monotonic() > deadline:
                errors.append(UnparsableError(hunk.first_line, "reading the file took too long"))
                continue
            try:
                contexts.append(self.part(hunk, changed_lines))
            except UnparsableError as error:
                errors.append(error)
        return contexts, errors


def _is_changed(fragment: Fragment, changed_lines: frozenset[int]) -> bool:
    count = len(source_lines(fragment.text))
    return any(n in changed_lines for n in range(fragment.first_line, fragment.first_line + count))


def _exceeded(fragments: Sequence[Fragment]) -> str | None:
    """Return the limit that a file exceeds, if any."""
    texts = [fragment.text for fragment in fragments]
    if sum(map(len, texts)) > MOST_CHARACTERS:
        return f"{MOST_CHARACTERS:,} characters"
    if sum(text.count("\n") for text in texts) >= MOST_LINES:
        return f"{MOST_LINES:,} lines"
    is_dense = sum(1 for text in texts for _ in _TOKEN.finditer(text)) > MOST_TOKENS
    return f"{MOST_TOKENS:,} words and signs" if is_dense else None


def _unread(reason: str) -> Reading:
    return Reading((), Status.NOT_ANALYSED, reason)
