"""Sources of reviews: a file or pull requests of one's own, a saved run, the human study."""

import streamlit as st

from pages.components.data_import import file_section
from pages.components.data_pulls import pulls_section
from pages.components.data_runs import SECTION, SECTION_OF_RUNS, runs_section
from pages.components.data_study import study_section

_OTHERS = {
    "Pull requests": (pulls_section, "Review comments on GitHub and GitLab"),
    SECTION_OF_RUNS: (runs_section, "Scored reviews to show, compare and download"),
    "Human study": (study_section, "Reviews that people rated for the paper"),
}

file_section()
chosen = st.radio(
    "Other sources",
    list(_OTHERS),
    index=None,
    captions=[what_for for _, what_for in _OTHERS.values()],
    horizontal=True,
    key=SECTION,
    bind="query-params",
    width="stretch",
)
if chosen is not None:
    show, _ = _OTHERS[chosen]
    show()
