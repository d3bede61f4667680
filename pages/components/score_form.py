"""The form of the Score page: the user's diff and reviews, scored on demand and kept as a run."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from crscore_core import CRScorer, InputError, ReviewScore
from crscore_core.change import LANGUAGE_TITLES
from crscore_core.claims import PseudoReference
from crscore_core.text import decode_file
from crscore_eval.run.own_change import save_scores
from crscore_eval.table import Run
from pages.components.current_run import (
    STUDY,
    current_key,
    load_run,
    new_run_key,
    run_path,
    show_run,
)
from pages.components.score_claims import ClaimTable, generate_claims
from pages.components.score_inputs import ScoreInputs, fill_fields, show_inputs
from pages.components.score_result import cached_encoder, show_scores
from pages.components.server import browser_state
from pages.components.text import escape_markdown

_OUTCOME, _FORM = "outcome", "form"
_KEPT = re.compile(
    r"diff|number_of_reviews|(name|review)_\d+|language|own_tau|edited_.*|claims"
    r"|claims_\w+_(model|base_url|max_tokens)"
)
"""Keys of the fields that a reload keeps, which are all but files and the API key."""

_MAX_REVIEWS = 20
"""Maximum number of reviews of a run that fill the form."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The scores and claims of a form, or an error."""

    inputs: ScoreInputs
    claims: tuple[PseudoReference, ...] = ()
    scores: tuple[ReviewScore, ...] = ()
    error: str | None = None


def show_form() -> None:
    """Show the form, and the scores of its contents."""
    if "diff" not in st.session_state:  # the session is new
        st.session_state.update(browser_state().get(_FORM, {}))
    outcome: Outcome | None = st.session_state.get(_OUTCOME)
    is_scored = outcome is not None and outcome.error is None
    with st.expander("Diff, reviews and options", expanded=not is_scored):
        inputs, table, button_place = show_inputs()
    is_pressed = button_place.button(
        "Score", type="primary", icon=":material/play_arrow:", shortcut="Ctrl+Enter"
    )
    if is_pressed:
        _forget_scores()  # in case the user stops this run
        st.session_state[_OUTCOME] = _score(inputs, table)
        st.rerun()
    _show_outcome(inputs, table.claims if table else None)


@st.fragment
def _show_outcome(inputs: ScoreInputs, claims: tuple[PseudoReference, ...] | None) -> None:
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
    fields = st.session_state.items()
    browser_state()[_FORM] = {key: text for key, text in fields if _KEPT.fullmatch(str(key))}


def _offer_run(outcome: Outcome, shown: Sequence[ReviewScore]) -> None:
    """Offer to save the scores shown as a run, which is then shown on the Heatmap page."""
    help_text = (
        "Shows the run on the Heatmap page. The address there is a link to it. The form itself is "
        "kept for this browser, until the app stops."
    )
    if not st.button("Save as a run", icon=":material/save:", help=help_text):
        return
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
    else:
        show_run(key, "pages/heatmap.py")


def _forget_scores() -> None:
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


def offer_change_of_run() -> None:
    """Say that this page does not show the run; offer to edit its change if it has only one."""
    key = current_key()
    if key == STUDY:
        return
    try:
        run = load_run(key)
    except InputError:
        return  # the other pages show the reason
    is_small = len(run.changes) == 1 and len(run.reviews) <= _MAX_REVIEWS
    name = escape_markdown(run.settings["name"] or "the chosen run")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"This page shows examples and own changes only; the other pages show {name}.",
            width="content",
        )
        if is_small and run.changes["diff"].iat[0] not in {"", st.session_state.get("diff")}:
            st.button(
                "Edit its change here",
                icon=":material/edit:",
                on_click=_fill_form,
                args=(run,),
                help="Fills the form with its diff and reviews. Score makes its pseudo-references "
                "anew.",
            )


def _fill_form(run: Run) -> None:
    """Fill the form with the only change of a run and its reviews; a callback."""
    change = run.changes.iloc[0]
    reviews = zip(run.reviews["system"], run.reviews["review"], strict=True)
    fill_fields(change["diff"], list(reviews))
    language = change["language"]
    st.session_state["language"] = language if language in LANGUAGE_TITLES else None
    st.session_state["view"] = "own"
    _forget_scores()
