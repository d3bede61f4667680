"""The step of the Score page that makes claims and lets a person go over them."""

from dataclasses import dataclass
from typing import NoReturn

import streamlit as st

from crscore_core.errors import InputError
from pages.components.claims_run import ClaimsRun, show_end, show_run, start_run
from pages.components.claims_table import ClaimTable
from pages.components.held_claims import (
    claims_held_for,
    edit_held,
    edits_of_another,
    keep_claims,
    offer_to_drop,
)
from pages.components.made_claims import ClaimQuestion, make_claims
from pages.components.text import escape_markdown

__all__ = ["ClaimsStep", "begin_run", "claims_step", "run_in_view"]

_RUN = "claims_run"
_IS_OPEN = "claims_open"
_WAS_OPEN = "claims_were_open"


@dataclass(frozen=True, slots=True)
class ClaimsStep:
    """Where the step stands.

    `table` holds the claims that belong to the form, None while there are none. While `is_blocked`
    nothing can be scored. `score_now` says that scoring waited for claims, which are there now.
    `is_running` is whether a language model was seen at work, which may end at any time.
    """

    table: ClaimTable | None
    is_blocked: bool
    score_now: bool
    is_running: bool


def claims_step(question: ClaimQuestion) -> ClaimsStep:
    """Show the claims that belong to the form, or offer to make them."""
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
            table = edit_held(table)
        else:
            st.caption(
                "Claims are made when Score is pressed. Make them now to read, edit, add or "
                "remove some before."
            )
            if st.button("Make claims", icon=":material/list_alt:", disabled=is_running):
                _make(question)
    return ClaimsStep(table, is_blocked=is_running, score_now=score_now, is_running=is_running)


def begin_run(question: ClaimQuestion, *, then_score: bool) -> NoReturn:
    """Let a language model begin, where none is at work; the page runs again."""
    st.session_state[_RUN] = start_run(question, then_score=then_score)
    st.rerun()


def run_in_view(question: ClaimQuestion, step: ClaimsStep) -> None:
    """Show the language model at work, or why it gave no claims for what the form holds.

    It goes by what `step` saw, as the page before it did.
    """
    run: ClaimsRun | None = st.session_state.get(_RUN)
    if run is None:
        return
    if step.is_running:
        show_run(run)
    elif run.made is None:
        if run.question == question:
            show_end(run)
    elif edits_of_another(question) is None:
        st.rerun()  # it has ended since the step looked for its claims


def _is_running() -> bool:
    run: ClaimsRun | None = st.session_state.get(_RUN)
    return run is not None and run.is_running


def _take_result(question: ClaimQuestion) -> bool:
    """Keep what a run gave; whether that is to be scored at once."""
    run: ClaimsRun | None = st.session_state.get(_RUN)
    if run is None or run.made is None:
        return False
    del st.session_state[_RUN]
    if run.question != question:
        st.info("The claims came for a form that has changed since, and are not used.")
        return False
    keep_claims(run.made)
    if run.job.is_stopping:
        st.info("The language model was done before it could be stopped; its claims are kept.")
        return False
    return run.then_score


def _make(question: ClaimQuestion) -> None:
    if question.claims.is_slow:
        begin_run(question, then_score=False)
    try:
        keep_claims(make_claims(question))
    except InputError as error:
        st.error(escape_markdown(str(error)))
    else:
        st.rerun()
