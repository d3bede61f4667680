"""A language model that judges the current run."""

import streamlit as st

from crscore_eval.table import judge_columns
from pages.components.current_run import STUDY, current_key, current_run, run_path
from pages.components.jobs import Job, is_running, start_job
from pages.components.model_options import availability, choose_model_options


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
    _show_judge_form(key)


def _show_judge_form(key: str) -> None:
    options = choose_model_options("endpoint")
    is_available, _ = availability("endpoint", options)
    if not st.button("Judge", type="primary", icon=":material/gavel:", disabled=not is_available):
        return
    folder = str(run_path(key))
    arguments = ["judge", folder, "-o", folder, "--max-tokens", str(options.max_tokens)]
    if options.model:
        arguments += ["--model", options.model]
    if options.base_url:
        arguments += ["--base-url", options.base_url]
    environment = {} if options.api_key is None else {"OPENAI_API_KEY": options.api_key}
    start_job(
        Job(_job_key(key), "Judging reviews", arguments, run_key=key, environment=environment)
    )
    st.rerun()


def _job_key(key: str) -> str:
    return f"judge {key}"
