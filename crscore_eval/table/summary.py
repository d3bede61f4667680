"""Summaries of the cells of a column."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from crscore_core.text import shorten
from crscore_eval.table.cells import MAX_EXACT, cell_number, cell_text, is_blank
from crscore_eval.table.fields import RATING_SCALE

_DIFF = re.compile(r"^(?:@@ -\d|diff --git |--- \S|Index: \S|={4} //)", re.MULTILINE)
_WORD = float("nan")  # within no range
_MAX_SEEN, _MAX_NAME, _MAX_EXAMPLES = 1_000, 60, 3
_SCALES = ((1, 5), (0, 1), (0, 5), (1, 10), (0, 10), (0, 100))


def has_diff(text: str) -> bool:
    """Return True if a line of a text starts a diff or a hunk."""
    return bool(_DIFF.search(text))


@dataclass
class ColumnSummary:
    """Counts of the cells of a column that are not blank.

    numbers, words: cells with numbers, and of these words such as yes and no.
    seen: different numbers, or `_WORD`, each with its count and first row; at most `_MAX_SEEN`.
    texts: different texts, shortened; at most `_MAX_SEEN`.
    first_text: first row with a text.
    nested: cells with lists or objects.
    """

    filled: int = 0
    numbers: int = 0
    words: int = 0
    diffs: int = 0
    prose: int = 0
    first_text: int = 0
    nested: int = 0
    has_line_breaks: bool = False
    lowest: float = float("inf")
    highest: float = float("-inf")
    is_whole: bool = True
    seen: dict[float, tuple[int, int]] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)
    examples: list[str] = field(default_factory=list)

    def add(self, cell: object, row: int) -> None:
        """Count a cell."""
        if is_blank(cell):
            return
        self.filled += 1
        if len(self.examples) < _MAX_EXAMPLES:
            self.examples.append(shorten(cell_text(cell)[:1_000], _MAX_NAME))
        if (number := cell_number(cell)) is not None:
            self._add_number(number, row, is_word=str(cell).strip().isalpha())
            return
        self.first_text = self.first_text or row
        self.nested += isinstance(cell, list | dict)
        if isinstance(cell, str):
            self.has_line_breaks |= "\n" in cell
            self.diffs += has_diff(cell)
            self.prose += len(cell[:1_000].split()) >= 3
            if len(self.texts) < _MAX_SEEN:
                self.texts.add(cell[: _MAX_NAME + 1])

    def _add_number(self, number: float, row: int, *, is_word: bool) -> None:
        self.numbers += 1
        self.words += is_word
        self.lowest, self.highest = min(self.lowest, number), max(self.highest, number)
        self.is_whole &= number.is_integer()
        key = _WORD if is_word else number
        if key in self.seen or len(self.seen) < _MAX_SEEN:
            count, first = self.seen.get(key, (0, row))
            self.seen[key] = count + 1, first

    def within(self, low: float, high: float) -> int:
        """Return the number of cells with a number in a range; words do not count."""
        return sum(count for number, (count, _) in self.seen.items() if low <= number <= high)

    def first_outside(self, low: float, high: float) -> int:
        """Return the first row without a number in a range."""
        rows = [row for number, (_, row) in self.seen.items() if not low <= number <= high]
        return min(rows + [self.first_text] * bool(self.first_text), default=0)

    @cached_property
    def looks(self) -> set[str]:
        """Return how most cells look, once all are counted.

        label: numbers, or words such as yes and no.
        words: words such as yes and no, but for a few cells.
        rating: numbers from 1 to 5, but for a few other numbers.
        stars: numbers from 1 to 5, but for a few other cells.
        number: numbers that a float holds exactly; a few from 0 to 100 may be missing.
        scale: different whole numbers from 0 to 100, but not those of rows.
        diff, prose: diffs; texts of several words.
        names: short texts that are repeated.
        """
        n_ratings, n_texts = self.within(*RATING_SCALE), self.filled - self.numbers
        is_small = self.lowest >= 0 and self.highest <= 100
        is_index = 2 < self.filled == len(self.seen) == self.highest - self.lowest + 1
        is_exact = max(abs(self.lowest), abs(self.highest)) < MAX_EXACT
        is_number = not self.words and (is_small and self._few(n_texts) if n_texts else is_exact)
        is_short = max(map(len, self.texts), default=_MAX_NAME + 1) <= _MAX_NAME
        is_like = {
            "label": self._most(self.numbers),
            "words": self.words and self._few(self.filled - self.words),
            "rating": self._most(n_ratings) and self._few(self.numbers - n_ratings),
            "stars": n_ratings and self._few(self.filled - n_ratings),
            "number": self.numbers and is_number,
            "scale": self.is_whole and is_small and len(self.seen) > 1 and not is_index,
            "diff": self._most(self.diffs),
            "prose": self._most(self.prose) and not self._most(self.diffs),
            "names": is_short and not self.numbers and 3 * len(self.texts) <= self.filled,
        }
        return {name for name, is_one in is_like.items() if is_one}

    def _most(self, cells: int) -> bool:
        return cells > 0 and 2 * cells >= self.filled

    def _few(self, cells: int) -> bool:
        """Return True for a number of cells that do not change what the column holds."""
        return cells <= max(self.filled >= 4, self.filled // 20)

    def scale(self) -> str:
        """Return the usual scale that the numbers fit, or else their range."""
        low, high = next(
            (one for one in _SCALES if one[0] <= self.lowest and self.highest <= one[1]),
            (self.lowest, self.highest),
        )
        return f"{low:g}-{high:g}"
