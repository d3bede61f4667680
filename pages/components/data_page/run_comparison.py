"""Two saved runs side by side."""

import streamlit as st

from crscore_core.corpus.run.compare import RunComparison, compare_runs
from crscore_core.corpus.run.store import RunInfo
from crscore_core.errors import InputError
from pages.components.data_page.comparison_tables import (
    show_agreement,
    show_changed,
    show_means,
    show_settings,
    show_unmatched,
)
from pages.components.data_page.own_tau import own_tau
from pages.components.source.model import Source
from pages.components.source.runs import run_source
from pages.components.text import escape_markdown

__all__ = ["compare_with"]


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
        tau_one = own_tau("tau of A", "data_tau_a", one.encoder)
    with right:
        tau_other = own_tau("tau of B", "data_tau_b", other.encoder)
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


@st.cache_resource(max_entries=2, show_spinner="Comparing the runs")
def _compared(
    ids: tuple[str, str],  # noqa: ARG001 - a key
    tau_one: float,
    tau_other: float,
    _one: Source,
    _other: Source,
) -> RunComparison:
    return compare_runs(_one.comparison, _other.comparison, tau_one, tau_other)
