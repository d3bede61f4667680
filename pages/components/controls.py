"""Widgets that several pages share: the threshold, the measure, two columns."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core.scoring import tau_preset
from crscore_eval.table import DEFAULT_MEASURE, PEOPLE, Run, measure_named, measure_names
from pages.components.address import choose, is_back, restore, write_address

_DIGITS = 3
_SLIDER = 280
"""Pixels of the slider; with the presets next to it, it fits one of two columns."""

_KEY = "tau"
_FOR = "tau_for"
_HELP = (
    "A sentence matches a pseudo-reference if the cosine of their embeddings exceeds tau. At a "
    "higher tau, fewer match and all three scores are lower or the same."
)
_PRESETS = {
    "tau_gt": "The default: how similar the sentences of the human study's reference reviews are, "
    "on average, to their most similar pseudo-reference (paper, section 3.3).",
    "tau_best": "The same average for the system that people rate highest in the human study "
    "(paper, section 3.3).",
}


def keep_tau() -> None:
    """Read tau from the URL, or write it there, on pages without the slider too."""
    state = st.session_state
    if restore(_KEY, _read):
        state.pop(_FOR, None)  # it was chosen for the data of the URL
    elif is_back():
        state.pop(_KEY, None)  # the URL without tau means the default
    _write_tau()


def _write_tau() -> None:
    """Write tau to the URL unless it is the default, which differs between data.

    Otherwise choosing other data would write two steps of Back.
    """
    tau, (usual, *_) = st.session_state.get(_KEY), st.session_state.get(_FOR, [None])
    write_address(_KEY, None if tau in {None, usual} else f"{tau:g}")


def tau_slider(encoder: str, claims: str, own: float | None = None) -> float:
    """Show the slider and return tau, the same on all pages; the URL has it as `tau`.

    Tau starts at a run's `own`, or at tau_gt of `encoder` and `claims`. If these change, that and
    each preset become those of the new ones, and any other tau stays. Buttons set it to a preset.
    """
    keep_tau()
    state = st.session_state
    preset = tau_preset(encoder, claims)
    found = [] if preset is None else [preset.tau_gt, preset.tau_best]
    presets = [round(value, _DIGITS) for value in found]
    usual = round(max(0.0, own), _DIGITS) if own is not None else [*presets, 0.5][0]
    values = [usual, *presets]
    tau = state.get(_KEY, usual)
    earlier = [*zip(state.get(_FOR, values), values, strict=False)]
    state[_KEY] = dict(earlier[::-1]).get(tau, tau)
    state[_FOR] = values
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tau = st.slider(
            "Similarity threshold tau",
            0.0,
            1.0,
            step=10**-_DIGITS,
            format=f"%.{_DIGITS}f",
            key=_KEY,
            persist_state="session",
            help=_HELP,
            width=_SLIDER,
        )
        for value, (name, meaning) in zip(presets, _PRESETS.items(), strict=False):
            st.button(
                f"{name} {value:.{_DIGITS}f}",
                key=f"set_{name}",
                type="primary" if value == tau else "secondary",
                on_click=state.update,
                args=({_KEY: value},),
                help=meaning,
            )
    if preset is None:
        st.warning(
            "This encoder has no preset for tau. Before you trust the scores, compute one with "
            "`crscore validity --encoder NAME --claims symbolic --tau tau_gt`."
        )
    _write_tau()
    return float(tau)


def _read(text: str) -> float | None:
    try:
        tau = float(text)
    except ValueError:
        return None
    return tau if 0 <= tau <= 1 else None


_BY_DEFAULT = "by default"


def choose_measure(run: Run, *, of_systems: bool = False) -> str | None:
    """Offer the measures that the reviews have, in the URL as `measure`; return the chosen one.

    Systems may be ordered by people's ratings too, and by default, whatever other pages show: None
    leaves the choice, in the URL as `by`, to `order_systems`.
    """
    names = [name for name in measure_names(run.reviews) if of_systems or name != PEOPLE]
    titles = {name: measure_named(run.reviews, name).title for name in names}
    usual = DEFAULT_MEASURE
    if of_systems:
        usual = _BY_DEFAULT
        titles = {_BY_DEFAULT: "people's ratings, else relevance"} | titles
    chosen = choose(
        "Order by" if of_systems else "Measure",
        titles,
        "by" if of_systems else "measure",
        usual,
        help="Relevance, conciseness and comprehensiveness depend on tau; the others do not.",
        width=280,
    )
    return None if chosen == _BY_DEFAULT else chosen or DEFAULT_MEASURE


_WIDTH = 545
"""Pixels of one of two columns: both fit a page of 1440."""


def two_columns(left: int = _WIDTH, right: int = _WIDTH) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two places of so many pixels, one below the other on a narrow page.

    `st.columns` would shrink on a narrow page.
    """
    with st.container(horizontal=True, gap="medium"):
        return st.container(width=left), st.container(width=right)
