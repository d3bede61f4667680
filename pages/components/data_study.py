"""The human study of the paper: what it is, getting it, what it holds, showing it."""

import threading
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from crscore_core.datasets.fetch import STUDY_LICENSE, STUDY_PAGE, FetchProgress, fetch_study
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import default_study_folder
from crscore_core.datasets.study.model import STUDY_LANGUAGES, StudyContents, study_contents
from crscore_core.errors import StudyError
from crscore_core.job import Job, JobBoard, JobStatus, Line
from pages.components.job_view import say_end, watch_job
from pages.components.operator import is_shared
from pages.components.source.model import SourceKind
from pages.components.source.switch import STUDY_FOLDER, show_button, study_folder
from pages.components.text import escape_markdown

_AT_ONCE = 2


@st.cache_resource(max_entries=1)
def _board() -> JobBoard[FetchProgress, FetchProgress]:
    return JobBoard(Line(_AT_ONCE))


def study_section() -> None:
    """Show the study, or how to get it."""
    st.write(
        "How far can the scores be trusted? The authors of CRScore had people judge the claims "
        "about changes in Python, Java and JavaScript, and rate the reviews that nine systems and "
        "the original reviewers wrote of them, each for conciseness, comprehensiveness and "
        "relevance from 1 to 5. Scores are worth what they agree with these ratings."
    )
    st.caption(
        f"The study is the authors' own, published at {STUDY_PAGE} under the "
        f"{STUDY_LICENSE} licence, and no part of this app: what is downloaded is compared "
        "with the checksums of the files that they published."
    )
    if not is_shared():
        named = st.text_input(
            "Folder", str(default_study_folder()), key=STUDY_FOLDER, persist_state="session"
        )
        if not named.strip():
            st.info("Name a folder.")
            return
    with_context = st.checkbox(
        "With context files (16 MB instead of 4)",
        value=True,
        key="study_context",
        persist_state="session",
        help="The whole files before and after each change.",
    )
    try:
        folder = study_folder()
    except StudyError as error:
        st.error(escape_markdown(str(error)))
        return
    if not study_download(folder, context_files=with_context):
        _show(folder)


def _show(folder: Path) -> None:
    """Show what the study in `folder` holds, or that there is none, or what is wrong with it."""
    if not (folder / "human_study").is_dir():
        st.info("The study is not in this folder.")
        return
    try:
        with st.spinner("Reading the study"):
            study = load_study(folder)
    except StudyError as error:
        st.warning(escape_markdown(str(error)))
        return
    show_button(SourceKind.RELEASE)
    show_contents(study_contents(study))
    st.caption("How far scores agree with these ratings is on the page Validity.")
    for line in study.oddities:
        st.caption(escape_markdown(f"{line}; left out"))


def study_download(folder: Path, *, context_files: bool) -> bool:
    """Offer to download into `folder`, show how far it is, and how it ended.

    Returns whether a download runs; once it ends the page runs again.
    """
    job = find_fetch(folder)
    if job is not None and not job.now().is_over:
        watch_job(job, lambda _: "**Downloading the study.**", _show_progress)
        return True
    if job is not None:
        _ended(job.now())
    if st.button("Download", type="primary", icon=":material/download:"):
        _start(folder, context_files=context_files)
        st.rerun()
    return False


def find_fetch(folder: Path) -> Job[FetchProgress, FetchProgress] | None:
    """Return the download into `folder` that is running or ended recently, if any."""
    return _board().find(folder.absolute())


def _start(folder: Path, *, context_files: bool) -> None:
    """Download into `folder` in the background; join one already running there."""

    def fetch(note: Callable[[FetchProgress], None], stop: threading.Event) -> FetchProgress:
        return fetch_study(folder, context_files=context_files, progress=note, stop=stop)

    _board().begin(folder.absolute(), fetch, "the download")


def _show_progress(progress: FetchProgress | None) -> None:
    if progress is None:
        st.progress(0.0, text="Looking for what is there …")
    else:
        st.progress(
            progress.files / max(1, progress.all_files),
            text=f"{progress.files} of {progress.all_files} files",
        )


def _ended(end: JobStatus[FetchProgress, FetchProgress]) -> None:
    if end.result is not None:
        st.success(
            f"Files downloaded: {end.result.fetched}, "
            f"there already: {end.result.files - end.result.fetched}."
        )
    say_end(end)


def show_contents(contents: StudyContents) -> None:
    """Show what the study holds, by language and in all."""
    st.dataframe(
        [
            {
                "language": STUDY_LANGUAGES[language],
                "changes": numbers.changes,
                "changes with rated reviews": numbers.rated_changes,
                "coded claims": numbers.coded_claims,
            }
            for language, numbers in contents.languages.items()
        ],
        hide_index=True,
    )
    for column, (name, number) in zip(
        st.columns(4),
        {
            "Rated reviews": contents.ratings,
            "of them by systems": contents.ratings_without_ground_truth,
            "Reviews rated twice": contents.double_ratings,
            "Context files": contents.context_files["present"],
        }.items(),
        strict=True,
    ):
        column.metric(name, f"{number:,}")
    if missing := contents.context_files["missing"]:
        st.caption(f"{missing} context files are not there.")
