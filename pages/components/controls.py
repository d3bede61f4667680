"""Widgets that several pages share: the threshold, the measure, two columns."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core.corpus.measures import DEFAULT_MEASURE, MEASURES, PEOPLE, measure_named
from crscore_core.scoring import TauPreset, tau_preset, usual_tau
from pages.components.address import choose, restore, write_address
from pages.components.source.model import Source
from pages.components.source.switch import PAGE, shown_key

_DIGITS = 3
_KEY = "tau"
_FOR = "tau_for"
_HELP = (
    "A sentence matches a pseudo-reference where the cosine of their embeddings exceeds tau. "
    "Raised, it asks for more likeness and lowers all three scores."
)
_PRESETS = {
    "tau_gt": "mean best similarity of the sentences of reference reviews; the default",
    "tau_best": "the same of the best system's sentences",
}


def keep_tau() -> None:
    """Take tau from the address, or write it there, on pages without the slider too.

    Tau of other data than is shown now is not written: a link would show these at that tau.
    """
    if restore(_KEY, _read):
        st.session_state.pop(_FOR, None)  # it was chosen for what the address shows
    if _KEY in st.session_state:
        _, _, data, _ = st.session_state.get(_FOR, (None, None, shown_key(), None))
        write_address(_KEY, f"{st.session_state[_KEY]:g}" if data == shown_key() else None)


def tau_slider(encoder: str, claims: str, measured: TauPreset | None = None) -> float:
    """Show the slider and return tau, one for all pages and in the URL as `tau`.

    Tau starts at tau_gt of `encoder` and `claims`, whose similarities are shown, or at the one
    `measured` for them. Where these have other presets than before, tau goes from one preset to
    the same of theirs; any other tau stays, unless the encoder or the data are others. Buttons set
    it to each preset. Moving it embeds nothing.
    """
    keep_tau()
    state, data = st.session_state, shown_key()
    preset = measured or tau_preset(encoder, claims)
    found = [usual_tau(encoder)] if preset is None else [preset.tau_gt, preset.tau_best]
    values = [round(value, _DIGITS) for value in found]
    these = encoder, values, data, state.get(PAGE)
    old_encoder, old_values, old_data, _ = state.get(_FOR, these)
    tau = state.get(_KEY, values[0])
    if encoder != old_encoder:
        tau = values[0]
    elif values != old_values:
        same = dict(zip(old_values, values, strict=False))
        tau = same.get(tau, tau if data == old_data else values[0])
    if (
        _KEY not in state or state.get(_FOR) != these
    ):  # also on another page, whose slider would start at 0
        state[_KEY] = tau
    state[_FOR] = these
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
        )
        for value, (name, meaning) in zip(values if preset else (), _PRESETS.items(), strict=False):
            st.button(
                f"{name} {value:.{_DIGITS}f}",
                key=f"set_{name}",
                type="primary" if value == tau else "secondary",
                on_click=_set,
                args=(value,),
                help=f"Preset of this encoder and these claims: {meaning}.",
            )
    if preset is None:
        st.warning("This encoder has no preset of tau: find one that fits before you trust it.")
    write_address(_KEY, f"{tau:g}")
    return float(tau)


def _read(text: str) -> float | None:
    try:
        tau = float(text)
    except ValueError:
        return None
    return tau if 0 <= tau <= 1 else None


def _set(tau: float) -> None:
    st.session_state[_KEY] = tau


def choose_measure(source: Source, label: str = "Order by", *, with_people: bool = False) -> str:
    """Offer the measures that the reviews have, in the URL as `by`; return the chosen one.

    `with_people` adds people's ratings, if there are any.
    """
    comparison = source.comparison
    is_rated = with_people and comparison.is_judged_in("relevance").any()
    names = (name for name in (*MEASURES, *comparison.labels) if name != PEOPLE or is_rated)
    titles = {name: measure_named(name, comparison.labels).title for name in names}
    chosen = choose(
        label,
        titles,
        "by",
        DEFAULT_MEASURE,
        help="Relevance, conciseness and comprehensiveness depend on tau; the others do not.",
        width=280,
    )
    return chosen or DEFAULT_MEASURE


_WIDTH = 545
"""Pixels of one of two columns: both fit a page of 1440."""


def two_columns(left: int = _WIDTH, right: int = _WIDTH) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two places of so many pixels, one below the other on a narrow page.

    `st.columns` would shrink on a narrow page.
    """
    with st.container(horizontal=True, gap="medium"):
        return st.container(width=left), st.container(width=right)
