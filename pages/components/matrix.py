"""A review's similarity matrix as a heatmap, and the texts of a chosen pair."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from crscore_core import ReviewScore
from crscore_core.scoring import metric
from crscore_eval.formatting import capitalize_first
from pages.components.charts import chosen_points, show_chart
from pages.components.review_choice import CELL
from pages.components.text import escape_except_code, row_anchor, wrap_hover
from pages.components.url import choose_option

_Pair = tuple[int, int]  # row of the pseudo-reference, and column of the sentence
_NO_PAIR = "none"
_MAX_CELLS, _MAX_ROWS, _MAX_COLUMNS = 4_000, 80, 120
_MAX_WITH_TEXT, _MAX_WITH_NUMBERS = 30, 12
"""Maximum number of rows with text in their labels, and of columns with values in the cells."""

_LABEL_WIDTH, _HOVER_LINES, _MAX_LABEL_LINES = 24, 3, 6
_LINE_HEIGHT, _LOW_ROW_HEIGHT, _LABELS_HEIGHT = 16, 12, 560
_TOP, _BOTTOM = 60, 72
_LEFT, _CHARACTER_WIDTH = 30, 6.5
"""In pixels. The chart's toolbar is above the labels. The left margin depends on the number of
characters, because a downloaded picture may be shown in a wider font than the page."""


def show_matrix(score: ReviewScore, key: str) -> None:
    """Show a review's heatmap, and the two texts of the chosen pair with links to their rows.

    A matrix that is empty, or would be unreadable or slow to draw, is not drawn.
    """
    rows, columns = score.similarity.shape
    if not rows * columns:
        return
    place = st.container()
    pair = _choose_pair(score)
    with place:
        if rows * columns > _MAX_CELLS or rows > _MAX_ROWS or columns > _MAX_COLUMNS:
            st.info(f"There are too many pairs for a heatmap: {rows * columns:,}.")
        else:
            show_chart(
                _draw(score, pair),
                key,
                _describe(score),
                on_select=lambda: _choose_clicked_pair(key),
                selection_mode="points",
            )
            st.caption(
                "P: pseudo-reference, a claim or smell. S: sentence. Outlined: above tau. Click a "
                "cell to see its two texts; on a touch screen, choose the pair below."
            )
    if pair is not None:
        _show_pair(score, pair)


def _choose_pair(score: ReviewScore) -> _Pair | None:
    similarity = score.similarity
    order = np.argsort(-similarity, axis=None, kind="stable")[:_MAX_CELLS]
    pairs = {
        _key(row, column): (int(row), int(column))
        for row, column in np.transpose(np.unravel_index(order, similarity.shape))
    }
    titles = {_NO_PAIR: "Choose a pair to see its two texts"} | {
        key: f"P{row + 1} and S{column + 1}: cosine {similarity[row, column]:.3f}"
        for key, (row, column) in pairs.items()
    }
    chosen = choose_option("Pair", titles, CELL, _NO_PAIR, label_visibility="collapsed")
    return pairs.get(chosen)


def _choose_clicked_pair(chart_key: str) -> None:
    for row, column in chosen_points(chart_key)[:1]:
        st.session_state[CELL] = _key(row, column)


def _key(row: int, column: int) -> str:
    return f"{row + 1}-{column + 1}"


def _show_pair(score: ReviewScore, pair: _Pair) -> None:
    row, column = pair
    cosine, tau = float(score.similarity[pair]), score.tau
    reference, sentence = score.pseudo_references[row], score.sentence_texts[column]
    with st.container(border=True, key="pair_texts"):  # stays in the window
        verdict = "above" if cosine > tau else "not above"
        st.markdown(
            f"**[P{row + 1}]({row_anchor('P', row)}) and [S{column + 1}]({row_anchor('S', column)})"
            f"**: cosine {cosine:.3f}, {verdict} tau {tau:.4g}"
        )
        kind, texts = reference.kind.value, dict.fromkeys((reference.text, *reference.wordings))
        compared = "  \ncompared as: ".join(map(escape_except_code, texts))
        st.markdown(f"**{capitalize_first(kind)}:** {compared}")
        st.markdown(f"**Sentence:** {escape_except_code(sentence)}")


def _describe(score: ReviewScore) -> str:
    row, column = np.unravel_index(score.similarity.argmax(), score.similarity.shape)
    return (
        f"Similarity of {len(score.similarity)} pseudo-references and {len(score.sentence_texts)} "
        f"sentences at tau {score.tau:.4g}. {score.summary} The most similar pair is P{row + 1} "
        f"and S{column + 1}, at {score.similarity.max():.3f}."
    )


def _draw(score: ReviewScore, chosen: _Pair | None) -> go.Figure:
    """Draw pseudo-references as rows and sentences as columns; cells are centred on integers.

    Outlines mark values above tau and the `chosen` cell. If there are several columns or rows, an
    extra column or row shows the best values.
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
    max_lines = min(max(_LABELS_HEIGHT // (_LINE_HEIGHT * rows), 1), _MAX_LABEL_LINES)
    texts = [reference.text for reference in score.pseudo_references] if has_text else [""] * rows
    labels = [
        f"<b>P{row}</b> {wrap_hover(text, _LABEL_WIDTH, max_lines)}".strip()
        for row, text in enumerate(texts, start=1)
    ]
    n_lines = 1 + max(label.count("<br>") for label in labels)
    row_height = _LINE_HEIGHT * n_lines + 12 if has_text else _LOW_ROW_HEIGHT
    sentences = [f"<b>S{column + 1}</b>" for column in range(columns)]
    left = _LEFT + _CHARACTER_WIDTH * min(max(map(len, texts)), _LABEL_WIDTH)
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
        height=_TOP + _BOTTOM + row_height * values.shape[0],
        margin={"l": left, "r": 10, "t": _TOP, "b": _BOTTOM},
        showlegend=False,
        hovermode="closest",
        hoverdistance=-1,
    )
    return go.Figure(traces, layout)


def _outlines(cells: NDArray[Any]) -> tuple[list[Any], list[Any]]:
    """Return x and y of a line around each (row, column), separated by None."""
    corners = [(-0.495, -0.47), (0.495, -0.47), (0.495, 0.47), (-0.495, 0.47), (-0.495, -0.47)]
    xs: list[Any] = []
    ys: list[Any] = []
    for row, column in cells.tolist():
        xs += [*(column + x for x, _ in corners), None]
        ys += [*(row + y for _, y in corners), None]
    return xs, ys


def _draw_cells(values: NDArray[np.float32], *, has_numbers: bool) -> go.Heatmap:
    # Plotly chooses dark or white text by the cell's colour; on medium blue, neither is readable
    # without a shadow in the other.
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
    """Draw invisible points on cells and on best values, as Plotly can select only points."""
    references, sentences = (
        [wrap_hover(text, max_lines=_HOVER_LINES) for text in texts]
        for texts in ([one.text for one in score.pseudo_references], score.sentence_texts)
    )
    rows, columns = score.similarity.shape
    cells = {pair: pair for pair in np.ndindex(rows, columns)}
    best = (score.similarity.argmax(axis=axis).tolist() for axis in (1, 0))
    cells |= {(row, columns): (row, at) for row, at in enumerate(next(best))}
    cells |= {(rows, column): (at, column) for column, at in enumerate(next(best))}
    size = 4 if max(score.similarity.shape) > _MAX_WITH_TEXT else 24
    invisible = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=[column for _, column in cells],
        y=[row for row, _ in cells],
        mode="markers",
        marker={"symbol": "square", "size": size, "opacity": 0},
        selected=invisible,
        unselected=invisible,
        customdata=[*cells.values()],
        hovertext=[
            f"P{row + 1} · S{column + 1}: {score.similarity[row, column]:.3f}<br>"
            f"{references[row]}<br>— and —<br>{sentences[column]}"
            for row, column in cells.values()
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
