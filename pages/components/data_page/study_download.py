"""The part of the study's page that downloads it."""

from pathlib import Path

import streamlit as st

from crscore_core.datasets.fetch import (
    FetchJob,
    FetchProgress,
    FetchResult,
    find_fetch,
    start_fetch,
)
from crscore_core.job import JobState, JobStatus
from pages.components.text import escape_markdown

__all__ = ["study_download"]

_MEGABYTE = 1_000_000


def study_download(folder: Path, *, context_files: bool) -> bool:
    """Offer to download into `folder`, show how far it is, and how it ended.

    Returns whether a download runs; once it ends the page runs again.
    """
    job = find_fetch(folder)
    if job is not None and job.now().state is JobState.RUNNING:
        _running(job)
        return True
    if job is not None:
        _ended(job.now())
    if st.button("Download", type="primary", icon=":material/download:"):
        start_fetch(folder, context_files=context_files)
        st.rerun()
    return False


@st.fragment(run_every=0.5)
def _running(job: FetchJob) -> None:
    now = job.now()
    if now.state is not JobState.RUNNING:
        st.rerun()
    if now.progress is None:
        st.progress(0.0, text="Looking for what is there …")
    else:
        progress = now.progress
        st.progress(
            progress.size / max(1, progress.all_size),
            text=f"{progress.files} of {progress.all_files} files, "
            f"{progress.size / _MEGABYTE:.1f} of {progress.all_size / _MEGABYTE:.1f} MB",
        )
    if st.button("Stop", icon=":material/stop:"):
        job.stop()
    st.caption("It goes on while other pages are open.")


def _ended(end: JobStatus[FetchProgress, FetchResult]) -> None:
    if end.result is not None:
        st.success(
            f"Files downloaded: {end.result.fetched_files}, there already: {end.result.kept_files}."
        )
    elif end.error is not None and end.state is JobState.STOPPED:
        st.info(escape_markdown(end.error))
    elif end.error is not None:
        st.error(escape_markdown(end.error))
