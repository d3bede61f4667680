"""The part of the Score page's form that is about what makes the claims."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core.claims import CLAIM_BACKENDS, Availability, ClaimOptions
from pages.components.text import escape_markdown

__all__ = ["ClaimInputs", "claims_fields", "claims_select"]

_GIVEN = "given below"
_SECONDS_AVAILABLE = 20
_LABELS = {
    "model": "Model",
    "revision": "Revision",
    "device": "Device",
    "base_url": "Base URL",
    "api_key": "API key",
}
_HELP = {
    "model": "A name, or for a model that runs here also a folder of this server. Empty: the "
    "backend's own.",
    "revision": "Commit, branch or tag of a model of the hub. Empty: the backend's own.",
    "device": "Where the model runs. It never falls back from one to the other.",
    "base_url": "Address of an OpenAI-compatible server. Empty: the one in this app's environment.",
    "api_key": "Kept for this session and shown nowhere. Empty: the one in this app's environment, "
    "which goes to no other base URL than the one there.",
}
_NO_KEY = " "
"""A blank key is none, and unlike None keeps that of the environment out."""

_OWN_DEVICE = "the backend's own"
_DEVICES = (None, "cuda", "cpu")


@dataclass(frozen=True, slots=True)
class ClaimInputs:
    """What is to make the claims: a backend with its options, or None and claims as text."""

    backend: str | None
    options: ClaimOptions
    given: str = ""

    @property
    def is_slow(self) -> bool:
        """Whether a language model makes them, token by token."""
        return self.backend is not None and bool(CLAIM_BACKENDS[self.backend].takes)


def claims_select() -> str:
    """Offer the backends, and on demand what each needs and whether it is available."""
    chosen = st.selectbox(
        "Claims", [*CLAIM_BACKENDS, _GIVEN], key="claims", persist_state="session"
    )
    details = st.popover("What each needs", type="tertiary", key="needs", on_change="rerun")
    if details.open:
        for name, backend in CLAIM_BACKENDS.items():
            details.markdown(f"**{name}** needs {backend.needs}. {_standing(name, ClaimOptions())}")
        details.markdown(f"**{_GIVEN}** needs claims that you have already.")
    return chosen or _GIVEN


def claims_fields(name: str) -> ClaimInputs:
    """Show the fields of a backend, and whether it is available with what they hold."""
    if name == _GIVEN:
        given = st.text_area(
            "Claims, one a line, or JSON as `crscore claims --json` prints it",
            key="given_claims",
            persist_state="session",
        )
        return ClaimInputs(None, ClaimOptions(), given or "")
    takes = CLAIM_BACKENDS[name].takes
    if not takes:
        return ClaimInputs(name, ClaimOptions())
    values = {
        field: _field(name, field, column)
        for field, column in zip(takes, st.columns(len(takes)), strict=True)
    }
    base_url, key = values.get("base_url"), values.get("api_key")
    options = ClaimOptions(
        model=values.get("model"),
        revision=values.get("revision"),
        device=values.get("device"),
        base_url=base_url,
        # Whoever types an address could else have the key of this app's environment sent there.
        api_key=_NO_KEY if base_url and key is None else key,
    )
    st.caption(f"Needs {CLAIM_BACKENDS[name].needs}. {_standing(name, options)}")
    return ClaimInputs(name, options)


def _field(backend: str, field: str, column: DeltaGenerator) -> str | None:
    """One option of a backend; None where nothing is chosen."""
    label, key = _LABELS[field], f"claims_{backend}_{field}"
    if field == "device":
        return column.selectbox(
            label,
            _DEVICES,
            format_func=lambda device: device or _OWN_DEVICE,
            placeholder=_OWN_DEVICE,
            key=key,
            persist_state="session",
            help=_HELP[field],
        )
    text = column.text_input(
        label,
        key=key,
        type="password" if field == "api_key" else "default",
        persist_state="session",
        help=_HELP[field],
    )
    return (text or "").strip() or None


@st.cache_data(ttl=_SECONDS_AVAILABLE, max_entries=100, show_spinner="Looking what is there")
def _availability(name: str, options: ClaimOptions) -> Availability:
    return CLAIM_BACKENDS[name].availability(options)


def _standing(name: str, options: ClaimOptions) -> str:
    now = _availability(name, options)
    mark = ":material/check_circle: Available" if now.is_available else ":material/block: Not now"
    return f"{mark}: {escape_markdown(now.reason)}"
