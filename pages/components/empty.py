"""Messages of a page that has nothing to show."""

import streamlit as st

NOTHING_SCORED = "This source has no review that could be scored. Choose or import another."
"""Message where a source has no reviews."""


def lead_to_data(text: str, *, is_error: bool = False) -> None:
    """Say what is missing, or wrong, and lead to where reviews come from; `text` is markdown."""
    (st.error if is_error else st.info)(text)
    st.page_link("pages/data.py", label="Go to Data", icon=":material/database:")
