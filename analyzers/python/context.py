"""Where in the code a row lies, and how much around it is in sight."""

import ast
from dataclasses import dataclass

from analyzers.python.parsing import ParsedPassage
from analyzers.python.ruff_output import Finding
from analyzers.python.rules import Sight

__all__ = ["Context"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Block = (
    ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.ClassDef
    | ast.If
    | ast.For
    | ast.AsyncFor
    | ast.While
    | ast.With
    | ast.AsyncWith
    | ast.Try
    | ast.TryStar
    | ast.ExceptHandler
    | ast.Match
)


@dataclass(frozen=True, slots=True)
class Context:
    """The blocks of a passage by row, and the last row on which code of the change starts."""

    passage_lines: tuple[str, ...]
    blocks: dict[int, _Block]
    functions: dict[int, _Function]
    shown_rows: frozenset[int]
    last_row: int

    @classmethod
    def of(cls, parsed: ParsedPassage) -> "Context":
        """Read off which block and which function each row lies in."""
        blocks: dict[int, _Block] = {}
        functions: dict[int, _Function] = {}
        last_row = 0
        shown = {row for row, n in enumerate(parsed.passage.line_numbers, 1) if n is not None}
        for node in ast.walk(parsed.tree):  # from the outside in: inner ones overwrite
            if isinstance(node, ast.stmt | ast.ExceptHandler) and node.lineno in shown:
                last_row = max(last_row, node.lineno)
            if isinstance(node, _Block):
                rows = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                blocks.update(dict.fromkeys(rows, node))
                if isinstance(node, _Function):
                    functions.update(dict.fromkeys(rows, node))
        lines = tuple(parsed.passage.text.split("\n"))
        return cls(lines, blocks, functions, frozenset(shown), last_row)

    def function(self, row: int) -> _Function | None:
        """The function around `row` whose header is in sight."""
        found = self.functions.get(row)
        return found if found is not None and found.lineno in self.shown_rows else None

    def sight(self, row: int) -> Sight:
        """How much around `row` a fragment shows, from its beginning to its end."""
        function = self.function(row)
        if function is not None and self._ends_in_sight(function):
            return Sight.FUNCTION
        block = self.blocks.get(row)
        return Sight.BLOCK if block is not None and self._ends_in_sight(block) else Sight.LINE

    def definition_rows(self, row: int) -> tuple[int, int] | None:
        """First and last row of the function or class that starts at `row`."""
        block = self.blocks.get(row)
        if block is None or block.lineno != row:
            return None
        return row, block.end_lineno or row

    def line(self, row: int) -> str:
        """The text of `row`."""
        return self.passage_lines[row - 1]

    def code(self, finding: Finding) -> str:
        """The first line of what a finding points at."""
        line = self.passage_lines[finding.first_row - 1]
        end = finding.last_column - 1 if finding.first_row == finding.last_row else len(line)
        return line[finding.first_column - 1 : end]

    def _ends_in_sight(self, block: _Block) -> bool:
        return (block.end_lineno or block.lineno) < self.last_row
