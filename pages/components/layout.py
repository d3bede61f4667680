"""Layout that several pages share."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_WIDTH = 545
"""Pixels of one of two columns: both fit a page of 1440."""


def two_columns() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two places, next to each other, or one below the other on a narrow page.

    `st.columns` would shrink on a narrow page.
    """
    with st.container(horizontal=True, gap="medium"):
        return st.container(width=_WIDTH), st.container(width=_WIDTH)
