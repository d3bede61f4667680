"""The threshold slider."""

import functools

import streamlit as st

from crscore_core.scoring import TauPreset, tau_preset, usual_tau
from pages.components.address import restore, write_address
from pages.components.source.switch import PAGE

_DIGITS = 3
_KEY = "tau"
_OF = "tau_preset"
_LAST = "tau_last"
_PAGE = "tau_page"
_HELP = (
    "A sentence matches a pseudo-reference where the cosine of their embeddings exceeds tau. "
    "Raised, it asks for more likeness and lowers all three scores."
)
_PRESETS = {
    "tau_gt": "mean best similarity of the sentences of reference reviews; the default",
    "tau_best": "the same of the best system's sentences",
}


def keep_tau() -> None:
    """Take tau from the address, or write it there, on pages without the slider too."""
    if restore(_KEY, _read):
        st.session_state.pop(_OF, None)  # it was chosen for the preset that it comes with
        st.session_state[_LAST] = st.session_state[_KEY]
    elif _LAST in st.session_state and st.session_state.get(_PAGE) != st.session_state.get(PAGE):
        st.session_state[_KEY] = st.session_state[_LAST]  # the slider of another page is forgotten
    st.session_state[_PAGE] = st.session_state.get(PAGE)
    if _LAST in st.session_state:
        _write(st.session_state[_LAST])


def tau_slider(encoder: str, claims: str, measured: TauPreset | None = None) -> float:
    """Show the slider and return tau, one for all pages and in the URL as `tau`.

    Tau starts at the preset of `encoder` and `claims`, whose similarities are shown, or at the one
    `measured` for them. With another encoder it goes back to the preset; with other claims it does
    unless a person chose it. Buttons set it to each preset. Moving it embeds nothing.
    """
    preset = measured or tau_preset(encoder, claims)
    start = round(usual_tau(encoder) if preset is None else preset.tau_gt, _DIGITS)
    keep_tau()
    before, old_start = st.session_state.get(_OF, (encoder, start))
    if before != encoder or (old_start != start and st.session_state.get(_KEY) == old_start):
        st.session_state[_KEY] = start
    st.session_state[_OF] = encoder, start
    st.session_state.setdefault(_KEY, start)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tau: float = st.slider(
            "Similarity threshold tau",
            0.0,
            1.0,
            step=10**-_DIGITS,
            format=f"%.{_DIGITS}f",
            key=_KEY,
            help=_HELP,
        )
        _presets(preset, tau)
    st.session_state[_LAST] = tau
    _write(tau)
    return tau


def _read(text: str) -> float | None:
    try:
        tau = float(text)
    except ValueError:
        return None
    return tau if 0 <= tau <= 1 else None


def _write(tau: float) -> None:
    write_address(_KEY, f"{tau:g}")


def _presets(preset: TauPreset | None, tau: float) -> None:
    if preset is None:
        st.warning("This encoder has no preset of tau: find one that fits it before you trust it.")
        return
    for name, meaning in _PRESETS.items():
        value = round(getattr(preset, name), _DIGITS)
        st.button(
            f"{name} {value:.{_DIGITS}f}",
            key=f"set_{name}",
            type="primary" if value == tau else "secondary",
            on_click=functools.partial(_set, value),
            help=f"Preset of this encoder and these claims: {meaning}.",
        )


def _set(tau: float) -> None:
    st.session_state[_KEY] = tau
