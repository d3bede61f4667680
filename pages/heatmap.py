"""The similarities of sentences and pseudo-references, which explain a review's score."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from crscore_core import ReviewScore
from crscore_eval.table import Run
from crscore_eval.table.one_review import review_score
from pages.components.current_run import current_run, system_title
from pages.components.downloads import offer_file
from pages.components.heatmap_chart import show_heatmap
from pages.components.heatmap_pair import choose_clicked_pair, choose_pair, pairs_csv, show_pair
from pages.components.review_choice import choose_review, filter_reviews, list_reviews, usual_orders
from pages.components.review_view import show_change, show_reviews
from pages.components.signature import show_signature
from pages.components.tau_slider import run_tau_slider

_MAX_REVIEWS = 30


@st.fragment
def _show(run: Run) -> None:
    """Let the user choose a review; show its matrix, texts and scores at a tau."""
    reviews = run.reviews
    tau = run_tau_slider(run)
    orders = {"as in the data": reviews.index.to_numpy(), **usual_orders(run, tau)}
    with st.container(horizontal=True, vertical_alignment="center"):
        matches = filter_reviews(run, orders)
        row = choose_review(run, matches)
        is_whole_change = st.toggle(
            "All reviews of the change", key="heatmap_all", bind="query-params", width="content"
        )
    if row is None:
        st.info("No review matches the filters.")
        return
    rows = [row]
    if is_whole_change:
        rows = np.flatnonzero(reviews["change"] == reviews["change"].iat[row]).tolist()
    if len(rows) > _MAX_REVIEWS:
        st.info(f"The first {_MAX_REVIEWS} of {len(rows):,} reviews are shown.")
        rows = rows[:_MAX_REVIEWS]
    left, right = st.columns(2)
    with left:
        _show_matrix([review_score(run, index, tau) for index in rows], run, rows)
        show_change(run, row)
    with right:
        show_reviews(run, rows, tau)
    with st.expander(f"List of reviews: {matches.size:,}"):
        list_reviews(run, matches, row)
    show_signature(run, tau)


def _show_matrix(scores: Sequence[ReviewScore], run: Run, rows: Sequence[int]) -> None:
    """Show the heatmap of the reviews in `rows`, the texts of a chosen pair, and a file."""
    if not any(score.similarity.size for score in scores):
        st.info("There is nothing to compare: no sentence, or no pseudo-reference.")
        return
    key = f"heatmap-{rows[0]}-{len(rows)}"
    names = [system_title(system) for system in run.reviews["system"].iloc[list(rows)]]
    chart = st.container()
    pair = choose_pair(scores)
    with chart:
        show_heatmap(
            scores,
            key,
            names,
            pair,
            on_select=lambda: choose_clicked_pair(key),
            selection_mode="points",
        )
    if pair is not None:
        show_pair(scores, pair)
    offer_file("Values (CSV)", lambda: pairs_csv(scores, names), "crscore-heatmap.csv")


run = current_run()
if run is not None:
    _show(run)
