"""Import of a file of reviews: its upload, its scoring by the command, and the rows read."""

from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from platformdirs import user_cache_path
from streamlit.runtime.uploaded_file_manager import UploadedFile

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.run import read_settings
from crscore_eval.table import Run, kinds_of_warnings
from crscore_eval.table.files import MAX_DOCUMENT
from pages.components.current_run import STUDY, current_key, folder_of, load_run, new_run_key
from pages.components.jobs import Job, find_job, show_run_of, start_job, unopened_upload
from pages.components.markup import text_table
from pages.components.server import is_shared
from pages.components.text import escape_markdown, safe_table

_TYPES = ("jsonl", "ndjson", "json", "csv", "tsv", "parquet", "xlsx")
_FIELDS = ("diff", "review", "system")
_STARTED = "data_started"
_TEMPLATE = (
    "id,system,diff,review,human_relevance\n"
    '1,reviewer A,"--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-timeout = 5\n+timeout = 50\n",'
    "Why is the timeout ten times as long?,4\n"
)


def offer_upload() -> None:
    """Let the user upload a file of reviews, and score it at once."""
    upload = st.file_uploader(
        "Upload a file of reviews, each with the change it is about",
        type=list(_TYPES),
        max_upload_size=MAX_DOCUMENT // 2**20,
        help="One row per review, with at least a diff and a review. Columns are recognised by "
        "their names. GitHub's review comments can be uploaded as `gh api` prints them.",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            "The file stays on this server. Only people with this page's link can see it."
            if is_shared()
            else "The file stays on this machine. Every session of this app can open it."
        )
        st.download_button(
            "Template",
            _TEMPLATE,
            "reviews.csv",
            "text/csv",
            icon=":material/download:",
            type="tertiary",
        )
    if isinstance(upload, UploadedFile):
        _score_upload(upload)


def _score_upload(upload: UploadedFile) -> None:
    started: dict[str, str] = st.session_state.setdefault(_STARTED, {})
    if upload.file_id not in started:
        started[upload.file_id] = _start_scoring(upload, {})
        st.rerun()
    job = find_job(started[upload.file_id])
    if job is None or job.error is None:
        if job is not None and not job.is_over:
            st.info("The reviews are being scored; the sidebar shows the progress.")
        return
    st.error(f"{escape_markdown(upload.name)}: {escape_markdown(job.error)}")
    with st.form("data_columns"):
        st.markdown("If your columns have other names, enter them here:")
        with st.container(horizontal=True):
            columns = {
                field: st.text_input(f"Column with the {field}", key=f"data_column_{field}")
                for field in _FIELDS
            }
        if st.form_submit_button("Score again", type="primary"):
            names = {field: column for field, column in columns.items() if column}
            started[upload.file_id] = _start_scoring(upload, names)
            st.rerun()


def _start_scoring(upload: UploadedFile, columns: dict[str, str]) -> str:
    """Start to score the file; return the key of its run."""
    key = new_run_key()
    folder = user_cache_path("crscore", ensure_exists=True) / "uploads"
    folder.mkdir(exist_ok=True)
    # Of the upload's name, only known endings are used.
    endings = [part for part in Path(upload.name).suffixes[-2:] if part[1:].lower() in _TYPES]
    path = folder / f"{key}{''.join(endings).lower()}"
    path.write_bytes(upload.getvalue())
    options = [f"--column={field}={column}" for field, column in columns.items()]
    arguments = ["batch", str(path), "-o", str(folder_of(key)), "--name", upload.name, *options]
    start_job(Job(key, upload.name, arguments, shows=key, upload=path, unfinished=folder_of(key)))
    return key


def show_import() -> None:
    """Show what was read from a file, rejected rows with reasons, and a link to the ranking.

    The file is the upload that was just scored, or else the file of the current run.
    """
    scored = unopened_upload()
    key = current_key() if scored is None else scored.shows
    if key == STUDY or ((job := find_job(key)) is not None and not job.is_over):
        return
    try:
        settings = read_settings(folder_of(key))
        run = load_run(key)
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    st.header(escape_markdown(settings.get("name") or "This run"), anchor=False)
    n_rejected = settings.get("n_rejected")
    st.success(
        f"Read and scored: {counted(len(run.reviews), 'review')} of "
        f"{counted(len(run.changes), 'change')} by "
        f"{counted(run.reviews['system'].nunique(), 'system')}."
        + (f" Not read: {counted(n_rejected, 'row')}." if n_rejected else ""),
        icon=":material/check:",
    )
    warnings = kinds_of_warnings(run.reviews)
    if not warnings.empty:
        st.markdown("**What limits the scores**")
        text_table(warnings, wide=("warning", "example"))
    if st.button(
        "Open the ranking",
        type="primary",
        on_click=None if scored is None else show_run_of,
        args=(scored,),
    ):
        st.switch_page("pages/rankings.py")
    _show_left_out(run, settings)
    if columns := settings.get("columns"):
        table = pd.DataFrame(columns).rename(columns={"read_as": "read as", "filled": "cells"})
        st.dataframe(safe_table(table), hide_index=True)


def _show_left_out(run: Run, settings: dict[str, Any]) -> None:
    """Show the rows that were not read and the changes without scores, with reasons."""
    if rejected := settings.get("rejected", []):
        st.warning("These rows could not be read. Fix the file and upload it again.")
        st.dataframe(safe_table(pd.DataFrame(rejected)), hide_index=True)
    unscored = run.changes[run.changes["left_out"].notna()]
    if not unscored.empty:
        st.warning(f"{counted(len(unscored), 'change')} cannot be scored.")
        reasons = unscored[["change", "left_out"]].rename(columns={"left_out": "reason"})
        st.dataframe(safe_table(reasons), hide_index=True)
    for warning in settings.get("warnings", ()):
        st.warning(escape_markdown(warning))
