"""Reviews on which a measure and people disagree."""

import numpy as np
import streamlit as st
from pages.components.source.model import Source
from pages.components.source.switch import current_source, lead_to_data

from crscore_core.corpus.exports import made_with, reviews_csv
from crscore_core.corpus.reading import label_column
from crscore_core.validity.failures import Which
from pages.components.controls import two_columns
from pages.components.failures_cases import Cases, choose_cases, is_rated, show_common
from pages.components.failures_scatter import choose_in_scatter, forget_points
from pages.components.offers import choose_view, offer_file
from pages.components.review_choice import (
    Positions,
    clear_filters,
    find_reviews,
    list_reviews,
    usual_orders,
)
from pages.components.review_view import walk_through

_VIEWS = ("List", "What they have in common")
_WHICH = "failures_which"
_WHICH_NAMES = {
    Which.FAILING: "Under- and overestimated",
    Which.UNDERESTIMATED: "Underestimated",
    Which.OVERESTIMATED: "Overestimated",
    Which.ALL: "All reviews",
}
_NUMBER = st.column_config.NumberColumn(format="%.3f")
_RATING = st.column_config.NumberColumn(format="%.3g")
_GAP = st.column_config.NumberColumn(
    format="%+.0f %%",
    help="Share of the reviews that the measure ranks lower, less the share that people rate lower",
)


@st.fragment
def _show(source: Source) -> None:
    """Show all that depends on tau."""
    cases = choose_cases(source)
    if cases is None:
        return
    if not cases.failures.judged.size:
        st.info("No review has both a value of the measure and what it is compared with.")
        return
    left, right = two_columns()
    with left:
        points = choose_in_scatter(cases)
    with right:
        positions = _choose_positions(cases, points)
        shown = walk_through(source, positions, cases.tau)
    if choose_view("View", _VIEWS, "failures_view") == _VIEWS[1]:
        show_common(cases)
    elif positions.size:
        _list(cases, positions, shown)
    else:
        st.info("No review is like this: clear the filters and points, or look at all reviews.")
        st.button("Show all reviews", on_click=_show_all, icon=":material/filter_alt_off:")


def _choose_positions(cases: Cases, points: frozenset[int]) -> Positions:
    """Let a person choose reviews by how the measure fails them, and by the filters."""
    failures, reviews = cases.failures, cases.source.comparison
    options: list[Which] = list(Which)
    if not failures.both.size:
        st.info("No review fails by this rule. All are listed, the widest gap first.")
    with st.container(horizontal=True, vertical_alignment="center"):
        which = st.selectbox(
            "Reviews",
            options,
            format_func=_WHICH_NAMES.__getitem__,
            key=_WHICH,
            bind="query-params",
            label_visibility="collapsed",
            width=250,
        )
        orders = {"widest gap first": -np.abs(failures.gap), **usual_orders(reviews, cases.rows)}
        positions = find_reviews(cases.source, cases.rows, orders)
    which = which if failures.both.size else Which.ALL
    positions = positions[np.isin(positions, failures.chosen(which))]
    return positions[np.isin(positions, list(points))] if points else positions


def _show_all() -> None:
    """List all reviews, without filters and points; a callback."""
    clear_filters()
    forget_points()
    st.session_state[_WHICH] = Which.ALL


def _list(cases: Cases, positions: Positions, shown: int | None) -> None:
    """List the reviews, and offer them as a file."""
    rows, compared, reviews = cases.rows, cases.failures.compared, cases.source.comparison
    columns = {
        "failure": (rows["failure"], None),
        cases.title: (compared.scores, _NUMBER),
        compared.title: (compared.people, _RATING),
        "gap": (100 * rows["gap"], _GAP),
    }
    list_reviews(cases.source, rows, positions, shown, columns)
    made = made_with(reviews, cases.tau) | {
        "measure": cases.measure,
        "compared_with": label_column(cases.label) if cases.label else "ratings",
        "rule": "paper" if cases.number is None else f"{cases.number} widest gaps",
    }
    offer_file(
        "Download CSV",
        lambda: reviews_csv(rows.iloc[positions], reviews, made),
        "crscore-cases.csv",
        f"All {positions.size:,} reviews of the list, in its order.",
    )


source = current_source()
if source is not None:
    if is_rated(source) or source.comparison.labels:
        _show(source)
    else:
        lead_to_data(
            "Nobody rated these reviews, so nothing says where a measure is wrong. Rate some of "
            "them, or import a file with the columns `conciseness`, `comprehensiveness` or "
            "`relevance`, each from 1 to 5, or with labels such as `label_useful`, 0 or 1."
        )
        st.page_link("pages/rate.py", label="Rate reviews", icon=":material/star:")
