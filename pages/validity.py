"""Agreement of the scores with people."""

import streamlit as st

from pages.components.source.switch import current_source
from pages.components.validity_corpus import show_corpus
from pages.components.validity_study import show_study

st.title("Validity")
st.write("A score is worth what it agrees with what people say of the same reviews.")
source = current_source()
if source is not None:
    if source.study is not None:
        show_study(source)
    else:
        show_corpus(source)
