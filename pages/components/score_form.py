"""The form of the Score page: what is to be scored, and with what."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from crscore_core.change import LANGUAGES, MAX_BYTES
from crscore_core.scoring import DEFAULT_ENCODER, PRESETS
from pages.components.analysis_form import AnalysisInputs, analysis_form
from pages.components.claims_form import ClaimInputs, claims_fields, claims_select
from pages.components.reviews_form import NamedReview, fill_reviews, reviews_form

__all__ = ["ScoreInputs", "fill_form", "score_form"]

_UPLOAD_MEGABYTES = math.ceil(MAX_BYTES / 1_000_000)
_AUTOMATIC = "by file name, else guessed"


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
        reviews = reviews_form()
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


def fill_form(diff: str, language: str, reviews: Sequence[NamedReview]) -> None:
    """Put something into the form; only before the form is shown in this run."""
    st.session_state["diff"] = diff
    st.session_state["language"] = language
    fill_reviews(reviews)
