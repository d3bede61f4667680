"""The button that makes a source the one of all pages."""

import streamlit as st

from pages.components.source.switch import show_on_all_pages, shown_key

__all__ = ["show_button"]


def show_button(key: str) -> None:
    """Offer to show the source with this key on all pages, unless it is shown there already."""
    if shown_key() == key:
        st.badge("All pages show it", icon=":material/check:", color="green")
        return
    st.button(
        "Show it on all pages",
        key=f"show_{key}",
        icon=":material/visibility:",
        on_click=show_on_all_pages,
        args=(key,),
    )
