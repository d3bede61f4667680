"""Work in the background, as a page shows it."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from crscore_core.corpus.progress import CorpusProgress
from crscore_core.job import Job, JobState, JobStatus
from pages.components.text import escape_markdown, in_line

ProgressT = TypeVar("ProgressT")
ResultT = TypeVar("ResultT")

_POLL_SECONDS = 0.3
_SECONDS_ELSEWHERE = 30.0
_WATCHED = "watched_jobs"


@st.fragment(run_every=_SECONDS_ELSEWHERE)
def want_jobs() -> None:
    """Want the jobs that this session has watched, whatever page it shows."""
    jobs: list[Job[object, object]] = st.session_state.get(_WATCHED, [])
    st.session_state[_WATCHED] = [job for job in jobs if not job.now().is_over]


@st.fragment(run_every=_POLL_SECONDS)
def watch_job(
    job: Job[ProgressT, ResultT],
    heading: Callable[[ProgressT | None], str],
    show: Callable[[ProgressT], object],
) -> None:
    """Show how far a job is and let a person stop it; at its end the page runs again.

    `heading` says in markdown what is done, and `show` shows the progress below.
    """
    now = job.now()
    if now.is_over:
        st.rerun()
    watched = st.session_state.setdefault(_WATCHED, [])
    if job not in watched:
        watched.append(job)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            if job.is_stopping:
                st.markdown("**Stopping …** It can be started again once it has stopped.")
            else:
                st.markdown(heading(now.progress))
                if st.button("Stop", key=f"stop_{id(job)}", icon=":material/stop:"):
                    job.stop()
                    st.rerun()
        if now.state is JobState.WAITING:
            st.progress(0.0, in_line(now.place))
        elif now.progress is None:
            st.progress(0.0, "Starting …")
        else:
            show(now.progress)
        st.caption("It goes on while other pages are open, and stops when no page asks for it.")


def say_end(end: JobStatus[ProgressT, ResultT]) -> None:
    """Say why a job ended without a result."""
    if end.error is not None:
        show = st.info if end.state is JobState.STOPPED else st.error
        show(escape_markdown(end.error))


def show_progress(progress: CorpusProgress) -> None:
    """Show how far the scoring of a corpus is."""
    text = f"{progress.stage.value}: {progress.done:,} of {progress.total:,}"
    st.progress(progress.done / max(1, progress.total), text)
