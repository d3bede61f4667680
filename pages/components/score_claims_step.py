"""The step of the Score page that makes claims, beside the page where a model takes long."""

import secrets
import threading
from dataclasses import dataclass, replace
from typing import NoReturn

import streamlit as st
from cachetools import LRUCache

from crscore_core.claims import StreamedAnswers, StreamProgress
from crscore_core.errors import InputError
from crscore_core.job import MOST_JOBS, Job, JobBoard, JobState, Line
from pages.components.job_view import watch_job
from pages.components.score_claims import (
    ClaimQuestion,
    ClaimTable,
    MadeClaims,
    claims_held_for,
    edit_claims,
    edits_of_another,
    keep_claims,
    make_claims,
    offer_to_drop,
)
from pages.components.score_form import ScoreInputs, fill_form
from pages.components.text import escape_markdown

RUN = "claims_run"
"""Name of the run of a language model, in the address and in the session."""

_FOUND = "claims_run_found"
_IS_OPEN, _WAS_OPEN = "claims_open", "claims_were_open"
_ANSWER_HEIGHT = 240
_AT_ONCE = 2
_models: JobBoard[StreamProgress, MadeClaims] = JobBoard(Line(_AT_ONCE))


@dataclass(frozen=True, slots=True)
class ClaimsRun:
    """A language model that makes claims for a form; `then_score` asks for scores after it."""

    inputs: ScoreInputs
    question: ClaimQuestion
    job: Job[StreamProgress, MadeClaims]
    then_score: bool

    @property
    def is_running(self) -> bool:
        """True until the model has ended, also while it is being stopped."""
        return not self.job.now().is_over

    @property
    def made(self) -> MadeClaims | None:
        """The claims; None while the model runs, and where it was stopped or failed."""
        return self.job.now().result


_runs: LRUCache[str, ClaimsRun] = LRUCache(MOST_JOBS)
_runs_lock = threading.Lock()
"""Runs by the keys that addresses have."""


@dataclass(frozen=True, slots=True)
class ClaimsStep:
    """State of the step.

    `table` holds the claims that belong to the form, None while there are none. While `is_blocked`
    nothing can be scored. `score_now` is True once, when the claims that scoring waited for have
    come. `is_running` is True if a language model was seen at work; it may end at any time.
    """

    table: ClaimTable | None
    is_blocked: bool
    score_now: bool
    is_running: bool


def find_run() -> None:
    """Find the run of the address after a reload, and fill the form, shown after this."""
    with _runs_lock:
        run = _runs.get(st.query_params.get(RUN, ""))
    if run is not None and RUN not in st.session_state and "inputs" not in st.session_state:
        fill_form(run.inputs)
        st.session_state[_FOUND] = run


def claims_step(inputs: ScoreInputs) -> ClaimsStep:
    """Show the claims that belong to the form, or offer to make them."""
    question = ClaimQuestion.of(inputs)
    if found := st.session_state.pop(_FOUND, None):
        # Files and secrets of the form are not filled in.
        st.session_state[RUN] = replace(found, question=question)
    others = edits_of_another(question)
    if others is not None:
        # Claims that a language model made meanwhile wait until it is said which are to go.
        offer_to_drop(others)
        return ClaimsStep(None, is_blocked=True, score_now=False, is_running=_is_running())
    score_now = _take_result(question)
    is_running = _is_running()
    table = claims_held_for(question)
    # A widget forgets while another page is shown whether it was open.
    st.session_state.setdefault(_IS_OPEN, st.session_state.get(_WAS_OPEN, False))
    section = st.expander("Claims", key=_IS_OPEN, on_change="rerun")
    st.session_state[_WAS_OPEN] = section.open
    with section:
        if table is not None:
            table = edit_claims(table)
        else:
            st.caption(
                "Claims are made when Score is pressed. Make them now to read, edit, add or "
                "remove some before."
            )
            if st.button("Make claims", icon=":material/list_alt:", disabled=is_running):
                _make(inputs)
    return ClaimsStep(table, is_blocked=is_running, score_now=score_now, is_running=is_running)


def begin_run(inputs: ScoreInputs, *, then_score: bool) -> NoReturn:
    """Start a language model for a session that has none at work, and run the page again."""
    question, key = ClaimQuestion.of(inputs), secrets.token_urlsafe(16)
    job = _models.begin(
        key,
        lambda note, stopping: make_claims(question, StreamedAnswers(note, stopping)),
        "the language model",
    )
    st.session_state[RUN] = run = ClaimsRun(inputs, question, job, then_score)
    with _runs_lock:
        _runs[key] = run
    st.query_params[RUN] = key
    st.rerun()


def run_in_view(inputs: ScoreInputs, step: ClaimsStep) -> None:
    """Show the language model at work, or why it gave no claims for the form.

    `step` decides which, as the page above was built by it.
    """
    run: ClaimsRun | None = st.session_state.get(RUN)
    if run is None:
        return
    question = ClaimQuestion.of(inputs)
    if step.is_running:
        watch_job(
            run.job,
            lambda progress: f"**Making claims.** {_pace(run.job.age(), progress)}",
            _show_answer,
        )
    elif run.made is None:
        end = run.job.now()
        if run.question == question and end.state is JobState.STOPPED:
            st.info("The language model was stopped.")
        elif run.question == question:
            st.error(escape_markdown(str(end.error)))
    elif edits_of_another(question) is None:
        st.rerun()  # it has ended since the step looked for its claims


def _is_running() -> bool:
    run: ClaimsRun | None = st.session_state.get(RUN)
    return run is not None and run.is_running


def _take_result(question: ClaimQuestion) -> bool:
    """Hold the claims of a run that is done; return True if they are to be scored at once."""
    run: ClaimsRun | None = st.session_state.get(RUN)
    if run is None or run.made is None:
        return False
    del st.session_state[RUN]
    st.query_params.pop(RUN, None)
    if run.question != question:
        st.info("The claims came for a form that has changed since, and are not used.")
        return False
    keep_claims(replace(run.made, question=question))
    if run.job.is_stopping:
        st.info("The language model was done before it could be stopped; its claims are kept.")
        return False
    return run.then_score


def _make(inputs: ScoreInputs) -> None:
    if inputs.claims.is_slow:
        begin_run(inputs, then_score=False)
    try:
        keep_claims(make_claims(ClaimQuestion.of(inputs)))
    except InputError as error:
        st.error(escape_markdown(str(error)))
    else:
        st.rerun()


def _show_answer(progress: StreamProgress | None) -> None:
    if progress is not None:
        with st.container(height=_ANSWER_HEIGHT, border=False, autoscroll=True):
            st.code(progress.text, language=None, wrap_lines=True)


def _pace(age: float, progress: StreamProgress | None) -> str:
    if progress is None:
        return f"Waiting for the first token, {age:.0f} s …"
    unit = "token" if progress.tokens == 1 else "tokens"
    text = f"{progress.tokens:,} {unit} in {progress.seconds:.0f} s"
    if progress.seconds < 1:
        return f"{text} …"
    return f"{text}, {progress.tokens / progress.seconds:.1f} a second …"
