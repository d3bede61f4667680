"""Similarities between sentences and pseudo-references, which explain a review's score."""

import pandas as pd
import streamlit as st

from crscore_eval.table import Run, measure_values, people_ratings, run_signature
from crscore_eval.table.one_review import review_score
from pages.components.current_run import current_run
from pages.components.downloads import show_signature
from pages.components.matrix import show_matrix
from pages.components.review_choice import choose_review, filter_reviews, list_reviews
from pages.components.review_view import show_change, show_review_of_run
from pages.components.score_result import best_similarities
from pages.components.tau_slider import run_tau_slider


@st.fragment
def _show(run: Run) -> None:
    controls = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        matches = filter_reviews(run, run.reviews.index.to_numpy())
        row = choose_review(run, matches)
    similarities = None if row is None else best_similarities([review_score(run, row)])
    with controls:
        tau = run_tau_slider(run, similarities)
    if row is None:
        st.info("No review matches the filters.")
        return
    score = review_score(run, row, tau)
    matrix, review = st.columns(2)
    change, references = st.columns(2)
    with matrix:
        show_matrix(score, f"heatmap-{row}")
    with review:
        show_review_of_run(run, row, tau, (review, references))
    with change, st.container(key="diff_box"):
        show_change(run, row)
    with st.expander(f"List of reviews: {matches.size:,}"):
        measures = {"relevance": measure_values(run.reviews, "relevance", tau).round(3)}
        if people_ratings(run.reviews).notna().any():
            measures["people"] = measure_values(run.reviews, "people").round(2)
        list_reviews(run, matches, row, pd.DataFrame(measures))
    show_signature(run_signature(run.settings, tau))


run = current_run()
if run is not None:
    _show(run)
