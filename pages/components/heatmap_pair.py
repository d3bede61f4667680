"""The chosen pair of a pseudo-reference and a sentence."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from crscore_core import ReviewScore
from pages.components.charts import chosen_points
from pages.components.controls import two_columns
from pages.components.heatmap_chart import joined_similarity
from pages.components.markup import plain_text
from pages.components.review_choice import CELL
from pages.components.text import safe_table

Pair = tuple[int, int]
"""Row of the pseudo-reference and column of the sentence in the similarity matrix."""

_LAST_CHOICES, _N_TABLES = "heatmap_last_choices", "heatmap_tables"
_MAX_CELLS, _MAX_COLUMNS = 50_000, 300
_TEXT_WIDTH, _NUMBER_WIDTH = 300, 80  # pixels


def chosen_pair(scores: Sequence[ReviewScore], chart_key: str, table_key: str) -> Pair | None:
    """Return the pair in the URL, which is the last one chosen in the chart or the table.

    Chart and table keep their choice, so only a new choice counts.
    """
    points = chosen_points(chart_key)
    in_chart = (int(points[0][0]), int(points[0][1])) if points else None
    in_table = _pair_in_table(st.session_state.get(_numbered(table_key)))
    last_in_chart, last_in_table = st.session_state.get(_LAST_CHOICES, (None, None))
    st.session_state[_LAST_CHOICES] = (in_chart, in_table)
    if in_table is not None and in_table != last_in_table:
        _write_to_url(in_table)
    elif in_chart is not None and in_chart != last_in_chart:
        _clear_table()  # otherwise its cell could not be chosen again
        _write_to_url(in_chart)
    return _pair_in_url(scores)


def show_pair(scores: Sequence[ReviewScore], pair: Pair | None) -> None:
    """Show the two texts of a pair, or how to choose a pair."""
    if pair is None:
        st.caption("Click a cell to see its two texts, or use the arrow keys in the table below.")
        return
    row, column = pair
    cosine, tau = float(joined_similarity(scores)[pair]), scores[0].tau
    reference = scores[0].pseudo_references[row]
    sentence = [text for score in scores for text in score.sentence_texts][column]
    with st.container(border=True):
        with st.container(horizontal=True, horizontal_alignment="distribute"):
            verdict = "above" if cosine > tau else "not above"
            st.markdown(
                f"**P{row + 1} and S{column + 1}**: cosine {cosine:.3f}, {verdict} tau {tau:.3f}"
            )
            st.button("Close", icon=":material/close:", key="heatmap_close", on_click=_clear_pair)
        for container, title, text in zip(
            two_columns(),
            (f"P{row + 1}, {reference.kind.value}", f"S{column + 1}, sentence"),
            (reference.text, sentence),
            strict=True,
        ):
            with container:
                st.caption(title)
                plain_text(text)


def show_table(scores: Sequence[ReviewScore], key: str) -> None:
    """Show the matrix as a table, where the arrow keys choose a cell."""
    similarity = joined_similarity(scores)
    rows, columns = similarity.shape
    if similarity.size > _MAX_CELLS or columns > _MAX_COLUMNS:
        st.info(
            f"{rows:,} pseudo-references by {columns:,} sentences are too many for a table. "
            "The CSV file has all of them."
        )
        return
    names = [f"S{column + 1}" for column in range(columns)]
    table = pd.DataFrame(similarity, columns=names)
    texts = [reference.text for reference in scores[0].pseudo_references]
    table.insert(0, "pseudo-reference", texts)
    table.index = pd.Index([f"P{row + 1}" for row in range(rows)])
    cosine_column = st.column_config.NumberColumn(format="%.3f", width=_NUMBER_WIDTH)
    st.dataframe(
        safe_table(table),
        key=_numbered(key),
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "pseudo-reference": st.column_config.TextColumn(width=_TEXT_WIDTH),
            **dict.fromkeys(names, cosine_column),
        },
    )


def pairs_csv(scores: Sequence[ReviewScore], names: Sequence[str]) -> str:
    """Return a CSV with one row per pair: system, the two texts, and their cosine."""
    rows = [
        {
            "system": name,
            "pseudo_reference": reference.text,
            "sentence": sentence,
            "cosine": float(score.similarity[row, column]),
        }
        for score, name in zip(scores, names, strict=True)
        for row, reference in enumerate(score.pseudo_references)
        for column, sentence in enumerate(score.sentence_texts)
    ]
    return safe_table(rows).to_csv(index=False)


def _numbered(table_key: str) -> str:
    """Return the key of the widget; a new number clears the chosen cell."""
    return f"{table_key}-{st.session_state.get(_N_TABLES, 0)}"


def _write_to_url(pair: Pair) -> None:
    st.query_params[CELL] = f"{pair[0] + 1}-{pair[1] + 1}"


def _clear_pair() -> None:
    _clear_table()
    st.query_params.pop(CELL, None)


def _clear_table() -> None:
    st.session_state[_N_TABLES] = st.session_state.get(_N_TABLES, 0) + 1


def _pair_in_table(state: Any) -> Pair | None:  # noqa: ANN401 - state of a Streamlit widget
    cells = state["selection"]["cells"] if state else []
    if not cells or not str(cells[0][1]).startswith("S"):
        return None
    return int(cells[0][0]), int(cells[0][1][1:]) - 1


def _pair_in_url(scores: Sequence[ReviewScore]) -> Pair | None:
    try:
        row, column = (int(part[:9]) - 1 for part in st.query_params.get(CELL, "").split("-"))
    except ValueError:
        return None
    rows, columns = joined_similarity(scores).shape
    return (row, column) if 0 <= row < rows and 0 <= column < columns else None
