"""Readable parts of a file: the new side and, if known, the old side."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product

from crscore_core.analyzers.model import Fragment, SourceFile
from crscore_core.analyzers.tool import Extent, Finding, NotAnalysedError

Line = tuple[int | None, str]
"""A line's number in the file (None for scaffold) and its text."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Text that a tool can read, with the number of each of its lines in the file.

    `line_numbers[i]` belongs to row i + 1; None marks scaffold, added to make the rest parse.
    """

    text: str
    line_numbers: tuple[int | None, ...]

    @classmethod
    def from_lines(cls, lines: Iterable[Line]) -> "Passage":
        """Join numbered lines."""
        pairs = list(lines)
        return cls("".join(f"{text}\n" for _, text in pairs), tuple(number for number, _ in pairs))

    def line(self, row: int) -> int | None:
        """Return the line of the file that `row`, from 1, shows; None for scaffold."""
        return self.line_numbers[row - 1] if 0 < row <= len(self.line_numbers) else None

    def shows(self, first_row: int, last_row: int, lines: frozenset[int]) -> bool:
        """Return True if a row from `first_row` to `last_row` shows one of `lines`."""
        return any(number in lines for number in self.line_numbers[first_row - 1 : last_row])


def fragment_lines(fragment: Fragment) -> list[Line]:
    """Split a fragment at line feeds only, so that every tool counts lines like the diff.

    A carriage return inside a line becomes a space. A carriage return before the line feed and a
    leading byte order mark are dropped. Characters that UTF-8 cannot encode become `?`.
    """
    text = fragment.text.encode("utf-8", "replace").decode()
    body = text.removeprefix("\ufeff").removesuffix("\n").removesuffix("\r")
    texts = body.replace("\r\n", "\n").replace("\r", " ").split("\n")
    return [*enumerate(texts, fragment.first_line)]


_MAX_TRIMMED = 3  # diffs show three lines of context around a change


def with_less_context(lines: list[Line], changed_lines: frozenset[int]) -> Iterator[list[Line]]:
    """Yield `lines`, then fewer and fewer: without up to three context lines at each end."""
    counts = product(range(_MAX_TRIMMED + 1), repeat=2)
    for top, bottom in sorted(counts, key=sum):
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


@dataclass(frozen=True, slots=True, eq=False)
class ParsedCode:
    """A passage with its blocks.

    blocks, functions: map each row to the innermost block and function.
    definitions: map first rows to the block and the qualified name of a function or class.
    """

    passage: Passage
    lines: tuple[str, ...]
    blocks: dict[int, Block]
    functions: dict[int, Block]
    definitions: dict[int, tuple[Block, str]]

    @classmethod
    def of(cls, passage: Passage, blocks: Iterable[Block]) -> "ParsedCode":
        """Index `blocks` by row; outer blocks must come before the blocks inside them."""
        innermost: dict[int, Block] = {}
        functions: dict[int, Block] = {}
        definitions: dict[int, tuple[Block, str]] = {}
        names: dict[int, str] = {}
        for block in blocks:
            rows = range(block.first_row, block.last_row + 1)
            innermost.update(dict.fromkeys(rows, block))
            if block.kind is BlockKind.FUNCTION:
                other = functions.get(block.first_row)
                is_alone = other is None or other.last_row > other.first_row
                # Rows cannot tell two functions on one line apart.
                named = block if is_alone else replace(block, name=None)
                functions.update(dict.fromkeys(rows, named))
            if block.kind is not BlockKind.OTHER and block.name is not None:
                name = f"{names.get(block.first_row, '')}.{block.name}"
                definitions.setdefault(block.first_row, (block, name))
                names.update(dict.fromkeys(rows, name))
        return cls(passage, tuple(passage.text.split("\n")), innermost, functions, definitions)

    def function(self, row: int) -> Block | None:
        """Return the function around `row` if its header is visible."""
        function = self.functions.get(row)
        is_shown = function is not None and self.passage.line(function.first_row) is not None
        return function if is_shown else None

    def extent(self, finding: Finding) -> Extent:
        """Return the largest part of the code around `finding` that is shown completely."""
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


def first_readable(
    passages: Iterable[Passage], parse: Callable[[Passage], ParsedCode], fragment: Fragment
) -> ParsedCode:
    """Return the first passage that can be parsed; each of them shows `fragment`.

    Raises:
        NotAnalysedError: none can; its reason and row, a line of the file, are from the first try.
    """
    first_error = None
    for passage in passages:
        try:
            return parse(passage)
        except NotAnalysedError as error:
            line = passage.line(error.row or 1) or fragment.first_line
            first_error = first_error or NotAnalysedError(error.reason, line)
    raise first_error or NotAnalysedError("the hunk is too large", fragment.first_line)


MAX_CHARACTERS, MAX_LINES = 1_000_000, 20_000
"""Limits on the size of an analysed file."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The readable parts of a file, and why the others cannot be read.

    new, old: parts of the file after and before the change.
    errors: a reason for each part of the new side that cannot be read.
    """

    new: tuple[ParsedCode, ...]
    old: tuple[ParsedCode, ...] = ()
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads files of one language.

    `whole` reads a whole file; `part` reads a hunk and keeps all changed lines. Both raise
    `NotAnalysedError` with a line of the file.
    """

    whole: Callable[[Fragment], ParsedCode]
    part: Callable[[Fragment, frozenset[int]], ParsedCode]

    def read(self, file: SourceFile) -> Reading:
        """Read a whole file unchanged, or each hunk with changed lines in a frame."""
        if limit := _exceeded(file.fragments):
            return Reading((), errors=(f"more than {limit}",))
        hunks = [
            hunk
            for hunk in file.fragments
            if file.changed_lines & dict(fragment_lines(hunk)).keys()
        ]
        new, errors = self._read(file, hunks, file.changed_lines)
        # The old side is only context; its unreadable parts hide no smell of the new side.
        old_fragments = () if _exceeded(file.old_fragments) else file.old_fragments
        old, _ = self._read(file, old_fragments, frozenset())
        return Reading(new, old, tuple(errors) if hunks else ("no changed line is shown",))

    def _read(
        self, file: SourceFile, fragments: Sequence[Fragment], changed_lines: frozenset[int]
    ) -> tuple[tuple[ParsedCode, ...], list[str]]:
        """Return the readable parts of a file, and the errors of the others."""
        parts: list[ParsedCode] = []
        errors: list[str] = []
        for fragment in fragments:
            try:
                parts.append(
                    self.whole(fragment) if file.is_whole else self.part(fragment, changed_lines)
                )
            except NotAnalysedError as error:
                errors.append(f"line {error.row or fragment.first_line}: {error.reason}")
        return tuple(parts), errors


def _exceeded(fragments: Sequence[Fragment]) -> str | None:
    """Return the limit that a file exceeds, if any."""
    if sum(len(fragment.text) for fragment in fragments) > MAX_CHARACTERS:
        return f"{MAX_CHARACTERS:,} characters"
    has_many_lines = sum(fragment.text.count("\n") for fragment in fragments) >= MAX_LINES
    return f"{MAX_LINES:,} lines" if has_many_lines else None
