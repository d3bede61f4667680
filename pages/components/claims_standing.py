"""What the backends of claims need, and whether they could run now."""

import streamlit as st

from crscore_core.claims import CLAIM_BACKENDS, Availability, ClaimOptions
from crscore_core.errors import InputError
from pages.components.text import escape_markdown

__all__ = ["backend_standing", "show_needs"]

_SECONDS_AVAILABLE = 20


@st.dialog("What claims need", width="medium")
def show_needs() -> None:
    """Show, over the page, what each backend needs and whether it could run as it is."""
    for name, backend in CLAIM_BACKENDS.items():
        st.markdown(f"**{name}** needs {backend.needs}. {backend_standing(name, ClaimOptions())}")
    st.markdown("Claims **given below** are some that you have already.")


def backend_standing(name: str, options: ClaimOptions) -> str:
    """Whether a backend could run with these options and why, as markdown."""
    now = _availability(name, options)
    mark = ":material/check_circle: Available" if now.is_available else ":material/block: Not now"
    return f"{mark}: {escape_markdown(now.reason)}"


@st.cache_data(ttl=_SECONDS_AVAILABLE, max_entries=100, show_spinner="Looking what is there")
def _availability(name: str, options: ClaimOptions) -> Availability:
    try:
        return CLAIM_BACKENDS[name].availability(options)
    except (InputError, OSError) as error:
        return Availability(is_available=False, reason=str(error))
