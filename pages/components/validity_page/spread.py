"""How similarities are spread: of any reviews, as no ratings are needed."""

import streamlit as st

from crscore_core.validity.distribution import Histogram, NormalPlot
from pages.components.figure_words import number
from pages.components.validity_page.charts import show_histogram, show_normal_plot

__all__ = ["show_spread"]

_WIDTH = 470  # two stand side by side on a wide page, one above the other on a narrow one


def show_spread(histogram: Histogram, plot: NormalPlot | None, tau: float) -> None:
    """The histogram (Figure 5) and the Q-Q plot (Figure 6), side by side where there is room."""
    with st.container(horizontal=True):
        with st.container(width=_WIDTH):
            _histogram(histogram, tau)
        with st.container(width=_WIDTH):
            _normal_plot(plot)


def _histogram(histogram: Histogram, tau: float) -> None:
    st.subheader("Similarities", anchor=False)
    st.caption(
        f"{histogram.pairs:,} pairs of a review sentence and a pseudo-reference of its change "
        "(at most 100,000, drawn at random); the paper's Figure 5. What lies above tau is a "
        "match."
    )
    show_histogram(histogram, tau)
    st.caption(
        f"Mean {histogram.mean:.3f}, standard deviation {number(histogram.standard_deviation)}, "
        f"skewness {number(histogram.skewness)} (above 0: high values reach further from the "
        "mean than low ones)."
    )


def _normal_plot(plot: NormalPlot | None) -> None:
    st.subheader("Against a normal distribution", anchor=False)
    if plot is None:
        st.info("All similarities are the same.")
        return
    st.caption(
        "Q-Q plot, the paper's Figure 6: were similarities normal, the points would lie on "
        "the line, and a tau in standard deviations above the mean would say how rare a match is."
    )
    show_normal_plot(plot)
    st.caption(f"Correlation of points and line: {plot.correlation:.4f}; 1 is normal.")
