"""The human study of the paper as its authors published it: downloaded, shown on all pages."""

from pathlib import Path

import streamlit as st

from crscore_core.datasets.fetch import STUDY_LICENSE, STUDY_PAGE, FetchProgress, fetch_study
from crscore_core.errors import InputError
from crscore_core.job import Job, JobBoard, Line
from pages.components.job_view import say_end, watch_job
from pages.components.source.model import SourceKind
from pages.components.source.switch import show_button, study_folder
from pages.components.text import escape_markdown

_AT_ONCE = 2


@st.cache_resource(max_entries=1)
def _board() -> JobBoard[FetchProgress, FetchProgress]:
    return JobBoard(Line(_AT_ONCE))


def study_section() -> None:
    """Offer to download the study, and to show it once it is there."""
    st.write(
        "People judged the claims about changes in Python, Java and JavaScript, and rated the "
        "reviews that nine systems and the original reviewers wrote of them. The whole study takes "
        f"16 MB; its authors publish it at {STUDY_PAGE} under the {STUDY_LICENSE} licence."
    )
    try:
        folder = study_folder()
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    job = find_fetch(folder)
    if job is not None and not job.now().is_over:
        watch_job(job, lambda _: "**Downloading the study.**", _show_progress)
        return
    if job is not None:
        end = job.now()
        if end.result is not None:
            there = end.result.files - end.result.fetched
            st.success(f"Files downloaded: {end.result.fetched}, there already: {there}.")
        say_end(end)
    with st.container(horizontal=True, vertical_alignment="center"):
        is_there = (folder / "human_study").is_dir()
        if is_there:
            show_button(SourceKind.RELEASE)
        if st.button(
            "Download again" if is_there else "Download",
            type="secondary" if is_there else "primary",
            icon=":material/download:",
        ):
            _board().begin(
                folder.absolute(),
                lambda note, stop: fetch_study(folder, progress=note, stop=stop),
                "the download",
            )
            st.rerun()


def find_fetch(folder: Path) -> Job[FetchProgress, FetchProgress] | None:
    """Return the download into `folder` that is running or ended recently, if any."""
    return _board().find(folder.absolute())


def _show_progress(progress: FetchProgress) -> None:
    done, total = progress.files, progress.all_files
    st.progress(done / max(1, total), f"{done} of {total} files")
