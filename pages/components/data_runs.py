"""The runs on this machine, and a language model that judges the current run."""

import os

import pandas as pd
import streamlit as st

from crscore_eval.judge import JUDGE_QUESTIONS
from crscore_eval.table import judge_columns
from pages.components.current_run import (
    STUDY,
    current_key,
    current_run,
    folder_of,
    listed_runs,
    runs_folder,
)
from pages.components.jobs import Job, find_job, start_job
from pages.components.model_options import NO_KEY
from pages.components.server import is_shared
from pages.components.text import safe_table

_COLUMNS = {"name": "name", "n_reviews": "reviews", "claims": "claims", "created": "created"}
_NO_SERVER = "Unavailable: no server configured. Start the app with OPENAI_BASE_URL set."


def show_runs() -> None:
    """List the runs that the sidebar offers."""
    st.header("Runs", anchor=False)
    runs = listed_runs()
    if not runs:
        st.write("The app's folder has no runs yet. Upload a file, or use `crscore batch`.")
        return
    table = pd.DataFrame(runs).reindex(columns=list(_COLUMNS)).rename(columns=_COLUMNS)
    created = pd.to_datetime(table["created"], utc=True, format="ISO8601")
    table["created"] = created.dt.strftime("%d %b %Y, %H:%M").fillna("")
    st.dataframe(safe_table(table), hide_index=True)
    if not is_shared():
        st.write(f"Choose a run in the sidebar. Runs are in the folder `{runs_folder()}`.")


def offer_judge() -> None:
    """Let a language model judge the reviews of the run that pages show."""
    key = current_key()
    if key == STUDY:
        return
    st.header("Judge these reviews", anchor=False)
    st.write(
        "A language model says whether the findings of each review are right and whether the "
        "review is worth saying. The metric measures neither."
    )
    job = find_job(_job_key(key))
    if job is not None and not job.is_over:
        st.info("The reviews are being judged; the sidebar shows the progress.")
        return
    run = current_run()
    if run is None:
        return
    if columns := judge_columns(run.reviews):
        st.success(f"Judged: {', '.join(columns)}", icon=":material/check:")
    if is_shared() and "OPENAI_BASE_URL" not in os.environ:
        st.info(_NO_SERVER)
        return
    _show_judge_form(key)


def _show_judge_form(key: str) -> None:
    with st.form("judge", border=False):
        base_url = os.environ.get("OPENAI_BASE_URL", "")
        if not is_shared():
            base_url = st.text_input("Base URL of an OpenAI-compatible server", base_url)
        model = st.text_input("Model")
        api_key = st.text_input(
            "API key", type="password", help="Sent only to the server, and not stored."
        )
        question = st.selectbox(
            "Question", list(JUDGE_QUESTIONS), format_func=lambda name: JUDGE_QUESTIONS[name].title
        )
        is_pressed = st.form_submit_button("Judge", type="primary", icon=":material/gavel:")
    if not is_pressed:
        return
    if not base_url or not model:
        st.error("Enter a base URL and a model.")
        return
    is_typed = base_url != os.environ.get("OPENAI_BASE_URL")
    folder = str(folder_of(key))
    arguments = ["judge", folder, "-o", folder, "--question", str(question), "--model", model]
    start_job(
        Job(
            _job_key(key),
            f"Judging with {model}",
            [*arguments, "--base-url", base_url],
            shows=key,
            # The key in the environment is sent only to the URL in the environment.
            environment={"OPENAI_API_KEY": api_key or NO_KEY} if api_key or is_typed else {},
        )
    )
    st.rerun()


def _job_key(key: str) -> str:
    return f"judge {key}"
