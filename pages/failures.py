"""Reviews on which a measure and people disagree."""

import numpy as np
import pandas as pd
import streamlit as st

from crscore_eval.metrics.values import labels_by_name
from crscore_eval.table import Run
from crscore_eval.validity.failures import OVER, UNDER, widest_first
from pages.components.current_run import current_run, system_title
from pages.components.failures_cases import (
    Cases,
    choose_cases,
    describe_cases,
    describe_gap,
)
from pages.components.failures_chart import show_cases
from pages.components.require_labels import require_labels
from pages.components.review_choice import REVIEW, filter_reviews, list_reviews, usual_orders
from pages.components.review_view import step_through_reviews
from pages.components.signature import show_signature
from pages.components.tables import show_texts
from pages.components.text import escape_markdown
from pages.components.url import choose_option

_KINDS = {
    "failing": "Under- and overestimated",
    UNDER: "Underestimated",
    OVER: "Overestimated",
    "all": "All reviews",
}
_NUMBER = st.column_config.NumberColumn(format="%.3f")
_RATING = st.column_config.NumberColumn(format="%.3g")
_GAP = st.column_config.NumberColumn(
    format="%+.1f points",
    help="Percentile rank by the measure minus percentile rank by people, in percentile points",
)


@st.fragment
def _show(run: Run) -> None:
    """Show everything that depends on tau."""
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
        _list_cases(cases, rows, row)
    else:
        st.info("No review matches. Clear the filters, or list all reviews.")
    show_signature(run, cases.tau)


def _choose_rows(cases: Cases) -> np.ndarray:
    """Let the user choose reviews by kind of failure and filters."""
    run, failing = cases.run, cases.failures["failure"]
    if failing.empty:
        st.info("This rule finds no failures. All reviews are listed, the widest gap first.")
    with st.container(horizontal=True, vertical_alignment="center"):
        kind = choose_option(
            "Reviews", _KINDS, "kind", "failing", label_visibility="collapsed", width=250
        )
        widest = widest_first(run.reviews, cases.gaps)
        positions = pd.Series(range(len(widest)), widest).reindex(cases.gaps.index)
        rows = filter_reviews(run, {"widest gap first": positions, **usual_orders(run, cases.tau)})
    of_kind = cases.gaps.dropna().index if kind == "all" or failing.empty else failing.index
    if kind in {UNDER, OVER}:
        of_kind = failing.index[failing == kind]
    return rows[np.isin(rows, of_kind)]


def _list_cases(cases: Cases, rows: np.ndarray, current: int | None) -> None:
    """List the reviews, with their scores and ratings."""
    run = cases.run
    failure = cases.failures["failure"].reindex(run.reviews.index).fillna("")
    columns = {
        "failure": failure,
        cases.measure_title: cases.scores,
        cases.people_title: cases.people,
        "rank gap": cases.points,
    }
    config = {cases.measure_title: _NUMBER, cases.people_title: _RATING, "rank gap": _GAP}
    list_reviews(run, rows, current, pd.DataFrame(columns), config)


def _show_systems(cases: Cases) -> None:
    """Show the number and the share of each system's reviews that fail, the most first."""
    system = cases.run.reviews["system"][cases.gaps.notna()].map(system_title)
    failure = cases.failures["failure"].reindex(system.index).fillna("neither")
    table = pd.crosstab(system, failure).reindex(columns=[UNDER, OVER, "neither"], fill_value=0)
    n_reviews, n_failing = table.sum(axis=1), table[[UNDER, OVER]].sum(axis=1)
    table = table[[UNDER, OVER]].assign(share=n_failing / n_reviews, reviews=n_reviews)
    show_texts(table.sort_values("share", ascending=False, kind="stable").reset_index())


run = current_run()
if run is not None and require_labels(run, labels_by_name(run.reviews).values()):
    _show(run)
