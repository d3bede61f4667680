"""The reviews chosen in the chart, which Streamlit forgets with every other figure."""

import streamlit as st

from pages.components.source.model import Source

__all__ = ["forget_points", "keep_points", "kept_points"]

_KEPT = "failures_points"


def kept_points(source: Source) -> frozenset[int]:
    """The positions of the reviews of this source that are chosen; empty if none is."""
    of, ids = st.session_state.get(_KEPT, (None, frozenset()))
    if of != _name(source) or not ids:
        return frozenset()
    reviews = source.comparison.reviews
    return frozenset(at for at, review in enumerate(reviews) if review.id in ids)


def keep_points(source: Source, positions: frozenset[int]) -> None:
    """Choose the reviews at these positions, whatever was chosen before, of any source."""
    ids = frozenset(source.comparison.reviews[at].id for at in positions)
    st.session_state[_KEPT] = (_name(source), ids)


def forget_points() -> None:
    """Choose none; a callback."""
    st.session_state.pop(_KEPT, None)
    # What the chart itself holds is held by a chart of this name.
    st.session_state["failures_chart"] = st.session_state.get("failures_chart", 0) + 1


def _name(source: Source) -> tuple[str, str]:
    return source.kind.value, source.label
