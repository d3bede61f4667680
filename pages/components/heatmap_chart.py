"""The similarity matrix of a review as a heatmap."""

from typing import Any

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

_LABEL_WIDTH, _HOVER_LINES = 22, 3
_ROW_HEIGHT, _LOW_ROW_HEIGHT = 28, 12
_TOP, _BOTTOM = 60, 72
_LEFT, _CHARACTER_WIDTH = 30, 7
"""In pixels. The toolbar of the chart is above the labels. The left margin depends on the number of
characters, since a downloaded picture may be shown in a wider font than on the page."""


def show_heatmap(
    score: ReviewScore,
    key: str,
    chosen: tuple[int, int] | None = None,
    **selection: Any,  # noqa: ANN401 - passed to `show_chart`
) -> None:
    """Show the heatmap of a review, unless it would be unreadable or slow to draw."""
    rows, columns = score.similarity.shape
    if rows * columns > _MAX_CELLS or rows > _MAX_ROWS or columns > _MAX_COLUMNS:
        st.info(f"There are too many pairs for a heatmap: {rows * columns:,}.")
        return
    show_chart(_draw(score, chosen), key, _describe(score), **selection)
    st.caption(
        "P: pseudo-reference. S: sentence. Best: the highest value of the row or column. Outlined "
        "cells are above tau."
    )


def _describe(score: ReviewScore) -> str:
    """Return the text alternative of the heatmap."""
    similarity, tau = score.similarity, score.tau
    rows, columns = similarity.shape
    matches = metric.matches(similarity, tau)
    above, on_topic = int(matches.sum()), int(matches.any(axis=0).sum())
    best_row, best_column = np.unravel_index(similarity.argmax(), (rows, columns))
    return (
        f"Similarity of {rows} pseudo-references and {columns} sentences: {above} of "
        f"{rows * columns} pairs are above tau {tau:.4g}, {len(score.covered)} of {rows} "
        f"pseudo-references are covered, and {on_topic} of {columns} sentences match a "
        f"pseudo-reference. The best pair is P{best_row + 1} and S{best_column + 1} with "
        f"{similarity.max():.3f}."
    )


def _draw(score: ReviewScore, chosen: tuple[int, int] | None) -> go.Figure:
    """Draw pseudo-references by sentences; the middle of a cell is at its row and column.

    Outlines mark values above tau and the `chosen` cell, a row and a column. A last column and row
    show the best values, if there are several columns or rows.
    """
    rows, columns = score.similarity.shape
    values = np.full((rows + (rows > 1), columns + (columns > 1)), np.nan, np.float32)
    values[:rows, :columns] = score.similarity
    values[rows:, :columns] = score.similarity.max(axis=0)
    values[:rows, columns:] = score.similarity.max(axis=1)[:, None]
    has_text = rows <= _MAX_WITH_TEXT
    traces: list[Any] = [_draw_cells(values, has_numbers=has_text and columns <= _MAX_WITH_NUMBERS)]
    above = np.argwhere(metric.matches(values, score.tau))
    for cells, name, width in (
        (above, "above tau", 2),
        (np.array([chosen or ()]).reshape(-1, 2), "chosen", 4),
    ):
        xs, ys = _outlines(cells)
        line = {"mode": "lines", "line": {"width": width}, "hoverinfo": "skip"}
        traces.append(go.Scatter(x=xs, y=ys, name=name, **line))
    traces.append(_draw_points(score))
    texts = [reference.text for reference in score.pseudo_references]
    labels = [
        f"<b>P{row}</b> {escape_hover(text, _LABEL_WIDTH)}" if has_text else f"P{row}"
        for row, text in enumerate(texts, start=1)
    ]
    sentences = [f"<b>S{column + 1}</b>" for column in range(columns)]
    longest = max(map(len, texts)) if has_text else 0
    plain = {"showgrid": False, "zeroline": False}
    layout = go.Layout(  # all at once: each update of a chart takes milliseconds
        xaxis={
            "range": [-0.5, values.shape[1] - 0.5],
            "side": "top",
            "tickvals": [*range(values.shape[1])],
            "ticktext": [*sentences, "<b>best</b>"][: values.shape[1]],
            "tickangle": 0 if columns <= _MAX_WITH_NUMBERS else -90,
            **plain,
        },
        yaxis={
            "range": [values.shape[0] - 0.5, -0.5],
            "tickvals": [*range(values.shape[0])],
            "ticktext": [*labels, "<b>best</b>"][: values.shape[0]],
            **plain,
        },
        height=_TOP + _BOTTOM + (_ROW_HEIGHT if has_text else _LOW_ROW_HEIGHT) * values.shape[0],
        margin={
            "l": _LEFT + _CHARACTER_WIDTH * min(longest, _LABEL_WIDTH),
            "r": 10,
            "t": _TOP,
            "b": _BOTTOM,
        },
        showlegend=False,
        hovermode="closest",
        hoverdistance=-1,
    )
    return go.Figure(traces, layout)


def _outlines(cells: NDArray[Any]) -> tuple[list[Any], list[Any]]:
    """Return x and y of a line around each (row, column), with None between lines."""
    corners = [(-0.495, -0.47), (0.495, -0.47), (0.495, 0.47), (-0.495, 0.47), (-0.495, -0.47)]
    xs: list[Any] = []
    ys: list[Any] = []
    for row, column in cells.tolist():
        xs += [*(column + x for x, _ in corners), None]
        ys += [*(row + y for _, y in corners), None]
    return xs, ys


def _draw_cells(values: NDArray[np.float32], *, has_numbers: bool) -> go.Heatmap:
    # Plotly writes dark or white text by the cell's colour; on a medium blue, neither is readable
    # without a shadow of the other.
    numbers = {"texttemplate": "%{z:.2f}", "textfont": {"weight": 700, "shadow": "auto"}}
    return go.Heatmap(
        z=values.tolist(),
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
        **(numbers if has_numbers else {}),
    )


def _draw_points(score: ReviewScore) -> go.Scatter:
    """Draw invisible points on the cells, since Plotly can select only points."""
    references, sentences = (
        [wrap_hover(text, max_lines=_HOVER_LINES) for text in texts]
        for texts in ([one.text for one in score.pseudo_references], score.sentence_texts)
    )
    pairs = list(np.ndindex(*score.similarity.shape))
    size = 4 if max(score.similarity.shape) > _MAX_WITH_TEXT else 24
    invisible = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=[column for _, column in pairs],
        y=[row for row, _ in pairs],
        mode="markers",
        marker={"symbol": "square", "size": size, "opacity": 0},
        selected=invisible,
        unselected=invisible,
        customdata=pairs,
        hovertext=[
            f"P{row + 1} · S{column + 1}: {score.similarity[row, column]:.3f}<br>"
            f"{references[row]}<br>— and —<br>{sentences[column]}"
            for row, column in pairs
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
