"""Layout that several pages share."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_WIDTH = 545
"""Pixels of one of two columns: both fit a page of 1440."""


def two_columns(left: int = _WIDTH, right: int = _WIDTH) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two places of so many pixels, one below the other on a narrow page.

    `st.columns` would shrink on a narrow page.
    """
    with st.container(horizontal=True, gap="medium"):
        return st.container(width=left), st.container(width=right)
