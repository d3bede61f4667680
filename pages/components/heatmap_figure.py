"""The similarity matrix as a heatmap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from crscore_core.corpus.change_matrix import ChangeMatrix
from crscore_core.corpus.model import UNRATED
from crscore_core.corpus.reviews import ComparedReview
from numpy.typing import NDArray

from crscore_core import ReviewScore
from crscore_core.scoring import metric
from pages.components.text import escape_hover, wrap_hover

_MOST_CELLS, _MOST_ROWS, _MOST_COLUMNS = 4_000, 80, 120
_MOST_WITH_TEXT, _MOST_WITH_NUMBERS = 30, 12
"""Rows whose labels hold the text's first words, and columns whose cells hold their values."""

_LABEL_WIDTH, _NAME_WIDTH, _HOVER_LINES = 30, 18, 3
_ROW, _LOW_ROW = 28, 12
_TOP, _TOP_WITH_NAMES, _BOTTOM = 40, 170, 64
_GAP, _INSET = 0.35, 0.03


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
        f"are covered and {on_topic} of {columns} sentences match a pseudo-reference. The best pair is "
        f"P{best_row + 1} and S{best_column + 1} with {matrix.similarity.max():.3f}."
    )


def similarity_heatmap(
    matrix: ChangeMatrix,
    tau: float,
    chosen: tuple[int, int] | None = None,
    name: Callable[[str], str] = str,
) -> go.Figure:
    """Draw pseudo-references by sentences, the columns in a group for each review.

    One outline is around values above `tau`, another around the `chosen` row and column. The last
    row and column, where there are several, hold the best values, which the scores count. Points
    lie on the cells, with their row and column, since a heatmap cannot be clicked at. `name` gives
    a system its name.
    """
    rows, columns = matrix.similarity.shape
    x, y = _axes(matrix)
    figure = go.Figure(_cells(matrix, x, y))
    pairs = np.argwhere(metric.matches(matrix.similarity, tau)).tolist()
    above = [(row, column) for row, column in pairs]
    above += [(int(row), columns) for row in np.flatnonzero(matrix.best_of_references > tau)]
    above += [(rows, int(column)) for column in np.flatnonzero(matrix.best_of_sentences > tau)]
    for cells, outline, width in (
        (above, "above tau", 2),
        ([] if chosen is None else [chosen], "chosen", 4),
    ):
        xs, ys = _outline(x, y, cells)
        line = {"mode": "lines", "line_width": width, "hoverinfo": "skip"}
        figure.add_scatter(x=xs, y=ys, name=outline, **line)
    figure.add_trace(_points(matrix, x, y))
    has_text = rows <= _MOST_WITH_TEXT
    labels = [
        f"<b>P{row}</b> {escape_hover(one.text, _LABEL_WIDTH)}" if has_text else f"P{row}"
        for row, one in enumerate(matrix.references, start=1)
    ]
    sentences = [f"<b>S{column + 1}</b>" for column in range(columns)]
    figure.update_xaxes(
        range=[0, x.edges[-1]],
        side="top",
        tickvals=x.middles,
        ticktext=[*sentences, "<b>best</b>"],
        tickangle=0 if columns <= _MOST_WITH_NUMBERS else -90,
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        range=[y.edges[-1], 0],
        tickvals=y.middles,
        ticktext=[*labels, "<b>best</b>"],
        automargin=True,
        showgrid=False,
        zeroline=False,
    )
    top = _TOP
    if len(matrix.reviews) > 1:
        top = _TOP_WITH_NAMES
        _name_systems(figure, matrix, x, name)
    height = (_ROW if has_text else _LOW_ROW) * float(y.edges[-1])
    figure.update_layout(
        height=top + height + _BOTTOM,
        margin={"l": 10, "r": 10, "t": top, "b": _BOTTOM},
        showlegend=False,
        hovermode="closest",
        hoverdistance=-1,
    )
    return figure


@dataclass(frozen=True, slots=True, eq=False)
class _Axis:
    """Cells along an axis with gaps between groups of them, which hold no value.

    Cell c goes from `edges[at[c]]` to the next edge.
    """

    at: NDArray[np.intp]
    edges: NDArray[np.float64]

    @classmethod
    def of(cls, groups: Sequence[int]) -> "_Axis":
        """Lay out a cell for each of `groups`, with a gap where the next is of another group."""
        at = np.arange(len(groups)) + np.cumsum(np.diff(groups, prepend=groups[0]) != 0)
        sizes = np.full(at[-1] + 1, _GAP)
        sizes[at] = 1
        return cls(at, np.concatenate([[0.0], np.cumsum(sizes)]))

    @property
    def middles(self) -> list[float]:
        """The middle of each cell."""
        middles: list[float] = (self.edges[self.at] + 0.5).tolist()
        return middles


def _axes(matrix: ChangeMatrix) -> tuple[_Axis, _Axis]:
    """Lay out sentences review by review and pseudo-references, the best values of several last."""
    rows, columns = matrix.similarity.shape
    x = _Axis.of([*matrix.review_of, *([-1] if columns > 1 else [])])
    return x, _Axis.of([0] * rows + [-1] * (rows > 1))


def _outline(x: _Axis, y: _Axis, cells: Sequence[tuple[int, int]]) -> tuple[list[Any], list[Any]]:
    """Return x and y of a line around each (row, column) that is drawn, None between two."""
    xs: list[Any] = []
    ys: list[Any] = []
    for row, column in cells:
        if row < y.at.size and column < x.at.size:
            left, top = x.edges[x.at[column]] + _INSET, y.edges[y.at[row]] + _INSET
            right, bottom = left + 1 - 2 * _INSET, top + 1 - 2 * _INSET
            xs += [left, right, right, left, left, None]
            ys += [top, top, bottom, bottom, top, None]
    return xs, ys


def _cells(matrix: ChangeMatrix, x: _Axis, y: _Axis) -> go.Heatmap:
    rows, columns = matrix.similarity.shape
    values = np.full((len(y.edges) - 1, len(x.edges) - 1), np.nan)
    values[np.ix_(y.at[:rows], x.at[:columns])] = matrix.similarity
    values[np.ix_(y.at[rows:], x.at[:columns])] = matrix.best_of_sentences
    values[np.ix_(y.at[:rows], x.at[columns:])] = matrix.best_of_references[:, None]
    numbers = {}
    if columns <= _MOST_WITH_NUMBERS and rows <= _MOST_WITH_TEXT:
        # Plotly writes dark or white by the cell, whose colour the theme decides; neither stands
        # out from a middle blue without an edge of the other.
        numbers = {"texttemplate": "%{z:.2f}", "textfont": {"weight": 700, "shadow": "auto"}}
    return go.Heatmap(
        z=values.tolist(),
        x=x.edges.tolist(),
        y=y.edges.tolist(),
        zmin=0,
        zmax=1,
        hoverinfo="skip",
        colorbar={
            "orientation": "h",
            "thickness": 10,
            "y": 0,
            "yanchor": "top",
            "title": {"text": "cosine, outlined above tau", "side": "bottom"},
            "ypad": 6,
        },
        **numbers,
    )


def _points(matrix: ChangeMatrix, x: _Axis, y: _Axis) -> go.Scatter:
    references = [wrap_hover(one.text, most_lines=_HOVER_LINES) for one in matrix.references]
    sentences = [wrap_hover(text, most_lines=_HOVER_LINES) for text in matrix.sentences]
    places = list(np.ndindex(*matrix.similarity.shape))
    across, down = x.middles, y.middles
    invisible = {"marker": {"opacity": 0}}
    is_small = max(matrix.similarity.shape) > _MOST_WITH_TEXT
    return go.Scatter(
        x=[across[column] for _, column in places],
        y=[down[row] for row, _ in places],
        mode="markers",
        marker={"symbol": "square", "size": 4 if is_small else 24, "opacity": 0},
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


def _name_systems(
    figure: go.Figure, matrix: ChangeMatrix, x: _Axis, name: Callable[[str], str]
) -> None:
    middles = np.array(x.middles)
    for review, columns in zip(matrix.reviews, matrix.columns, strict=True):
        if review.sentences:
            figure.add_annotation(
                x=float(middles[columns].mean()),
                y=1,
                yref="paper",
                yshift=_TOP,
                yanchor="bottom",
                text=f"<b>{escape_hover(name(review.system), _NAME_WIDTH)}</b>",
                textangle=-90,
                showarrow=False,
            )
