"""The list of reviews that the filters leave, and one review of the list."""

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from crscore_core.corpus.exports import made_with, reviews_csv
from crscore_core.corpus.reading import label_column
from crscore_core.corpus.search import filter_reviews, position_of_review
from crscore_core.validity.failures import Which, choose_cases
from pages.components.case_view import show_case
from pages.components.failures_filters import (
    choose_filter,
    choose_which,
    clear_filters,
    filters_in_use,
    show_all,
)
from pages.components.failures_rule import Cases
from pages.components.names import system_name
from pages.components.offers import offer_file
from pages.components.review_list import show_review_list
from pages.components.text import escape_markdown, shorten

_CASE = "case"
"""Key of the id of the review that is shown, in the URL under the same name."""

_MOST_LISTED = 1_000
_TEXT_WIDTH = 200
_NUMBER = st.column_config.NumberColumn(format="%.3f")
_RATING = st.column_config.NumberColumn(format="%.3g")
_TEXT = st.column_config.TextColumn(width="large")
_GAP = st.column_config.NumberColumn(
    format="%+.0f %%",
    help="Share of the reviews that the measure ranks lower, less the share that people rate lower",
)


def show_cases(cases: Cases, points: frozenset[int]) -> None:
    """Show filters, the list and one review; `points` are positions that the list is limited to.

    An empty set is no limit.
    """
    which = choose_which()
    if which is Which.FAILING and not cases.failures.both.size:
        which = Which.ALL
        st.info(
            "No review fails by this rule. All are listed, the widest gap between the two ranks "
            "first."
        )
    with st.expander("Filters", icon=":material/filter_alt:"):
        wanted = choose_filter(cases)
    positions = filter_reviews(cases.rows, cases.source.comparison, wanted)
    if points:
        positions = np.intersect1d(positions, np.array(sorted(points), dtype=np.intp))
    positions = choose_cases(cases.rows, positions, which)
    filters = filters_in_use(wanted)
    with st.container(horizontal=True, vertical_alignment="center"):
        words = f"**{positions.size:,}** of {len(cases.rows):,} reviews"
        if points:
            words += ", among the points chosen in the chart"
        if positions.size > _MOST_LISTED:
            words += f"; the first {_MOST_LISTED:,} are listed"
        st.markdown(f"{words}.")
        if filters or points:
            st.button(
                "Clear filters",
                key="failures_clear",
                on_click=clear_filters,
                icon=":material/filter_alt_off:",
            )
    listed = st.container()
    case = _choose_case(cases, positions)
    with listed:
        if positions.size:
            _show_list(cases, positions, case)
            _offer_export(cases, positions)
        else:
            ways = [f"widen {' or '.join(filters)}"] if filters else []
            if points:
                ways.append("choose other points in the chart, or clear them")
            if which is not Which.ALL:
                ways.append("look at all reviews, or let more of them count as failures")
            st.info(f"No review is like this. To see some: {'; '.join(ways)}.")
            icon = ":material/filter_alt_off:"
            st.button("Show all reviews", on_click=show_all, icon=icon)
    if case is not None:
        show_case(cases.source, case, cases.tau)


def _choose_case(cases: Cases, positions: NDArray[np.intp]) -> int | None:
    """Return the position of the review whose id is chosen, by default the first of the list.

    `positions` are the reviews of the list, in its order. None, said why, if no review has the id.
    """
    reviews = cases.source.comparison
    with st.container(horizontal=True, vertical_alignment="bottom"):
        before, after, where = (st.container(width="content") for _ in range(3))
        wanted = st.text_input(
            "Review by its id",
            key=_CASE,
            bind="query-params",
            placeholder="the first of the list",
            width=320,
            help="Choose a row of the list, or type an id. It stands in the URL, so that you can "
            "send it to others.",
        )
    if wanted:
        position = position_of_review(cases.source.comparison, wanted)
    else:
        position = int(positions[0]) if positions.size else None
    matches = np.flatnonzero(positions == position)
    place = int(matches[0]) if matches.size else None
    following = 0 if place is None else place + 1
    _way(
        before,
        "Previous",
        ":material/arrow_back:",
        reviews[positions[place - 1]].id if place else None,
    )
    _way(
        after,
        "Next",
        ":material/arrow_forward:",
        reviews[positions[following]].id if following < positions.size else None,
    )
    if place is not None:
        where.markdown(f"**{place + 1:,} of {positions.size:,}**")
    elif position is not None:
        where.markdown(f"not among the {positions.size:,} of the list")
    elif wanted:
        st.warning(
            f"No review of this source has the id “{escape_markdown(shorten(wanted, 100))}”. "
            "It may be one of another source: choose that under Data."
        )
    return position


def _way(place: DeltaGenerator, label: str, icon: str, review_id: str | None) -> None:
    """Show a button that leads to a review, disabled where the list has none."""
    place.button(
        label,
        key=f"failures_{label.lower()}",
        icon=icon,
        disabled=review_id is None,
        on_click=_go,
        args=(review_id,),
    )


def _go(review_id: str) -> None:
    st.session_state[_CASE] = review_id


def _show_list(cases: Cases, positions: NDArray[np.intp], case: int | None) -> None:
    """Show reviews in the order of `positions`, with the row of the case chosen."""
    listed = positions[:_MOST_LISTED]
    show_review_list(
        "failures",
        _columns(cases, listed),
        np.flatnonzero(listed == case).tolist(),
        _CASE,
        {
            cases.title: _NUMBER,
            "gap": _GAP,
            "review": _TEXT,
            cases.failures.compared.title: _RATING,
        },
    )


def _columns(cases: Cases, listed: NDArray[np.intp]) -> pd.DataFrame:
    rows = cases.rows.iloc[listed]
    compared = cases.failures.compared
    columns: dict[str, object] = {
        "failure": rows["failure"],
        cases.title: compared.scores[listed],
        compared.title: compared.people[listed],
        "gap": 100 * rows["gap"],
        "review": [shorten(text, _TEXT_WIDTH) for text in rows["text"]],
        "system": [system_name(cases.source, system) for system in rows["system"]],
        "language": rows["language"],
        "change": rows["change"],
        "words": rows["words"],
        "pseudo-references": rows["pseudo_references"],
        "inline code": rows["inline_code"],
        "id": rows["review"],
    }
    return pd.DataFrame(columns)


def _offer_export(cases: Cases, positions: NDArray[np.intp]) -> None:
    """Offer the listed reviews as a file, in this order."""
    comparison = cases.source.comparison
    made = made_with(comparison, cases.tau) | {
        "measure": cases.measure,
        "compared_with": label_column(cases.label) if cases.label else "ratings",
        "rule": "paper" if cases.number is None else f"{cases.number} widest gaps",
    }
    rows = cases.rows.iloc[positions]

    offer_file(
        "Download CSV",
        lambda: reviews_csv(rows, comparison, made),
        "crscore-cases.csv",
        f"All {positions.size:,} reviews of the list, in its order.",
    )
