"""How far the scores agree with people."""

import streamlit as st

from pages.components.empty import lead_to_data
from pages.components.source.switch import current_source
from pages.components.validity_corpus import show_corpus
from pages.components.validity_study import show_study

st.title("Validity")
st.write("A score is worth what it agrees with what people say of the same reviews.")
source = current_source()
if source is not None:
    if not source.comparison.reviews:
        lead_to_data(
            "No review here could be compared: every change was left out, or has no review."
        )
    elif source.study is not None:
        show_study(source.study)
    else:
        show_corpus(source)
