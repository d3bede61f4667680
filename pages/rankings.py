"""Who writes the best reviews."""

import streamlit as st

from pages.components.source.switch import current_source

st.title("Rankings")
source = current_source()
if source is not None:
    st.write(source.comparison.encoder)
