"""The pair of a pseudo-reference and a sentence that is looked at."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix
from pages.components.charts import chosen_points
from pages.components.heatmap_page.choice import CELL

__all__ = ["Pair", "chart_key", "chosen_pair", "forget_pair", "table_key"]

Pair = tuple[int, int]
"""Row and column."""

_SEEN, _TABLES = "heatmap_seen", "heatmap_tables"


def chosen_pair(matrix: ChangeMatrix, shown: str) -> Pair | None:
    """The pair that was chosen last, in the chart or the table, or that the URL names.

    Chart and table keep what was chosen in them, so only what is new there counts. `shown` is
    what tells the reviews that are shown from others.
    """
    in_chart = _in_chart(chosen_points(chart_key(shown)))
    in_table = _in_table(st.session_state.get(table_key(shown)))
    seen = st.session_state.get(_SEEN)
    st.session_state[_SEEN] = (in_chart, in_table)
    seen_chart, seen_table = seen or (None, None)
    if in_table is not None and in_table != seen_table:
        _write(in_table)
    elif in_chart is not None and in_chart != seen_chart:
        # A table of another name forgets its cell, which could not be chosen again otherwise.
        st.session_state[_TABLES] = st.session_state.get(_TABLES, 0) + 1
        _write(in_chart)
    return _from_url(matrix)


def forget_pair() -> None:
    """Look at no pair."""
    st.session_state[_TABLES] = st.session_state.get(_TABLES, 0) + 1
    st.query_params.pop(CELL, None)


def chart_key(shown: str) -> str:
    """The key of the chart, and the name of its pictures."""
    return f"heatmap-{shown}"


def table_key(shown: str) -> str:
    """The key of the table."""
    return f"heatmap-table-{shown}-{st.session_state.get(_TABLES, 0)}"


def _in_chart(points: Sequence[Any]) -> Pair | None:
    return (int(points[0][0]), int(points[0][1])) if points else None


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


def _write(pair: Pair) -> None:
    st.query_params[CELL] = f"{pair[0] + 1}-{pair[1] + 1}"
