"""The review that is shown, and the way to its neighbours in the list."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from crscore_core.corpus.search import position_of_review
from pages.components.failures_page.case_list import CASE
from pages.components.failures_page.rows import Cases
from pages.components.text import escape_markdown, shorten

__all__ = ["choose_case"]


def choose_case(cases: Cases, positions: NDArray[np.intp]) -> int | None:
    """The position of the review whose id is chosen, the first of the list where none is.

    `positions` are the reviews of the list, in its order. None, and why, where there is none.
    """
    reviews = cases.source.comparison.reviews
    with st.container(horizontal=True, vertical_alignment="bottom"):
        before, after, where = (st.container(width="content") for _ in range(3))
        wanted = st.text_input(
            "Review by its id",
            key=CASE,
            bind="query-params",
            placeholder="the first of the list",
            width=320,
            help="Choose a row of the list, or type an id. It stands in the URL, so that you can "
            "send it to others.",
        )
    position = _position(cases, wanted, positions)
    found = np.flatnonzero(positions == position)
    at = int(found[0]) if found.size else None
    previous = None if not at else positions[at - 1]
    following = _following(positions, at)
    _button(
        before,
        "Previous",
        ":material/arrow_back:",
        None if previous is None else reviews[previous].id,
    )
    _button(
        after,
        "Next",
        ":material/arrow_forward:",
        None if following is None else reviews[following].id,
    )
    if at is not None:
        where.markdown(f"**{at + 1:,} of {positions.size:,}**")
    elif position is not None:
        where.markdown(f"not among the {positions.size:,} of the list")
    if position is None and wanted:
        st.warning(
            f"No review of this source has the id “{escape_markdown(shorten(wanted, 100))}”. "
            "It may be one of another source: choose that under Data."
        )
    return position


def _position(cases: Cases, wanted: str | None, positions: NDArray[np.intp]) -> int | None:
    if not wanted:
        return int(positions[0]) if positions.size else None
    return position_of_review(cases.source.comparison, wanted)


def _following(positions: NDArray[np.intp], at: int | None) -> int | None:
    after = 0 if at is None else at + 1
    return int(positions[after]) if after < positions.size else None


def _button(
    place: "st.delta_generator.DeltaGenerator", label: str, icon: str, review: str | None
) -> None:
    place.button(
        label,
        key=f"failures_{label.lower()}",
        icon=icon,
        disabled=review is None,
        on_click=_go,
        args=(review,),
    )


def _go(review: str) -> None:
    st.session_state[CASE] = review
