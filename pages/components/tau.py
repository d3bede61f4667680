"""The threshold slider."""

import streamlit as st

from crscore_core.errors import ThresholdError
from crscore_core.sts import resolve_tau

__all__ = ["tau_slider"]

_WITHOUT_PRESET = 0.5
_DIGITS = 3


def tau_slider(encoder: str) -> float:
    """The threshold, in the URL as `tau`; moving it embeds nothing.

    It starts at the preset of `encoder`, whose similarities are shown, and goes back to it when
    that is another one.
    """
    try:
        preset: float | None = round(resolve_tau(None, encoder), _DIGITS)
    except ThresholdError:
        preset = None
    start = _WITHOUT_PRESET if preset is None else preset
    if st.session_state.get("tau_encoder", encoder) != encoder:
        st.session_state["tau"] = start
    st.session_state["tau_encoder"] = encoder
    tau: float = st.slider(
        "Similarity threshold tau",
        0.0,
        1.0,
        start,
        10**-_DIGITS,
        format=f"%.{_DIGITS}f",
        key="tau",
        bind="query-params",
        help="A similarity has to exceed tau to count as a match.",
    )
    if preset is None:
        st.warning("This encoder has no preset of tau: find one that fits it before you trust it.")
    else:
        st.caption(f"The preset of this encoder is {preset:.{_DIGITS}f}.")
    return tau
