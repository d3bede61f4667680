"""Where the cells of a heatmap lie: columns in groups, rows as high as their text."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.change_matrix import ChangeMatrix

__all__ = ["Grid", "grid_of"]

_GAP = 0.35
_LEAST_BEST, _MORE_BEST = 0.14, 0.11
"""Width of the best ones beside no column, and what each column adds until it is as wide."""

_INSET = 0.03
_LINE, _PADDING, _LOWEST = 15, 12, 34
_ROW_GAP = 8


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The cells of a matrix and beside them the best of each row and column.

    `x` and `y` are edges: a cell of column c and row r is from `x[left[c]]` to the next edge,
    and from `y[top[r]]` to the next. The last of `left` and `top` are those of the best values.
    Between two groups of columns, and before the best ones, is a gap that holds no value. `x` is
    in columns and `y` in pixels. Beside few columns, which are broad, the best ones are narrower.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    left: tuple[int, ...]
    top: tuple[int, ...]

    def values(self, matrix: ChangeMatrix) -> NDArray[np.float64]:
        """What each cell of the grid shows, (n rows, n columns) with gaps; NaN for nothing."""
        shown = np.full((len(self.y) - 1, len(self.x) - 1), np.nan)
        shown[np.ix_(self.top[:-1], self.left[:-1])] = matrix.similarity
        shown[self.top[-1], list(self.left[:-1])] = matrix.best_of_sentences
        shown[list(self.top[:-1]), self.left[-1]] = matrix.best_of_references
        return shown

    def columns(self) -> NDArray[np.float64]:
        """The middle of each column, that of the best ones last."""
        left = list(self.left)
        middle: NDArray[np.float64] = (self.x[left] + self.x[np.array(left) + 1]) / 2
        return middle

    def rows(self) -> NDArray[np.float64]:
        """The middle of each row, that of the best ones last."""
        top = list(self.top)
        middle: NDArray[np.float64] = (self.y[top] + self.y[np.array(top) + 1]) / 2
        return middle

    def outline(self, cells: Sequence[tuple[int, int]]) -> tuple[list[float | None], ...]:
        """The x and the y of a line around each (row, column), with nothing between two of them."""
        x: list[float | None] = []
        y: list[float | None] = []
        inset = min(_INSET, _INSET * self.x[-1] / 6)  # few columns are broad
        for row, column in cells:
            left, right = self.x[self.left[column]] + inset, self.x[self.left[column] + 1] - inset
            top, bottom = self.y[self.top[row]] + 1.5, self.y[self.top[row] + 1] - 1.5
            x += [left, right, right, left, left, None]
            y += [top, top, bottom, bottom, top, None]
        return x, y


def grid_of(matrix: ChangeMatrix, lines: Sequence[int]) -> Grid:
    """The grid of a matrix whose row labels have so many `lines`."""
    widths: list[float] = []
    left = []
    last = None
    for review in matrix.review_of:
        if last is not None and review != last:
            widths.append(_GAP)
        left.append(len(widths))
        widths.append(1.0)
        last = review
    best = min(1.0, _LEAST_BEST + _MORE_BEST * len(matrix.review_of))
    left.append(len(widths) + 1)
    widths += [_GAP * best, best]
    heights: list[float] = [float(max(_LOWEST, _LINE * count + _PADDING)) for count in lines]
    top = [*range(len(heights)), len(heights) + 1]
    heights += [_ROW_GAP, _LOWEST]
    return Grid(_edges(widths), _edges(heights), tuple(left), tuple(top))


def _edges(sizes: Sequence[float]) -> NDArray[np.float64]:
    return np.concatenate([[0.0], np.cumsum(sizes)])
