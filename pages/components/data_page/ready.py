"""That an imported file is scored, said in the sidebar of every page."""

import streamlit as st

from pages.components.data_page.scoring_run import ScoringRun, scoring_run
from pages.components.text import escape_markdown

__all__ = ["say_when_scored"]

_POLL_SECONDS = 2.0


def say_when_scored() -> None:
    """Say that the file is scored, once it is, and lead to the Data page, which takes it.

    Of a scoring that was stopped or failed, that page alone tells.
    """
    run = scoring_run()
    if run is not None:
        with st.sidebar:
            (_watch if run.is_running else _say)(run)


@st.fragment(run_every=_POLL_SECONDS)
def _watch(run: ScoringRun) -> None:
    _say(run)


def _say(run: ScoringRun) -> None:
    if run.job.now().result is not None:
        st.success(f"**{escape_markdown(run.name)}** is scored.", icon=":material/check:")
        st.page_link("pages/data.py", label="Take it on Data", icon=":material/database:")
