"""The similarity matrix as a heatmap."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from crscore_core import ReviewScore
from crscore_core.scoring import metric
from pages.components.charts import show_chart
from pages.components.text import escape_hover, wrap_hover

_MAX_CELLS, _MAX_ROWS, _MAX_COLUMNS = 4_000, 80, 120
_MAX_WITH_TEXT, _MAX_WITH_NUMBERS = 30, 12
"""Maximum numbers of rows for texts in the labels, and of columns for values in the cells."""

_LABEL_WIDTH, _NAME_WIDTH, _HOVER_LINES = 22, 18, 3
_ROW_HEIGHT, _LOW_ROW_HEIGHT = 28, 12
_LABEL_HEIGHT, _TOP, _TOP_WITH_NAMES, _BOTTOM = 40, 60, 180, 72
_LEFT, _CHARACTER_WIDTH = 30, 7
"""In pixels. The toolbar of the chart is above the labels. The left margin depends on the number of
characters, since a downloaded picture may be shown in a wider font than on the page."""
_GAP, _INSET_X, _INSET_Y = 0.35, 0.003, 0.03
"""Sizes in cells; `_INSET_X` is a share of the width of the chart."""


def joined_similarity(scores: Sequence[ReviewScore]) -> NDArray[np.float32]:
    """Return the similarities of reviews of one change: (n pseudo-references, n sentences)."""
    return np.hstack([score.similarity for score in scores])


def show_heatmap(
    scores: Sequence[ReviewScore],
    key: str,
    names: Sequence[str] = (),
    chosen: tuple[int, int] | None = None,
    **selection: Any,  # noqa: ANN401 - passed to `show_chart`
) -> None:
    """Show the heatmap of reviews, unless it would be unreadable or slow to draw."""
    rows, columns = joined_similarity(scores).shape
    if rows * columns > _MAX_CELLS or rows > _MAX_ROWS or columns > _MAX_COLUMNS:
        st.info(f"There are too many pairs for a heatmap: {rows * columns:,}.")
        return
    show_chart(_draw(scores, names, chosen), key, _describe(scores), **selection)
    st.caption(
        "P: pseudo-reference. S: sentence. Best: the highest value of the row or column. Outlined "
        "cells are above tau."
    )


def _describe(scores: Sequence[ReviewScore]) -> str:
    """Return the text alternative of the heatmap."""
    similarity, tau = joined_similarity(scores), scores[0].tau
    rows, columns = similarity.shape
    above = int(metric.matches(similarity, tau).sum())
    covered = int(metric.covered(similarity, tau).sum())
    on_topic = int(metric.on_topic(similarity, tau).sum())
    best_row, best_column = np.unravel_index(similarity.argmax(), (rows, columns))
    return (
        f"Similarity of {rows} pseudo-references and {columns} sentences: {above} of "
        f"{rows * columns} pairs are above tau {tau:.4g}, {covered} of {rows} pseudo-references "
        f"are covered, and {on_topic} of {columns} sentences match a pseudo-reference. The best "
        f"pair is P{best_row + 1} and S{best_column + 1} with {similarity.max():.3f}."
    )


def _draw(
    scores: Sequence[ReviewScore], names: Sequence[str], chosen: tuple[int, int] | None
) -> go.Figure:
    """Draw pseudo-references by sentences, with a group of columns for each review.

    Outlines mark values above tau and the `chosen` cell, a row and a column. A last column and row
    show the best values, if there are several columns or rows. `names` of the reviews are shown if
    there are several reviews.
    """
    similarity, tau = joined_similarity(scores), scores[0].tau
    rows, columns = similarity.shape
    review_of = np.repeat(range(len(scores)), [len(score.sentence_texts) for score in scores])
    x = _lay_out([*review_of, *([-1] if columns > 1 else [])])
    y = _lay_out([0] * rows + [-1] * (rows > 1))
    traces: list[Any] = [_draw_cells(similarity, x, y)]
    is_above = np.pad(metric.matches(similarity, tau), ((0, 1), (0, 1)))
    is_above[:-1, -1] = metric.covered(similarity, tau)
    is_above[-1, :-1] = metric.on_topic(similarity, tau)
    above = [(row, column) for row, column in np.argwhere(is_above).tolist()]
    for cells, outline, width in (
        (above, "above tau", 2),
        ([] if chosen is None else [chosen], "chosen", 4),
    ):
        xs, ys = _outlines(x, y, cells)
        line = {"mode": "lines", "line": {"width": width}, "hoverinfo": "skip"}
        traces.append(go.Scatter(x=xs, y=ys, name=outline, **line))
    traces.append(_draw_points(scores, similarity, x, y))
    has_text = rows <= _MAX_WITH_TEXT
    labels = [
        f"<b>P{row}</b> {escape_hover(reference.text, _LABEL_WIDTH)}" if has_text else f"P{row}"
        for row, reference in enumerate(scores[0].pseudo_references, start=1)
    ]
    sentences = [f"<b>S{column + 1}</b>" for column in range(columns)]
    top = _TOP_WITH_NAMES if len(scores) > 1 else _TOP
    texts = [reference.text for reference in scores[0].pseudo_references]
    longest = max(map(len, texts)) if has_text else 0
    left = _LEFT + _CHARACTER_WIDTH * min(longest, _LABEL_WIDTH)
    height = (_ROW_HEIGHT if has_text else _LOW_ROW_HEIGHT) * float(y.edges[-1])
    layout = go.Layout(  # all at once: each update of a chart takes milliseconds
        xaxis={
            "range": [0, x.edges[-1]],
            "side": "top",
            "tickvals": x.middles,
            "ticktext": [*sentences, "<b>best</b>"][: len(x.middles)],
            "tickangle": 0 if columns <= _MAX_WITH_NUMBERS else -90,
            "showgrid": False,
            "zeroline": False,
        },
        yaxis={
            "range": [y.edges[-1], 0],
            "tickvals": y.middles,
            "ticktext": [*labels, "<b>best</b>"][: len(y.middles)],
            "showgrid": False,
            "zeroline": False,
        },
        annotations=_name_labels(names, review_of, x) if len(scores) > 1 else [],
        height=top + height + _BOTTOM,
        margin={"l": left, "r": 10, "t": top, "b": _BOTTOM},
        showlegend=False,
        hovermode="closest",
        hoverdistance=-1,
    )
    return go.Figure(traces, layout)


def _name_labels(
    names: Sequence[str], review_of: NDArray[np.intp], x: "_Axis"
) -> list[dict[str, Any]]:
    """Return a label with each review's name above the middle of its columns."""
    middles = np.array(x.middles)[: len(review_of)]
    return [
        {
            "x": float(middles[review_of == number].mean()),
            "y": 1,
            "yref": "paper",
            "yshift": _LABEL_HEIGHT,
            "yanchor": "bottom",
            "text": f"<b>{escape_hover(name, _NAME_WIDTH)}</b>",
            "textangle": -90,
            "showarrow": False,
        }
        for number, name in enumerate(names)
        if (review_of == number).any()
    ]


class _Axis(NamedTuple):
    """Cells along an axis, with empty gaps between groups of cells.

    Cell c is between `edges[first_edge[c]]` and the next edge, around `middles[c]`.
    """

    first_edge: NDArray[np.intp]
    edges: NDArray[np.float64]
    middles: list[float]


def _lay_out(groups: Sequence[int]) -> _Axis:
    """Lay out a cell for each of `groups`, with a gap before each new group."""
    first_edge = np.arange(len(groups)) + np.cumsum(np.diff(groups, prepend=groups[0]) != 0)
    sizes = np.full(first_edge[-1] + 1, _GAP)
    sizes[first_edge] = 1
    edges = np.concatenate([[0.0], np.cumsum(sizes)])
    return _Axis(first_edge, edges, (edges[first_edge] + 0.5).tolist())


def _outlines(x: _Axis, y: _Axis, cells: Sequence[tuple[int, int]]) -> tuple[list[Any], list[Any]]:
    """Return x and y of a line around each drawn (row, column), with None between lines."""
    xs: list[Any] = []
    ys: list[Any] = []
    for row, column in cells:
        if row < y.first_edge.size and column < x.first_edge.size:
            inset = _INSET_X * float(x.edges[-1])  # the more columns, the narrower they are
            left = x.edges[x.first_edge[column]] + inset
            top = y.edges[y.first_edge[row]] + _INSET_Y
            right, bottom = left + 1 - 2 * inset, top + 1 - 2 * _INSET_Y
            xs += [left, right, right, left, left, None]
            ys += [top, top, bottom, bottom, top, None]
    return xs, ys


def _draw_cells(similarity: NDArray[np.float32], x: _Axis, y: _Axis) -> go.Heatmap:
    rows, columns = similarity.shape
    values = np.full((len(y.edges) - 1, len(x.edges) - 1), np.nan)
    values[np.ix_(y.first_edge[:rows], x.first_edge[:columns])] = similarity
    values[np.ix_(y.first_edge[rows:], x.first_edge[:columns])] = similarity.max(axis=0)
    values[np.ix_(y.first_edge[:rows], x.first_edge[columns:])] = similarity.max(axis=1)[:, None]
    numbers = {}
    if columns <= _MAX_WITH_NUMBERS and rows <= _MAX_WITH_TEXT:
        # Plotly writes dark or white text by the cell's colour; on a medium blue, neither is
        # readable without a shadow of the other.
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
            "ypad": 6,
            "title": {"text": "cosine similarity", "side": "top"},
        },
        **numbers,
    )


def _draw_points(
    scores: Sequence[ReviewScore], similarity: NDArray[np.float32], x: _Axis, y: _Axis
) -> go.Scatter:
    """Draw invisible points on the cells, since Plotly can select only points."""
    references = [
        wrap_hover(reference.text, max_lines=_HOVER_LINES)
        for reference in scores[0].pseudo_references
    ]
    sentences = [
        wrap_hover(text, max_lines=_HOVER_LINES)
        for score in scores
        for text in score.sentence_texts
    ]
    pairs = list(np.ndindex(*similarity.shape))
    size = 4 if max(similarity.shape) > _MAX_WITH_TEXT else 24
    invisible = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=[x.middles[column] for _, column in pairs],
        y=[y.middles[row] for row, _ in pairs],
        mode="markers",
        marker={"symbol": "square", "size": size, "opacity": 0},
        selected=invisible,
        unselected=invisible,
        customdata=pairs,
        hovertext=[
            f"P{row + 1} · S{column + 1}: {similarity[row, column]:.3f}<br>"
            f"{references[row]}<br>— and —<br>{sentences[column]}"
            for row, column in pairs
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
