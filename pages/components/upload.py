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
from pages.components.jobs import Job, dismiss_job, find_job, start_job, uploads_folder
from pages.components.server import is_shared, who_can_open
from pages.components.text import describe_error, escape_markdown

_TYPES = ("jsonl", "ndjson", "json", "csv", "tsv", "parquet", "xlsx", *PACKED)
_STARTED, _ASKED, _GROUP = "data_started", "data_asked", "data_group"
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
    return isinstance(upload, UploadedFile) and _score_upload(upload, group=group)


def _score_upload(upload: UploadedFile, *, group: bool) -> bool:
    started: dict[str, str] = st.session_state.setdefault(_STARTED, {})
    name = f"{upload.file_id} {group}"
    if name not in started:
        started[name] = _start_scoring(upload, ["--ask", *_group_option(group=group)])
        st.rerun()
    job = find_job(started[name])
    if job is not None and not job.is_finished:
        st.info("The sidebar shows the progress. The reviews open here when they are scored.")
    if job is None or job.error is None:
        return False
    asked: dict[str, Sequence[dict[str, Any]]] = st.session_state.setdefault(_ASKED, {})
    if job.columns:
        asked[upload.file_id] = job.columns
    if not job.columns or not is_complete(job.columns):
        st.error(f"{escape_markdown(upload.name)}: {describe_error(job.error)}")
    if upload.file_id not in asked:
        return False
    if roles := ask_roles(upload.name, asked[upload.file_id], upload.file_id):
        dismiss_job(job)
        columns = [f"--column={column}={role}" for column, role in roles.items()]
        started[name] = _start_scoring(upload, [*columns, *_group_option(group=group)])
        st.rerun()
    return True


def _group_option(*, group: bool) -> list[str]:
    return ["--group"] if group else []


def _start_scoring(upload: UploadedFile, options: Sequence[str]) -> str:
    key = new_run_key()
    ending = Path(upload.name).suffix.lower()  # no other part of the name is used
    path = uploads_folder() / f"{key}{ending if ending[1:] in _TYPES else ''}"
    create_private(path).write_bytes(upload.getvalue())
    runs_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    arguments = [
        "batch",
        str(path),
        "-o",
        str(run_path(key)),
        "--name",
        upload.name,
        *options,
    ]
    start_job(Job(key, upload.name, arguments, run_key=key, upload=path, run_folder=run_path(key)))
    return key
