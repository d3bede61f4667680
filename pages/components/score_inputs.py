"""The inputs of the Score page: a change, reviews of it, and the options of scoring."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core.change import LANGUAGE_TITLES, MAX_BYTES
from crscore_core.claims import CLAIM_BACKENDS, DEFAULT_CLAIMS, ModelOptions
from crscore_core.scoring import DEFAULT_ENCODER, PRESETS, canonical_name
from pages.components.model_options import choose_model_options
from pages.components.score_claims import ClaimRequest, ClaimTable, show_claims
from pages.components.server import is_shared
from pages.components.tau_slider import ask_tau

_DIFF_HEIGHT, _REVIEW_HEIGHT = 290, 95  # pixels
_N_REVIEWS = "number_of_reviews"
_AUTOMATIC = "from the file name"


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """The contents of the form; `reviews` and `new_files` are pairs of a name and the content.

    tau: None if encoder and claims have a preset, or the user has not entered a number.
    """

    request: ClaimRequest
    reviews: tuple[tuple[str, str], ...]
    encoder: str
    new_files: tuple[tuple[str, bytes], ...] = ()
    tau: float | None = None


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
            st.button(
                "Clear",
                icon=":material/backspace:",
                on_click=fill_fields,
                args=("", [("", "")]),
                help="Empties the diff and the reviews.",
            )
    with st.expander("Options: files, language, claims, encoder"):
        inputs = _choose_options(diff or "", reviews)
        return inputs, show_claims(inputs.request), button_place


def fill_fields(diff: str, reviews: Sequence[tuple[str, str]]) -> None:
    """Fill the fields with a diff and with names and texts of reviews; a callback."""
    st.session_state["diff"] = diff
    st.session_state[_N_REVIEWS] = 0
    for name, text in reviews:
        _add_review(name, text)


def _add_review(name: str = "", text: str = "") -> None:
    number = st.session_state[_N_REVIEWS] = st.session_state[_N_REVIEWS] + 1
    st.session_state.update({f"name_{number}": name, f"review_{number}": text})


def _remove_review() -> None:
    st.session_state[_N_REVIEWS] -= 1


def _show_reviews(count: int) -> tuple[tuple[str, str], ...]:
    """Show the fields of each review; return its name and its text."""
    reviews = []
    for number in range(1, count + 1):
        text = st.text_area(
            f"Review {number}",
            key=f"review_{number}",
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
        reviews.append((name or f"Review {number}", text or ""))
    return tuple(reviews)


def _choose_options(diff: str, reviews: tuple[tuple[str, str], ...]) -> ScoreInputs:
    new_files = st.file_uploader(
        "Complete changed files",
        accept_multiple_files=True,
        key="new_files",
        max_upload_size=math.ceil(MAX_BYTES / 1_000_000),
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
        "They can be edited below.",
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
