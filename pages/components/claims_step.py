"""The step of the Score page that makes claims and lets a person go over them."""

from dataclasses import dataclass
from typing import NoReturn

import streamlit as st

from crscore_core.errors import InputError
from pages.components.claims_run import ClaimsRun, show_run, show_stop, start_run
from pages.components.claims_table import ClaimTable, counts_in_words, edit_claims
from pages.components.made_claims import ClaimQuestion, MadeClaims, make_claims
from pages.components.text import escape_markdown

__all__ = ["ClaimsStep", "begin_run", "claims_step", "keep_claims", "run_in_view"]

_TABLE = "claim_table"
_RUN = "claims_run"
_IS_OPEN = "claims_open"
_WAS_OPEN = "claims_were_open"


@dataclass(frozen=True, slots=True)
class ClaimsStep:
    """Where the step stands.

    `table` holds the claims that belong to the form, None while there are none. While `is_blocked`
    nothing can be scored. `score_now` says that scoring waited for claims, which are there now.
    """

    table: ClaimTable | None
    is_blocked: bool
    score_now: bool


def claims_step(question: ClaimQuestion) -> ClaimsStep:
    """Show the claims that belong to the form, or offer to make them."""
    score_now = _take_result(question)
    run: ClaimsRun | None = st.session_state.get(_RUN)
    is_running = run is not None and run.is_running
    table: ClaimTable | None = st.session_state.get(_TABLE)
    fits = table is not None and table.made.question == question
    if table is not None and not fits and table.edited.counts.is_edited:
        _offer_to_drop(table)
        return ClaimsStep(None, is_blocked=True, score_now=False)
    # A widget forgets while another page is shown whether it was open.
    st.session_state.setdefault(_IS_OPEN, st.session_state.get(_WAS_OPEN, False))
    section = st.expander("Claims", key=_IS_OPEN, on_change="rerun")
    st.session_state[_WAS_OPEN] = section.open
    with section:
        if table is not None and fits:
            table = _edit(table)
        else:
            table = None
            st.caption(
                "Claims are made when Score is pressed. Make them now to read, edit, add or "
                "remove some before."
            )
            if st.button("Make claims", icon=":material/list_alt:", disabled=is_running):
                _make(question)
    return ClaimsStep(table, is_running, score_now)


def keep_claims(made: MadeClaims) -> ClaimTable:
    """Show `made` from now on, as nobody has touched them."""
    table = ClaimTable.of(made)
    st.session_state[_TABLE] = table
    return table


def begin_run(question: ClaimQuestion, *, then_score: bool) -> NoReturn:
    """Let a language model begin; the page runs again."""
    st.session_state[_RUN] = start_run(question, then_score=then_score)
    st.rerun()


def run_in_view(question: ClaimQuestion) -> None:
    """Show the language model at work, or why it gave no claims for what the form holds."""
    run: ClaimsRun | None = st.session_state.get(_RUN)
    if run is not None and run.is_running:
        show_run(run)
    elif run is not None and run.question == question:
        show_stop(run)


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


def _edit(table: ClaimTable) -> ClaimTable:
    table = edit_claims(table)
    st.session_state[_TABLE] = table
    counts = table.edited.counts
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(counts_in_words(counts))
        if st.button("Reset", icon=":material/undo:", disabled=not counts.is_edited):
            keep_claims(table.made)
            st.rerun()
    return table


def _offer_to_drop(table: ClaimTable) -> None:
    st.warning(
        "The claims edited by hand belong to another diff, language or backend than the form "
        f"now holds: {counts_in_words(table.edited.counts)} They are not used for this one. "
        "Drop them to go on, or put the form back to have them again."
    )
    if st.button("Drop the edited claims", icon=":material/delete:"):
        del st.session_state[_TABLE]
        st.rerun()
