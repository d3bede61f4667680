"""The threshold of one run, apart from that of all pages."""

import streamlit as st

from crscore_core.errors import ThresholdError
from crscore_core.scoring import resolve_tau

__all__ = ["own_tau"]

_WITHOUT_PRESET = 0.5


def own_tau(label: str, key: str, encoder: str) -> float:
    """The threshold that a person gives, in the URL as `key`, else the preset of `encoder`."""
    try:
        preset, hint = round(resolve_tau(None, encoder), 3), "the preset of its encoder"
    except ThresholdError:
        preset, hint = _WITHOUT_PRESET, "its encoder has no preset"
    given = st.number_input(
        label,
        0.0,
        1.0,
        None,
        0.001,
        format="%.3f",
        key=key,
        bind="query-params",
        placeholder=f"{preset:.3f}, {hint}",
        help="Thresholds differ between encoders, so each run has its own.",
    )
    return preset if given is None else float(given)
