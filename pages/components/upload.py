"""Upload of a file of reviews, which `crscore batch` then scores."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from crscore_eval.run.folder import create_private
from crscore_eval.table.cells import MAX_DOCUMENT
from crscore_eval.table.files import PACKED
from pages.components import jobs
from pages.components.column_roles import ask_roles, is_complete
from pages.components.current_run import new_run_key, run_path, runs_folder
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

    Return True while it is read and scored, or the user is asked what its columns contain.
    """
    upload = st.file_uploader(
        "Upload a file of reviews and their changes",
        type=list(_TYPES),
        max_upload_size=MAX_DOCUMENT // 2**20,
        help="One row per review, with at least its diff and its text, or GitHub's review comments "
        "as `gh api` prints them. If a column is unclear, the page asks.",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"The file stays on this {'server' if is_shared() else 'machine'}, and its reviews "
            f"become a run. {who_can_open()}"
        )
        st.download_button("Template", _TEMPLATE, "reviews.csv", "text/csv", icon=":material/csv:")
    group = st.toggle("Join a reviewer's comments on a change into one review", key=_GROUP)
    if isinstance(upload, UploadedFile):
        _score_upload(upload, ["--group"] if group else [])
    known = [*jobs.browser_jobs().values()]
    if running := [job for job in known if job.upload is not None and not job.is_finished]:
        st.fragment(_show_running, run_every=1.0)(running)
    waiting = [job for job in known if job.is_finished and job.columns]
    for job in waiting[-1:]:
        _ask_about_columns(job)
    return bool(running or waiting)


def _score_upload(upload: UploadedFile, options: Sequence[str]) -> None:
    started: dict[str, str] = st.session_state.setdefault(_STARTED, {})
    name = f"{upload.file_id} {options}"
    if name not in started:
        started[name] = _start_scoring(upload.name, upload.getvalue(), ["--ask", *options])
        st.rerun()
    job = jobs.browser_jobs().get(started[name])
    if job is not None and job.error is not None and not job.columns:
        st.error(f"{escape_markdown(upload.name)}: {describe_error(job.error)}")


def _show_running(running: Sequence[jobs.Job]) -> None:
    """Show what is done and what comes next; the sidebar reruns the page when a job ends."""
    for job in running:
        jobs.show_progress(job)
        asks = "the page asks about unclear columns, and then " * ("--ask" in job.arguments)
        next_step = f"{asks}the reviews are scored" if job.total is None else "the run opens here"
        st.caption(f"The rows are {'not ' * (job.total is None)}read. Next, {next_step}.")


def _ask_about_columns(job: jobs.Job) -> None:
    """Ask what the columns of a job's file contain, and score it once the user has confirmed."""
    if job.error is not None and (not is_complete(job.columns) or "--ask" not in job.arguments):
        st.error(f"{escape_markdown(job.title)}: {describe_error(job.error)}")
    roles = ask_roles(job.title, job.columns, job.key)
    if roles and job.upload is not None:
        content, asked = job.upload.read_bytes(), job.columns
        jobs.dismiss_job(job)
        options = [f"--column={column}={role}" for column, role in roles.items()]
        options += [option for option in job.arguments if option == "--group"]
        _start_scoring(job.title, content, options, asked)
        st.rerun()


def _start_scoring(
    name: str, content: bytes, options: Sequence[str], columns: Sequence[dict[str, Any]] = ()
) -> str:
    key = new_run_key()
    ending = Path(name).suffix.lower()  # no other part of the name is used
    path = jobs.uploads_folder() / f"{key}{ending if ending[1:] in _TYPES else ''}"
    create_private(path).write_bytes(content)
    folder = run_path(key)
    runs_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    arguments = ["batch", str(path), "-o", str(folder), "--name", name, *options]
    jobs.start_job(
        jobs.Job(key, name, arguments, key, upload=path, run_folder=folder, columns=columns)
    )
    return key
