"""What a page says where it has nothing to show."""

import streamlit as st

__all__ = ["lead_to_data"]


def lead_to_data(text: str, *, is_error: bool = False) -> None:
    """Say what is missing, or wrong, and lead to where reviews come from; `text` is markdown."""
    (st.error if is_error else st.info)(text)
    st.page_link("pages/data.py", label="Go to Data", icon=":material/database:")
