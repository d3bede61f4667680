"""Reviews on which a measure and people disagree."""

import numpy as np
import pandas as pd
import streamlit as st

from crscore_eval.table import Run, run_signature
from crscore_eval.validity.failures import OVER, UNDER, widest_first
from pages.components.current_run import current_run, system_title
from pages.components.downloads import show_signature
from pages.components.failures_cases import (
    Cases,
    choose_cases,
    describe_cases,
    describe_gap,
    show_cases,
)
from pages.components.review_choice import REVIEW, filter_reviews, list_reviews
from pages.components.review_view import step_through_reviews
from pages.components.tables import show_texts
from pages.components.text import escape_markdown, is_yes_or_no
from pages.components.url import choose_option

_KINDS = {
    "failing": "Under- and overestimated",
    UNDER: "Underestimated",
    OVER: "Overestimated",
    "all": "All reviews",
}
_NUMBER = st.column_config.NumberColumn(format="%.3f")
_GAP = st.column_config.NumberColumn(
    format="%+.1f points",
    help="Percentile rank by the measure minus percentile rank by people, in percentile points",
)


@st.fragment
def _show(run: Run) -> None:
    top = st.container()
    cases = choose_cases(run)
    if cases is None:
        return
    heading, figures = map(escape_markdown, describe_cases(cases))
    top.markdown(f"## {heading}\n\n{figures}")
    if REVIEW not in st.query_params:
        st.session_state.pop(REVIEW, None)  # the page opens on the worst failure
    left, right = st.columns(2)
    with right:
        rows = _choose_rows(cases)
        gap_place = st.empty()
        row = step_through_reviews(run, rows, cases.tau)
        if row is not None:
            gap_place.markdown(escape_markdown(describe_gap(cases, row)))
    with left:
        show_cases(cases, row)
        _show_systems(cases)
    if rows.size:
        people = cases.people.round(2)
        if is_yes_or_no(people):
            people = people.map({1: "yes", 0: "no"})
        columns = {
            "failure": cases.failures["failure"].reindex(run.reviews.index).fillna(""),
            cases.measure_title: cases.scores,
            cases.people_title: people,
            "rank gap": cases.points,
        }
        config = {cases.measure_title: _NUMBER, "rank gap": _GAP}
        list_reviews(run, rows, row, pd.DataFrame(columns), config)
    else:
        st.info("No review matches. Clear the filters, or list all reviews.")
    show_signature(run_signature(run.settings, cases.tau))


def _choose_rows(cases: Cases) -> np.ndarray:
    run, failing = cases.run, cases.failures["failure"]
    if failing.empty:
        st.info("This rule finds no failures. All reviews are listed, the widest gap first.")
    with st.container(horizontal=True, vertical_alignment="center"):
        kind = choose_option(
            "Reviews", _KINDS, "kind", "failing", label_visibility="collapsed", width=250
        )
        rows = filter_reviews(run, widest_first(run.reviews, cases.gaps).to_numpy())
    if kind in {UNDER, OVER}:
        failing = failing[failing == kind]
    elif kind == "all" or failing.empty:
        return rows
    return rows[np.isin(rows, failing.index)]


def _show_systems(cases: Cases) -> None:
    """Show the number and the share of each system's reviews that fail, the most first."""
    system = cases.run.reviews["system"][cases.gaps.notna()].map(system_title)
    failure = cases.failures["failure"].reindex(system.index).fillna("neither")
    table = pd.crosstab(system, failure).reindex(columns=[UNDER, OVER, "neither"], fill_value=0)
    n_reviews, n_failing = table.sum(axis=1), table[[UNDER, OVER]].sum(axis=1)
    table = table[[UNDER, OVER]].assign(share=n_failing / n_reviews, reviews=n_reviews)
    show_texts(table.sort_values("share", ascending=False, kind="stable").reset_index())


run = current_run()
if run is not None:
    _show(run)
