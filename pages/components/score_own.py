"""A diff and reviews of one's own on the Score page, scored on demand."""

from dataclasses import dataclass

import streamlit as st
from crscore_core.job import Desk
from pages.components.judging import ask_judge
from pages.components.source.load import encoder_of

from crscore_core import CRScorer, InputError, ReviewScore
from crscore_core.claims.edited import ClaimRow
from crscore_core.scoring.scorer import Question
from crscore_core.text import text_of_file
from pages.components.controls import tau_slider
from pages.components.score_claims import (
    ClaimTable,
    claims_section,
    hold_claims,
    make_claims,
    show_model,
    start_model,
    take_claims,
)
from pages.components.score_form import ScoreInputs, score_form
from pages.components.score_result import show_scores
from pages.components.text import escape_markdown, in_line

_AT_ONCE, _MOST_CHARACTERS = 2, 200_000
_desk: Desk[Question, list[ReviewScore]] = Desk(_AT_ONCE, _MOST_CHARACTERS)
"""Scores of all sessions. An analyzer that starts once for many is most of what can be saved."""

_OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Scores of a form, or the error that says what to change.

    `rows` are the claims that were scored, after editing.
    """

    inputs: ScoreInputs
    rows: tuple[ClaimRow, ...] = ()
    scores: tuple[ReviewScore, ...] = ()
    error: str | None = None


def show_form() -> None:
    """Show the form, and the scores of what it holds."""
    inputs, place, options = score_form()
    model, score_now = take_claims(inputs.question)
    is_running = model is not None and model.job.now().error is None
    with options:
        table = claims_section(inputs.question, is_running=is_running)
    with place:
        is_pressed = st.button(
            "Score",
            type="primary",
            icon=":material/play_arrow:",
            disabled=is_running,
            shortcut="Ctrl+Enter",
        )
    if is_pressed or score_now:
        empty = next((review.name for review in inputs.reviews if not review.text.strip()), None)
        if empty is not None:
            advice = "write it" if len(inputs.reviews) == 1 else "write it or remove it"
            outcome = Outcome(inputs, error=f"{empty} is empty; {advice}")
        elif table is None and inputs.question.is_slow:
            start_model(inputs.question, then_score=True)
        else:
            outcome = _score(inputs, table)
        st.session_state[_OUTCOME] = outcome
        st.rerun()
    if model is not None:
        show_model(model, inputs.question)
    _show_outcome(inputs, table.rows if table else None)


@st.fragment
def _show_outcome(inputs: ScoreInputs, rows: tuple[ClaimRow, ...] | None) -> None:
    """Show the last scores, the threshold, and all that depends on it."""
    outcome: Outcome | None = st.session_state.get(_OUTCOME)
    if outcome is None:
        begin = "Press Score" if inputs.question.diff else "Paste a diff and a review"
        st.info(f"{begin} to see how much of the change the reviews cover, and why.")
    elif outcome.error is not None:
        st.error(escape_markdown(outcome.error))
    else:
        tau = tau_slider(outcome.inputs.encoder, outcome.inputs.question.backend or "")
        if (outcome.inputs, outcome.rows) != (inputs, rows):
            st.warning("The form has changed since; press Score to see what that does.")
        show_scores(
            [one.at(tau) for one in outcome.scores],
            [review.name for review in outcome.inputs.reviews],
        )
        ask_judge(outcome.inputs.question.diff, outcome.inputs.reviews)


def _score(inputs: ScoreInputs, table: ClaimTable | None) -> Outcome:
    """Score the reviews of the form, together with those of others who wait, and show the place.

    The claims are those of `table`; without a table they are made and held.
    """
    with st.status("Scoring …") as status:
        try:
            if table is None:
                status.update(label="Making claims …")
                table = make_claims(inputs.question)
                hold_claims(inputs.question, table)
            scorer = CRScorer(
                claims=table.edited,
                encoder=encoder_of(inputs.encoder),
                tau=0.0,  # replaced by the slider
            )
            question = scorer.question(
                table.change,
                [review.text for review in inputs.reviews],
                new_files={
                    name: text_of_file(content, f"file {name!r}")
                    for name, content in inputs.new_files
                },
            )
            status.update(label="Analysing the change and comparing the reviews with it …")
            scores = _desk.ask(
                (inputs.encoder,),
                question,
                len(inputs.question.diff) + sum(map(len, question.reviews)),
                scorer.answers,
                lambda place: status.update(label=f"Scoring: {in_line(place)} …"),
            )
        except InputError as error:
            status.update(label="Not scored", state="error", expanded=False)
            return Outcome(inputs, error=str(error))
        status.update(label="Scored", state="complete", expanded=False)
    return Outcome(inputs, table.rows, tuple(scores))
