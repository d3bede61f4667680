"""The lines of a text as a syntax tree counts in them."""

from dataclasses import dataclass, field
from itertools import accumulate

__all__ = ["ByteLines"]


@dataclass(frozen=True, slots=True)
class ByteLines:
    """Lines in UTF-8; a tree counts rows from 1, and offsets in bytes from 0."""

    lines: tuple[bytes, ...]
    _columns: dict[int, list[int]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, text: str) -> "ByteLines":
        """The lines of a text that `parse` has read."""
        return cls(tuple(text.encode("utf-8", "replace").split(b"\n")))

    def column(self, row: int, offset: int) -> int:
        """The column, from 1, of the character that starts at `offset`, or of the line's end."""
        columns = self._columns.get(row)
        if columns is None:
            starts = (byte & 0b1100_0000 != 0b1000_0000 for byte in self.lines[row - 1] + b"\n")
            columns = self._columns[row] = [*accumulate(starts)]
        return columns[offset]
