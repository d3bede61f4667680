"""The form of the Score page as a JSON file, to keep it or to hand it on."""

import json
from dataclasses import replace

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from crscore_core.change import LANGUAGES
from crscore_core.claims import CLAIM_BACKENDS
from crscore_core.errors import ClaimsError, InputError
from crscore_core.scoring.references import statement_document
from pages.components.offers import offer_file
from pages.components.score_backend import ClaimInputs
from pages.components.score_claims import ClaimTable
from pages.components.score_form import ScoreInputs, diff_text, fill_form, upload_key
from pages.components.text import escape_markdown

_MOST_MEGABYTES, _MOST_REVIEWS = 10, 50
_FAULT = "form_fault"

_format = TypeAdapter(ScoreInputs)


def form_file(inputs: ScoreInputs, table: ClaimTable | None) -> bytes:
    """Return a form as JSON, without uploaded files and keys.

    Claims that a person edited, or that a language model made, become given claims.
    """
    claims = replace(inputs.claims, options=replace(inputs.claims.options, api_key=None))
    if table is not None and (claims.is_slow or table.edited.counts.is_edited):
        claims = _as_given(claims, table)
    plain = replace(
        inputs,
        diff=diff_text(inputs.diff),
        analysis=replace(inputs.analysis, new_files=()),
        claims=claims,
    )
    return _format.dump_json(plain, indent=1)


def _as_given(claims: ClaimInputs, table: ClaimTable) -> ClaimInputs:
    try:
        kept = table.edited.generate(table.made.change).claims
    except ClaimsError:  # all were removed
        return claims
    text = json.dumps({"claims": list(map(statement_document, kept))}, indent=1)
    return replace(claims, backend=None, given=text)


def read_form(content: bytes) -> ScoreInputs:
    """Read the JSON of `form_file`.

    Raises:
        InputError: it is something else, has no review or too many, or names a language or
            backend that does not exist.
    """
    try:
        form = _format.validate_json(content)
    except ValidationError as error:
        raise InputError("this file is not a form that was downloaded here") from error
    if not 0 < len(form.reviews) <= _MOST_REVIEWS:
        raise InputError(f"this form has {len(form.reviews):,} reviews, not 1 to {_MOST_REVIEWS}")
    if form.language not in (None, *LANGUAGES):
        raise InputError(f"this form has an unknown language, {form.language!r}")
    if form.claims.backend not in (None, *CLAIM_BACKENDS):
        raise InputError(f"this form has an unknown claims backend, {form.claims.backend!r}")
    return form


def upload_form() -> None:
    """Offer to fill the form, shown in the next run, from a file."""
    key = upload_key("form_upload")
    st.file_uploader(
        "Upload a form",
        type="json",
        key=key,
        max_upload_size=_MOST_MEGABYTES,
        on_change=_fill,
        args=(key,),
        help="A form that was downloaded here replaces what the fields hold.",
    )
    if fault := st.session_state.pop(_FAULT, None):
        st.error(escape_markdown(fault))


def _fill(key: str) -> None:
    upload = st.session_state[key]
    if upload is None:
        return
    try:
        form = read_form(upload.getvalue())
    except InputError as error:
        st.session_state[_FAULT] = str(error)
        return
    fill_form(form)
    st.session_state["outcome"] = None


def offer_form(inputs: ScoreInputs, table: ClaimTable | None) -> None:
    """Offer the form and its claims as a file."""
    offer_file(
        "Download form",
        lambda: form_file(inputs, table),
        "crscore-form.json",
        "Diff, reviews, options and claims, without uploaded files and keys.",
    )
