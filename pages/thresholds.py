"""Scores at every tau, and the tau that fits them."""

import streamlit as st

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import MOST_SYSTEMS
from pages.components.layout import two_columns
from pages.components.source.model import Source
from pages.components.source.switch import current_source
from pages.components.tau import tau_slider
from pages.components.thresholds_panels import Curves, best_of, curves_of, show_panels
from pages.components.thresholds_tables import show_figures, show_paper, show_presets


def _say_without_people(source: Source) -> None:
    """Say why no curve shows agreement with people, and what the others are for."""
    is_rated = any(source.comparison.is_judged_in(name).any() for name in DIMENSIONS)
    st.info(
        (
            "People rated these reviews, but no correlation with what they say is defined at any "
            "tau: that takes reviews with different ratings and different scores"
            if is_rated
            else "Nobody rated these reviews"
        )
        + ", so no tau can be told to be right: what is left is how scores are spread. Where "
        "nearly all reviews get 0, or nearly all 1, tau tells them apart no more."
    )


def _say_no_threshold(curves: Curves) -> None:
    """Say how tau and no threshold compare by agreement with people, here and elsewhere."""
    relevance = curves.sweep.columns["spearman_relevance"]
    best = best_of(curves.sweep.taus.tolist(), relevance.tolist())
    agreement = curves.no_threshold.spearman.value if curves.no_threshold else None
    if agreement is None or best is None:
        return
    tau, highest = best
    here = (
        "The similarity without a threshold agrees better with people than relevance at any tau"
        if agreement > highest
        else "At its best tau, relevance agrees at least as well with people as the similarity "
        "without a threshold"
    )
    st.markdown(
        f"**{here}**: Spearman {agreement:.2f} without, {highest:.2f} at the best tau, {tau:.2f}."
    )


@st.fragment
def _show(source: Source) -> None:
    """Show the curves, with lines and a table of figures that depend on tau."""
    tau = tau_slider(source.comparison.encoder, source.comparison.claims)
    curves = source.once(curves_of)
    sweep = curves.sweep
    if not sweep.has_correlation:
        _say_without_people(source)
    _say_no_threshold(curves)
    show_panels(source, curves, tau)
    words = (
        f"Over {sweep.reviews:,} reviews, at 101 taus. The orange line is the tau that is "
        "set; grey lines are tau_gt and tau_best by the paper's procedure on these reviews, with "
        "bands of their 95 % intervals; dotted ones are the product's presets."
    )
    if sweep.has_correlation:
        words += (
            " Con, Comp and Rel are compared with what people say of the same, review by review, "
            "and systems by their means of Rel."
        )
    if sweep.has_correlation and sweep.systems_left_out:
        words += (
            f" The order is that of the {MOST_SYSTEMS} systems with the most reviews; there are "
            f"{sweep.systems_left_out:,} others."
        )
    if curves.matching:
        words += (
            " Precision, recall and F1 are those of calling a pseudo-reference addressed where a "
            "sentence of the review is more similar to it than tau."
        )
    st.caption(words)
    figures, presets = two_columns()
    with figures:
        show_figures(source, curves, tau)
    with presets:
        show_presets(source, curves)
        if source.study is not None:
            show_paper()


st.title("Threshold")
st.markdown(
    "A sentence matches a pseudo-reference where their similarity exceeds **tau**. Too low, "
    "everything matches and all reviews look good; too high, nothing does. tau decides conciseness "
    "(Con), comprehensiveness (Comp) and relevance (Rel)."
)
source = current_source()
if source is not None:
    _show(source)
