"""The threshold slider."""

import functools

import streamlit as st

from crscore_core.scoring import TauPreset, tau_preset, usual_tau

PAGE = "page"
"""Key of the session under which the app notes the page that runs."""

_DIGITS = 3
_KEY = "tau"
_OF = "tau_preset"
_LAST = "tau_last"
_LAST_PAGE = "tau_page"
_HELP = (
    "A sentence matches a pseudo-reference where the cosine of their embeddings exceeds tau. "
    "Raised, it asks for more likeness and lowers all three scores."
)
_PRESETS = {
    "tau_gt": "mean best similarity of the sentences of reference reviews; the default",
    "tau_best": "the same of the best system's sentences",
}


def tau_slider(encoder: str, claims: str, measured: TauPreset | None = None) -> float:
    """Show the slider and return tau, one for all pages and in the URL as `tau`.

    Tau starts at the preset of `encoder` and `claims`, whose similarities are shown, or at the one
    `measured` for them, and goes back to the preset when that changes. Buttons set it to each
    preset. Moving it embeds nothing.
    """
    preset = measured or tau_preset(encoder, claims)
    start = round(usual_tau(encoder) if preset is None else preset.tau_gt, _DIGITS)
    _carry_over()
    if st.session_state.get(_OF, (encoder, start)) != (encoder, start):
        st.session_state[_KEY] = start
    st.session_state[_OF] = encoder, start
    tau: float = st.slider(
        "Similarity threshold tau",
        0.0,
        1.0,
        start,
        10**-_DIGITS,
        format=f"%.{_DIGITS}f",
        key=_KEY,
        bind="query-params",
        help=_HELP,
    )
    st.session_state[_LAST] = tau
    _presets(preset, tau)
    return tau


def _carry_over() -> None:
    """Take tau from the page before; Streamlit forgets one that came with an address."""
    page = st.session_state.get(PAGE)
    is_new = st.session_state.get(_LAST_PAGE) != page
    st.session_state[_LAST_PAGE] = page
    if is_new and _KEY not in st.query_params and _LAST in st.session_state:
        st.session_state[_KEY] = st.session_state[_LAST]


def _presets(preset: TauPreset | None, tau: float) -> None:
    if preset is None:
        st.warning("This encoder has no preset of tau: find one that fits it before you trust it.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
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
