"""The form of the Score page as a JSON file, to keep it or to hand it on."""

from dataclasses import dataclass, replace

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from crscore_core.change import LANGUAGES, parse_change
from crscore_core.claims import CLAIM_BACKENDS, ClaimSet
from crscore_core.claims.edited import ClaimRow
from crscore_core.errors import InputError
from pages.components.offers import offer_file
from pages.components.score_claims import ClaimQuestion, ClaimTable, MadeClaims, keep_claims
from pages.components.score_form import ScoreInputs, diff_text, fill_form, upload_key
from pages.components.text import escape_markdown

_MOST_MEGABYTES = 10
_FOUND, _FAULT = "form_found", "form_fault"


@dataclass(frozen=True, slots=True)
class SavedForm:
    """Contents of a form, without uploaded files and keys.

    `claims` are those that the backend `made_by` made, None if none were made yet; `rows` are the
    claims after editing.
    """

    inputs: ScoreInputs
    made_by: str = ""
    claims: ClaimSet | None = None
    rows: tuple[ClaimRow, ...] = ()


_format = TypeAdapter(SavedForm)


def form_file(inputs: ScoreInputs, table: ClaimTable | None) -> bytes:
    """Return a form with its claims as JSON."""
    options = replace(inputs.claims.options, api_key=None)
    plain = replace(
        inputs,
        diff=diff_text(inputs.diff),
        analysis=replace(inputs.analysis, new_files=()),
        claims=replace(inputs.claims, options=options),
    )
    form = SavedForm(plain)
    if table is not None:
        form = SavedForm(plain, table.made.backend, table.made.claims, table.rows)
    return _format.dump_json(form, indent=1)


def read_form(content: bytes) -> SavedForm:
    """Read the JSON of `form_file`.

    Raises:
        InputError: it is something else, or names a language or backend that does not exist.
    """
    try:
        form = _format.validate_json(content)
    except ValidationError as error:
        raise InputError("this file is not a form that was downloaded here") from error
    inputs = form.inputs
    if not inputs.reviews:
        raise InputError("this form has no review")
    if inputs.language not in (None, *LANGUAGES):
        raise InputError(f"this form has an unknown language, {inputs.language!r}")
    if inputs.claims.backend not in (None, *CLAIM_BACKENDS):
        raise InputError(f"this form has an unknown claims backend, {inputs.claims.backend!r}")
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
    fill_form(form.inputs)
    st.session_state[_FOUND] = form
    st.session_state["outcome"] = None


def take_claims(inputs: ScoreInputs) -> None:
    """Hold the claims of a file that filled the form; `inputs` is the form as it is shown."""
    form: SavedForm | None = st.session_state.pop(_FOUND, None)
    if form is None or form.claims is None:
        return
    try:
        change = parse_change(inputs.diff, language=inputs.language)
    except InputError:
        return  # Score says what is wrong with the diff
    keep_claims(MadeClaims(ClaimQuestion.of(inputs), change, form.made_by, form.claims), form.rows)


def offer_form(inputs: ScoreInputs, table: ClaimTable | None) -> None:
    """Offer the form and its claims as a file."""
    offer_file(
        "Download form",
        lambda: form_file(inputs, table),
        "crscore-form.json",
        "Diff, reviews, options and claims, without uploaded files and keys.",
    )
