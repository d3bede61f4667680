"""The form of the Score page: a diff and reviews of one's own, scored on demand."""

import streamlit as st

from pages.components.score_claims_step import begin_run, claims_step, find_run, run_in_view
from pages.components.score_file import offer_form, upload_form
from pages.components.score_form import ScoreInputs, score_form
from pages.components.score_result import Outcome, score, show_scores
from pages.components.tau import tau_slider
from pages.components.text import escape_markdown


@st.fragment
def _results(inputs: ScoreInputs) -> None:
    """Show the threshold and all that depends on it."""
    outcome: Outcome | None = st.session_state.get("outcome")
    shown = outcome.inputs if outcome is not None and outcome.scores else inputs
    tau = tau_slider(shown.encoder, shown.claims.backend or "")
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
    inputs, place, options = score_form()
    with options:
        step = claims_step(inputs)
        upload_form()
        offer_form(inputs, step.table)
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
        st.rerun()
    run_in_view(inputs, step)
    st.session_state["inputs"] = inputs
    st.session_state["rows"] = step.table.rows if step.table is not None else None
    _results(inputs)
