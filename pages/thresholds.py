"""What hangs on tau, and where it should be."""

import streamlit as st

from pages.components.source.model import Source
from pages.components.source.switch import current_source
from pages.components.tau import tau_slider
from pages.components.thresholds_page.curves import Curves, curves_of
from pages.components.thresholds_page.figures import show_figures
from pages.components.thresholds_page.panels import show_panels
from pages.components.thresholds_page.paper import show_paper
from pages.components.thresholds_page.presets import show_presets

_WIDTH = 500


def _is_rated(curves: Curves) -> bool:
    return bool((curves.sweep.spearman == curves.sweep.spearman).any())


@st.fragment
def _show(source: Source) -> None:
    """Only lines and the table of figures hang on where tau is."""
    tau = tau_slider(source.comparison.encoder)
    curves = curves_of(source)
    if not _is_rated(curves):
        st.info(
            "Nobody rated these reviews, so no tau can be told to be right: what is left is how "
            "scores are spread. Where nearly all reviews get 0, or nearly all 1, tau tells them "
            "apart no more."
        )
    show_panels(source, curves, tau)
    words = (
        f"Over {curves.sweep.reviews:,} reviews, at 101 taus. The orange line is the tau that is "
        "set; grey lines are tau_gt and tau_best by the paper's procedure on these reviews, with "
        "bands of their 95 % intervals; dotted ones are the product's presets."
    )
    if _is_rated(curves):
        words += (
            " Con, Comp and Rel are compared with what people say of the same, review by review, "
            "and systems by their means of Rel."
        )
    if curves.matching:
        words += (
            " Precision, recall and F1 are those of calling a pseudo-reference addressed where a "
            "sentence of the review is more similar to it than tau."
        )
    st.caption(words)
    with st.container(horizontal=True):  # one below the other where the page is narrow
        figures, presets = (st.container(width=_WIDTH) for _ in range(2))
    with figures:
        show_figures(source, tau)
    with presets:
        show_presets(source, curves)
        if source.study is not None:
            show_paper()


st.title("Threshold")
st.markdown(
    "A sentence matches a pseudo-reference where their similarity exceeds **tau**. Too low, "
    "everything matches and all reviews look good; too high, nothing does."
)
source = current_source()
if source is not None and source.comparison.reviews:
    _show(source)
elif source is not None:
    st.info("This source has no review that could be scored. Choose or import another.")
    st.page_link("pages/data.py", label="Go to Data", icon=":material/database:")
