"""Scores and agreement with people at every tau."""

import streamlit as st

from crscore_eval.table import Run
from pages.components.controls import tau_slider, two_columns
from pages.components.data import current_run, current_state
from pages.components.thresholds_view import (
    show_at_tau,
    show_best,
    show_curves,
    sweep_of,
    taus_of_data,
)


@st.fragment
def _show(run: Run) -> None:
    tau = tau_slider(run.settings["encoder"], run.settings["claims"], run.settings["tau"])
    state = current_state()
    swept, of_data = sweep_of(state, run), taus_of_data(state, run)
    show_best(run, swept)
    curves, figures = two_columns(630, 460)
    with curves:
        show_curves(swept, of_data, run, tau)
    with figures:
        show_at_tau(state, run, tau)
    st.caption(
        "Grey lines mark the thresholds that the paper's procedure gives on these reviews. *tau_gt*"
        " is the mean, over the sentences of the reference reviews, of the highest similarity to a "
        "pseudo-reference; *tau_best* is the same for the system that people rate highest. The "
        "presets next to the slider come from the human study. Intervals and bands are 95%."
    )


run = current_run()
if run is not None:
    _show(run)
