"""All of the heatmap page that depends on tau: the heatmap, its table, its texts and its files."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix, matrix_csv
from pages.components.charts import Picture, choose_points
from pages.components.heatmap_figure import can_be_drawn, describe_heatmap, similarity_heatmap
from pages.components.heatmap_pair import Pair, chart_key, chosen_pair, show_pair, table_key
from pages.components.heatmap_scores import show_curves, show_scores
from pages.components.match_tables import show_matches
from pages.components.names import system_name
from pages.components.offers import offer_file
from pages.components.source.model import Source
from pages.components.tau import tau_slider
from pages.components.text import safe_table

_PICTURES: tuple[Picture, ...] = ("svg", "png")
_MOST_CELLS, _MOST_COLUMNS = 50_000, 300
_TEXT_WIDTH, _NUMBER_WIDTH = 300, 80  # pixels


@st.fragment
def show_matrix(source: Source, matrix: ChangeMatrix, shown: str) -> None:
    """Show the matrix, its scores and everything about it; `shown` tells it from others."""
    tau = tau_slider(source.comparison.encoder, source.comparison.claims)
    show_scores(source, matrix, tau)
    if not matrix.similarity.size:
        st.info(
            "Without a sentence there is nothing to compare, so this cannot be scored: the text "
            "is empty, or holds nothing that can be seen. Means over a source count it as 0."
        )
        return
    pair = chosen_pair(matrix, shown)
    _show_heatmap(source, matrix, pair, tau, shown)
    show_pair(source, matrix, pair, tau)
    systems = [system_name(source, review.system) for review in matrix.reviews]
    show_matches(matrix, tau, source.comparison.encoder, systems if len(systems) > 1 else ())
    show_curves(source, matrix, tau)


def heatmap_page_of(figure: go.Figure) -> str:
    """Return a page of HTML that shows the figure anywhere, with all that it needs in it."""
    alone = go.Figure(figure)
    alone.update_layout(template="plotly_white", title="Similarity matrix")
    alone.update_layout(margin_t=(figure.layout.margin.t or 0) + 50)
    alone.update_layout(height=(figure.layout.height or 0) + 50)
    alone.update_traces(colorscale="Blues", selector={"type": "heatmap"})
    page: str = alone.to_html(include_plotlyjs=True, config={"displaylogo": False})
    return page


def _show_heatmap(
    source: Source, matrix: ChangeMatrix, pair: Pair | None, tau: float, shown: str
) -> None:
    if not can_be_drawn(matrix):
        where = "; the table holds them" if _fits_a_table(matrix) else ""
        st.info(f"Too many pairs to draw{where}.")
        _show_table(matrix, table_key(shown))
        with st.container(horizontal=True):
            _offer_files(matrix, None)
        return
    figure = similarity_heatmap(matrix, tau, pair, lambda system: system_name(source, system))
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        picture = st.segmented_control(
            "Picture",
            _PICTURES,
            default="svg",
            format_func=str.upper,
            key="heatmap_picture",
            bind="query-params",
            help="What the camera in the tool bar of the heatmap downloads; the bar is above the "
            "heatmap while the mouse is over it.",
        )
        _offer_files(matrix, figure)
    with place:
        choose_points(figure, chart_key(shown), describe_heatmap(matrix, tau), picture or "svg")
    with st.expander("The same as a table, for the arrow keys"):
        _show_table(matrix, table_key(shown))


def _offer_files(matrix: ChangeMatrix, figure: go.Figure | None) -> None:
    """Offer the matrix as CSV, and the figure, if there is one, as a page of its own."""
    offer_file("CSV", lambda: matrix_csv(matrix), "crscore-heatmap.csv")
    if figure is not None:
        offer_file("HTML", lambda: heatmap_page_of(figure), "crscore-heatmap.html")


def _fits_a_table(matrix: ChangeMatrix) -> bool:
    """Return True if a browser shows the matrix as a table without delay."""
    return matrix.similarity.size <= _MOST_CELLS and len(matrix.sentences) <= _MOST_COLUMNS


def _show_table(matrix: ChangeMatrix, key: str) -> None:
    """Show the matrix as a table whose cells the arrow keys choose."""
    n_columns = len(matrix.sentences)
    if not _fits_a_table(matrix):
        st.info(
            f"{len(matrix.references):,} pseudo-references by {n_columns:,} sentences are too many "
            "for a table as well. The file CSV has all of them, and below is the best of each."
        )
        return
    names = [f"S{column + 1}" for column in range(n_columns)]
    table = pd.DataFrame(matrix.similarity, columns=names)
    table.insert(0, "kind", [reference.kind.value for reference in matrix.references])
    table.insert(0, "pseudo-reference", [reference.text for reference in matrix.references])
    table.index = pd.Index([f"P{row + 1}" for row in range(len(table))])
    number = st.column_config.NumberColumn(format="%.3f", width=_NUMBER_WIDTH)
    st.dataframe(
        safe_table(table),
        key=key,
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "pseudo-reference": st.column_config.TextColumn(width=_TEXT_WIDTH),
            "kind": st.column_config.TextColumn(width=_NUMBER_WIDTH),
            **dict.fromkeys(names, number),
        },
    )
