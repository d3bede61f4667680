"""The pair of a pseudo-reference and a sentence that is looked at."""

from typing import Any

import pandas as pd
import streamlit as st
from crscore_core.corpus.change_matrix import ChangeMatrix

from pages.components.charts import chosen_points
from pages.components.controls import two_columns
from pages.components.markup import plain_text
from pages.components.review_choice import CELL
from pages.components.text import safe_table

Pair = tuple[int, int]
"""Row and column."""

_SEEN, _TABLES = "heatmap_seen", "heatmap_tables"
_MOST_CELLS, _MOST_COLUMNS = 50_000, 300
_TEXT_WIDTH, _NUMBER_WIDTH = 300, 80  # pixels


def chosen_pair(matrix: ChangeMatrix, chart: str, table: str) -> Pair | None:
    """Return the pair chosen last, in the chart or the table of these keys, or named by the URL.

    Chart and table keep their choice, so only a new one counts.
    """
    points = chosen_points(chart)
    in_chart = (int(points[0][0]), int(points[0][1])) if points else None
    in_table = _in_table(st.session_state.get(_table_key(table)))
    seen_chart, seen_table = st.session_state.get(_SEEN, (None, None))
    st.session_state[_SEEN] = (in_chart, in_table)
    if in_table is not None and in_table != seen_table:
        _write(in_table)
    elif in_chart is not None and in_chart != seen_chart:
        _forget_table()  # its cell could not be chosen again otherwise
        _write(in_chart)
    return _from_url(matrix)


def show_pair(matrix: ChangeMatrix, pair: Pair | None, tau: float) -> None:
    """Show the two texts of a pair, or how to choose one."""
    if pair is None:
        st.caption("Click a cell, or choose one in the table by the arrow keys, to see its texts.")
        return
    row, column = pair
    cosine = float(matrix.similarity[row, column])
    reference, sentence = matrix.references[row], matrix.sentences[column]
    with st.container(border=True):
        with st.container(horizontal=True, horizontal_alignment="distribute"):
            verdict = "above" if cosine > tau else "not above"
            st.markdown(
                f"**P{row + 1} and S{column + 1}**: cosine {cosine:.3f}, {verdict} tau {tau:.3f}"
            )
            st.button("Close", icon=":material/close:", key="heatmap_close", on_click=_forget_pair)
        for place, name, text in zip(
            two_columns(),
            (f"P{row + 1}, {reference.kind.value}", f"S{column + 1}, sentence"),
            (reference.text, sentence),
            strict=True,
        ):
            with place:
                st.caption(name)
                plain_text(text)


def show_table(matrix: ChangeMatrix, key: str) -> None:
    """Show the matrix as a table whose cells the arrow keys choose."""
    n_columns = len(matrix.sentences)
    if matrix.similarity.size > _MOST_CELLS or n_columns > _MOST_COLUMNS:
        st.info(
            f"{len(matrix.references):,} pseudo-references by {n_columns:,} sentences are too many "
            "for a table. The file CSV has all of them."
        )
        return
    names = [f"S{column + 1}" for column in range(n_columns)]
    table = pd.DataFrame(matrix.similarity, columns=names)
    table.insert(0, "pseudo-reference", [reference.text for reference in matrix.references])
    table.index = pd.Index([f"P{row + 1}" for row in range(len(table))])
    number = st.column_config.NumberColumn(format="%.3f", width=_NUMBER_WIDTH)
    st.dataframe(
        safe_table(table),
        key=_table_key(key),
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "pseudo-reference": st.column_config.TextColumn(width=_TEXT_WIDTH),
            **dict.fromkeys(names, number),
        },
    )


def _table_key(key: str) -> str:
    """Return the key of the widget; a table of another key forgets its cell."""
    return f"{key}-{st.session_state.get(_TABLES, 0)}"


def _write(pair: Pair) -> None:
    st.query_params[CELL] = f"{pair[0] + 1}-{pair[1] + 1}"


def _forget_pair() -> None:
    _forget_table()
    st.query_params.pop(CELL, None)


def _forget_table() -> None:
    st.session_state[_TABLES] = st.session_state.get(_TABLES, 0) + 1


def _in_table(state: Any) -> Pair | None:  # noqa: ANN401 - Streamlit's own
    cells = state["selection"]["cells"] if state else []
    if not cells or not str(cells[0][1]).startswith("S"):
        return None
    return int(cells[0][0]), int(cells[0][1][1:]) - 1


def _from_url(matrix: ChangeMatrix) -> Pair | None:
    row, _, column = st.query_params.get(CELL, "").partition("-")
    if not (row.isascii() and row.isdigit() and column.isascii() and column.isdigit()):
        return None
    # No number is longer than those of rows and columns, and Python refuses very long ones.
    pair = int(row[:9]) - 1, int(column[:9]) - 1
    is_there = 0 <= pair[0] < len(matrix.references) and 0 <= pair[1] < len(matrix.sentences)
    return pair if is_there else None
