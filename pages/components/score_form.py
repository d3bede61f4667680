"""The form of the Score page: a change, reviews of it, and what scores them."""

import math
from dataclasses import asdict, dataclass

import streamlit as st
from markupsafe import Markup
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from analyzers import JSHINT_CONFIGURATIONS, PMD_RULESETS
from crscore_core.change import LANGUAGES, MAX_BYTES
from crscore_core.scoring import DEFAULT_ENCODER, PRESETS
from crscore_core.text import decode
from pages.components.markup.words import show
from pages.components.operator import allowed_names, is_shared
from pages.components.score_backend import GIVEN, ClaimInputs, claims_fields, claims_select

_UPLOAD_MEGABYTES = math.ceil(MAX_BYTES / 1_000_000)
_AUTOMATIC = "by file name, else guessed"
_NUMBERS = "review_numbers"
_UPLOADS = "uploads"
_DIFF_HEIGHT, _REVIEWS_HEIGHT, _BUTTONS_HEIGHT = 232, 204, 56
"""In pixels: diff, reviews and the button that scores end together."""

_FIXED_WIDTH = Markup(".st-key-diff textarea { font: 0.85rem/1.5 'Source Code Pro', monospace; }")


@dataclass(frozen=True, slots=True)
class NamedReview:
    """A review and the name that it is shown by."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class AnalysisInputs:
    """Names and contents of full new files, and the rules for Java and JavaScript."""

    new_files: tuple[tuple[str, bytes], ...]
    pmd_rulesets: tuple[str, ...]
    jshint: str


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """All that the form holds."""

    diff: str | bytes
    analysis: AnalysisInputs
    reviews: tuple[NamedReview, ...]
    language: str | None
    claims: ClaimInputs
    encoder: str


def fill_form(inputs: ScoreInputs) -> None:
    """Fill the form, shown after this; uploaded files and secrets are forgotten.

    A key goes to no other base URL than the one that it was typed for.
    """
    st.session_state[_UPLOADS] = st.session_state.get(_UPLOADS, 0) + 1
    st.session_state["diff"] = diff_text(inputs.diff)
    st.session_state["language"] = inputs.language
    st.session_state["claims"] = inputs.claims.backend or GIVEN
    st.session_state["given_claims"] = inputs.claims.given
    st.session_state["encoder"] = inputs.encoder
    st.session_state["pmd_rulesets"] = list(inputs.analysis.pmd_rulesets)
    st.session_state["jshint"] = inputs.analysis.jshint
    options, prefix = asdict(inputs.claims.options), f"claims_{inputs.claims.backend}_"
    if (st.session_state.get(f"{prefix}base_url") or None) == options["base_url"]:
        del options["api_key"]
    for option, value in options.items():
        st.session_state[f"{prefix}{option}"] = value or ""
    st.session_state[_NUMBERS] = list(range(1, len(inputs.reviews) + 1))
    for number, review in enumerate(inputs.reviews, start=1):
        _fill_review(number, review.name, review.text)


def diff_text(diff: str | bytes) -> str:
    """Return a diff as the form shows it."""
    if isinstance(diff, str):
        return diff
    try:
        return decode(diff)
    except UnicodeDecodeError:
        return diff.decode(errors="replace")


def score_form() -> tuple[ScoreInputs, DeltaGenerator, DeltaGenerator]:
    """Show the form; return its contents, the place of the button that scores, and the options."""
    show(Markup(), _FIXED_WIDTH)
    left, right = st.columns(2, gap="medium")
    text = left.text_area(
        "Diff",
        key="diff",
        persist_state="session",
        height=_DIFF_HEIGHT,
        placeholder="The output of `git diff`, or a hunk that begins with @@",
    )
    with right:
        reviews = _reviews()
        with st.container(horizontal=True):
            place = st.container(width="content")
            _change_number(len(reviews))
    options = st.expander("Options: files, language, claims, encoder, analyzers")
    with options:
        return _options(text or "", reviews), place, options


def _options(text: str, reviews: tuple[NamedReview, ...]) -> ScoreInputs:
    """Show what has a default, and return the contents of the form."""
    upload = st.file_uploader(
        "Upload a diff",
        key=upload_key("diff_upload"),
        max_upload_size=_UPLOAD_MEGABYTES,
        help="As long as a file is uploaded here, it counts and the text above does not.",
    )
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
        [*PRESETS, *(allowed_names() or ())],
        key="encoder",
        accept_new_options=not is_shared(),
        bind="query-params",
        help=f"{DEFAULT_ENCODER} is embedded. Any other is a folder of this server, or the name "
        "of a sentence-transformers model, which is downloaded when it is first used; where "
        "others reach the server, its operator lists them.",
    )
    claims = claims_fields(backend)
    diff = upload.getvalue() if isinstance(upload, UploadedFile) else text
    return ScoreInputs(
        diff, _analysis(), reviews, language, claims, str(encoder or DEFAULT_ENCODER)
    )


def upload_key(name: str) -> str:
    """Return the key of a field for files, another one once the form was filled anew."""
    return f"{name}_{st.session_state.get(_UPLOADS, 0)}"


def _analysis() -> AnalysisInputs:
    uploads = st.file_uploader(
        "Full new version of changed files",
        accept_multiple_files=True,
        key=upload_key("new_files"),
        max_upload_size=_UPLOAD_MEGABYTES,
        help="Without them the analyzers see no more than the hunks show. A file belongs to "
        "the changed file of the same name.",
    )
    java, javascript = st.columns(2)
    st.session_state.setdefault("pmd_rulesets", [PMD_RULESETS[0]])
    rulesets = java.multiselect(
        "Java: rule sets of PMD",
        PMD_RULESETS,
        key="pmd_rulesets",
        persist_state="session",
        help=f"With none chosen, {PMD_RULESETS[0]} counts.",
    )
    jshint = javascript.selectbox(
        "JavaScript: configuration of JSHint",
        JSHINT_CONFIGURATIONS,
        key="jshint",
        persist_state="session",
        help="The original one reports every `const` and `import`, as in the paper's study.",
    )
    files = tuple((upload.name, upload.getvalue()) for upload in uploads or ())
    return AnalysisInputs(files, tuple(rulesets), str(jshint))


def _reviews() -> tuple[NamedReview, ...]:
    """Show two fields for each review, its text and its name; a single review needs no name."""
    numbers: list[int] = st.session_state.setdefault(_NUMBERS, [1])
    is_one = len(numbers) == 1
    reviews = []
    # Fields would shrink to nothing in a low container of their own.
    with (
        st.container(height="content" if is_one else _REVIEWS_HEIGHT, border=False),
        st.container(),
    ):
        for position, number in enumerate(numbers, start=1):
            text = st.text_area(
                f"Review {position}",
                key=f"review_{number}",
                persist_state="session",
                height=_DIFF_HEIGHT - _BUTTONS_HEIGHT if is_one else 110,
            )
            name = st.session_state.get(f"name_{number}")
            if not is_one:
                name = st.text_input(
                    f"Name of review {position}",
                    key=f"name_{number}",
                    persist_state="session",
                    placeholder=f"Name, else Review {position}",
                    label_visibility="collapsed",
                )
            reviews.append(NamedReview(name or f"Review {position}", text or ""))
    return tuple(reviews)


def _change_number(number: int) -> None:
    st.button("Add a review", on_click=_add_review)
    if number > 1:
        st.button("Remove the last", on_click=_remove_review)


def _add_review() -> None:
    numbers: list[int] = st.session_state[_NUMBERS]
    number = numbers[-1] + 1
    _fill_review(number, "", "")
    numbers.append(number)


def _remove_review() -> None:
    st.session_state[_NUMBERS].pop()


def _fill_review(number: int, name: str, text: str) -> None:
    """Fill the fields of a review before they are shown in this run."""
    st.session_state[f"name_{number}"] = name
    st.session_state[f"review_{number}"] = text
