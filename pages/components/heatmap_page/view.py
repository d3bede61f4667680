"""What depends on tau: the scores, the heatmap and what is chosen in it."""

import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix
from crscore_core.errors import EncoderError
from pages.components.charts import choose_points
from pages.components.heatmap import can_be_drawn, describe_heatmap, similarity_heatmap
from pages.components.heatmap_page.curves import show_curves
from pages.components.heatmap_page.downloads import offer_files, picture_format
from pages.components.heatmap_page.encoders import unfiltered_matrix
from pages.components.heatmap_page.pair import Pair, chart_key, chosen_pair, table_key
from pages.components.heatmap_page.scores import show_scores
from pages.components.heatmap_page.tables import fits_a_table, show_texts, show_twin
from pages.components.heatmap_page.words import show_pair
from pages.components.names import system_name
from pages.components.source.model import Source
from pages.components.tau import tau_slider
from pages.components.text import escape_markdown

__all__ = ["show_matrix"]


@st.fragment
def show_matrix(source: Source, given: ChangeMatrix, shown: str) -> None:
    """The matrix, its scores and everything about it; `shown` tells it from others."""
    tau = tau_slider(source.comparison.encoder)
    if not given.similarity.size:
        show_scores(source, given, tau, None)
        st.info(
            "Without a sentence there is nothing to compare, so this cannot be scored: the text "
            "is empty, or holds nothing that can be seen. Means over a source count it as 0."
        )
        return
    matrix = _pooled(source, given)
    show_scores(source, matrix, tau, None if matrix is given else given)
    pair = chosen_pair(matrix, shown)
    _show_heatmap(source, matrix, pair, tau, shown)
    show_pair(source, matrix, pair, tau, drop_stop_words=matrix is given)
    show_texts(source, matrix, tau)
    show_curves(source, matrix, tau)


def _pooled(source: Source, matrix: ChangeMatrix) -> ChangeMatrix:
    """The matrix as the switch for stop words says."""
    if st.toggle(
        "Leave stop words out of the mean",
        value=True,
        key="heatmap_stop_words",
        bind="query-params",
        help="A text's vector is the mean of its words' vectors. The metric leaves out words such "
        "as “the” and “is”, which all texts share; switch it off to see what that does.",
    ):
        return matrix
    try:
        with st.spinner("Comparing with stop words"):
            return unfiltered_matrix(matrix, source.comparison.encoder)
    except EncoderError as error:
        st.warning(f"This cannot be compared anew: {escape_markdown(str(error))}")
        return matrix


def _show_heatmap(
    source: Source, matrix: ChangeMatrix, pair: Pair | None, tau: float, shown: str
) -> None:
    if not can_be_drawn(matrix):
        where = "; the table holds them" if fits_a_table(matrix) else ""
        st.info(f"Too many pairs to draw{where}.")
        show_twin(matrix, table_key(shown))
        with st.container(horizontal=True):
            offer_files(matrix, None)
        return
    figure = similarity_heatmap(matrix, tau, pair, lambda system: system_name(source, system))
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        picture = picture_format()
        offer_files(matrix, figure)
    with place:
        choose_points(figure, chart_key(shown), describe_heatmap(matrix, tau), picture)
    with st.expander("The same as a table, for the arrow keys"):
        show_twin(matrix, table_key(shown))
