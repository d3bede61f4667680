"""The chosen source as a saved run."""

import streamlit as st

from crscore_core.corpus.run.store import RunInfo, RunStore
from pages.components.source.imported import TAKEN, imports
from pages.components.source.load import run_id_of
from pages.components.source.model import Source, SourceKind
from pages.components.source.switch import shown_key


def save_shown(name: str, source: Source) -> RunInfo:
    """Save the chosen source under a name; a source that is a run already is copied whole.

    Raises:
        InputError: the name is blank or too long, the run is damaged, or it cannot be written.
    """
    store = RunStore()
    if (run_id := run_id_of(shown_key())) is not None:
        return store.take(store.run(run_id).folder.path, name)
    if source.kind is SourceKind.FILE:
        found = imports().find(st.session_state.get(TAKEN, ""))
        if found is not None and found.job is None:
            return store.take(found.folder, name, source.label)
    return store.save(name, source.comparison, source.label)
