"""Filters of the reviews that are listed, each in the URL."""

import streamlit as st

from crscore_core.corpus.search import ReviewFilter
from crscore_core.validity.failures import Which
from pages.components.failures_rule import Cases
from pages.components.failures_scatter import forget_points
from pages.components.names import keep_options, system_name

_WHICH = "failures_which"

_WHICH_NAMES = {
    Which.FAILING: "Under- and overestimated",
    Which.UNDERESTIMATED: "Underestimated",
    Which.OVERESTIMATED: "Overestimated",
    Which.ALL: "All reviews",
}
_CODE = {"any": None, "with": True, "without": False}
_MOST_SEARCHED = 200


def clear_filters() -> None:
    """Let every review through and forget the points chosen in the chart; a callback.

    Each filter gets a value, since a key that is merely deleted comes back from the URL.
    """
    st.session_state["failures_language"] = []
    st.session_state["failures_system"] = []
    st.session_state["failures_code"] = "any"
    st.session_state["failures_text"] = ""
    st.session_state["failures_in_diff"] = False
    forget_points()


def show_all() -> None:
    """Clear the filters, and list the reviews that do not fail too; a callback."""
    clear_filters()
    st.session_state[_WHICH] = Which.ALL


def choose_which() -> Which:
    """Choose the reviews that are listed by how the metric fails them."""
    options: list[Which] = list(Which)
    return st.selectbox(
        "Reviews",
        options,
        format_func=_WHICH_NAMES.__getitem__,
        key=_WHICH,
        bind="query-params",
        help="Underestimated: the measure ranks the review lower than people do. Overestimated: "
        "it ranks it higher.",
        width=340,
    )


def choose_filter(cases: Cases) -> ReviewFilter:
    """Show the filters and return what they ask for."""
    languages = list(dict.fromkeys(cases.rows["language"].tolist()))
    systems = list(dict.fromkeys(cases.rows["system"].tolist()))
    keep_options("failures_language", languages)
    keep_options("failures_system", systems)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen_languages = st.multiselect(
            "Language",
            languages,
            format_func=lambda name: name or "not known",
            key="failures_language",
            bind="query-params",
            placeholder="any",
            width=260,
        )
        chosen_systems = st.multiselect(
            "System",
            systems,
            format_func=lambda system: system_name(cases.source, system),
            key="failures_system",
            bind="query-params",
            placeholder="any",
            width=340,
        )
        code = st.selectbox(
            "Inline code",
            list(_CODE),
            key="failures_code",
            bind="query-params",
            width=140,
            help="Whether the review quotes code, between backticks or in a fenced block.",
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Text search",
            max_chars=_MOST_SEARCHED,
            key="failures_text",
            bind="query-params",
            help="Found letter by letter in the review, whatever the case; no pattern.",
        )
        in_diff = st.checkbox("search the diff too", key="failures_in_diff", bind="query-params")
    return ReviewFilter(
        frozenset(chosen_languages),
        frozenset(chosen_systems),
        _CODE[code],
        (text or "").strip(),
        in_diff,
    )


def filters_in_use(wanted: ReviewFilter) -> tuple[str, ...]:
    """Return the names of the filters that leave reviews out."""
    asked = {
        "language": wanted.languages,
        "system": wanted.systems,
        "inline code": wanted.inline_code is not None,
        "text search": wanted.text,
    }
    return tuple(name for name, value in asked.items() if value)
