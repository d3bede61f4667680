"""Matches of sentences and pseudo-references, which explain a review's score."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from crscore_core import ReviewScore
from crscore_eval.table import Run
from crscore_eval.table.one_review import review_score
from pages.components.charts import SAVE_HINT, show_chart
from pages.components.controls import tau_slider, two_columns
from pages.components.data import current_run, system_title
from pages.components.heatmap_figure import (
    LEGEND,
    can_be_drawn,
    describe_heatmap,
    similarity_heatmap,
)
from pages.components.heatmap_pair import chosen_pair, pairs_csv, show_pair, show_table
from pages.components.offers import offer_file
from pages.components.review_choice import choose_review, find_reviews, list_reviews, usual_orders
from pages.components.review_view import show_change, show_reviews

_MAX_REVIEWS = 30


@st.fragment
def _show(run: Run) -> None:
    """Show the choice of a review, and its matrix, texts and scores at a tau."""
    reviews = run.reviews
    tau = tau_slider(run.settings["encoder"], run.settings["claims"], run.settings["tau"])
    orders = {"as in the data": reviews.index.to_numpy(), **usual_orders(run, tau)}
    with st.container(horizontal=True, vertical_alignment="center"):
        found = find_reviews(run, orders)
        row = choose_review(run, found)
        is_all = st.toggle(
            "All reviews of the change", key="heatmap_all", bind="query-params", width="content"
        )
    if row is None:
        st.info("No review matches the filters.")
        return
    shown = [row]
    if is_all:
        shown = np.flatnonzero(reviews["change"] == reviews["change"].iat[row]).tolist()
    if len(shown) > _MAX_REVIEWS:
        st.info(f"The first {_MAX_REVIEWS} of {len(shown):,} reviews are shown.")
        shown = shown[:_MAX_REVIEWS]
    left, right = two_columns()
    with left:
        _show_matrix([review_score(run, one, tau) for one in shown], run, shown)
        show_change(run, row)
    with right:
        show_reviews(run, shown, tau)
    with st.expander(f"List of reviews: {found.size:,}"):
        list_reviews(run, found, row)


def _show_matrix(scores: Sequence[ReviewScore], run: Run, rows: Sequence[int]) -> None:
    """Show the heatmap of the reviews in `rows`, its table and its files."""
    if not any(score.similarity.size for score in scores):
        st.info("Nothing to compare: there is no sentence or no pseudo-reference.")
        return
    key = f"{rows[0]}-{len(rows)}"
    chart, table = f"heatmap-{key}", f"heatmap-table-{key}"
    pair = chosen_pair(scores, chart, table)
    names = [system_title(system) for system in run.reviews["system"].iloc[list(rows)]]
    if can_be_drawn(scores):
        show_chart(
            similarity_heatmap(scores, names, pair),
            chart,
            describe_heatmap(scores),
            on_select="rerun",
            selection_mode="points",
        )
        st.caption(f"{LEGEND} {SAVE_HINT}")
    else:
        st.info("There are too many pairs to draw. The CSV file has all of them.")
    show_pair(scores, pair)
    offer_file("Values (CSV)", lambda: pairs_csv(scores, names), "crscore-heatmap.csv")
    with st.expander("Table, for use with the arrow keys"):
        show_table(scores, table)


run = current_run()
if run is not None:
    _show(run)
