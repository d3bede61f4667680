"""Language models: their options, their availability, and judging a run."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core.claims import CLAIM_BACKENDS, MAX_TOKENS, ModelOptions
from crscore_core.errors import InputError
from crscore_eval.table import judge_columns
from pages.components.current_run import STUDY, current_key, current_run, run_path
from pages.components.jobs import Job, browser_jobs, start_job
from pages.components.server import is_shared
from pages.components.text import escape_markdown

_LABELS = {"model": "Model", "base_url": "Base URL", "api_key": "API key"}
_HELP = {
    "model": "Name of the model; for magicoder, a Hub model or its folder.",
    "base_url": "URL of an OpenAI-compatible server, which receives the diff and the key. Leave "
    "empty to use the URL in this app's environment.",
    "api_key": "Sent only to the base URL, kept for this session, and never shown. Leave empty to "
    "use the key in this app's environment, which is sent only to the URL in the environment.",
}
_SECONDS_AVAILABLE = 20


def choose_model_options(name: str) -> ModelOptions:
    """Show the option fields of a backend, and whether it is available with their values.

    On a shared server, users cannot enter URLs, folders or keys; the environment sets them.
    """
    backend = CLAIM_BACKENDS[name]
    fields = [] if is_shared() else [option for option in backend.options if option in _LABELS]
    values = {
        option: _show_field(f"claims_{name}_{option}", option, column)
        for option, column in zip(fields, st.columns(max(1, len(fields))), strict=False)
    }
    max_tokens = st.number_input(
        "Maximum answer length in tokens",
        min_value=1,
        value=MAX_TOKENS,
        key=f"claims_{name}_max_tokens",
        persist_state="session",
        help="A model that reasons before it answers needs a higher maximum.",
    )
    base_url = values.get("base_url")
    if base_url and values.get("api_key") is None:
        # Otherwise the key in this app's environment would be sent to any URL that a user enters.
        values["api_key"] = ""
    options = ModelOptions(**values, max_tokens=max_tokens)
    is_available, reason = availability(name, options)
    if is_available:
        st.caption(f":material/check_circle: Available. {escape_markdown(reason)}")
    else:
        st.caption(
            f":material/block: Unavailable: {escape_markdown(reason)}. "
            f"Needs {escape_markdown(backend.needs)}."
        )
    if base_url:
        st.caption(":material/upload: The diff will be sent to the server at this base URL.")
    return options


def _show_field(key: str, option: str, column: DeltaGenerator) -> str | None:
    text = column.text_input(
        _LABELS[option],
        key=key,
        type="password" if option == "api_key" else "default",
        persist_state="session",
        help=_HELP[option],
    )
    # Text copied from a web page may contain invisible characters.
    return "".join(filter(str.isprintable, text or "")).strip() or None


@st.cache_data(ttl=_SECONDS_AVAILABLE, max_entries=100, show_spinner="Checking the backend")
def availability(name: str, options: ModelOptions) -> tuple[bool, str]:
    """Return whether a backend can run now, and the reason."""
    try:
        return True, CLAIM_BACKENDS[name].check(options)
    except (InputError, OSError) as error:
        return False, str(error)


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
    job = browser_jobs().get(_job_key(key))
    if job is not None and not job.is_finished:
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
