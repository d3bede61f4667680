"""The form of the Score page: the user's diff and reviews, scored on demand."""

from dataclasses import dataclass, replace

import streamlit as st

from crscore_core import CRScorer, InputError, ReviewScore
from crscore_core.claims import PseudoReference
from crscore_core.text import decode_file
from crscore_eval.run.own_change import save_scores
from pages.components.current_run import new_run_key, run_path
from pages.components.score_claims import ClaimTable, generate_claims, show_claims
from pages.components.score_fields import show_fields
from pages.components.score_options import ScoreInputs, choose_options
from pages.components.score_result import best_similarities, cached_encoder, show_scores
from pages.components.tau_slider import tau_slider
from pages.components.text import escape_markdown

_OUTCOME, _SAVED = "outcome", "saved_outcome"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The scores and claims of a form, or an error."""

    inputs: ScoreInputs
    claims: tuple[PseudoReference, ...] = ()
    scores: tuple[ReviewScore, ...] = ()
    error: str | None = None


def show_form() -> None:
    """Show the form, and the scores of its contents."""
    outcome: Outcome | None = st.session_state.get(_OUTCOME)
    is_scored = outcome is not None and outcome.error is None
    with st.expander("Diff, reviews and options", expanded=not is_scored):
        fields = show_fields()
        with st.expander("Options: files, language, claims, encoder"):
            inputs = choose_options(fields)
            table = show_claims(inputs.request)
    with fields.button_place:
        is_pressed = st.button(
            "Score", type="primary", icon=":material/play_arrow:", shortcut="Ctrl+Enter"
        )
    if is_pressed:
        st.session_state.pop(_OUTCOME, None)  # in case the user stops this run
        st.session_state[_OUTCOME] = _score(inputs, table)
        st.rerun()
    _show_outcome(inputs, table.claims if table else None)


@st.fragment
def _show_outcome(inputs: ScoreInputs, claims: tuple[PseudoReference, ...] | None) -> None:
    """Show the last scores, and the threshold that they depend on."""
    outcome: Outcome | None = st.session_state.get(_OUTCOME)
    if outcome is None:
        advice = "Press Score" if inputs.request.diff else "Paste a diff and a review"
        st.info(f"{advice} to see how much of the change the reviews cover, and why.")
    elif outcome.error is not None:
        st.error(escape_markdown(outcome.error))
    else:
        signature = outcome.scores[0].signature
        similarities = best_similarities(outcome.scores)
        tau = tau_slider(outcome.inputs.encoder, signature.claims, signature.tau, similarities)
        if (outcome.inputs, outcome.claims) != (inputs, claims):
            st.warning("The form has changed since these scores. Press Score to update them.")
        names = [name for name, _ in outcome.inputs.reviews]
        change = outcome.inputs.request
        scores = [score.at(tau) for score in outcome.scores]
        show_scores(scores, names, (change.diff, change.language))
        st.button("Save as a run", icon=":material/save:", on_click=_save, args=(outcome,))
        if st.session_state.get(_SAVED) is outcome:
            st.success("Saved. All pages show it now; their addresses are links to it.")
            st.page_link("pages/heatmap.py", label="Open it", icon=":material/grid_on:")


def _save(outcome: Outcome) -> None:
    """Save the scores as a run, and let the pages show it; a callback."""
    key, change = new_run_key(), outcome.inputs.request
    try:
        save_scores(
            run_path(key),
            outcome.scores,
            [name for name, _ in outcome.inputs.reviews],
            (change.diff, change.language),
            cached_encoder(outcome.inputs.encoder),
        )
    except (InputError, OSError) as error:
        st.session_state[_OUTCOME] = replace(outcome, error=str(error))
    else:
        st.session_state["data"], st.session_state[_SAVED] = key, outcome


def _score(inputs: ScoreInputs, table: ClaimTable | None) -> Outcome:
    """Score the reviews of the form; generate the claims first unless a table has them."""
    empty = next((name for name, text in inputs.reviews if not text.strip()), None)
    if empty is not None:
        advice = "enter a review" if len(inputs.reviews) == 1 else "enter a review or remove it"
        return Outcome(inputs, error=f"{empty} is empty; {advice}")
    if len(dict(inputs.new_files)) < len(inputs.new_files):
        return Outcome(inputs, error="two files have the same name; upload only one of them")
    try:
        if table is None:
            table = generate_claims(inputs.request)
        with st.spinner("Analysing the change and comparing the reviews with it …"):
            claims, encoder = table.edited_backend, cached_encoder(inputs.encoder)
            scorer = CRScorer(claims=claims, encoder=encoder, tau=inputs.tau)
            files = {
                name: decode_file(content, f"file {name!r}") for name, content in inputs.new_files
            }
            texts = [text for _, text in inputs.reviews]
            scores = scorer.score_many(table.change, texts, new_files=files or None)
    except InputError as error:
        return Outcome(inputs, error=str(error))
    return Outcome(inputs, table.claims, tuple(scores))
