"""The field in which a saved run is chosen."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from crscore_core.corpus.runs import RunInfo

__all__ = ["choose_run"]


def choose_run(label: str, key: str, runs: Sequence[RunInfo], hint: str) -> str | None:
    """Let a person choose a run, in the URL as its id; `hint` says what no choice means.

    Returns the id. One that the URL names is returned though no run has it.
    """
    labels = _labels(runs)
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(key)
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


def _labels(runs: Sequence[RunInfo]) -> dict[str, str]:
    """What each run is called, no two the same, as Streamlit tells options by their labels."""
    names = {run.id: run.name or "Damaged run" for run in runs}
    counts = Counter(names.values())
    return {
        run.id: names[run.id]
        if counts[names[run.id]] == 1
        else f"{names[run.id]} ({run.created:%F %T}, {run.id[:4]})"
        for run in runs
    }
