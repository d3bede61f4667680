"""The form of the Score page: a change, reviews of it, and what scores them."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from analyzers import JSHINT_CONFIGURATIONS, PMD_RULESETS
from crscore_core.change import LANGUAGES, MAX_BYTES
from crscore_core.datasets.samples import Sample
from crscore_core.scoring import DEFAULT_ENCODER, PRESETS
from pages.components.operator import allowed_names, is_shared
from pages.components.score_backend import ClaimInputs, claims_fields, claims_select

_UPLOAD_MEGABYTES = math.ceil(MAX_BYTES / 1_000_000)
_AUTOMATIC = "by file name, else guessed"
_NUMBERS = "review_numbers"


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


def example_picker(samples: Mapping[str, Sample]) -> None:
    """Offer the samples, in the URL as `example`; a choice fills the form, shown after this."""
    chosen = st.selectbox(
        "Fill the form with an example",
        list(samples),
        index=None,
        placeholder=f"{len(samples)} illustrative changes",
        key="example",
        bind="query-params",
    )
    is_new = chosen != st.session_state.get("filled_example")
    st.session_state["filled_example"] = chosen
    if chosen is None:
        return
    sample = samples[chosen]
    if is_new:
        st.session_state["diff"] = sample.diff
        st.session_state["language"] = sample.language
        st.session_state[_NUMBERS] = list(range(1, len(sample.reviews) + 1))
        for number, review in enumerate(sample.reviews, start=1):
            _fill_review(number, review.system, review.text)
    built = f" Built so that the metric may {sample.designed_for}: {sample.note}"
    st.caption(f"{sample.title}. {sample.description}{built if sample.note else ''}")


def fill_form(inputs: ScoreInputs) -> None:
    """Fill the form, shown after this, but for files and secrets."""
    diff = inputs.diff
    st.session_state["diff"] = diff if isinstance(diff, str) else diff.decode(errors="replace")
    st.session_state["language"] = inputs.language
    st.session_state["claims"] = inputs.claims.backend
    for option, value in asdict(inputs.claims.options).items():
        if option != "api_key" and isinstance(value, str):
            st.session_state[f"claims_{inputs.claims.backend}_{option}"] = value
    st.session_state[_NUMBERS] = list(range(1, len(inputs.reviews) + 1))
    for number, review in enumerate(inputs.reviews, start=1):
        _fill_review(number, review.name, review.text)


def score_form() -> ScoreInputs:
    """Show the form and return its contents."""
    left, right = st.columns(2, gap="large")
    with left:
        diff = _diff_input()
    with right:
        reviews = _reviews()
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
    return ScoreInputs(
        diff, _analysis(), reviews, language, claims, str(encoder or DEFAULT_ENCODER)
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


def _analysis() -> AnalysisInputs:
    with st.expander("Analyzers"):
        uploads = st.file_uploader(
            "Full new version of changed files",
            accept_multiple_files=True,
            key="new_files",
            max_upload_size=_UPLOAD_MEGABYTES,
            help="Without them the analyzers see no more than the hunks show. A file belongs to "
            "the changed file of the same name.",
        )
        java, javascript = st.columns(2)
        rulesets = java.multiselect(
            "Java: rule sets of PMD",
            PMD_RULESETS,
            default=PMD_RULESETS[0],
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
    """Show two fields for each review: its text and its name."""
    numbers: list[int] = st.session_state.setdefault(_NUMBERS, [1])
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
