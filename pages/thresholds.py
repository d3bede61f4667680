"""Scores and agreement with people at every tau."""

import streamlit as st

from crscore_eval.table import Run
from pages.components.current_run import current_cache_key, current_run
from pages.components.signature import show_signature
from pages.components.tau_slider import run_tau_slider
from pages.components.thresholds_view import (
    cached_sweep,
    cached_taus,
    show_agreement,
    show_agreement_at,
    show_best,
    show_means,
)


@st.fragment
def _show(run: Run) -> None:
    tau = run_tau_slider(run)
    cache_key = current_cache_key()
    sweep_table, taus = cached_sweep(cache_key, run), cached_taus(cache_key, run)
    if not show_best(run, sweep_table):
        show_means(sweep_table, {}, tau)
        show_signature(run, tau)
        return
    left, right = st.columns(2)
    with left:
        show_agreement(sweep_table, taus, tau)
        sentences = {
            "tau_gt": "the reference reviews",
            "tau_best": "the system that people rate highest",
        }
        drawn = [name for name, estimate in taus.items() if estimate.value is not None]
        if drawn:
            meanings = "; ".join(f"*{name}*: of {sentences[name]}" for name in drawn)
            st.caption(
                "Grey: the thresholds that the paper's procedure gives on these reviews, with 95% "
                "intervals. They are the mean similarity of sentences to their most similar "
                f"pseudo-references. {meanings}."
            )
    with right:
        show_agreement_at(cache_key, run, tau)
        show_means(sweep_table, taus, tau)
    show_signature(run, tau)


run = current_run()
if run is not None:
    _show(run)
