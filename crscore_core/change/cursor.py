"""A place in the lines of a diff."""

from crscore_core.change.text import DiffText
from crscore_core.errors import DiffError

__all__ = ["Cursor"]


class Cursor:
    """Walks over the lines of a diff and names their numbers, which count from 1."""

    def __init__(self, text: DiffText) -> None:
        self.at = 0
        self.lines = text.lines
        self.warnings = text.warnings

    @property
    def at_end(self) -> bool:
        """Whether no line is left."""
        return self.at >= len(self.lines)

    @property
    def line(self) -> str:
        """The current line, empty at the end."""
        return "" if self.at_end else self.lines[self.at]

    def number(self, at: int | None = None) -> int:
        """Number of the current line or of the one at index `at`."""
        return (self.at if at is None else at) + 1

    def error(self, reason: str, at: int | None = None) -> DiffError:
        """An error about the current line or the one at index `at`."""
        return DiffError(reason, self.number(at))

    def warn(self, reason: str, at: int | None = None) -> None:
        """Keep a warning about the current line or the one at index `at`."""
        self.warnings.append(f"line {self.number(at)} {reason}")
