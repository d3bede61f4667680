"""The form of the Score page: a change, reviews of it, and what scores them."""

import math
from dataclasses import dataclass

import streamlit as st
from markupsafe import Markup
from pages.components.operator import allowed_names, is_shared
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from analyzers import JSHINT_CONFIGURATIONS, PMD_RULESETS
from crscore_core.change import LANGUAGES, MAX_BYTES
from crscore_core.claims import CLAIM_BACKENDS, Availability, ClaimOption, ClaimOptions
from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER, PRESETS
from crscore_core.text import text_of_file
from pages.components.markup.plain import show
from pages.components.text import escape_markdown

_GIVEN = "given below"
_NO_KEY = " "
"""A blank key is none, and unlike None keeps that of the environment out."""

_HELP_OF_KEY = (
    "Sent with the diff to the base URL and nowhere else, kept for this session, and shown "
    "nowhere. Empty: the one in this app's environment, which goes to no other base URL than the "
    "one there."
)
_BACKENDS_OWN = "the backend's own"
_AUTOMATIC = "by file name, else guessed"
_SECONDS_AVAILABLE = 20
_UPLOAD_MEGABYTES = math.ceil(MAX_BYTES / 1_000_000)

_REVIEWS, _UPLOADS = "number_of_reviews", "uploads"
_DIFF_HEIGHT, _REVIEWS_HEIGHT, _BUTTONS_HEIGHT = 232, 204, 56
"""In pixels: diff, reviews and the button that scores end together."""

_FIXED_WIDTH = Markup(".st-key-diff textarea { font: 0.85rem/1.5 'Source Code Pro', monospace; }")


@dataclass(frozen=True, slots=True)
class ClaimQuestion:
    """A change and what makes claims about it: a backend, or None and claims as text."""

    diff: str
    language: str | None
    backend: str | None
    options: ClaimOptions
    given: str = ""

    @property
    def is_slow(self) -> bool:
        """True if a language model makes the claims, token by token."""
        return self.backend is not None and bool(CLAIM_BACKENDS[self.backend].options)


@dataclass(frozen=True, slots=True)
class NamedReview:
    """A review and the name that it is shown by."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """All that the form holds; `new_files` are names and contents of full new files."""

    question: ClaimQuestion
    reviews: tuple[NamedReview, ...]
    encoder: str
    new_files: tuple[tuple[str, bytes], ...]
    pmd_rulesets: tuple[str, ...]
    jshint: str


def score_form() -> tuple[ScoreInputs, DeltaGenerator, DeltaGenerator]:
    """Show the form; return its contents, the place of the button that scores, and the options."""
    show(Markup(), _FIXED_WIDTH)
    _take_diff()
    left, right = st.columns(2, gap="medium")
    diff = left.text_area(
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
            st.button("Add a review", on_click=_add_review)
            if len(reviews) > 1:
                st.button("Remove the last", on_click=_remove_review)
    options = st.expander("Options: files, language, claims, encoder, analyzers")
    with options:
        return _options(diff or "", reviews), place, options


def _reviews() -> tuple[NamedReview, ...]:
    """Show two fields for each review, its text and its name; a single review needs no name."""
    number: int = st.session_state.setdefault(_REVIEWS, 1)
    reviews = []
    # Fields would shrink to nothing in a low container of their own.
    with (
        st.container(height="content" if number == 1 else _REVIEWS_HEIGHT, border=False),
        st.container(),
    ):
        for place in range(1, number + 1):
            text = st.text_area(
                f"Review {place}",
                key=f"review_{place}",
                persist_state="session",
                height=_DIFF_HEIGHT - _BUTTONS_HEIGHT if number == 1 else 110,
            )
            name = st.session_state.get(f"name_{place}")
            if number > 1:
                name = st.text_input(
                    f"Name of review {place}",
                    key=f"name_{place}",
                    persist_state="session",
                    placeholder=f"Name, else Review {place}",
                    label_visibility="collapsed",
                )
            reviews.append(NamedReview(name or f"Review {place}", text or ""))
    return tuple(reviews)


def _add_review() -> None:
    st.session_state[_REVIEWS] += 1
    for field in ("name", "review"):  # may hold what a removed review had
        st.session_state[f"{field}_{st.session_state[_REVIEWS]}"] = ""


def _remove_review() -> None:
    st.session_state[_REVIEWS] -= 1


def _take_diff() -> None:
    """Put an uploaded diff into the field, which is shown after this."""
    upload = st.session_state.get(_diff_key())
    if isinstance(upload, UploadedFile):
        try:
            st.session_state["diff"] = text_of_file(upload.getvalue(), f"file {upload.name!r}")
        except InputError as error:
            st.error(escape_markdown(str(error)))
        st.session_state[_UPLOADS] = st.session_state.get(_UPLOADS, 0) + 1


def _diff_key() -> str:
    """Return the key of the field for a diff, another one once a file was taken."""
    return f"diff_upload_{st.session_state.get(_UPLOADS, 0)}"


def _options(diff: str, reviews: tuple[NamedReview, ...]) -> ScoreInputs:
    """Show what has a default, and return the contents of the form."""
    uploads = st.columns(2)
    uploads[0].file_uploader(
        "Upload a diff",
        key=_diff_key(),
        max_upload_size=_UPLOAD_MEGABYTES,
        help="It replaces the text of the field above.",
    )
    new_files = uploads[1].file_uploader(
        "Full new version of changed files",
        accept_multiple_files=True,
        key="new_files",
        max_upload_size=_UPLOAD_MEGABYTES,
        help="Without them the analyzers see no more than the hunks show. A file belongs to "
        "the changed file of the same name.",
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
    backend = columns[1].selectbox(
        "Claims", [*CLAIM_BACKENDS, _GIVEN], key="claims", persist_state="session"
    )
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
    question = _question(diff, language, backend or _GIVEN)
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
    return ScoreInputs(
        question,
        reviews,
        str(encoder or DEFAULT_ENCODER),
        tuple((upload.name, upload.getvalue()) for upload in new_files or ()),
        tuple(rulesets),
        str(jshint),
    )


def _question(diff: str, language: str | None, name: str) -> ClaimQuestion:
    """Show the fields of a backend of claims, and whether it is available with what they hold."""
    if name == _GIVEN:
        given = st.text_area(
            "Claims, one a line, or JSON as `crscore claims --json` prints it",
            key="given_claims",
            persist_state="session",
        )
        return ClaimQuestion(diff, language, None, ClaimOptions(), given or "")
    if not CLAIM_BACKENDS[name].options:
        return ClaimQuestion(diff, language, name, ClaimOptions())
    return ClaimQuestion(diff, language, name, backend_options(name, "claims", "The diff"))


def backend_options(name: str, key: str, sent: str) -> ClaimOptions:
    """Show the fields of a backend, and whether it is available with what they hold.

    The keys of fields begin with `key`. `sent` names what goes to the server of an address.
    """
    backend = CLAIM_BACKENDS[name]
    shown = [option for option in backend.options if option.most is None]
    values = {
        option.name: _field(f"{key}_{name}_{option.name}", option, column)
        for option, column in zip(shown, st.columns(len(shown)), strict=True)
    }
    base_url = values.get("base_url")
    if base_url and values.get("api_key") is None:
        # Whoever types an address could else have the key of this app's environment sent there.
        values["api_key"] = _NO_KEY
    options = ClaimOptions(**values)  # type: ignore[arg-type] # none of them is a flag or a number
    now = _availability(name, options)
    mark = ":material/check_circle: Available" if now.is_available else ":material/block: Not now"
    st.caption(f"Needs {backend.needs}. {mark}: {escape_markdown(now.reason)}")
    if base_url:
        st.caption(f":material/upload: {sent} will be sent to the server at this base URL.")
    return options


def _field(key: str, option: ClaimOption, column: DeltaGenerator) -> str | None:
    """Show one option; return its value, None where nothing is chosen."""
    label = option.label[0].upper() + option.label[1:]
    empty = "the one in this app's environment" if option.environment else _BACKENDS_OWN
    help_text = f"{option.help[0].upper()}{option.help[1:]}. Empty: {empty}."
    choices = option.choices or (None if option.is_secret else allowed_names())
    if choices is not None:
        chosen: str = column.selectbox(
            label,
            ("", *choices),
            format_func=lambda choice: choice or _BACKENDS_OWN,
            key=key,
            persist_state="session",
            help=help_text,
        )
        return chosen or None
    text = column.text_input(
        label,
        key=key,
        type="password" if option.is_secret else "default",
        persist_state="session",
        help=_HELP_OF_KEY if option.is_secret else help_text,
    )
    # What is copied from a page may hold marks that nobody sees.
    return "".join(filter(str.isprintable, text or "")).strip() or None


@st.cache_data(ttl=_SECONDS_AVAILABLE, max_entries=100, show_spinner="Looking what is there")
def _availability(name: str, options: ClaimOptions) -> Availability:
    try:
        return CLAIM_BACKENDS[name].availability(options)
    except (InputError, OSError) as error:
        return Availability(is_available=False, reason=str(error))
