"""Scores at every tau, and the tau that fits them."""

import numpy as np
import streamlit as st
from pages.components.source.model import Source
from pages.components.source.switch import current_source

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.corpus.systems import MOST_SYSTEMS
from crscore_core.validity.thresholds import is_swept
from crscore_eval.statistics import FEWEST_CHANGES
from pages.components.controls import tau_slider, two_columns
from pages.components.text import counted, escape_markdown, shorten, system_name
from pages.components.thresholds_view import show_curves, show_figures, sweep_of, without_threshold


def _say_what_fits(source: Source) -> None:
    """Say whether a threshold agrees better with people than none, or why nobody can tell."""
    if not source.once(sweep_of).has_correlation:
        is_rated = any(source.comparison.is_judged_in(name).any() for name in DIMENSIONS)
        why = (
            "People rated these reviews, but no correlation with what they say is defined at any "
            "tau: that takes reviews with different ratings and different scores"
            if is_rated
            else "Nobody rated these reviews"
        )
        st.info(
            f"{why}, so no tau is known to be right. Where nearly all reviews get 0, or nearly all "
            "get 1, tau no longer tells them apart."
        )
        return
    sweep, none = source.once(sweep_of), without_threshold(source).value
    best = sweep.best.get("spearman_relevance")
    if none is None or best is None:
        return
    swept = source.comparison.is_judged_in("relevance") & is_swept(source.comparison)
    changes = np.unique(source.comparison.change[swept]).size
    if changes < FEWEST_CHANGES:
        st.info(
            f"People rated reviews of {counted(changes, 'change')}: too few to say which tau "
            f"agrees best with them ({FEWEST_CHANGES} are needed)."
        )
        return
    tau, highest = sweep.taus[best], sweep.columns["spearman_relevance"][best]
    st.markdown(
        "**The similarity without a threshold agrees better with people than Rel at any tau**: "
        f"Spearman {none:.2f}, and {highest:.2f} at the best tau, {tau:.2f}."
        if none > highest
        else "**Rel at its best tau agrees at least as well with people as the similarity without "
        f"a threshold**: Spearman {highest:.2f} at {tau:.2f}, and {none:.2f}."
    )


def _say_what_is_shown(source: Source) -> None:
    """Say of which reviews the curves are, and what is special about the table."""
    sweep, presets = source.once(sweep_of), source.validity.presets
    left_out = "" if is_swept(source.comparison).all() else ", those of the ground truth left out"
    said = [f"Over {sweep.reviews:,} reviews{left_out}. Intervals, and bands, are 95 %."]
    if sweep.systems_left_out:
        said.append(
            f"Systems are the {MOST_SYSTEMS} systems with the most reviews; there are "
            f"{sweep.systems_left_out:,} others."
        )
    if presets.tau_gt.value is None:
        said.append(f"tau_gt needs reference reviews (`{GROUND_TRUTH}`), and there are none.")
    if presets.best_system is not None:
        best = escape_markdown(shorten(system_name(source, presets.best_system), 80))
        said.append(f"tau_best is that of the system that people rate best, {best}.")
    if source.study is not None:
        said.append(
            "Matching is calling a pseudo-reference addressed where a sentence is more similar to "
            "it than tau. The paper's taus are those of its own encoder."
        )
    st.caption(" ".join(said))


@st.fragment
def _show(source: Source) -> None:
    tau = tau_slider(source.comparison.encoder, source.comparison.claims)
    _say_what_fits(source)
    curves, figures = two_columns(650, 440)
    with curves:
        show_curves(source, tau)
    with figures:
        show_figures(source, tau)
    _say_what_is_shown(source)


source = current_source()
if source is not None:
    _show(source)
