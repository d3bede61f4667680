"""The similarity matrix as a heatmap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from crscore_core import ReviewScore
from crscore_core.corpus.change_matrix import ChangeMatrix
from crscore_core.corpus.model import UNRATED
from crscore_core.corpus.reviews import ComparedReview
from crscore_core.scoring import metric
from pages.components.text import escape_hover, wrap_hover

_MOST_CELLS, _MOST_ROWS, _MOST_COLUMNS = 2_000, 60, 120
_ROW_WIDTH, _ROW_LINES = 34, 4
_COLUMN_WIDTHS, _COLUMN_LINES = {1: 30, 2: 18, 3: 13, 4: 10}, 8
"""Characters of a label where the page is 800 pixels wide, by the number of sentences."""

_PLOT_WIDTH = 270
"""Pixels that are left for the cells on a page of that width."""

_CHARACTER = 6.0
_MOST_WITH_NUMBERS, _MOST_WITH_LARGE_NUMBERS = 16, 6
_NAME_WIDTH = 18
_HOVER_LINES = 3
_LEGEND_HEIGHT = 64
_FONT = 11

_GAP = 0.35
_LEAST_BEST, _MORE_BEST = 0.14, 0.11
"""Width of the column of best values beside no column, and its growth with each, up to 1."""

_INSET = 0.03
_LINE, _PADDING, _LOWEST = 15, 12, 34
_ROW_GAP = 8

Name = Callable[[str], str]


def can_be_drawn(matrix: ChangeMatrix) -> bool:
    """Return True if a heatmap of the matrix is readable and no burden for a browser."""
    rows, columns = len(matrix.references), len(matrix.sentences)
    return 0 < rows * columns <= _MOST_CELLS and rows <= _MOST_ROWS and columns <= _MOST_COLUMNS


def score_matrix(score: ReviewScore) -> ChangeMatrix:
    """Return the matrix of one review that was scored."""
    texts = tuple(reference.text for reference in score.pseudo_references)
    review = ComparedReview(
        0, "", "", score.review, UNRATED, texts, score.sentence_texts, score.similarity
    )
    return ChangeMatrix(score.pseudo_references, (review,), score.similarity)


def describe_heatmap(matrix: ChangeMatrix, tau: float) -> str:
    """Say in words what the heatmap shows."""
    rows, columns = matrix.similarity.shape
    above = int(metric.matches(matrix.similarity, tau).sum())
    covered = int(metric.covered(matrix.similarity, tau).sum())
    on_topic = int(metric.on_topic(matrix.similarity, tau).sum())
    best_row, best_column = np.unravel_index(matrix.similarity.argmax(), (rows, columns))
    return (
        f"Similarity of {rows} pseudo-references and {columns} sentences: {above} of "
        f"{rows * columns} pairs are above tau {tau:.3f}, {covered} of {rows} pseudo-references "
        f"are covered and {on_topic} of {columns} sentences are on topic. The best pair is "
        f"P{best_row + 1} and S{best_column + 1} with {matrix.similarity.max():.3f}."
    )


def similarity_heatmap(
    matrix: ChangeMatrix,
    tau: float,
    chosen: tuple[int, int] | None = None,
    name: Name = str,
) -> go.Figure:
    """Draw pseudo-references by sentences, the columns in a group for each review.

    One outline is around values above `tau`, another around the `chosen` row and column. The last
    row and column hold the best values, which the scores count. Points lie on the cells, with
    their row and column, since a heatmap cannot be clicked at. `name` gives a system its name.
    """
    labels = [
        f"<b>P{row + 1}</b> {wrap_hover(reference.text, _ROW_WIDTH, _ROW_LINES)}"
        for row, reference in enumerate(matrix.references)
    ]
    grid = grid_of(matrix, [label.count("<br>") + 1 for label in labels])
    figure = go.Figure(_cells(matrix, grid))
    for cells, outline, width in (
        (_above(matrix, tau), "above tau", 2),
        ([] if chosen is None else [chosen], "chosen", 4),
    ):
        x, y = grid.outline(cells)
        figure.add_scatter(x=x, y=y, mode="lines", line_width=width, hoverinfo="skip", name=outline)
    figure.add_trace(_points(matrix, grid))
    top = _name_columns(figure, matrix, grid, name)
    figure.update_yaxes(
        range=[grid.y[-1], 0],
        tickvals=grid.rows().tolist(),
        ticktext=[*labels, "<b>best</b> of each sentence"],
        tickfont_size=_FONT,
        automargin=True,
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(
        height=top + float(grid.y[-1]) + _LEGEND_HEIGHT,
        margin={"l": 10, "r": 10, "t": top, "b": _LEGEND_HEIGHT},
        showlegend=False,
        hovermode="closest",
        hoverdistance=-1,
    )
    return figure


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Edges of the cells of a matrix, and of the best values beside them.

    `x` is in columns and `y` in pixels. Column c goes from `x[left[c]]` to the next edge, row r
    from `y[top[r]]` to the next. The last of `left` and `top` belong to the best values. A gap,
    which holds no value, lies between two groups of columns and before the best values.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    left: tuple[int, ...]
    top: tuple[int, ...]

    def values(self, matrix: ChangeMatrix) -> NDArray[np.float64]:
        """Return the value of each cell, NaN for none, (n rows, n columns) with gaps."""
        shown = np.full((len(self.y) - 1, len(self.x) - 1), np.nan)
        shown[np.ix_(self.top[:-1], self.left[:-1])] = matrix.similarity
        shown[self.top[-1], list(self.left[:-1])] = matrix.best_of_sentences
        shown[list(self.top[:-1]), self.left[-1]] = matrix.best_of_references
        return shown

    def columns(self) -> NDArray[np.float64]:
        """Return the middle of each column, the column of best values last."""
        left = np.array(self.left)
        middle: NDArray[np.float64] = (self.x[left] + self.x[left + 1]) / 2
        return middle

    def rows(self) -> NDArray[np.float64]:
        """Return the middle of each row, the row of best values last."""
        top = np.array(self.top)
        middle: NDArray[np.float64] = (self.y[top] + self.y[top + 1]) / 2
        return middle

    def outline(self, cells: Sequence[tuple[int, int]]) -> tuple[list[float | None], ...]:
        """Return x and y of a line around each (row, column), None between two cells."""
        x: list[float | None] = []
        y: list[float | None] = []
        inset = min(_INSET, _INSET * self.x[-1] / 6)  # few columns are broad
        for row, column in cells:
            left, right = self.x[self.left[column]] + inset, self.x[self.left[column] + 1] - inset
            top, bottom = self.y[self.top[row]] + 1.5, self.y[self.top[row] + 1] - 1.5
            x += [left, right, right, left, left, None]
            y += [top, top, bottom, bottom, top, None]
        return x, y


def grid_of(matrix: ChangeMatrix, lines: Sequence[int]) -> _Grid:
    """Return the grid of a matrix; `lines` counts the lines of each row's label.

    Beside few columns, which are broad, the column of best values is narrower.
    """
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
    x, y = (np.concatenate([[0.0], np.cumsum(sizes)]) for sizes in (widths, heights))
    return _Grid(x, y, tuple(left), tuple(top))


def _cells(matrix: ChangeMatrix, grid: _Grid) -> go.Heatmap:
    n_columns = len(matrix.sentences)
    numbers = {}
    if n_columns <= _MOST_WITH_NUMBERS:
        size = _FONT + 1 if n_columns <= _MOST_WITH_LARGE_NUMBERS else None
        # Plotly writes dark or white by the cell, whose colour the theme decides; neither stands
        # out from a middle blue without an edge of the other.
        font = {"size": size, "weight": 700, "shadow": "auto"}
        numbers = {"texttemplate": "%{z:.2f}", "textfont": font}
    return go.Heatmap(
        z=grid.values(matrix).tolist(),
        x=grid.x.tolist(),
        y=grid.y.tolist(),
        zmin=0,
        zmax=1,
        hoverinfo="skip",
        colorbar={
            "orientation": "h",
            "thickness": 10,
            "len": 0.8,
            "y": 0,
            "yanchor": "top",
            "title": {"text": "cosine, outlined above tau", "side": "bottom"},
            "ypad": 6,
        },
        **numbers,
    )


def _above(matrix: ChangeMatrix, tau: float) -> list[tuple[int, int]]:
    """Return rows and columns of values above tau, -1 for those of the best values."""
    pairs = np.argwhere(metric.matches(matrix.similarity, tau)).tolist()
    return [
        *((row, column) for row, column in pairs),
        *((-1, int(column)) for column in np.flatnonzero(matrix.best_of_sentences > tau)),
        *((int(row), -1) for row in np.flatnonzero(matrix.best_of_references > tau)),
    ]


def _points(matrix: ChangeMatrix, grid: _Grid) -> go.Scatter:
    references = [wrap_hover(one.text, most_lines=_HOVER_LINES) for one in matrix.references]
    sentences = [wrap_hover(text, most_lines=_HOVER_LINES) for text in matrix.sentences]
    places = [(row, column) for row, column in np.ndindex(*matrix.similarity.shape)]
    invisible = {"marker": {"opacity": 0}}
    x, y = grid.columns(), grid.rows()
    return go.Scatter(
        x=[x[column] for _, column in places],
        y=[y[row] for row, _ in places],
        mode="markers",
        marker={"symbol": "square", "size": 24, "opacity": 0},
        selected=invisible,
        unselected=invisible,
        customdata=places,
        text=[
            f"P{row + 1} · S{column + 1}: {matrix.similarity[row, column]:.3f}<br>"
            f"{references[row]}<br>— and —<br>{sentences[column]}"
            for row, column in places
        ],
        hovertemplate="%{text}<extra></extra>",
        name="pairs",
    )


def _name_columns(figure: go.Figure, matrix: ChangeMatrix, grid: _Grid, name: Name) -> int:
    """Name the sentences and above them the systems; return the pixels that this takes."""
    width = _COLUMN_WIDTHS.get(len(matrix.sentences))
    labels = [f"S{column + 1}" for column in range(len(matrix.sentences))]
    if width is not None:
        labels = [
            f"<b>{label}</b><br>{wrap_hover(sentence, width, _COLUMN_LINES)}"
            for label, sentence in zip(labels, matrix.sentences, strict=True)
        ]
    figure.update_xaxes(
        range=[0, grid.x[-1]],
        side="top",
        tickvals=grid.columns().tolist(),
        ticktext=[*labels, "<b>best</b>"],
        tickangle=0 if width is not None else None,
        tickfont_size=_FONT,
        showgrid=False,
        zeroline=False,
    )
    # Numbers in narrow columns are turned, which takes more height than a line.
    height = 42 if width is None else 15 * (1 + max(label.count("<br>") for label in labels)) + 12
    return (
        height
        if len(matrix.reviews) == 1
        else height + _name_systems(figure, matrix, grid, name, height)
    )


def _name_systems(
    figure: go.Figure, matrix: ChangeMatrix, grid: _Grid, name: Name, above: int
) -> int:
    column = _PLOT_WIDTH / grid.x[-1]
    named = [
        (name(review.system), columns)
        for review, columns in zip(matrix.reviews, matrix.columns, strict=True)
        if review.sentences
    ]
    is_turned = any(
        min(len(text), _NAME_WIDTH) * _CHARACTER > column * (columns.stop - columns.start)
        for text, columns in named
    )
    middles = grid.columns()
    for text, columns in named:
        figure.add_annotation(
            x=float(middles[columns].mean()),
            y=1,
            yref="paper",
            yshift=above + 6,
            yanchor="bottom",
            text=f"<b>{escape_hover(text, _NAME_WIDTH)}</b>",
            textangle=-90 if is_turned else 0,
            font_size=_FONT,
            showarrow=False,
        )
    return round(_NAME_WIDTH * _CHARACTER) + 24 if is_turned else 30
