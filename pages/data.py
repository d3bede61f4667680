"""Sources of reviews: a file or pull requests of one's own, a saved run, the human study."""

import streamlit as st

from crscore_core.errors import InputError
from pages.components.data_import import import_section
from pages.components.data_pulls import pulls_section
from pages.components.data_runs import runs_section
from pages.components.data_study import study_section
from pages.components.offers import choose_view
from pages.components.source.imported import take_import
from pages.components.source.model import SourceKind
from pages.components.source.switch import show_on_all_pages
from pages.components.text import escape_markdown

_SECTIONS = {
    "Import": import_section,
    "Pull requests": pulls_section,
    "Saved runs": runs_section,
    "Human study": study_section,
}

try:
    if take_import():
        show_on_all_pages(SourceKind.FILE)
        st.rerun()  # the switch shows what was taken
except InputError as error:
    st.error(escape_markdown(str(error)))
st.title("Data")
st.write(
    "Every page except Score shows one source of reviews, chosen in the sidebar: the human study "
    "that comes with this app, a file or pull requests of your own, or a saved run."
)
_SECTIONS[choose_view("Section", list(_SECTIONS), "data_section")]()
