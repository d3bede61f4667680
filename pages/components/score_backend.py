"""Fields of the Score page for the backend of claims, and whether the backend could run."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core.claims import CLAIM_BACKENDS, Availability, ClaimOption, ClaimOptions
from crscore_core.errors import InputError
from pages.components.operator import allowed_names
from pages.components.text import escape_markdown

GIVEN = "given below"
_HELP_OF_KEY = (
    "Sent with the diff to the base URL and nowhere else, kept for this session, and shown "
    "nowhere. Empty: the one in this app's environment, which goes to no other base URL than the "
    "one there."
)
_NO_KEY = " "
"""A blank key is none, and unlike None keeps that of the environment out."""

_OWN = "the backend's own"
_SECONDS_AVAILABLE = 20


@dataclass(frozen=True, slots=True)
class ClaimInputs:
    """A backend of claims with its options, or None and claims as text."""

    backend: str | None
    options: ClaimOptions
    given: str = ""

    @property
    def is_slow(self) -> bool:
        """True if a language model makes the claims, token by token."""
        return self.backend is not None and bool(CLAIM_BACKENDS[self.backend].options)


def claims_select() -> str:
    """Offer the backends, and on demand what each needs."""
    chosen = st.selectbox("Claims", [*CLAIM_BACKENDS, GIVEN], key="claims", persist_state="session")
    if st.button("What each needs", icon=":material/help:", type="tertiary"):
        _show_needs()
    return chosen or GIVEN


def claims_fields(name: str) -> ClaimInputs:
    """Show the fields of a backend, and whether it is available with what they hold."""
    if name == GIVEN:
        given = st.text_area(
            "Claims, one a line, or JSON as `crscore claims --json` prints it",
            key="given_claims",
            persist_state="session",
        )
        return ClaimInputs(None, ClaimOptions(), given or "")
    backend = CLAIM_BACKENDS[name]
    shown = [option for option in backend.options if option.most is None]
    if not shown:
        return ClaimInputs(name, ClaimOptions())
    values = {
        option.name: _field(f"claims_{name}_{option.name}", option, column)
        for option, column in zip(shown, st.columns(len(shown)), strict=True)
    }
    base_url = values.get("base_url")
    if base_url and values.get("api_key") is None:
        # Whoever types an address could else have the key of this app's environment sent there.
        values["api_key"] = _NO_KEY
    options = ClaimOptions(**values)  # type: ignore[arg-type] # none of them is a flag or a number
    st.caption(f"Needs {backend.needs}. {_standing(name, options)}")
    if base_url:
        st.caption(":material/upload: The diff will be sent to the server at this base URL.")
    return ClaimInputs(name, options)


def _field(key: str, option: ClaimOption, column: DeltaGenerator) -> str | None:
    """Show one option; return its value, None where nothing is chosen."""
    label = option.label[0].upper() + option.label[1:]
    empty = "the one in this app's environment" if option.environment else _OWN
    help_text = f"{option.help[0].upper()}{option.help[1:]}. Empty: {empty}."
    choices = option.choices or (None if option.is_secret else allowed_names())
    if choices is not None:
        chosen: str = column.selectbox(
            label,
            ("", *choices),
            format_func=lambda choice: choice or _OWN,
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


@st.dialog("What claims need", width="medium")
def _show_needs() -> None:
    """Show over the page what each backend needs and whether it could run as it is."""
    for name, backend in CLAIM_BACKENDS.items():
        st.markdown(f"**{name}** needs {backend.needs}. {_standing(name, ClaimOptions())}")
    st.markdown("Claims **given below** are some that you have already.")


def _standing(name: str, options: ClaimOptions) -> str:
    """Say as markdown whether a backend could run with these options, and why."""
    now = _availability(name, options)
    mark = ":material/check_circle: Available" if now.is_available else ":material/block: Not now"
    return f"{mark}: {escape_markdown(now.reason)}"


@st.cache_data(ttl=_SECONDS_AVAILABLE, max_entries=100, show_spinner="Looking what is there")
def _availability(name: str, options: ClaimOptions) -> Availability:
    try:
        return CLAIM_BACKENDS[name].availability(options)
    except (InputError, OSError) as error:
        return Availability(is_available=False, reason=str(error))
