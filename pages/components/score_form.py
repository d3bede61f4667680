"""Form on the Score page: a change, reviews and options, scored on demand and saved as a run."""

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Thread

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core import CRScorer, InputError, ReviewScore
from crscore_core.change import LANGUAGE_TITLES, MAX_DIFF_BYTES
from crscore_core.claims import CLAIM_BACKENDS, DEFAULT_CLAIMS, ModelOptions, PseudoReference
from crscore_core.scoring import DEFAULT_ENCODER, PRESETS, canonical_name, load_encoder
from crscore_core.text import counted, decode_file
from crscore_eval.formatting import capitalize_first
from crscore_eval.run.own_change import save_scores
from crscore_eval.table import Run
from pages.components.current_run import STUDY, current_key, load_run, new_run_key, run_path
from pages.components.model_options import choose_model_options
from pages.components.review_choice import REVIEW
from pages.components.score_claims import ClaimRequest, ClaimTable, generate_claims, show_claims
from pages.components.score_result import show_scores
from pages.components.server import browser_state, is_shared, who_can_open
from pages.components.tau_slider import ask_tau
from pages.components.text import escape_markdown
from pages.components.url import switch_page

_DIFF_HEIGHT, _REVIEW_HEIGHT = 290, 95  # pixels
_N_REVIEWS = "number_of_reviews"
_AUTOMATIC = "from the file name"


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """The contents of the form.

    reviews: maps the key of each review's field to the review's name and text.
    new_files: the name and the content of each file.
    tau: None if the encoder and claims have a preset, or if the user has not entered a number.
    """

    request: ClaimRequest
    reviews: Mapping[str, tuple[str, str]]
    encoder: str
    new_files: tuple[tuple[str, bytes], ...] = ()
    tau: float | None = None

    @property
    def names(self) -> dict[str, str]:
        """The names of the reviews that have text, by the key of the field."""
        return {key: name for key, (name, text) in self.reviews.items() if text.strip()}


def show_inputs() -> tuple[ScoreInputs, ClaimTable | None, DeltaGenerator]:
    """Show the fields and options; return their contents, the claims, and a place for a button."""
    left, right = st.columns(2)
    diff = left.text_area(
        "Diff",
        key="diff",
        persist_state="session",
        height=_DIFF_HEIGHT,
        placeholder="The output of `git diff`, or a hunk that starts with @@",
    )
    with right:
        reviews = _show_reviews(st.session_state.setdefault(_N_REVIEWS, 1))
        with st.container(horizontal=True):
            button_place = st.container(width="content")
            st.button("Add a review", icon=":material/add:", on_click=_add_review)
            if len(reviews) > 1:
                st.button("Remove the last", on_click=_remove_review)
            st.button("Clear", on_click=fill_fields, args=("", [("", "")]))
    with st.expander("Options: files, language, claims, encoder"):
        inputs = _choose_options(diff or "", reviews)
        return inputs, show_claims(inputs.request), button_place


def fill_fields(diff: str, reviews: Sequence[tuple[str, str]]) -> None:
    """Fill the fields with a diff and with names and texts of reviews; a callback.

    Earlier scores are removed.
    """
    _forget_scores()
    st.session_state["diff"] = diff
    st.session_state[_N_REVIEWS] = 0
    for name, text in reviews:
        _add_review(name, text)


def _add_review(name: str = "", text: str = "") -> None:
    number = st.session_state[_N_REVIEWS] = st.session_state[_N_REVIEWS] + 1
    st.session_state.update({f"name_{number}": name, f"review_{number}": text})


def _remove_review() -> None:
    st.session_state[_N_REVIEWS] -= 1


def _show_reviews(count: int) -> dict[str, tuple[str, str]]:
    reviews = {}
    for number in range(1, count + 1):
        text = st.text_area(
            f"Review {number}",
            key=(key := f"review_{number}"),
            persist_state="session",
            height=_DIFF_HEIGHT - 58 if count == 1 else _REVIEW_HEIGHT,
        )
        name: str | None = ""
        if count > 1:
            name = st.text_input(
                f"Name of review {number}",
                key=f"name_{number}",
                persist_state="session",
                placeholder=f"Name (default: Review {number})",
                label_visibility="collapsed",
            )
        reviews[key] = name or f"Review {number}", text or ""
    return reviews


def _choose_options(diff: str, reviews: Mapping[str, tuple[str, str]]) -> ScoreInputs:
    new_files = st.file_uploader(
        "Complete changed files",
        accept_multiple_files=True,
        key="new_files",
        max_upload_size=math.ceil(MAX_DIFF_BYTES / 1_000_000),
        help="The new version of each changed file. Without it, the analyzers see only the hunks. "
        "Files are matched by name.",
    )
    columns = st.columns(3)
    language = columns[0].selectbox(
        "Language",
        [None, *LANGUAGE_TITLES],
        format_func=lambda key: _AUTOMATIC if key is None else LANGUAGE_TITLES[key],
        placeholder=_AUTOMATIC,  # shown for None after a visit to another page
        key="language",
        persist_state="session",
        help="Used for hunks without a file name.",
    )
    backend = columns[1].selectbox(
        "Claims",
        list(CLAIM_BACKENDS),
        key="claims",
        persist_state="session",
        help="symbolic: rules that read only the diff. magicoder and endpoint: a language model. "
        "You can edit the claims below.",
    )
    encoder = columns[2].selectbox(
        "Encoder",
        list(dict.fromkeys(encoder for encoder, _ in PRESETS)),
        key="encoder",
        accept_new_options=not is_shared(),
        bind="query-params",
        help=f"{DEFAULT_ENCODER} comes with the app. On your own machine, you can also enter the "
        "name of a sentence-transformers model, which is downloaded at its first use, or a folder.",
    )
    name, backend = canonical_name(encoder or DEFAULT_ENCODER), backend or DEFAULT_CLAIMS
    has_options = CLAIM_BACKENDS[backend].options
    options = choose_model_options(backend) if has_options else ModelOptions()
    return ScoreInputs(
        ClaimRequest(diff, language, backend, options),
        reviews,
        name,
        tuple((upload.name, upload.getvalue()) for upload in new_files or ()),
        ask_tau(name, backend, "own_tau"),
    )


_OUTCOME, _FORM = "outcome", "form"
_IS_OPEN, _FOLDED_FOR = "form_is_open", "form_folded_for"
_KEPT = re.compile(
    r"diff|number_of_reviews|(name|review)_\d+|language|own_tau|claims"
    r"|claims_\w+_(model|base_url|max_tokens)"
)
"""Keys of the fields that survive a reload: all except files and the API key."""

_MAX_REVIEWS = 20  # in a run whose change can be edited here


@dataclass(frozen=True, slots=True)
class Outcome:
    """The scores and claims of a form, or an error."""

    inputs: ScoreInputs
    claims: tuple[PseudoReference, ...] = ()
    scores: tuple[ReviewScore, ...] = ()
    error: str | None = None


@st.cache_resource(show_spinner=False)
def _load_encoder_ahead() -> None:
    """Load the default encoder in the background, while the first user fills in the form."""

    def load() -> None:
        with suppress(InputError):  # scoring will show it
            load_encoder()

    Thread(target=load, daemon=True).start()


def show_form() -> None:
    """Show the form, and the scores of its contents."""
    _load_encoder_ahead()
    if "diff" not in st.session_state:  # a new session
        st.session_state.update(browser_state().get(_FORM, {}))
    outcome: Outcome | None = st.session_state.get(_OUTCOME)
    is_scored = outcome is not None and outcome.error is None
    if st.session_state.get(_FOLDED_FOR) is not outcome:  # also if the user has opened it
        st.session_state.update({_FOLDED_FOR: outcome, _IS_OPEN: not is_scored})
    label = "Diff, reviews and options"
    with st.expander(label, expanded=not is_scored, key=_IS_OPEN, on_change="rerun"):
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
        st.info(
            f"{advice} to see how much of the change the reviews cover, and why. Links to this "
            "page contain no change; to share scores, save them as a run."
        )
    elif outcome.error is not None:
        st.error(escape_markdown(capitalize_first(outcome.error)))
    else:
        if any(text != st.session_state[key] for key, (_, text) in inputs.reviews.items()):
            st.rerun()  # a review was edited below, and the form is outside this fragment
        names = outcome.inputs.names  # scores follow the texts of these reviews in the form
        same_reviews = replace(outcome.inputs, reviews=inputs.reviews), outcome.claims, names
        if same_reviews != (inputs, claims, inputs.names):
            st.warning("The form has changed since these scores. Press Score to update them.")
        if n_empty := len(outcome.inputs.reviews) - len(names):
            st.caption(f"Not scored because empty: {counted(n_empty, 'review')}.")
        change, place_to_save = outcome.inputs.request, st.container()
        rows, at = show_scores(outcome.scores, names, (change.diff, change.language))
        with place_to_save:
            _offer_run(change, rows, at)
    fields = st.session_state.items()
    browser_state()[_FORM] = {key: text for key, text in fields if _KEPT.fullmatch(str(key))}


def _offer_run(change: ClaimRequest, rows: Sequence[tuple[str, ReviewScore]], at: int) -> None:
    """Offer to save the reviews, with their names, and then show the one in detail, `rows[at]`."""
    with st.container(horizontal=True, vertical_alignment="center"):
        is_pressed = st.button("Save as a run", icon=":material/save:")
        note = "Only a saved run has a link. A reload keeps the form, but not the scores."
        st.caption(f"{note} {who_can_open()}", width="content")
    if not is_pressed:
        return
    key = new_run_key()
    names, reviews = zip(*rows, strict=True)
    try:
        diff = change.diff, change.language or ""
        save_scores(run_path(key), reviews, names, diff)
    except (InputError, OSError) as error:
        st.error(escape_markdown(str(error)))
    else:
        st.toast("Saved as a run", icon=":material/save:")
        switch_page("pages/heatmap.py", **{"data": key, REVIEW: f"{at + 1}"})


def _forget_scores() -> None:
    st.session_state.pop(_OUTCOME, None)


def _score(inputs: ScoreInputs, table: ClaimTable | None) -> Outcome:
    needed = {"a diff": inputs.request.diff.strip(), "a review": inputs.names}
    if missing := [name for name, given in needed.items() if not given]:
        return Outcome(inputs, error=f"enter {' and '.join(missing)}")
    if len(dict(inputs.new_files)) < len(inputs.new_files):
        return Outcome(inputs, error="two files have the same name; upload only one of them")
    try:
        if table is None:
            table = generate_claims(inputs.request)
        with st.spinner("Analysing the change and comparing the reviews with it …"):
            scorer = CRScorer(claims=table.edited_backend, encoder=inputs.encoder, tau=inputs.tau)
            files = {
                name: decode_file(content, f"file {name!r}") for name, content in inputs.new_files
            }
            texts = [inputs.reviews[key][1] for key in inputs.names]
            scores = scorer.score_many(table.change, texts, new_files=files or None)
    except InputError as error:
        return Outcome(inputs, error=str(error))
    return Outcome(inputs, table.claims, tuple(scores))


def offer_change_of_run() -> None:
    """Offer to edit the change of the run that other pages show, if it has only one."""
    key = current_key()
    if key == STUDY:
        return
    try:
        run = load_run(key)
    except InputError:
        return  # the other pages show the reason
    is_small = len(run.changes) == 1 and len(run.reviews) <= _MAX_REVIEWS
    if is_small and run.changes["diff"].iat[0] not in {"", st.session_state.get("diff")}:
        name = escape_markdown(run.settings["name"] or "the chosen run")
        st.button(f"Edit the change of {name}", on_click=_fill_form, args=(run,))


def _fill_form(run: Run) -> None:
    change = run.changes.iloc[0]
    reviews = zip(run.reviews["system"], run.reviews["review"], strict=True)
    fill_fields(change["diff"], list(reviews))
    language = change["language"]
    st.session_state["language"] = language if language in LANGUAGE_TITLES else None
    st.session_state["view"] = "own"
