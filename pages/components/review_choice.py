"""Choice of a review, the same on all pages: search, filters, order, steps and a list."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike, NDArray

from crscore_core.text import shorten
from crscore_eval.metrics.traits import has_inline_code
from crscore_eval.table import Run, has_ratings, judge_columns, measure_values, split_judge_column
from pages.components.address import is_back
from pages.components.data import current_state, system_title
from pages.components.text import escape_markdown, keep_options, safe_table

REVIEW, CELL, ORDER = "review", "cell", "review_order"
"""Parameters of the URL: the id of the shown review, a pair of its matrix, the order."""

MAX_LISTED = 1_000
_HEIGHT, _FEW = 320, 8
_TEXT_WIDTH, _MAX_SEARCHED = 200, 200
_LANGUAGE, _SYSTEM, _CODE, _TEXT = "review_language", "review_system", "review_code", "review_text"
_NO_FILTER = {_LANGUAGE: [], _SYSTEM: [], _CODE: "any", _TEXT: ""}
_CODES = ("any", "with", "without")

Rows = NDArray[np.intp]
"""Numbers of rows of `run.reviews`."""


def usual_orders(run: Run, tau: float) -> dict[str, ArrayLike]:
    """Return the orders of any run: a sort key for each review, lowest first, NaN last."""
    reviews = run.reviews
    relevance = measure_values(reviews, "relevance", tau)
    orders = {"lowest relevance first": relevance, "highest relevance first": -relevance}
    if has_ratings(reviews):
        people = measure_values(reviews, "people")
        orders |= {"worst rated first": people, "best rated first": -people}
    for column in judge_columns(reviews):
        judge, figure = split_judge_column(column)
        if figure == "wrong":
            name = f"most wrong findings first {judge.replace('_', ' ')}".strip()
            orders[name] = -reviews[column]
    return {**orders, "longest first": -reviews["review"].str.len()}


def find_reviews(run: Run, orders: Mapping[str, ArrayLike]) -> Rows:
    """Let the user search, filter and order the reviews; return the rows that fit, in order.

    Each of `orders` has a sort key for each review, lowest first; the first order is the default.
    Filters and order are in the URL.
    """
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        with st.popover("Search and filter", icon=":material/filter_alt:"):
            fits = _filtered(run)
            keep_options(ORDER, orders)
            order = st.selectbox("Order", list(orders), key=ORDER, bind="query-params")
        if any(st.session_state.get(key, none) != none for key, none in _NO_FILTER.items()):
            st.button("Clear filters", on_click=clear_filters, icon=":material/filter_alt_off:")
            st.markdown(f"**{fits.sum():,}** of {fits.size:,} match", width="content")
    rows = np.flatnonzero(fits)
    return rows[np.argsort(np.asarray(orders[order], dtype=float)[rows], kind="stable")]


def clear_filters() -> None:
    """Remove all filters; a callback.

    Each filter gets a value, since a deleted key comes back from the URL.
    """
    st.session_state.update(_NO_FILTER)


def _filtered(run: Run) -> NDArray[np.bool_]:
    """Show the fields of the filters; return True for each review that fits."""
    reviews = run.reviews
    fits = np.ones(len(reviews), dtype=np.bool_)
    text = st.text_input(
        "Search",
        max_chars=_MAX_SEARCHED,
        key=_TEXT,
        bind="query-params",
        help="Finds this text in reviews, diffs, and ids of reviews and changes; ignores case.",
    ).strip()
    if text:
        in_diff = run.changes["change"][_has(run.changes["diff"], text)]
        found = reviews["change"].isin(in_diff).to_numpy()
        for name in ("review", "id", "change"):
            found = found | _has(reviews[name], text)
        fits &= found
    for key, column, title in (
        (_LANGUAGE, "language", lambda language: language or "unknown"),
        (_SYSTEM, "system", system_title),
    ):
        options = reviews[column].unique().tolist()
        keep_options(key, options)
        chosen = st.multiselect(
            column.capitalize(),
            options,
            format_func=title,
            key=key,
            bind="query-params",
            placeholder="any",
        )
        if chosen:
            fits &= reviews[column].isin(chosen).to_numpy()
    code = st.selectbox(
        "Inline code",
        _CODES,
        key=_CODE,
        bind="query-params",
        help="Whether the review quotes code, in backticks or a fenced block.",
    )
    if code != "any":
        fits &= reviews["review"].map(has_inline_code).to_numpy() == (code == "with")
    return fits


def _has(texts: "pd.Series[Any]", part: str) -> NDArray[np.bool_]:
    """Return True for each text that contains `part`, ignoring case."""
    return texts.str.casefold().str.contains(part.casefold(), regex=False).to_numpy(dtype=bool)


def choose_review(run: Run, rows: Rows) -> int | None:
    """Show Previous and Next, also keys P and N; return the row of the chosen review.

    That is the review in the URL, else the one chosen before on any page, else the first of
    `rows`; None if there is none.
    """
    if is_back():
        st.session_state.pop(REVIEW, None)
    wanted = str(st.query_params.get(REVIEW, st.session_state.get(REVIEW, "")))
    found = np.flatnonzero(run.reviews["id"] == wanted)
    if found.size:
        st.session_state[REVIEW] = st.query_params[REVIEW] = wanted
        shown: int | None = int(found[0])
    else:
        st.session_state.pop(REVIEW, None)
        if st.query_params.pop(REVIEW, None) is not None:
            st.warning(f"No review here has the id {escape_markdown(repr(wanted[:80]))}.")
        shown = int(rows[0]) if rows.size else None
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        _steps(run, rows, shown)
    return shown


def show_review(review_id: str) -> None:
    """Let this page show a review from its next run on; a callback."""
    st.query_params[REVIEW] = review_id
    st.query_params.pop(CELL, None)


def _steps(run: Run, rows: Rows, shown: int | None) -> None:
    found = np.flatnonzero(rows == shown)
    place = int(found[0]) if found.size else None
    after = 0 if place is None else place + 1
    for label, icon, key, to in (
        ("Previous", ":material/arrow_back:", "P", None if not place else place - 1),
        ("Next", ":material/arrow_forward:", "N", after if after < rows.size else None),
    ):
        st.button(
            label,
            key=f"step_{label.lower()}",
            icon=icon,
            shortcut=key,
            disabled=to is None,
            on_click=show_review,
            args=(None if to is None else run.reviews["id"].iat[rows[to]],),
        )
    if place is not None:
        st.markdown(f"**{place + 1:,} of {rows.size:,}**", width="content")
    elif shown is not None:
        st.markdown(f"not among the {rows.size:,} listed", width="content")


def list_reviews(
    run: Run,
    rows: Rows,
    shown: int | None,
    columns: Mapping[str, tuple[ArrayLike, Any]] | None = None,
) -> None:
    """List the first `MAX_LISTED` of `rows`; choosing a row shows its review.

    `columns` come first: a value for each review of the run, and Streamlit's column config.
    """
    listed, columns = rows[:MAX_LISTED], columns or {}
    table = _listed(current_state(), run, listed)
    for place, (name, (values, _)) in enumerate(columns.items()):
        table.insert(place, name, np.asarray(values)[listed])
    ids, chosen = run.reviews["id"].iloc[listed].tolist(), np.flatnonzero(listed == shown).tolist()
    # A choice is valid for one list only, so each list has its own key.
    key = f"reviews_{hash(tuple(ids))}"
    st.session_state[key] = {"selection": {"rows": chosen}}
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        height=_HEIGHT if len(ids) > _FEW else "auto",
        on_select=lambda: _take_row(key, ids, chosen),
        selection_mode="single-row",
        column_config={
            "review": st.column_config.TextColumn(width="large"),
            **{name: config for name, (_, config) in columns.items()},
        },
        alt=f"{len(ids):,} reviews; choose a row to see the review.",
    )
    if rows.size > MAX_LISTED:
        st.caption(f"The first {MAX_LISTED:,} of {rows.size:,} are listed.")


@st.cache_data(max_entries=64, show_spinner=False)
def _listed(state: str, _run: Run, rows: Rows) -> pd.DataFrame:  # noqa: ARG001 - a key
    """Return the rows of the list, which is drawn again whenever tau moves."""
    reviews = _run.reviews.iloc[rows]
    systems = {system: system_title(system) for system in reviews["system"].unique()}
    return safe_table(
        pd.DataFrame(
            {
                "review": [shorten(text, _TEXT_WIDTH) for text in reviews["review"]],
                "system": reviews["system"].map(systems).tolist(),
                "language": reviews["language"].tolist(),
                "change": reviews["change"].tolist(),
                "id": reviews["id"].tolist(),
            }
        )
    )


def _take_row(key: str, ids: Sequence[str], chosen: Sequence[int]) -> None:
    """Show the review of the chosen row, unless the page itself chose the row."""
    rows = st.session_state[key].get("selection", {}).get("rows", [])
    if rows and rows != chosen and rows[0] < len(ids):
        show_review(ids[rows[0]])
