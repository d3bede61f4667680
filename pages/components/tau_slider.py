"""The slider for the threshold tau, the same on all pages."""

from collections.abc import Collection
from contextlib import suppress
from math import ceil, floor

import streamlit as st

from crscore_core.errors import InputError
from crscore_core.scoring import tau_preset
from crscore_core.scoring.presets import check_tau, no_preset
from crscore_eval.formatting import capitalize_first
from crscore_eval.table import Run
from pages.components.text import escape_markdown
from pages.components.url import (
    is_back_or_forward,
    release_parameter,
    restore_from_url,
    write_to_url,
)

_SLIDER_WIDTH = 200
"""Width in pixels."""

_KEY = "tau"
_DEFAULT, _MOVED = "tau_default", "tau_moved"
_HELP = (
    "A sentence matches a pseudo-reference if the cosine of their embeddings exceeds tau. "
    "A higher tau is stricter: no score rises. A lower tau is more lenient: no score falls. "
    "*usual* and *strict* come from the human study and may not fit other changes."
)
_PRESETS = {
    "usual": "tau_gt, the default: the mean similarity of sentences of the human study's reference "
    "reviews to their most similar pseudo-references (paper, section 3.3).",
    "strict": "tau_best, to check that a result holds if less matches: the same mean for the "
    "system that people rate highest.",
}


def sync_tau() -> None:
    """Read tau from the URL, or write it there, even on a page without the slider."""
    if restore_from_url(_KEY, _parse_tau):
        st.session_state.pop(_DEFAULT, None)  # tau was chosen for the data in the URL
    elif is_back_or_forward():
        st.session_state.pop(_KEY, None)  # a URL without tau means the default
    _write_tau()


def _write_tau() -> None:
    """Write tau to the URL unless it is the default of the data or already there.

    Otherwise, Back would need two steps after other data is chosen. The browser itself writes what
    the slider is moved to, without a step of Back, and may be ahead of this run.
    """
    if st.session_state.get(_MOVED):
        return
    tau = st.session_state.get(_KEY)
    text = "" if tau is None else f"{tau:g}"
    if text != st.query_params.get(_KEY):
        write_to_url(_KEY, None if tau in {None, st.session_state.get(_DEFAULT)} else text)


def run_tau_slider(run: Run, changes_at: Collection[float] | None = None) -> float:
    """Show the slider for a run, and return tau; see `tau_slider`."""
    settings = run.settings
    return tau_slider(settings["encoder"], settings["claims"], settings["tau"], changes_at)


def ask_tau(encoder: str, claims: str, key: str) -> float | None:
    """Ask for tau if the encoder and claims have no preset; otherwise, return None."""
    if tau_preset(encoder, claims):
        return None
    return st.number_input(
        "Threshold tau",
        -1.0,
        1.0,
        value=None,
        step=0.001,
        format="%.4g",
        key=key,
        persist_state="session",
        placeholder="Enter a number",
        help=escape_markdown(capitalize_first(no_preset(encoder, claims))),
        width=_SLIDER_WIDTH,
    )


def tau_slider(
    encoder: str, claims: str, default: float, changes_at: Collection[float] | None = None
) -> float:
    """Show the slider and return tau, which all pages share and the URL stores as `tau`.

    `changes_at` holds the highest similarities of the sentences and pseudo-references shown. Data
    with a different default starts at it. The slider goes below 0 only if tau or the default does.
    """
    sync_tau()
    state = st.session_state
    is_of_data = _KEY in state and state.get(_DEFAULT, default) == default
    state[_DEFAULT] = default
    if not is_of_data:
        state[_KEY] = default
    preset = tau_preset(encoder, claims)
    presets = [] if preset is None else [preset["tau_gt"], preset["tau_best"]]
    lowest = -1.0 if min(state[_KEY], default) < 0 else 0.0
    initial = default
    if _KEY in st.query_params:  # Streamlit would remove the initial value, with a step of Back
        initial = lowest if state[_KEY] > lowest else 1.0
    with st.container(key="tau_row", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**tau**", width="content", help=_HELP)
        tau = st.slider(
            "Similarity threshold tau",
            lowest,
            1.0,
            initial,
            step=0.001,
            format="%.4g",  # presets have up to four decimals, and are not multiples of the step
            key=_KEY,
            bind="query-params",
            on_change=state.update,
            args=({_MOVED: True},),
            persist_state="session",
            label_visibility="collapsed",
            width=_SLIDER_WIDTH,
        )
        for value, (name, meaning) in zip(presets, _PRESETS.items(), strict=False):
            st.button(
                f"{name} {value:g}",
                key=f"set_{name}",
                type="primary" if value == tau else "secondary",
                on_click=state.update,
                args=({_KEY: value},),
                help=meaning,
            )
        if changes_at is not None:
            st.caption(_unchanged(tau, lowest, changes_at), width="content")
    if preset is None:
        st.caption(escape_markdown(capitalize_first(no_preset(encoder, claims))))
    release_parameter(_KEY)
    _write_tau()
    state[_MOVED] = False
    return float(tau)


def _unchanged(tau: float, lowest: float, similarities: Collection[float]) -> str:
    """Describe the range of tau without a change in scores, unless rounding would exclude `tau`."""
    low = ceil(1000 * max((one for one in similarities if one <= tau), default=lowest)) / 1000
    high = floor(1000 * min((one for one in similarities if one > tau), default=2)) / 1000
    end = f"to below {high:.3f}" if high <= 1 else "up to 1"
    same = f"The same scores for any tau from {max(low, lowest):.3f} {end}."
    return same if similarities and low <= tau < high else ""


def _parse_tau(text: str) -> float | None:
    with suppress(InputError):
        return check_tau(text)
    st.warning("The tau in this link is not a number from -1 to 1. The default tau is used.")
    return None
