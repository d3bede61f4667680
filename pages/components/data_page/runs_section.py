"""Saved runs: kept, listed, chosen."""

from collections.abc import Sequence

import streamlit as st

from crscore_core.corpus.run.store import LONGEST_NAME, RunInfo, RunStore
from crscore_core.errors import InputError
from pages.components.data_page.run_choice import choose_run
from pages.components.data_page.run_comparison import compare_with
from pages.components.data_page.run_view import show_run
from pages.components.source.switch import chosen_source
from pages.components.text import escape_markdown

__all__ = ["runs_section"]

_CHOSEN = "data_run"
_OTHER = "data_other"
_NAME = "data_run_name"


def runs_section() -> None:
    """Save what is shown as a run, list the runs, and look at one or two of them."""
    store = RunStore()
    st.write(
        "A run keeps reviews, pseudo-references and similarities, so that it opens at once and can "
        "be compared with others."
    )
    st.caption(
        "Everybody who can open this app sees saved runs and can delete them. They lie on this "
        f"server, in the folder {escape_markdown(str(store.folder))}."
    )
    _save(store)
    try:
        runs = store.list()
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    st.subheader("Runs", anchor=False)
    if runs:
        _list(runs)
    else:
        st.info("There are no saved runs yet: choose data in the sidebar and save them above.")
    _look_at(store, runs)


def _look_at(store: RunStore, runs: Sequence[RunInfo]) -> None:
    """Let a person choose one run, and another one to compare it with."""
    left, right = st.columns(2)
    with left:
        chosen = _find(store, choose_run("Run", _CHOSEN, runs, "Choose a run"))
    if chosen is None:
        return
    other = None
    if chosen.damage is None:
        others = [run for run in runs if run.damage is None and run.id != chosen.id]
        barred = {run.id for run in runs} - {run.id for run in others}
        with right:
            other = _find(store, choose_run("Compare with", _OTHER, others, "No other run", barred))
    show_run(store, chosen, _CHOSEN)
    if other is not None and chosen.damage is None:
        compare_with(chosen, other)


def _find(store: RunStore, run_id: str | None) -> RunInfo | None:
    """The run with this id; where it is not there, the page says so."""
    try:
        return store.find(run_id) if run_id is not None else None
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return None


def _save(store: RunStore) -> None:
    with st.container(border=True):
        try:
            source = chosen_source()
        except InputError as error:
            st.error(escape_markdown(f"What is chosen in the sidebar cannot be shown: {error}"))
            return
        if source is None:
            st.info("No file is imported in this session; choose other data in the sidebar.")
            return
        st.markdown(f"Chosen in the sidebar: **{escape_markdown(source.label)}**")
        st.caption(escape_markdown(source.note))
        with st.form("data_save", border=False):
            name = st.text_input("Name of the run", key=_NAME, max_chars=LONGEST_NAME)
            is_pressed = st.form_submit_button("Save as a run", icon=":material/save:")
        if not is_pressed:
            return
        try:
            with st.spinner("Saving"):
                info = store.save(
                    name,
                    source.comparison,
                    source.label,
                    is_illustrative=source.is_illustrative,
                )
        except InputError as error:
            st.error(escape_markdown(str(error)))
        else:
            st.session_state[_CHOSEN] = info.id
            st.rerun()  # the switch has it too


def _list(runs: Sequence[RunInfo]) -> None:
    any_damage = any(run.damage is not None for run in runs)
    st.dataframe(
        [
            {
                "name": run.name or "Damaged run",
                "saved (UTC)": run.created,
                "of": run.corpus,
                "reviews": run.reviews,
                "changes": run.changes,
                "encoder": run.encoder,
                "claims": run.claims,
                **({"damage": run.damage or ""} if any_damage else {}),
            }
            for run in runs
        ],
        hide_index=True,
        key="data_runs",
        column_config={
            "saved (UTC)": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm:ss")
        },
    )
