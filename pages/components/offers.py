"""Widgets that several pages offer: files to download, and a choice that the URL keeps."""

import mimetypes
from collections.abc import Callable, Sequence

import streamlit as st


def offer_file(
    label: str, make: Callable[[], str | bytes], name: str, help_text: str | None = None
) -> None:
    """Offer a file, whose name tells its kind; it is made when its button is used."""
    st.download_button(
        label,
        make,
        name,
        mimetypes.guess_type(name)[0],
        key=f"download_{label}_{name}",
        icon=":material/download:",
        on_click="ignore",
        help=help_text,
    )


def choose_view(label: str, options: Sequence[str], key: str) -> str:
    """Choose one of a few views, the first unless the URL says another."""
    chosen = st.segmented_control(
        label,
        options,
        default=options[0],
        required=True,
        key=key,
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen or options[0]
