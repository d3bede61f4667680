"""Sources of reviews: a file of one's own, a saved run, the human study."""

import streamlit as st

from pages.components.data_import import import_section
from pages.components.data_runs import runs_section
from pages.components.data_scoring import take_result
from pages.components.data_study import study_section

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
section = st.segmented_control(
    "Section",
    list(_SECTIONS),
    default="Import",
    required=True,
    key="data_section",
    bind="query-params",
    label_visibility="collapsed",
)
_SECTIONS[section or "Import"]()
