"""The options of scoring on the Score page: files, language, claims and encoder."""

import math
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from crscore_core.change import LANGUAGE_TITLES, MAX_BYTES
from crscore_core.claims import CLAIM_BACKENDS, DEFAULT_CLAIMS, GIVEN, ModelOptions
from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER, PRESETS, canonical_name
from crscore_core.text import decode_file
from pages.components.model_options import choose_model_options
from pages.components.score_fields import FormFields
from pages.components.server import is_shared
from pages.components.tau_slider import ask_tau
from pages.components.text import describe_error

_TYPED_CLAIMS = "given below"
_AUTOMATIC = "from the file name"
_UPLOAD, _UPLOAD_MEGABYTES = "diff_upload", math.ceil(MAX_BYTES / 1_000_000)
_NO_OPTIONS = ModelOptions()


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """A change, and the source of claims about it.

    backend: name of a backend, which has `options`; None if the user wrote the claims.
    claims: text of the claims that the user wrote.
    """

    diff: str
    language: str | None
    backend: str | None = DEFAULT_CLAIMS
    options: ModelOptions = _NO_OPTIONS
    claims: str = ""


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


def choose_options(fields: FormFields) -> ScoreInputs:
    """Show the options; return the contents of the form."""
    reviews = tuple(
        (name or f"Review {n}", text) for n, (name, text) in enumerate(fields.reviews, start=1)
    )
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
        [None, *LANGUAGE_TITLES],
        format_func=lambda key: _AUTOMATIC if key is None else LANGUAGE_TITLES[key],
        placeholder=_AUTOMATIC,  # shown for None after a visit to another page
        key="language",
        persist_state="session",
        help="Used for hunks without a file name.",
    )
    backend = columns[1].selectbox(
        "Claims",
        [*CLAIM_BACKENDS, _TYPED_CLAIMS],
        key="claims",
        persist_state="session",
        help="symbolic: rules that read only the diff. magicoder and endpoint: a language model.",
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
    name = canonical_name(encoder or DEFAULT_ENCODER)
    return ScoreInputs(
        _claim_request(fields.diff, language, backend or DEFAULT_CLAIMS),
        reviews,
        name,
        tuple((upload.name, upload.getvalue()) for upload in new_files or ()),
        ask_tau(name, backend if backend in CLAIM_BACKENDS else GIVEN, "own_tau"),
    )


def _claim_request(diff: str, language: str | None, backend: str) -> ClaimRequest:
    """Show the fields of a backend of claims; return a request with their values."""
    if backend == _TYPED_CLAIMS:
        claims = st.text_area(
            "Claims, one per line, or JSON as `crscore claims --json` prints it",
            key="given_claims",
            persist_state="session",
        )
        return ClaimRequest(diff, language, None, claims=claims or "")
    if not CLAIM_BACKENDS[backend].options:
        return ClaimRequest(diff, language, backend)
    return ClaimRequest(diff, language, backend, choose_model_options(backend))


def _fill_from_upload() -> None:
    """Put an uploaded diff into the field Diff; a callback."""
    upload = st.session_state[_UPLOAD]
    if isinstance(upload, UploadedFile):
        try:
            st.session_state["diff"] = decode_file(upload.getvalue(), f"file {upload.name!r}")
        except InputError as error:
            st.error(describe_error(error))
