"""An imported file that is being scored beside the page: progress, stop, end."""

import streamlit as st

from crscore_core.corpus.run.imports import Import, ImportJob
from pages.components.job_view import say_end, show_progress, watch_job
from pages.components.source.imported import IMPORTED, again, followed_import
from pages.components.source.model import SourceKind
from pages.components.source.switch import shown_key
from pages.components.text import escape_markdown

_SECONDS_ELSEWHERE = 2.0


def show_scoring(of: Import, job: ImportJob, *, was_running: bool) -> None:
    """Show how far an import is, or why it ended without a result.

    `was_running` is what the page was drawn for. A run that has ended since, which it may at any
    time, has the page drawn anew.
    """
    end = job.now()
    if not end.is_over:
        watch_job(job, lambda _: f"**Scoring {escape_markdown(of.name)}.**", show_progress)
        return
    if was_running or end.result is not None:
        st.rerun()
    say_end(end)
    st.caption(f"{escape_markdown(of.name)}: what was done by then is kept.")
    st.button("Go on", icon=":material/play_arrow:", on_click=again)


def say_when_scored() -> None:
    """Say that the file is scored, once it is, and lead to the Data page, which takes it.

    Of a scoring that was stopped or failed, that page alone tells.
    """
    found = followed_import()
    is_taken_now = IMPORTED not in st.session_state and shown_key() == SourceKind.FILE
    if found is not None and not is_taken_now:
        with st.sidebar:
            if found.job is None:
                _say(found.name)
            elif not found.job.now().is_over:
                _watch(found.name, found.job)


@st.fragment(run_every=_SECONDS_ELSEWHERE)
def _watch(name: str, job: ImportJob) -> None:
    if job.now().result is not None:
        _say(name)


def _say(name: str) -> None:
    st.success(f"**{escape_markdown(name)}** is scored.", icon=":material/check:")
    st.page_link("pages/data.py", label="Take it on Data", icon=":material/database:")
