"""All tables as files."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from crscore_core.validity.document import validity_csv
from crscore_core.validity.figures import FigureTable

__all__ = ["show_downloads"]


def show_downloads(
    tables: Iterable[FigureTable], document: Callable[[], Mapping[str, Any]]
) -> None:
    """Offer all tables, at this tau; files are made when somebody asks for them."""
    st.subheader("Download", anchor=False)
    with st.container(horizontal=True):
        st.download_button(
            "All tables as CSV",
            lambda: validity_csv(tables),
            "crscore-validity.csv",
            "text/csv",
            key="validity_csv",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            "All tables as JSON",
            lambda: json.dumps(document(), indent=2, ensure_ascii=False, allow_nan=False),
            "crscore-validity.json",
            "application/json",
            key="validity_json",
            on_click="ignore",
            icon=":material/download:",
        )
