"""The form of the Score page: a diff and reviews of one's own, scored on demand."""

import streamlit as st

from pages.components.address import is_back, restore, write_address
from pages.components.score_claims_step import begin_run, claims_step, find_run, run_in_view
from pages.components.score_form import ScoreInputs, fill_form, score_form
from pages.components.score_kept import KEPT_HOURS, KeptScore, find_score, offer_link
from pages.components.score_result import Outcome, open_score, score, show_scores
from pages.components.tau import tau_slider
from pages.components.text import escape_markdown

SCORED = "scored"  # the name of the scored form, in the address and in the session


def _find_kept() -> KeptScore | None:
    """Find the scored form of the address, if another one is shown, and fill the form with it."""
    shown = st.session_state.get(SCORED)
    if not restore(SCORED):
        if is_back():  # to the form before it was scored
            st.session_state[SCORED] = st.session_state["outcome"] = None
        return None
    if st.session_state[SCORED] == shown:  # what was typed since it was scored stays
        return None
    kept = find_score(st.session_state[SCORED])
    st.session_state["outcome"] = None
    if kept is None:
        st.warning(
            f"The scores of this address are not here any more: the server keeps them {KEPT_HOURS} "
            "hours, and fewer where many are kept."
        )
        st.session_state[SCORED] = None
    else:
        fill_form(kept.inputs)
    return kept


@st.fragment
def _results(inputs: ScoreInputs) -> None:
    """Show the threshold and all that depends on it."""
    outcome: Outcome | None = st.session_state.get("outcome")
    shown = outcome.inputs if outcome is not None and outcome.scores else inputs
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tau = tau_slider(shown.encoder, shown.claims.backend or "")
        if outcome is not None and outcome.name is not None:
            offer_link(outcome.name, tau)
    if outcome is None:
        is_filled = bool(st.session_state["inputs"].diff)
        begin = "Press Score" if is_filled else "Paste a diff and a review"
        st.info(f"{begin} to see how much of the change the reviews cover, and why.")
    elif outcome.error is not None:
        st.error(escape_markdown(outcome.error))
    else:
        if outcome.inputs != st.session_state["inputs"] or outcome.rows != st.session_state["rows"]:
            st.warning("The form has changed since; press Score to see what that does.")
        show_scores(
            [one.at(tau) for one in outcome.scores],
            [review.name for review in outcome.inputs.reviews],
        )


def show_form() -> None:
    """Show the form, and the scores of what it holds."""
    find_run()
    kept = _find_kept()
    inputs, place, options = score_form()
    if kept is not None:
        st.session_state["outcome"] = open_score(st.session_state[SCORED], kept, inputs)
    with options:
        step = claims_step(inputs)
    with place:
        is_pressed = st.button(
            "Score",
            type="primary",
            icon=":material/play_arrow:",
            disabled=step.is_blocked,
            shortcut="Ctrl+Enter",
        )
    if is_pressed or step.score_now:
        empty = next((review.name for review in inputs.reviews if not review.text.strip()), None)
        if empty is not None:
            advice = "write it" if len(inputs.reviews) == 1 else "write it or remove it"
            outcome = Outcome(inputs, error=f"{empty} is empty; {advice}")
        elif step.table is None and inputs.claims.is_slow:
            begin_run(inputs, then_score=True)
        else:
            outcome = score(inputs, step.table)
        st.session_state["outcome"] = outcome
        st.session_state[SCORED] = outcome.name
        st.rerun()
    write_address(SCORED, st.session_state.get(SCORED))
    run_in_view(inputs, step)
    st.session_state["inputs"] = inputs
    st.session_state["rows"] = step.table.rows if step.table is not None else None
    _results(inputs)
