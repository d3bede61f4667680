"""A language model that judges the current run."""

import os

import streamlit as st

from crscore_eval.judge import JUDGE_QUESTIONS
from crscore_eval.table import judge_columns
from pages.components.current_run import STUDY, current_key, current_run, run_path
from pages.components.jobs import Job, is_running, start_job
from pages.components.model_options import NO_KEY
from pages.components.server import is_shared

_NO_SERVER = "Unavailable: no server is configured. Set OPENAI_BASE_URL when you start the app."


def offer_judge() -> None:
    """Let a language model judge the reviews of the run that pages show."""
    key = current_key()
    if key == STUDY:
        return
    st.header("Judge these reviews", anchor=False)
    st.write(
        "A language model judges whether the findings of each review are right and whether the "
        "review is worth saying. The metric measures neither."
    )
    if is_running(_job_key(key)):
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
    folder = str(run_path(key))
    arguments = ["judge", folder, "-o", folder, "--question", str(question), "--model", model]
    start_job(
        Job(
            _job_key(key),
            f"Judging with {model}",
            [*arguments, "--base-url", base_url],
            run_key=key,
            # The key in the environment is sent only to the URL in the environment.
            environment={"OPENAI_API_KEY": api_key or NO_KEY} if api_key or is_typed else {},
        )
    )
    st.rerun()


def _job_key(key: str) -> str:
    return f"judge {key}"
