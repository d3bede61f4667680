"""A text that a tool can read, with the blocks that its rows lie in."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from analyzers.finding import Finding
from analyzers.passage import Passage
from analyzers.rule import Sight

__all__ = ["Block", "BlockKind", "Context"]


class BlockKind(StrEnum):
    """What a block is to a person who reads it."""

    CLASS = "class"
    FUNCTION = "function"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of a text that belong together: a class, function, loop, handler and the like.

    `ends_in_sight` is whether its end is known and not merely the end of what is shown.
    """

    kind: BlockKind
    name: str | None
    first_row: int
    last_row: int
    ends_in_sight: bool


@dataclass(frozen=True, slots=True)
class Context:
    """A passage, its lines, and the innermost block and function of each row.

    `definitions` holds functions and classes by the row they start at, each with its name after
    those around it.
    """

    passage: Passage
    lines: tuple[str, ...]
    blocks: dict[int, Block]
    functions: dict[int, Block]
    definitions: dict[int, tuple[Block, str]]

    @classmethod
    def of(cls, passage: Passage, blocks: Iterable[Block]) -> "Context":
        """Arrange `blocks`, of which those around others come before them."""
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
        """The function around `row` whose header is in sight."""
        found = self.functions.get(row)
        shown = found is not None and self.passage.line(found.first_row) is not None
        return found if shown else None

    def definition(self, row: int) -> Block | None:
        """The function or class that starts at `row`, the outermost of several."""
        found = self.definitions.get(row)
        return found[0] if found else None

    def full_name(self, row: int) -> str | None:
        """The name of the function or class that starts at `row`, after those around it."""
        found = self.definitions.get(row)
        return found[1] if found else None

    def sight(self, finding: Finding) -> Sight:
        """How much around `finding` a fragment shows, from its beginning to its end."""
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
        """The text of `row`."""
        return self.lines[row - 1] if 0 < row <= len(self.lines) else ""

    def code(self, finding: Finding) -> str:
        """The first line of what a finding points at."""
        line = self.line(finding.first_row)
        end = finding.last_column - 1 if finding.first_row == finding.last_row else len(line)
        return line[finding.first_column - 1 : end]
