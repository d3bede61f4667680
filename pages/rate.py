"""Rating the reviews of a run by the codebook of the study, and the raters' agreement."""

import shutil

import streamlit as st

from crscore_eval.data.ratings import Ratings
from crscore_eval.run import read_settings
from crscore_eval.run.folder import write_settings
from crscore_eval.table import Run
from pages.components.data import STUDY, current_key, current_run, folder_of, new_run
from pages.components.offers import choose_view
from pages.components.rate_question import ask, choose_rater
from pages.components.rate_results import show_results


def _copy_study() -> None:
    """Copy the shipped run, as ratings are stored in the folder of a run; a callback."""
    key = new_run()
    shutil.copytree(folder_of(STUDY), folder_of(key))
    write_settings(folder_of(key), {**read_settings(folder_of(key)), "name": "Human study (copy)"})
    st.session_state["data"] = key


def _show(run: Run) -> None:
    if current_key() == STUDY:
        st.write("People have already rated these reviews. To rate them yourself, rate a copy.")
        st.button("Rate a copy", type="primary", on_click=_copy_study)
        return
    ratings = Ratings(folder_of(current_key()))
    with st.container(horizontal=True, vertical_alignment="center"):
        view = choose_view("View", ["Rate", "Results"], "rate_view")
        rater = choose_rater() if view == "Rate" else ""
    if view == "Rate":
        ask(run, ratings, rater)
    else:
        show_results(run, ratings)


run = current_run()
if run is not None:
    _show(run)
