"""The reviews of one system."""

import pandas as pd
import streamlit as st

from crscore_core.validity.rankings import PEOPLE
from pages.components.markup import text_table
from pages.components.names import distinct
from pages.components.text import escape_markdown, shorten

__all__ = ["show_reviews"]

_MOST = 25
_MOST_LINKED = 300
_HIGHEST, _LOWEST = "highest Rel first", "lowest Rel first"


def show_reviews(rows: pd.DataFrame, system: str, name: str, language: str | None) -> None:
    """List them by their relevance at this tau, with ratings and ways to look at one closely."""
    order = st.segmented_control(
        "Order",
        [_HIGHEST, _LOWEST],
        default=_HIGHEST,
        required=True,
        key="rankings_order",
        bind="query-params",
        label_visibility="collapsed",
    )
    is_wanted = rows["system"] == system
    if language is not None:
        is_wanted &= rows["language"] == language
    listed = rows[is_wanted].sort_values("relevance", ascending=order == _LOWEST, kind="stable")
    rated = [column for column in PEOPLE if listed[column].notna().any()]
    shown = listed.head(_MOST)
    text_table(
        [
            {
                "Rel": f"{one['relevance']:.3f}",
                **{
                    f"people's {column.removeprefix('human_')}": _rating(one[column])
                    for column in rated
                },
                "review": one["text"],
                "id": one["review"],
            }
            for one in shown.to_dict("records")
        ],
        caption=f"{len(shown):,} of {len(listed):,} reviews of {shorten(name, 80)}",
    )
    _lead_to_one(listed["review"].head(_MOST_LINKED).tolist(), is_rated=bool(rated))


def _lead_to_one(ids: list[str], *, is_rated: bool) -> None:
    names = dict(zip(ids, distinct([shorten(one, 80) for one in ids]), strict=True))
    chosen = st.selectbox(
        "Look at one review closely",
        ids,
        index=None,
        format_func=lambda one: names.get(one, one),
        placeholder="Choose a review by its id",
        key="rankings_review",
        help=f"The first {_MOST_LINKED} in this order.",
    )
    if chosen is None:
        return
    with st.container(horizontal=True):
        st.page_link(
            "pages/heatmap.py",
            label=f"{escape_markdown(shorten(chosen, 60))} in the Heatmap",
            icon=":material/grid_on:",
            query_params={"review": chosen},
        )
        if is_rated:
            st.page_link(
                "pages/failures.py",
                label="and among the Failure cases",
                icon=":material/troubleshoot:",
                query_params={"case": chosen},
            )


def _rating(value: float) -> str:
    return "" if pd.isna(value) else f"{value:g}"
