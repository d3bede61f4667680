"""The form of the Score page: what is to be scored, and with what."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from crscore_core.change import LANGUAGES, MAX_BYTES
from crscore_core.sts import DEFAULT_ENCODER, PRESETS
from pages.components.analysis_form import AnalysisInputs, analysis_form
from pages.components.claims_form import ClaimInputs, claims_fields, claims_select

__all__ = ["NamedReview", "ScoreInputs", "fill_form", "score_form"]

_UPLOAD_MEGABYTES = math.ceil(MAX_BYTES / 1_000_000)
_AUTOMATIC = "by file name, else guessed"


@dataclass(frozen=True, slots=True)
class NamedReview:
    """A review and the name it goes by."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """What the form holds."""

    diff: str | bytes
    analysis: AnalysisInputs
    reviews: tuple[NamedReview, ...]
    language: str | None
    claims: ClaimInputs
    encoder: str


def score_form() -> ScoreInputs:
    """Show the form and return what it holds."""
    left, right = st.columns(2, gap="large")
    with left:
        diff = _diff_input()
    with right:
        reviews = _review_inputs()
    columns = st.columns(3)
    language = columns[0].selectbox(
        "Language",
        [None, *LANGUAGES],
        format_func=lambda key: _AUTOMATIC if key is None else LANGUAGES[key],
        placeholder=_AUTOMATIC,  # shown for None when it is chosen anew after another page
        key="language",
        persist_state="session",
        help="Counts for hunks without a file name.",
    )
    with columns[1]:
        backend = claims_select()
    encoder = columns[2].selectbox(
        "Encoder",
        list(PRESETS),
        key="encoder",
        accept_new_options=True,
        bind="query-params",
        help=f"{DEFAULT_ENCODER} is embedded. Any other is a folder of this server, or the name "
        "of a sentence-transformers model, which is downloaded when it is first used.",
    )
    claims = claims_fields(backend)
    return ScoreInputs(
        diff,
        analysis_form(),
        reviews,
        language,
        claims,
        str(encoder or DEFAULT_ENCODER),
    )


def _diff_input() -> str | bytes:
    upload = st.file_uploader(
        "Upload a diff",
        key="diff_upload",
        max_upload_size=_UPLOAD_MEGABYTES,
        help="As long as a file is uploaded here, it counts and the text below does not.",
    )
    text = st.text_area(
        "Diff",
        key="diff",
        persist_state="session",
        height=360,
        placeholder="The output of `git diff`, or a hunk that begins with @@",
    )
    return upload.getvalue() if isinstance(upload, UploadedFile) else text or ""


def _review_inputs() -> tuple[NamedReview, ...]:
    numbers: list[int] = st.session_state.setdefault("review_numbers", [1])
    reviews = []
    for position, number in enumerate(numbers, start=1):
        text = st.text_area(
            f"Review {position}", key=f"review_{number}", persist_state="session", height=110
        )
        name = st.text_input(
            f"Name of review {position}",
            key=f"name_{number}",
            persist_state="session",
            placeholder=f"Name, else Review {position}",
            label_visibility="collapsed",
        )
        reviews.append(NamedReview(name or f"Review {position}", text or ""))
    with st.container(horizontal=True):
        st.button("Add a review", icon=":material/add:", on_click=_add_review)
        st.button(
            "Remove the last",
            icon=":material/remove:",
            on_click=_remove_review,
            disabled=len(numbers) == 1,
        )
    return tuple(reviews)


def _add_review() -> None:
    numbers: list[int] = st.session_state["review_numbers"]
    number = numbers[-1] + 1
    for key in (f"name_{number}", f"review_{number}"):
        st.session_state[key] = ""
    numbers.append(number)


def _remove_review() -> None:
    st.session_state["review_numbers"].pop()


def fill_form(diff: str, language: str, reviews: Sequence[NamedReview]) -> None:
    """Put something into the form; only before the form is shown in this run."""
    st.session_state["diff"] = diff
    st.session_state["language"] = language
    st.session_state["review_numbers"] = list(range(1, len(reviews) + 1))
    for number, review in enumerate(reviews, start=1):
        st.session_state[f"name_{number}"] = review.name
        st.session_state[f"review_{number}"] = review.text
