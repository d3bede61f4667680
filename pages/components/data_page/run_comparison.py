"""Two saved runs side by side."""

import streamlit as st

from crscore_core.corpus.runs import RunComparison, RunInfo, compare_runs
from crscore_core.errors import InputError, ThresholdError
from crscore_core.sts import resolve_tau
from pages.components.data_page.comparison_tables import (
    show_agreement,
    show_changed,
    show_means,
    show_settings,
    show_unmatched,
)
from pages.components.source.model import Source
from pages.components.source.runs import run_source
from pages.components.text import escape_markdown

__all__ = ["compare_with"]

_WITHOUT_PRESET = 0.5


@st.fragment
def compare_with(one: RunInfo, other: RunInfo) -> None:
    """Show what differs between a run, the baseline A, and another one, B."""
    st.subheader("A and B", anchor=False)
    st.markdown(
        f"**A** is {_named(one)}, **B** is {_named(other)}; "
        "differences are B less A, so what is above 0 is higher in B."
    )
    left, right = st.columns(2)
    with left:
        tau_one = _tau("A", one.encoder)
    with right:
        tau_other = _tau("B", other.encoder)
    try:
        found = _compared(
            (one.id, other.id), tau_one, tau_other, run_source(one.id), run_source(other.id)
        )
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    show_settings(found)
    if not found.matched.one.size:
        st.warning("The runs have no review in common: none of the same change, by id or by text.")
    else:
        show_means(found)
        show_agreement(found)
        show_changed(found)
    show_unmatched(found)


def _named(run: RunInfo) -> str:
    return escape_markdown(f"{run.name} ({run.created:%F %T})")


def _tau(name: str, encoder: str) -> float:
    """The threshold of one of the runs: what a person gives, else the preset of its encoder."""
    try:
        preset, hint = round(resolve_tau(None, encoder), 3), "the preset of its encoder"
    except ThresholdError:
        preset, hint = _WITHOUT_PRESET, "its encoder has no preset"
    given = st.number_input(
        f"tau of {name}",
        0.0,
        1.0,
        None,
        0.001,
        format="%.3f",
        key=f"data_tau_{name.lower()}",
        bind="query-params",
        placeholder=f"{preset:.3f}, {hint}",
        help="Thresholds differ between encoders, so each run has its own.",
    )
    return preset if given is None else float(given)


@st.cache_resource(max_entries=2, show_spinner="Comparing the runs")
def _compared(
    ids: tuple[str, str],  # noqa: ARG001 - a key
    tau_one: float,
    tau_other: float,
    _one: Source,
    _other: Source,
) -> RunComparison:
    return compare_runs(_one.comparison, _other.comparison, tau_one, tau_other)
