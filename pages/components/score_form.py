"""The form of the Score page: a change, reviews of it, and the options of scoring."""

import math
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from crscore_core.change import LANGUAGES, MAX_BYTES
from crscore_core.claims import CLAIM_BACKENDS, DEFAULT_CLAIMS, ClaimOptions
from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER, PRESETS, canonical_name
from crscore_core.text import text_of_file
from crscore_eval.data.examples import load_examples
from pages.components.controls import two_columns
from pages.components.model_options import choose_claim_options
from pages.components.score_draft import restore_draft, save_draft
from pages.components.server import is_shared
from pages.components.text import escape_markdown

_EXAMPLE = "exchange-rate-cache"
_EXAMPLE_REVIEWS = (1, 3)
_WRITTEN = "given below"
_AUTOMATIC = "from the file name"
_UPLOAD_MEGABYTES = math.ceil(MAX_BYTES / 1_000_000)
_DIFF_HEIGHT, _REVIEW_HEIGHT = 290, 95  # pixels
_N_REVIEWS, _UPLOAD = "number_of_reviews", "diff_upload"
_IN_DRAFT, _DEFAULTS = ("language", "claims", "given_claims"), (None, "", DEFAULT_CLAIMS)
"""Keys of the options that a draft keeps, and their default values, which it leaves out."""

_NO_OPTIONS = ClaimOptions()
_FIXED_WIDTH = (
    "<style>.st-key-diff textarea { font: 0.85rem/1.5 'Source Code Pro', monospace; }</style>"
)


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """A change, and the source of claims about it.

    backend: name of a backend, which has `options`; None if the user wrote the claims.
    claims: text of the claims that the user wrote.
    """

    diff: str
    language: str | None
    backend: str | None = DEFAULT_CLAIMS
    options: ClaimOptions = _NO_OPTIONS
    claims: str = ""


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """The contents of the form; `reviews` and `new_files` are pairs of a name and the content."""

    request: ClaimRequest
    reviews: tuple[tuple[str, str], ...]
    encoder: str
    new_files: tuple[tuple[str, bytes], ...] = ()


def score_form() -> tuple[ScoreInputs, DeltaGenerator, DeltaGenerator]:
    """Show the form; return its contents, the place of the Score button, and the options.

    It starts with an example, or with the draft in the URL.
    """
    st.html(_FIXED_WIDTH)
    if _N_REVIEWS not in st.session_state:
        _fill(_example())
    if (draft := restore_draft()) is not None:
        _fill(draft)
    left, right = two_columns()
    with left:
        diff = st.text_area(
            "Diff",
            key="diff",
            persist_state="session",
            height=_DIFF_HEIGHT,
            placeholder="The output of `git diff`, or a hunk that starts with @@",
        )
    with right:
        entries = _show_reviews()
        with st.container(horizontal=True):
            button_place = st.container(width="content")
            st.button("Add a review", icon=":material/add:", on_click=_add_review)
            if len(entries) > 1:
                st.button("Remove the last", on_click=_remove_review)
            st.button(
                "Clear",
                icon=":material/backspace:",
                on_click=_fill,
                args=({},),
                help="Empties the diff and the reviews.",
            )
    draft = {"diff": diff, "reviews": entries}
    if draft == _example():
        st.caption("This is an example: replace it with your change and your reviews.")
    options = {key: st.session_state.get(key) for key in _IN_DRAFT}
    if options := {key: value for key, value in options.items() if value not in _DEFAULTS}:
        draft["options"] = options
    save_draft(draft, _example())
    reviews = tuple(
        (name or f"Review {n}", text) for n, (name, text) in enumerate(entries, start=1)
    )
    expander = st.expander("Options: files, language, claims, encoder")
    with expander:
        return _show_options(diff, reviews), button_place, expander


@st.cache_data(show_spinner=False)
def _example() -> dict[str, Any]:
    """Return the draft that the form starts with."""
    example = load_examples()[_EXAMPLE]
    texts = list(example.reviews.values())
    return {"diff": example.diff, "reviews": [["", texts[index]] for index in _EXAMPLE_REVIEWS]}


def _fill(draft: dict[str, Any]) -> None:
    """Fill the form from a draft; an empty draft clears it. Also a callback."""
    reviews = draft.get("reviews") or [["", ""]]
    st.session_state["diff"] = draft.get("diff", "")
    st.session_state[_N_REVIEWS] = len(reviews)
    for number, (name, text) in enumerate(reviews, start=1):
        st.session_state[f"name_{number}"] = name
        st.session_state[f"review_{number}"] = text
    st.session_state.update(draft.get("options", {}))


def _show_reviews() -> list[list[str]]:
    """Show two fields for each review; return its name, empty for a single review, and its text."""
    count: int = st.session_state[_N_REVIEWS]
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
        reviews.append([name or "", text or ""])
    return reviews


def _add_review() -> None:
    number = st.session_state[_N_REVIEWS] = st.session_state[_N_REVIEWS] + 1
    for field in ("name", "review"):  # they may have the text of a removed review
        st.session_state[f"{field}_{number}"] = ""


def _remove_review() -> None:
    st.session_state[_N_REVIEWS] -= 1


def _fill_from_upload() -> None:
    """Put an uploaded diff into the field Diff; a callback."""
    upload = st.session_state[_UPLOAD]
    if isinstance(upload, UploadedFile):
        try:
            st.session_state["diff"] = text_of_file(upload.getvalue(), f"file {upload.name!r}")
        except InputError as error:
            st.error(escape_markdown(str(error)))


def _show_options(diff: str, reviews: tuple[tuple[str, str], ...]) -> ScoreInputs:
    """Show the options; return the contents of the form."""
    left, right = st.columns(2)
    left.file_uploader(
        "Upload a diff",
        key=_UPLOAD,
        max_upload_size=_UPLOAD_MEGABYTES,
        on_change=_fill_from_upload,
        help="It replaces the text in the field Diff.",
    )
    new_files = right.file_uploader(
        "Complete changed files",
        accept_multiple_files=True,
        key="new_files",
        max_upload_size=_UPLOAD_MEGABYTES,
        help="The new version of each changed file. Without it, the analyzers see only the hunks. "
        "Files are matched by name.",
    )
    columns = st.columns(3)
    language = columns[0].selectbox(
        "Language",
        [None, *LANGUAGES],
        format_func=lambda key: _AUTOMATIC if key is None else LANGUAGES[key],
        placeholder=_AUTOMATIC,  # shown for None after a visit to another page
        key="language",
        persist_state="session",
        help="Used for hunks without a file name.",
    )
    backend = columns[1].selectbox(
        "Claims",
        [*CLAIM_BACKENDS, _WRITTEN],
        key="claims",
        persist_state="session",
        help="symbolic: rules, from the diff alone. magicoder and endpoint: a language model.",
    )
    encoder = columns[2].selectbox(
        "Encoder",
        list(dict.fromkeys(encoder for encoder, _ in PRESETS)),
        key="encoder",
        accept_new_options=not is_shared(),
        bind="query-params",
        help=f"{DEFAULT_ENCODER} comes with the app. On your own machine you can also "
        "enter a sentence-transformers model, which is downloaded at its first use, or a folder.",
    )
    return ScoreInputs(
        _claim_request(diff, language, backend or DEFAULT_CLAIMS),
        reviews,
        canonical_name(encoder or DEFAULT_ENCODER),
        tuple((upload.name, upload.getvalue()) for upload in new_files or ()),
    )


def _claim_request(diff: str, language: str | None, backend: str) -> ClaimRequest:
    """Show the fields of a backend of claims; return a request with their values."""
    if backend == _WRITTEN:
        claims = st.text_area(
            "Claims, one per line, or JSON as `crscore claims --json` prints it",
            key="given_claims",
            persist_state="session",
        )
        return ClaimRequest(diff, language, None, claims=claims or "")
    if not CLAIM_BACKENDS[backend].options:
        return ClaimRequest(diff, language, backend)
    return ClaimRequest(diff, language, backend, choose_claim_options(backend))
