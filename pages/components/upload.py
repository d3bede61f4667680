"""Upload of a file of reviews, which `crscore batch` then scores."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from crscore_eval.run.folder import create_private
from crscore_eval.table.cells import MAX_DOCUMENT
from crscore_eval.table.files import PACKED
from pages.components.column_roles import ask_roles, is_complete
from pages.components.current_run import new_run_key, run_path, runs_folder
from pages.components.jobs import Job, browser_jobs, dismiss_job, start_job, uploads_folder
from pages.components.server import is_shared, who_can_open
from pages.components.text import describe_error, escape_markdown

_TYPES = ("jsonl", "ndjson", "json", "csv", "tsv", "parquet", "xlsx", *PACKED)
_STARTED, _GROUP = "data_started", "data_group"
_TEMPLATE = (
    "id,system,diff,review,human_relevance\n"
    '1,reviewer A,"--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-timeout = 5\n+timeout = 50\n",'
    "Why is the timeout ten times as long?,4\n"
)


def offer_upload() -> bool:
    """Let the user upload a file of reviews, and score it once its columns are clear.

    Return True while the user is asked what its columns contain.
    """
    upload = st.file_uploader(
        "Upload a file of reviews and their changes",
        type=list(_TYPES),
        max_upload_size=MAX_DOCUMENT // 2**20,
        help="One row per review, with at least its diff and its text. Columns are recognised by "
        "their cells and names; if a column is unclear, the page asks. You can upload GitHub's "
        "review comments as `gh api` prints them.",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"The file stays on this {'server' if is_shared() else 'machine'}, and its reviews "
            f"become a run. {who_can_open()}"
        )
        st.download_button(
            "Template",
            _TEMPLATE,
            "reviews.csv",
            "text/csv",
            icon=":material/download:",
            type="tertiary",
        )
    group = st.toggle(
        "Join a reviewer's comments on a change",
        key=_GROUP,
        help="Combines all comments by one reviewer on one change into one review.",
    )
    if isinstance(upload, UploadedFile):
        _score_upload(upload, ["--group"] if group else [])
    jobs = [*browser_jobs().values()]
    waiting = [job for job in jobs if job.is_finished and job.columns]
    for job in waiting[-1:]:
        _ask_about_columns(job)
    return bool(waiting)


def _score_upload(upload: UploadedFile, options: Sequence[str]) -> None:
    started: dict[str, str] = st.session_state.setdefault(_STARTED, {})
    name = f"{upload.file_id} {options}"
    if name not in started:
        started[name] = _start_scoring(upload.name, upload.getvalue(), ["--ask", *options])
        st.rerun()
    job = browser_jobs().get(started[name])
    if job is not None and not job.is_finished:
        st.info("The sidebar shows the progress. The reviews open here when they are scored.")
    elif job is not None and job.error is not None and not job.columns:
        st.error(f"{escape_markdown(upload.name)}: {describe_error(job.error)}")


def _ask_about_columns(job: Job) -> None:
    """Ask what the columns of a job's file contain, and score it once the user has confirmed."""
    if job.error is not None and (not is_complete(job.columns) or "--ask" not in job.arguments):
        st.error(f"{escape_markdown(job.title)}: {describe_error(job.error)}")
    roles = ask_roles(job.title, job.columns, job.key)
    if roles and job.upload is not None:
        content, asked = job.upload.read_bytes(), job.columns
        dismiss_job(job)
        options = [f"--column={column}={role}" for column, role in roles.items()]
        options += [option for option in job.arguments if option == "--group"]
        _start_scoring(job.title, content, options, asked)
        st.rerun()


def _start_scoring(
    name: str, content: bytes, options: Sequence[str], columns: Sequence[dict[str, Any]] = ()
) -> str:
    key = new_run_key()
    ending = Path(name).suffix.lower()  # no other part of the name is used
    path = uploads_folder() / f"{key}{ending if ending[1:] in _TYPES else ''}"
    create_private(path).write_bytes(content)
    folder = run_path(key)
    runs_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    arguments = ["batch", str(path), "-o", str(folder), "--name", name, *options]
    start_job(Job(key, name, arguments, key, upload=path, run_folder=folder, columns=columns))
    return key
