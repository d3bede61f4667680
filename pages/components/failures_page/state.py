"""What is chosen on the page, where it no longer fits another source."""

from collections.abc import Sequence

import streamlit as st

__all__ = ["keep_options", "keep_within"]


def keep_options(key: str, options: Sequence[str]) -> None:
    """Leave out what is chosen under a key and is no option; the first one takes its place."""
    chosen = st.session_state.get(key)
    if isinstance(chosen, list):
        st.session_state[key] = [one for one in chosen if one in options]
    elif chosen is not None and chosen not in options:
        st.session_state[key] = options[0]


def keep_within(key: str, low: int, high: int) -> None:
    """Widen a range under a key that is not within these numbers to all of them."""
    chosen = st.session_state.get(key)
    if chosen is not None and not low <= min(chosen) <= max(chosen) <= high:
        st.session_state[key] = (low, high)
