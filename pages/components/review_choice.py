"""Choosing a review, in the same way on all pages: search, filters, steps and a list."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from crscore_core.errors import quoted
from crscore_core.text import escape_invisible, shorten
from crscore_eval.table import Run
from crscore_eval.table.one_review import change_title, find_change
from pages.components.current_run import system_title
from pages.components.text import escape_markdown, safe_table, without_marks
from pages.components.url import drop_stale_choices, is_back_or_forward

REVIEW, CELL = "review", "cell"
"""URL parameters: the id of the review shown, and the chosen cell of its matrix."""

MAX_LISTED = 1_000
_HEIGHT, _MAX_UNSCROLLED = 320, 8  # pixels of a scrolling list; most rows without scrolling
_TEXT_WIDTH, _MAX_SEARCHED = 200, 200
_LANGUAGE, _SYSTEM, _TEXT = "review_language", "review_system", "review_text"
_NO_FILTER = {_LANGUAGE: [], _SYSTEM: [], _TEXT: ""}

Rows = NDArray[np.intp]
"""Row numbers of `run.reviews`."""


def filter_reviews(run: Run, rows: Rows) -> Rows:
    """Let the user search and filter reviews, with filters in the URL; return matching `rows`."""
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        with st.popover("Search and filter", icon=":material/filter_alt:"):
            is_match = _match_filters(run)
        if any(st.session_state.get(key, empty) != empty for key, empty in _NO_FILTER.items()):
            st.button("Clear filters", on_click=clear_filters, icon=":material/filter_alt_off:")
            st.markdown(f"**{is_match.sum():,}** of {is_match.size:,} match", width="content")
    return rows[is_match[rows]]


def clear_filters() -> None:
    """Clear all filters; a callback.

    Filters are set to empty values, because a deleted key would come back from the URL.
    """
    st.session_state.update(_NO_FILTER)


def _match_filters(run: Run) -> NDArray[np.bool_]:
    reviews = run.reviews
    is_match = np.ones(len(reviews), dtype=np.bool_)
    text = st.text_input(
        "Search",
        max_chars=_MAX_SEARCHED,
        key=_TEXT,
        bind="query-params",
        help="Finds this text in reviews, diffs, and ids of reviews and changes; ignores case.",
    ).strip()
    if text:
        changes = run.changes["change"][_contains(run.changes["diff"], text)]
        has_text = reviews["change"].isin(changes).to_numpy()
        for name in ("review", "id", "change"):
            has_text = has_text | _contains(reviews[name], text)
        is_match &= has_text
    for key, column, label, title in (
        (_LANGUAGE, "language", "Language", lambda language: language or "unknown"),
        (_SYSTEM, "system", "Reviewer", system_title),
    ):
        options = reviews[column].unique().tolist()
        drop_stale_choices(key, options)
        chosen = st.multiselect(
            label, options, format_func=title, key=key, bind="query-params", placeholder="any"
        )
        if chosen:
            is_match &= reviews[column].isin(chosen).to_numpy()
    return is_match


def _contains(texts: "pd.Series[Any]", part: str) -> NDArray[np.bool_]:
    return texts.str.casefold().str.contains(part.casefold(), regex=False).to_numpy(dtype=bool)


def choose_review(run: Run, rows: Rows) -> int | None:
    """Show Previous and Next, with shortcuts P and N; return the row of the chosen review.

    This is the review in the URL, else the last review chosen on any page, else the first of
    `rows`. It is None if no review matches.
    """
    if is_back_or_forward():
        st.session_state.pop(REVIEW, None)
    review_id = str(st.query_params.get(REVIEW, st.session_state.get(REVIEW, "")))
    matches = np.flatnonzero(run.reviews["id"] == review_id)
    if matches.size:
        st.session_state[REVIEW] = st.query_params[REVIEW] = review_id
        row: int | None = int(matches[0])
    else:
        known = st.session_state.pop(REVIEW, None)  # perhaps from other data
        if st.query_params.pop(REVIEW, None) not in {None, known}:
            st.warning(f"No review here has the id {escape_markdown(quoted(review_id))}.")
        row = next(map(int, rows[:1]), None)
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        _show_steps(run, rows, row)
    return row


def show_review(review_id: str) -> None:
    """Show a review the next time that this page runs; a callback."""
    st.query_params[REVIEW] = review_id
    st.query_params.pop(CELL, None)
    st.session_state.pop(CELL, None)


def _show_steps(run: Run, rows: Rows, row: int | None) -> None:
    matches = np.flatnonzero(rows == row)
    position = int(matches[0]) if matches.size else None
    after = 0 if position is None else position + 1
    for label, icon, key, target in (
        ("Previous", ":material/arrow_back:", "P", None if not position else position - 1),
        ("Next", ":material/arrow_forward:", "N", after if after < rows.size else None),
    ):
        st.button(
            label,
            key=f"step_{label.lower()}",
            icon=icon,
            shortcut=key,
            disabled=target is None,
            on_click=show_review,
            args=(None if target is None else run.reviews["id"].iat[rows[target]],),
        )
    if position is not None:
        st.markdown(f"**{position + 1:,} of {rows.size:,}**", width="content")
    elif row is not None:
        st.markdown(f"not among the {rows.size:,} listed", width="content")


def list_reviews(
    run: Run,
    rows: Rows,
    current: int | None,
    columns: pd.DataFrame,
    config: Mapping[str, Any] | None = None,
) -> None:
    """List the first `MAX_LISTED` of `rows`; choosing a row shows its review.

    `columns` has one row per review of the run and comes first; `config` is Streamlit's column
    config. The row of the `current` review is selected.
    """
    listed_rows = rows[:MAX_LISTED]
    reviews = run.reviews.iloc[listed_rows]
    names = {
        key: without_marks(change_title(find_change(run, key)))
        for key in reviews["change"].unique()
    }
    texts = pd.DataFrame({
        "review": reviews["review"].map(lambda text: shorten(without_marks(text), _TEXT_WIDTH)),
        "reviewer": reviews["system"].map(system_title),
        "language": reviews["language"],
        "change": reviews["change"].map(names),
        "id": reviews["id"],
    })  # fmt: skip
    table = pd.concat([columns.iloc[listed_rows], safe_table(texts.map(escape_invisible))], axis=1)
    ids = reviews["id"].tolist()
    selected = np.flatnonzero(listed_rows == current).tolist()
    # A selection is valid for one list only, so each list has its own key.
    key = f"reviews_{hash(tuple(ids))}"
    st.session_state[key] = {"selection": {"rows": selected}}
    text_column = st.column_config.TextColumn(width=330)  # the last column fits 1400
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        height=_HEIGHT if len(ids) > _MAX_UNSCROLLED else "auto",
        on_select=lambda: _show_selected(key, ids, selected),
        selection_mode="single-row",
        column_config={"review": text_column, **(config or {})},
        alt=f"{len(ids):,} reviews; choose a row to see the review.",
    )
    if rows.size > MAX_LISTED:
        st.caption(f"The first {MAX_LISTED:,} of {rows.size:,} are listed.")


def _show_selected(key: str, ids: Sequence[str], selected: Sequence[int]) -> None:
    rows = st.session_state[key].get("selection", {}).get("rows", [])
    if rows and rows != selected and rows[0] < len(ids):
        show_review(ids[rows[0]])
