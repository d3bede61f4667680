"""What is chosen on the page, where it no longer fits another source."""

from collections.abc import Collection

import streamlit as st

__all__ = ["keep_options", "keep_within"]


def keep_options(key: str, options: Collection[str]) -> None:
    """Forget what is chosen under a key where it is, or holds, none of the options."""
    chosen = st.session_state.get(key)
    if isinstance(chosen, list):
        st.session_state[key] = [one for one in chosen if one in options]
    elif chosen is not None and chosen not in options:
        del st.session_state[key]


def keep_within(key: str, low: int, high: int) -> None:
    """Forget a range under a key that is not within these numbers."""
    chosen = st.session_state.get(key)
    if chosen is not None and not low <= min(chosen) <= max(chosen) <= high:
        del st.session_state[key]
