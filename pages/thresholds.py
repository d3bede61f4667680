"""Scores and agreement with people at every tau."""

import streamlit as st

from crscore_eval.table import Run
from pages.components.controls import two_columns
from pages.components.current_run import current_cache_key, current_run
from pages.components.tau_slider import run_tau_slider
from pages.components.thresholds_view import (
    cached_sweep,
    cached_taus,
    choose_curves,
    show_agreement,
    show_agreement_at,
    show_best,
)


@st.fragment
def _show(run: Run) -> None:
    tau = run_tau_slider(run)
    cache_key = current_cache_key()
    sweep_table, taus = cached_sweep(cache_key, run), cached_taus(cache_key, run)
    if not show_best(run, sweep_table):
        choose_curves(sweep_table, {}, tau)
        return
    left, right = two_columns()
    with left:
        show_agreement(sweep_table, taus, tau)
        if any(estimate.value is not None for estimate in taus.values()):
            st.caption(
                "Grey: the thresholds that the paper's procedure gives on these reviews, with 95% "
                "intervals. *tau_gt*: the mean similarity of the reference reviews' sentences to "
                "their most similar pseudo-references. *tau_best*: the same mean for the system "
                "that people rate highest."
            )
    with right:
        show_agreement_at(cache_key, run, tau)
        choose_curves(sweep_table, taus, tau)


run = current_run()
if run is not None:
    _show(run)
