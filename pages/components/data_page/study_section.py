"""The human study of the paper: what it is, getting it, what it holds, showing it."""

from pathlib import Path

import streamlit as st

from crscore_core.datasets.manifest import study_manifest
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import check_folder, default_study_folder
from crscore_core.datasets.study.model import study_contents
from crscore_core.errors import StudyError
from pages.components.data_page.show_button import show_button
from pages.components.data_page.study_contents import show_contents
from pages.components.data_page.study_download import study_download
from pages.components.source.model import SourceKind
from pages.components.source.switch import STUDY_FOLDER
from pages.components.text import escape_markdown

__all__ = ["study_section"]


def study_section() -> None:
    """Show the study, or how to get it."""
    manifest = study_manifest()
    st.write(
        "How far can the scores be trusted? The authors of CRScore had people judge the claims "
        "about changes in Python, Java and JavaScript, and rate the reviews that nine systems and "
        "the original reviewers wrote of them, each for conciseness, comprehensiveness and "
        "relevance from 1 to 5. Scores are worth what they agree with these ratings."
    )
    st.caption(
        f"The study is the authors' own, published at {manifest.address} under the "
        f"{manifest.license} licence, and no part of this app: what is downloaded is compared "
        "with the checksums of the files that they published."
    )
    named = st.text_input(
        "Folder", str(default_study_folder()), key=STUDY_FOLDER, persist_state="session"
    ).strip()
    with_context = st.checkbox(
        f"With context files ({manifest.size / 1e6:.0f} MB instead of "
        f"{manifest.without_context_files().size / 1e6:.0f})",
        value=True,
        key="study_context",
        persist_state="session",
        help="The whole files before and after each change.",
    )
    if not named:
        st.info("Name a folder.")
        return
    try:
        folder = check_folder(Path(named))
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
    show_button(SourceKind.STUDY)
    show_contents(study_contents(study))
    st.caption("How far scores agree with these ratings is on the page Validity.")
    for line in study.oddities:
        st.caption(escape_markdown(f"{line}; left out"))
