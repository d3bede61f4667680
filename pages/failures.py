"""Where metric and people disagree."""

import streamlit as st

from pages.components.source.switch import current_source

st.title("Failure cases")
source = current_source()
if source is not None:
    st.write(source.comparison.encoder)
