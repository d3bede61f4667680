"""Text that a tool can read, and which line of the new file each of its lines is."""

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Passage", "source_lines"]


@dataclass(frozen=True, slots=True)
class Passage:
    """`line_numbers[i]` is the line of the new file that line i + 1 of `text` shows.

    It is None for a line of scaffold, one that only makes the rest readable.
    """

    text: str
    line_numbers: tuple[int | None, ...]

    @classmethod
    def of_lines(cls, lines: Iterable[tuple[int | None, str]]) -> "Passage":
        """Join numbered lines."""
        pairs = list(lines)
        return cls("".join(f"{text}\n" for _, text in pairs), tuple(number for number, _ in pairs))

    def line(self, row: int) -> int | None:
        """The line of the new file that `row`, from 1, shows; None for scaffold."""
        return self.line_numbers[row - 1] if 0 < row <= len(self.line_numbers) else None

    def shows(self, first_row: int, last_row: int, lines: frozenset[int]) -> bool:
        """Whether one of the rows from `first_row` to `last_row` is one of `lines`."""
        return any(number in lines for number in self.line_numbers[first_row - 1 : last_row])


def source_lines(text: str) -> list[str]:
    """Split `text` where a diff does, at line feeds alone.

    Other line breaks inside a line become a space, and a carriage return before the line
    feed and a leading byte order mark go, so that every tool counts lines as the diff does.
    """
    body = text.removeprefix("\ufeff").removesuffix("\n").removesuffix("\r")
    return body.replace("\r\n", "\n").replace("\r", " ").split("\n")
