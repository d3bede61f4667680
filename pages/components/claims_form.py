"""The part of the Score page's form that is about what makes the claims."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core.claims import CLAIM_BACKENDS, ClaimOptions
from pages.components.claims_standing import backend_standing, show_needs

__all__ = ["ClaimInputs", "claims_fields", "claims_select"]

_GIVEN = "given below"
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
    "base_url": "Address of an OpenAI-compatible server, to which the diff is sent. Empty: the one "
    "in this app's environment.",
    "api_key": "Sent with the diff to the base URL and nowhere else, kept for this session, and "
    "shown nowhere. Empty: the one in this app's environment, which goes to no other base URL than "
    "the one there.",
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
    """Offer the backends, and on demand what each needs."""
    chosen = st.selectbox(
        "Claims", [*CLAIM_BACKENDS, _GIVEN], key="claims", persist_state="session"
    )
    if st.button("What each needs", icon=":material/help:", type="tertiary"):
        show_needs()
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
    st.caption(f"Needs {CLAIM_BACKENDS[name].needs}. {backend_standing(name, options)}")
    if base_url:
        st.caption(":material/upload: The diff will be sent to the server at this base URL.")
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
    # What is copied from a page may hold marks that nobody sees.
    return "".join(filter(str.isprintable, text or "")).strip() or None
