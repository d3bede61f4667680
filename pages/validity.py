"""How far the scores agree with people."""

import streamlit as st

from pages.components.source.switch import current_source

st.title("Validity")
source = current_source()
if source is not None:
    st.write(source.comparison.encoder)
