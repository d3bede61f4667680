"""The filters, the list of what they leave, and one review of it."""

import numpy as np
import streamlit as st

from crscore_core.corpus.search import filter_reviews
from crscore_core.validity.failure_cases import Which, choose_cases
from pages.components.case_view import show_case
from pages.components.failures_page.case import choose_case
from pages.components.failures_page.case_list import MOST_LISTED, show_list
from pages.components.failures_page.export import offer_export
from pages.components.failures_page.filters import (
    choose_filter,
    choose_which,
    clear_filters,
    in_use,
)
from pages.components.failures_page.messages import say_nothing_left
from pages.components.failures_page.rows import Cases

__all__ = ["show_cases"]


def show_cases(cases: Cases, points: frozenset[int]) -> None:
    """Show reviews to choose from; those at `points` alone, if there are any."""
    which = Which.ALL if cases.failures is None else choose_which()
    with st.expander("Filters", icon=":material/filter_alt:", expanded=True):
        wanted = choose_filter(cases)
    fitting = filter_reviews(cases.rows, cases.source.comparison, wanted)
    if points:
        fitting = np.intersect1d(fitting, np.array(sorted(points), dtype=np.intp))
    positions = fitting if cases.failures is None else choose_cases(cases.rows, fitting, which)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_counted(len(positions), len(cases.rows), has_points=bool(points)))
        if in_use(wanted) or points:
            st.button(
                "Clear filters",
                key="failures_clear",
                on_click=clear_filters,
                args=(cases,),
                icon=":material/filter_alt_off:",
            )
    listed = st.container()
    case = choose_case(cases, positions)
    with listed:
        if positions.size:
            show_list(cases, positions, case)
            offer_export(cases, positions)
        else:
            say_nothing_left(cases, in_use(wanted), which, has_points=bool(points))
    if case is not None:
        show_case(cases.source, case, cases.tau)


def _counted(left: int, of_all: int, *, has_points: bool) -> str:
    words = f"**{left:,}** of {of_all:,} reviews"
    if has_points:
        words += ", among the points chosen in the chart"
    if left > MOST_LISTED:
        words += f"; the first {MOST_LISTED:,} are listed"
    return f"{words}."
