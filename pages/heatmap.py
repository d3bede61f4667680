"""Matches of sentences and pseudo-references, which explain the score of a review."""

import numpy as np
import streamlit as st
from crscore_core.corpus.change_matrix import ChangeMatrix, change_matrix, matrix_csv
from pages.components.source.model import Source
from pages.components.source.switch import current_source, show_left_out

from pages.components.charts import show_chart
from pages.components.controls import tau_slider, two_columns
from pages.components.heatmap_figure import can_be_drawn, describe_heatmap, similarity_heatmap
from pages.components.heatmap_pair import chosen_pair, show_pair, show_table
from pages.components.offers import choose_view, offer_file
from pages.components.review_choice import choose_review, find_reviews, list_reviews, usual_orders
from pages.components.review_view import show_change, show_reviews
from pages.components.text import system_name

_MOST_REVIEWS = 30


@st.fragment
def _show(source: Source) -> None:
    """Show the choice of a review, its matrix, and everything about it, at a tau."""
    reviews = source.comparison
    tau = tau_slider(reviews.encoder, reviews.claims)
    rows = reviews.frame(tau)
    orders = {"as in the data": np.arange(len(rows)), **usual_orders(reviews, rows)}
    with st.container(horizontal=True, vertical_alignment="center"):
        positions = find_reviews(source, rows, orders)
        position = choose_review(reviews, positions)
        is_all = st.toggle(
            "All reviews of the change", key="heatmap_all", bind="query-params", width="content"
        )
    if position is None:
        st.info("No review is like this.")
        return
    shown = [position]
    if is_all:
        shown = np.flatnonzero(reviews.change == reviews.change[position]).tolist()
    if len(shown) > _MOST_REVIEWS:
        st.info(f"The first {_MOST_REVIEWS} of {len(shown):,} reviews are shown.")
    matrix = change_matrix(reviews, shown[:_MOST_REVIEWS])
    left, right = two_columns()
    with left:
        _show_matrix(source, matrix, tau, f"{shown[0]}-{len(shown)}")
        show_change(source, matrix)
    with right:
        show_reviews(source, matrix, tau)
    with st.expander(f"List of reviews: {positions.size:,}"):
        list_reviews(source, rows, positions, position, {})


def _show_matrix(source: Source, matrix: ChangeMatrix, tau: float, shown: str) -> None:
    """Show the heatmap, its table and its files; `shown` tells these reviews from others."""
    if not matrix.similarity.size:
        st.info("Without a sentence there is nothing to compare.")
        return
    chart, table = f"heatmap-{shown}", f"heatmap-table-{shown}"
    pair = chosen_pair(matrix, chart, table)
    place = st.container()
    show_pair(matrix, pair, tau)
    is_drawn, picture = can_be_drawn(matrix), "SVG"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if is_drawn:
            picture = choose_view("Picture", ("SVG", "PNG"), "heatmap_picture", "visible")
        offer_file("CSV", lambda: matrix_csv(matrix), "crscore-heatmap.csv")
    with place:
        if is_drawn:
            figure = similarity_heatmap(
                matrix, tau, pair, lambda system: system_name(source, system)
            )
            show_chart(
                figure,
                chart,
                describe_heatmap(matrix, tau),
                picture.lower(),
                on_select="rerun",
                selection_mode="points",
            )
        else:
            st.info("There are too many pairs to draw.")
    with st.expander("The same as a table, for the arrow keys"):
        show_table(matrix, table)


source = current_source()
if source is not None:
    _show(source)
    show_left_out(source.comparison.left_out)
