"""What the page says where there is nothing to show."""

from collections.abc import Sequence

import streamlit as st

from crscore_core.validity.failure_cases import Which
from pages.components.empty import lead_to_data
from pages.components.failures_page.filters import show_all
from pages.components.failures_page.rows import Cases

__all__ = ["say_not_rated", "say_nothing_left"]


def say_not_rated() -> None:
    """Nobody rated the reviews of a system."""
    lead_to_data(
        "Failure cases are reviews that people rate far better or worse than the metric does, and "
        "nobody rated these. Import a file with the columns `conciseness`, `comprehensiveness` or "
        "`relevance`, each from 1 to 5, beside the reviews. Until then, this page lets you search "
        "and read them."
    )


def say_nothing_left(
    cases: Cases, filters: Sequence[str], which: Which, *, has_points: bool
) -> None:
    """No review is as wanted: say what to widen, and offer to."""
    ways = []
    if filters:
        ways.append(f"widen {' or '.join(filters)}")
    if has_points:
        ways.append("choose other points in the chart, or clear them")
    if which is not Which.ALL:
        ways.append("look at all reviews, move tau, or let more ratings count as failures")
    st.info(f"No review is like this. To see some: {'; '.join(ways)}.")
    st.button(
        "Show all reviews", on_click=show_all, args=(cases,), icon=":material/filter_alt_off:"
    )
