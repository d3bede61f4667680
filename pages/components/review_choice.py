"""Choosing a review, in the same way on all pages: search, filters, order, steps and a list."""

import functools
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from crscore_core.corpus.reading.mapping import judge_figure
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.search import ReviewFilter, filter_reviews, position_of_review
from numpy.typing import NDArray
from pages.components.source.model import Source

from pages.components.address import is_back
from pages.components.text import escape_markdown, keep_options, safe_table, shorten, system_name

REVIEW, CELL, ORDER = "review", "cell", "review_order"
"""Parameters of the URL: the id of the review that is shown, a pair in its matrix, the order."""

MOST_LISTED = 1_000
_HEIGHT, _FEW = 320, 8
_TEXT_WIDTH, _MOST_SEARCHED = 200, 200
_LANGUAGE, _SYSTEM, _CODE = "review_language", "review_system", "review_code"
_TEXT, _IN_DIFF = "review_text", "review_in_diff"
_CODES = {"any": None, "with": True, "without": False}

Positions = NDArray[np.intp]
Array = NDArray[np.floating] | NDArray[np.integer]


def usual_orders(reviews: Reviews, rows: pd.DataFrame) -> dict[str, Array]:
    """Return orders that any reviews have: a key of each review, the lowest first, NaN last."""
    relevance, people = rows["relevance"].to_numpy(), rows["human_relevance"].to_numpy()
    orders = {"lowest relevance first": relevance, "highest relevance first": -relevance}
    if not np.isnan(people).all():
        orders |= {"worst rated first": people, "best rated first": -people}
    for name in reviews.labels:
        if (of_judge := judge_figure(name)) and of_judge[1] == "wrong":
            orders[most_wrong(of_judge[0])] = -reviews.label(name)
    return orders | {"longest first": -reviews.n_words}


def most_wrong(judge: str) -> str:
    """Name the order of reviews by the findings that a judge calls wrong."""
    return f"most wrong findings first, says the {judge.replace('_', ' ')}"


def find_reviews(source: Source, rows: pd.DataFrame, orders: Mapping[str, Array]) -> Positions:
    """Let a person search, filter and order the reviews; return the positions of those that fit.

    `rows` are those of `Reviews.frame`. The first of `orders` is the usual one.
    """
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        with st.popover("Search and filter", icon=":material/filter_alt:"):
            wanted = _choose_filter(source, rows)
            keep_options(ORDER, orders)
            order = st.selectbox("Order", list(orders), key=ORDER, bind="query-params")
        positions = filter_reviews(rows, source.comparison, wanted)
        if wanted != ReviewFilter():
            st.button("Clear filters", on_click=clear_filters, icon=":material/filter_alt_off:")
            st.markdown(f"**{positions.size:,}** of {len(rows):,} fit", width="content")
    return positions[np.argsort(orders[order][positions], kind="stable")]


def clear_filters() -> None:
    """Let every review through; a callback.

    Each filter gets a value, since a key that is merely deleted comes back from the URL.
    """
    cleared = {_LANGUAGE: [], _SYSTEM: [], _CODE: "any", _TEXT: "", _IN_DIFF: False}
    st.session_state.update(cleared)


def _choose_filter(source: Source, rows: pd.DataFrame) -> ReviewFilter:
    text = st.text_input(
        "Search",
        max_chars=_MOST_SEARCHED,
        key=_TEXT,
        bind="query-params",
        help="Found letter by letter in a review or an id, ignoring case; no pattern.",
    )
    in_diff = st.checkbox("Search the diff too", key=_IN_DIFF, bind="query-params")
    chosen = {}
    for key, column, name in (
        (_LANGUAGE, "language", lambda language: language or "not known"),
        (_SYSTEM, "system", functools.partial(system_name, source)),
    ):
        options = list(dict.fromkeys(rows[column].tolist()))
        keep_options(key, options)
        chosen[key] = st.multiselect(
            column.capitalize(),
            options,
            format_func=name,
            key=key,
            bind="query-params",
            placeholder="any",
        )
    code = st.selectbox(
        "Inline code",
        list(_CODES),
        key=_CODE,
        bind="query-params",
        help="Whether the review quotes code, between backticks or in a fenced block.",
    )
    return ReviewFilter(
        frozenset(chosen[_LANGUAGE]),
        frozenset(chosen[_SYSTEM]),
        _CODES[code],
        (text or "").strip(),
        in_diff,
    )


def choose_review(reviews: Reviews, positions: Positions) -> int | None:
    """Show steps through the reviews; return the position of the one that is chosen.

    That is the review of the URL, else the one chosen before, on any page, else the first of
    `positions`; None where there is none.
    """
    if is_back():
        st.session_state.pop(REVIEW, None)
    wanted = st.query_params.get(REVIEW, st.session_state.get(REVIEW))
    shown = None if wanted is None else position_of_review(reviews, wanted)
    if wanted is not None and shown is None:
        st.session_state.pop(REVIEW, None)
        st.query_params.pop(REVIEW, None)
        if positions.size:
            st.warning(f"No review here has the id {escape_markdown(repr(wanted[:80]))}.")
    elif wanted is not None:
        st.session_state[REVIEW] = st.query_params[REVIEW] = wanted
    elif positions.size:
        shown = int(positions[0])
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        _steps(reviews, positions, shown)
    return int(positions[0]) if shown is None and positions.size else shown


def show_review(review_id: str) -> None:
    """Have this page show a review from its next run on; a callback."""
    st.query_params[REVIEW] = review_id
    st.query_params.pop(CELL, None)


def _steps(reviews: Reviews, positions: Positions, shown: int | None) -> None:
    found = np.flatnonzero(positions == shown)
    place = int(found[0]) if found.size else None
    after = 0 if place is None else place + 1
    for label, icon, key, to in (
        ("Previous", ":material/arrow_back:", "P", None if not place else place - 1),
        ("Next", ":material/arrow_forward:", "N", after if after < positions.size else None),
    ):
        st.button(
            label,
            key=f"step_{label.lower()}",
            icon=icon,
            shortcut=key,
            disabled=to is None,
            on_click=show_review,
            args=(None if to is None else reviews.ids[positions[to]],),
        )
    if place is not None:
        st.markdown(f"**{place + 1:,} of {positions.size:,}**", width="content")
    elif shown is not None:
        st.markdown(f"not among the {positions.size:,} listed", width="content")


def list_reviews(
    source: Source,
    rows: pd.DataFrame,
    positions: Positions,
    shown: int | None,
    columns: Mapping[str, tuple[Any, Any]],
) -> None:
    """List reviews, the first `MOST_LISTED` of them; a row that is chosen is shown.

    `columns` stand before those that any review has: a value for each of `rows`, and Streamlit's
    configuration of the column.
    """
    listed = positions[:MOST_LISTED]
    of = rows.iloc[listed]
    table = pd.DataFrame(
        {
            **{name: np.asarray(values)[listed] for name, (values, _) in columns.items()},
            "review": [shorten(text, _TEXT_WIDTH) for text in of["text"]],
            "system": [system_name(source, system) for system in of["system"]],
            "language": of["language"].tolist(),
            "change": of["change"].tolist(),
            "words": of["words"].tolist(),
            "pseudo-references": of["pseudo_references"].tolist(),
            "inline code": of["inline_code"].tolist(),
            "id": of["review"].tolist(),
        }
    )
    ids = table["id"].tolist()
    chosen = np.flatnonzero(listed == shown).tolist()
    # Another list has another key: what was chosen in one of other rows means nothing in it.
    digest = hashlib.blake2b(repr(ids).encode("utf-8", "surrogatepass"), digest_size=8)
    key = f"reviews_{digest.hexdigest()}"
    st.session_state[key] = {"selection": {"rows": chosen}}
    st.dataframe(
        safe_table(table),
        key=key,
        hide_index=True,
        height=_HEIGHT if len(ids) > _FEW else "auto",
        on_select=functools.partial(_take_row, key, ids, chosen),
        selection_mode="single-row",
        column_config={
            "review": st.column_config.TextColumn(width="large"),
            **{name: config for name, (_, config) in columns.items()},
        },
        alt=f"{len(ids):,} reviews; choose a row to see the review.",
    )
    if positions.size > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED:,} of {positions.size:,} are listed.")


def _take_row(key: str, ids: Sequence[str], chosen: list[int]) -> None:
    """Take the chosen row, unless the page itself chose it."""
    rows = st.session_state[key].get("selection", {}).get("rows", [])
    if rows and rows != chosen and rows[0] < len(ids):
        show_review(ids[rows[0]])
