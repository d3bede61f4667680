"""The form of the Score page: the user's diff and reviews, scored on demand."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from crscore_core import CRScorer, InputError, ReviewScore
from crscore_core.claims import PseudoReference
from crscore_core.text import decode_file
from crscore_eval.run.own_change import save_scores
from pages.components.current_run import current_key, new_run_key, run_path, show_run
from pages.components.score_claims import ClaimTable, generate_claims, show_claims
from pages.components.score_fields import show_fields
from pages.components.score_options import ScoreInputs, choose_options
from pages.components.score_result import cached_encoder, show_scores
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
        forget_scores()  # in case the user stops this run
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
        if (outcome.inputs, outcome.claims) != (inputs, claims):
            st.warning("The form has changed since these scores. Press Score to update them.")
        names = [name for name, _ in outcome.inputs.reviews]
        change = outcome.inputs.request
        shown = show_scores(outcome.scores, names, (change.diff, change.language))
        _offer_run(outcome, shown)


def _offer_run(outcome: Outcome, shown: Sequence[ReviewScore]) -> None:
    """Offer to save the scores shown as a run; link to the run until the reviews are edited."""
    texts = [score.review for score in shown]
    if st.button("Save as a run", icon=":material/save:"):
        key = _save(outcome, shown)
        if key is not None:
            st.session_state[_SAVED] = key, outcome, texts
            show_run(key)
    key, saved, saved_texts = st.session_state.get(_SAVED, (None, None, None))
    if key == current_key() and saved is outcome and saved_texts == texts:
        st.success(
            "Saved, and chosen under *Reviews shown*. The addresses of the other pages are links "
            "to it."
        )
        st.page_link(
            "pages/heatmap.py",
            label="Open it",
            icon=":material/grid_on:",
            query_params={"data": key},
        )


def _save(outcome: Outcome, shown: Sequence[ReviewScore]) -> str | None:
    """Save the scores as a run and return its key; show the reason and return None if it fails."""
    key, change = new_run_key(), outcome.inputs.request
    try:
        save_scores(
            run_path(key),
            shown,
            [name for name, _ in outcome.inputs.reviews],
            (change.diff, change.language or ""),
        )
    except (InputError, OSError) as error:
        st.error(escape_markdown(str(error)))
        return None
    return key


def forget_scores() -> None:
    """Forget the last scores, so that the form is open; a callback."""
    st.session_state.pop(_OUTCOME, None)


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
