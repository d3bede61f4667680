"""Sources of reviews: a file of one's own, a saved run, the human study."""

import streamlit as st

from pages.components.data_import import import_section
from pages.components.data_runs import runs_section
from pages.components.data_scoring import take_result
from pages.components.data_study import study_section
from pages.components.offers import choose_view

_SECTIONS = {
    "Import": import_section,
    "Saved runs": runs_section,
    "Human study": study_section,
}

if take_result() is not None:
    st.rerun()  # the switch shows what was taken
st.title("Data")
st.write(
    "All pages but Score show one source of reviews, chosen in the sidebar: the sample data, the "
    "human study of the paper, a file of your own, or a saved run."
)
_SECTIONS[choose_view("Section", list(_SECTIONS), "data_section")]()
