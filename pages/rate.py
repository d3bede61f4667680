"""Rating a run's reviews, and agreement between raters."""

import shutil

import streamlit as st

from crscore_eval.data.ratings import Ratings
from crscore_eval.run.folder import rename_run
from crscore_eval.table import Run
from pages.components.current_run import (
    CURRENT,
    STUDY,
    current_key,
    current_run,
    new_run_key,
    run_path,
)
from pages.components.rate_question import (
    ask_questions,
    choose_questions,
    choose_rater,
    explain_rating,
    show_results,
)
from pages.components.url import choose_view


def _copy_study() -> None:
    """Copy the shipped run, because ratings are stored in the run's folder; a callback."""
    key = new_run_key()
    shutil.copytree(run_path(STUDY), run_path(key))
    rename_run(run_path(key), "Human study (copy)")
    st.session_state[CURRENT] = key


def _show(run: Run) -> None:
    ratings = Ratings(run_path(current_key()))
    if current_key() == STUDY:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Rate a copy", type="primary", on_click=_copy_study)
            st.write("People have already rated these reviews. To add your ratings, rate a copy.")
        explain_rating()
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        view = choose_view("View", {"rate": "Rate", "results": "Results"}, "rate_view")
        questions = choose_questions()
        rater = choose_rater() if view == "rate" else ""
        if rater:
            with st.popover("How to rate", icon=":material/help:"):
                explain_rating(questions)
    if view == "results":
        show_results(run, ratings, questions)
    elif rater:
        ask_questions(run, ratings, rater, questions)
    else:
        st.caption("Enter your name to start. All answers under one name count as one rater's.")
        explain_rating(questions)


run = current_run()
if run is not None:
    _show(run)
