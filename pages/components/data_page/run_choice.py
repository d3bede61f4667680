"""The field in which a saved run is chosen."""

from collections.abc import Collection, Sequence

import streamlit as st

from crscore_core.corpus.run.store import RunInfo
from pages.components.source.runs import run_names

__all__ = ["choose_run"]


def choose_run(
    label: str, key: str, runs: Sequence[RunInfo], hint: str, barred: Collection[str] = ()
) -> str | None:
    """Let a person choose a run, in the URL as its id; `hint` says what no choice means.

    Returns the id. One that the URL names is returned though no run has it, but none of `barred`:
    such a choice is given up.
    """
    labels = run_names(runs)
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(key)
    if st.session_state[key] in barred:
        st.session_state[key] = None
    chosen: str | None = st.session_state[key]
    if chosen is not None:
        labels.setdefault(chosen, "Run that is not there")
    chosen = st.selectbox(
        label,
        list(labels),
        index=None,
        format_func=lambda run_id: labels.get(run_id, ""),
        key=key,
        persist_state="session",
        placeholder=hint,
    )
    if chosen is None:
        st.query_params.pop(key, None)
    else:
        st.query_params[key] = chosen
    return chosen
