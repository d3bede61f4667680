"""Readable parts of a file: the new side and, if known, the old side."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product

from analyzers.model import Fragment, SourceFile, Status
from analyzers.tool import Extent, Finding, NotAnalysedError

Line = tuple[int | None, str]
"""A line's number in the file (None for scaffold) and its text."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Text that a tool can read, with the line number in the file of each of its lines.

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
        """Return the line of the file that `row`, from 1, shows; None for scaffold."""
        return self.line_numbers[row - 1] if 0 < row <= len(self.line_numbers) else None

    def shows(self, first_row: int, last_row: int, lines: frozenset[int]) -> bool:
        """Return True if a row from `first_row` to `last_row` shows one of `lines`."""
        return any(number in lines for number in self.line_numbers[first_row - 1 : last_row])


def lines_of(fragment: Fragment) -> list[Line]:
    """Split a fragment at line feeds only, so that every tool counts lines like the diff.

    A carriage return inside a line becomes a space; one before the line feed is dropped, and so
    is a leading byte order mark. What UTF-8 cannot encode becomes a question mark.
    """
    text = fragment.text.encode("utf-8", "replace").decode()
    body = text.removeprefix("\ufeff").removesuffix("\n").removesuffix("\r")
    texts = body.replace("\r\n", "\n").replace("\r", " ").split("\n")
    return [*enumerate(texts, fragment.first_line)]


_MAX_CUT = 3  # lines of context around a change, as diffs have them


def cuts(lines: list[Line], changed_lines: frozenset[int]) -> Iterator[list[Line]]:
    """Yield `lines`, then ever fewer of them, with up to three context lines cut off each end."""
    ends = product(range(_MAX_CUT + 1), repeat=2)
    for top, bottom in sorted(ends, key=sum):
        kept = lines[top : len(lines) - bottom]
        left_out = lines[:top] + lines[len(lines) - bottom :]
        if kept and not any(number in changed_lines for number, _ in left_out):
            yield kept


class BlockKind(StrEnum):
    """Kinds of blocks that rules distinguish."""

    CLASS = "class"
    FUNCTION = "function"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of a class, function, loop, handler or similar construct.

    `is_end_shown` is False if the text may end before the block does.
    """

    kind: BlockKind
    name: str | None
    first_row: int
    last_row: int
    is_end_shown: bool


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
        for block in blocks:
            rows = range(block.first_row, block.last_row + 1)
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

    def extent(self, finding: Finding) -> Extent:
        """Return how much of the code around `finding` a fragment shows completely."""
        if finding.scope is None:
            function = self.function(finding.first_row)
            shows_function = function is not None and function.is_end_shown
        else:
            shows_function = all(self.passage.line(row) is not None for row in finding.scope)
        if shows_function:
            return Extent.FUNCTION
        block = self.blocks.get(finding.first_row)
        return Extent.BLOCK if block is not None and block.is_end_shown else Extent.LINE

    def line(self, row: int) -> str:
        """Return the text of `row`; empty for a row outside the text."""
        return self.lines[row - 1] if 0 < row <= len(self.lines) else ""

    def code(self, finding: Finding) -> str:
        """Return the first line of the code that a finding points to."""
        line = self.line(finding.first_row)
        end = finding.last_column - 1 if finding.first_row == finding.last_row else len(line)
        return line[finding.first_column - 1 : end]


MAX_CHARACTERS, MAX_LINES = 1_000_000, 20_000
"""Limits on the size of an analysed file."""


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
    `NotAnalysedError` with a line of the file.
    """

    whole: Callable[[Fragment], Context]
    part: Callable[[Fragment, frozenset[int]], Context]

    def read(self, file: SourceFile) -> Reading:
        """Read a whole file as it is, or each hunk with changed lines in a frame."""
        if limit := _exceeded(file.fragments):
            return Reading((), Status.NOT_ANALYSED, f"more than {limit}")
        if _exceeded(file.old_fragments):
            file = replace(file, old_fragments=())
        hunks = [part for part in file.fragments if _is_changed(part, file.changed_lines)]
        contexts, errors = self._read(file, hunks, file.changed_lines)
        # The old side is only context; its unreadable parts hide no smell of the new side.
        old, _ = self._read(file, file.old_fragments, frozenset())
        reason = None if hunks else "no changed line is shown"
        if errors:
            count = f"{len(errors)} of {len(hunks)} hunks: " if len(hunks) > 1 else ""
            reason = f"{count}{errors[0]}"
        status = Status.ANALYSED if file.is_whole else Status.FRAGMENT
        return Reading(contexts, status if contexts else Status.NOT_ANALYSED, reason, old)

    def _read(
        self, file: SourceFile, fragments: Sequence[Fragment], changed_lines: frozenset[int]
    ) -> tuple[tuple[Context, ...], list[str]]:
        contexts: list[Context] = []
        errors: list[str] = []
        for part in fragments:
            try:
                whole = self.whole(part) if file.is_whole else self.part(part, changed_lines)
                contexts.append(whole)
            except NotAnalysedError as error:
                errors.append(f"line {error.row or part.first_line}: {error.reason}")
        return tuple(contexts), errors


def _is_changed(fragment: Fragment, changed_lines: frozenset[int]) -> bool:
    return any(number in changed_lines for number, _ in lines_of(fragment))


def _exceeded(fragments: Sequence[Fragment]) -> str | None:
    """Return the limit that a file exceeds, if any."""
    if sum(len(fragment.text) for fragment in fragments) > MAX_CHARACTERS:
        return f"{MAX_CHARACTERS:,} characters"
    is_long = sum(fragment.text.count("\n") for fragment in fragments) >= MAX_LINES
    return f"{MAX_LINES:,} lines" if is_long else None
