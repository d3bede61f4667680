"""The list of reviews that the filters leave, and one review of the list."""

from dataclasses import dataclass

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
from pages.components.review_choice import show_review_list, walk
from pages.components.text import escape_markdown, shorten

_CASE = "case"
"""Key of the id of the review that is shown, in the URL under the same name."""

_MOST_LISTED = 1_000
_CASE_HEIGHT = 560
_TEXT_WIDTH = 200
_NUMBER = st.column_config.NumberColumn(format="%.3f")
_RATING = st.column_config.NumberColumn(format="%.3g")
_TEXT = st.column_config.TextColumn(width="large")
_GAP = st.column_config.NumberColumn(
    format="%+.0f %%",
    help="Share of the reviews that the measure ranks lower, less the share that people rate lower",
)


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Positions of the listed reviews, in order, and that of the review that is shown.

    `ways` say how to see more reviews.
    """

    positions: NDArray[np.intp]
    case: int | None
    ways: tuple[str, ...]


def show_cases(cases: Cases, points: frozenset[int], beside: DeltaGenerator) -> Listed:
    """Let a person choose what is listed and, in `beside`, one review, which is shown there.

    `points` are positions that the list is limited to; an empty set is no limit.
    """
    note = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        which = choose_which()
        with st.popover("Filters", icon=":material/filter_alt:"):
            wanted = choose_filter(cases)
        count = st.container(width="content")
        filters = filters_in_use(wanted)
        if filters or points:
            st.button(
                "Clear filters",
                key="failures_clear",
                on_click=clear_filters,
                icon=":material/filter_alt_off:",
            )
    if which is Which.FAILING and not cases.failures.both.size:
        which = Which.ALL
        note.info(
            "No review fails by this rule. All are listed, the widest gap between the two ranks "
            "first."
        )
    positions = filter_reviews(cases.rows, cases.source.comparison, wanted)
    if points:
        positions = np.intersect1d(positions, np.array(sorted(points), dtype=np.intp))
    positions = choose_cases(cases.rows, positions, which)
    words = f"**{positions.size:,}** of {len(cases.rows):,} reviews"
    if points:
        words += ", among the points chosen in the chart"
    if positions.size > _MOST_LISTED:
        words += f"; the first {_MOST_LISTED:,} are listed"
    count.markdown(f"{words}.")
    with beside:
        case = _choose_case(cases, positions)
        if case is not None:
            with st.container(height=_CASE_HEIGHT):
                show_case(cases.source, case, cases.tau)
    ways = [f"widen {' or '.join(filters)}"] if filters else []
    if points:
        ways.append("choose other points in the chart, or clear them")
    if which is not Which.ALL:
        ways.append("look at all reviews, or let more of them count as failures")
    return Listed(positions, case, tuple(ways))


def show_list(cases: Cases, listed: Listed) -> None:
    """Show the reviews of the list, and offer them as a file."""
    if listed.positions.size:
        _show_rows(cases, listed.positions, listed.case)
        _offer_export(cases, listed.positions)
        return
    st.info(f"No review is like this. To see some: {'; '.join(listed.ways)}.")
    st.button("Show all reviews", on_click=show_all, icon=":material/filter_alt_off:")


def _choose_case(cases: Cases, positions: NDArray[np.intp]) -> int | None:
    """Return the position of the review whose id is chosen, by default the first of the list.

    `positions` are the reviews of the list, in its order. None, said why, if no review has the id.
    """
    reviews = cases.source.comparison
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ways = st.container(horizontal=True, vertical_alignment="center", width="content")
        wanted = st.text_input(
            "Review by its id",
            key=_CASE,
            bind="query-params",
            placeholder="the first of the list",
            width=190,
            help="Choose a row of the list, or type an id. It stands in the URL, so that you can "
            "send it to others.",
        )
    if wanted:
        position = position_of_review(reviews, wanted)
    else:
        position = int(positions[0]) if positions.size else None
    with ways:
        walk(reviews, positions, position, _go)
    if wanted and position is None:
        st.warning(
            f"No review of this source has the id “{escape_markdown(shorten(wanted, 100))}”. "
            "It may be one of another source: choose that under Data."
        )
    return position


def _go(review_id: str) -> None:
    st.session_state[_CASE] = review_id


def _show_rows(cases: Cases, positions: NDArray[np.intp], case: int | None) -> None:
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
