"""Saved runs: kept, listed, chosen, shown, downloaded and deleted."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import streamlit as st

from crscore_core.corpus.run.store import LONGEST_NAME, RunInfo, RunStore
from crscore_core.errors import InputError
from pages.components.address import restore_choice, write_address
from pages.components.data_comparison import compare_with, own_tau
from pages.components.downloads import offer_downloads
from pages.components.operator import allowed_names, check_allowed
from pages.components.source.load import run_key, run_names, run_note
from pages.components.source.model import SourceKind
from pages.components.source.save import save_shown
from pages.components.source.switch import chosen_source, show_button, show_on_all_pages, shown_key
from pages.components.text import escape_markdown, safe_table

_CHOSEN = "data_run"
_OTHER = "data_other"
_NAME, _FOLDER = "data_run_name", "data_run_folder"
_DELETE_FAILED, _DONE = "data_delete_failed", "data_form_done"


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
    if (field := st.session_state.pop(_DONE, None)) is not None:
        st.session_state[field] = ""  # a second click saves no twin
    _save()
    _take(store)
    try:
        runs = store.list()
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    st.header("Runs", anchor=False)
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
    """Find a run by its id; the page says so where there is none."""
    try:
        return store.find(run_id) if run_id is not None else None
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return None


def _save() -> None:
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
        with st.form("data_save", enter_to_submit=False, border=False):
            name = st.text_input("Name of the run", key=_NAME, max_chars=LONGEST_NAME)
            is_pressed = st.form_submit_button("Save as a run", icon=":material/save:")
        if is_pressed:
            _choose_new(lambda: save_shown(name, source), _NAME)


def _take(store: RunStore) -> None:
    """Take the output folder of a batch run, where people may name folders."""
    if allowed_names() == ():
        return
    with st.form("data_take", enter_to_submit=False):
        path = st.text_input("Folder that `crscore batch` wrote, on this server", key=_FOLDER)
        is_pressed = st.form_submit_button("Save a copy as a run", icon=":material/folder_open:")

    def take() -> RunInfo:
        check_allowed(path)
        return store.take(Path(path))

    if is_pressed:
        _choose_new(take, _FOLDER)


def _choose_new(make: Callable[[], RunInfo], field: str) -> None:
    """Make a run, choose it and empty a field of the form; the page says so where that fails."""
    try:
        with st.spinner("Saving"):
            info = make()
    except InputError as error:
        st.error(escape_markdown(str(error)))
    else:
        st.session_state[_CHOSEN] = info.id
        st.session_state[_DONE] = field
        st.rerun()  # the switch has it too


def _list(runs: Sequence[RunInfo]) -> None:
    any_damage = any(run.damage is not None for run in runs)
    st.dataframe(
        safe_table(
            {
                "name": run.name or "Damaged run",
                "saved (UTC)": run.created,
                "of": run.corpus,
                "reviews": run.reviews,
                **({"without a score": run.unscored} if any(one.unscored for one in runs) else {}),
                "changes": run.changes,
                "encoder": run.encoder,
                "tau": run.tau,
                "claims": run.claims,
                **({"damage": run.damage or ""} if any_damage else {}),
            }
            for run in runs
        ),
        hide_index=True,
        key="data_runs",
        column_config={
            "saved (UTC)": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm:ss")
        },
    )


def choose_run(
    label: str, key: str, runs: Sequence[RunInfo], hint: str, barred: Collection[str] = ()
) -> str | None:
    """Let a person choose a run, in the URL as its id; `hint` says what no choice means.

    Returns the id. One that the URL names is returned though no run has it, but none of `barred`:
    such a choice is given up.
    """
    labels = run_names(runs)
    restore_choice(key, None)
    chosen: str | None = st.session_state.setdefault(key, None)
    if chosen in barred:
        chosen = st.session_state[key] = None
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
    write_address(key, chosen)
    return chosen


def show_run(store: RunStore, run: RunInfo, choice: str) -> None:
    """Show a run, damaged or not; `choice` is the key of the field that chose it."""
    st.header(escape_markdown(run.name or "Damaged run"), anchor=False)
    if run.damage is not None:
        st.error(escape_markdown(f"This run cannot be shown: {run.damage}."))
        _deletion(store, run, choice)
        return
    st.caption(escape_markdown(run_note(run)))
    with st.container(horizontal=True, vertical_alignment="center"):
        show_button(run_key(run.id))
        _deletion(store, run, choice)
    with st.expander("Download"):
        _downloads(store, run)


@st.fragment
def _downloads(store: RunStore, run: RunInfo) -> None:
    tau = own_tau("tau of the download", "data_tau_download", run)
    offer_downloads(
        lambda: store.load(run.id), tau, run.name, note=run.origin, made=run.created,
        version=run.version,
    )  # fmt: skip


def _deletion(store: RunStore, run: RunInfo, choice: str) -> None:
    with st.popover("Delete", icon=":material/delete:"):
        st.write("The run and what people rated here are deleted for everybody and for good.")
        st.button(
            "Delete for good",
            type="primary",
            key=f"data_delete_{run.id}",
            on_click=_delete,
            args=(store, run.id, choice),
        )
    failed = st.session_state.pop(_DELETE_FAILED, None)
    if failed is not None:
        st.error(escape_markdown(failed))


def _delete(store: RunStore, run_id: str, choice: str) -> None:
    try:
        store.delete(run_id)
    except InputError as error:
        st.session_state[_DELETE_FAILED] = str(error)
        return
    st.session_state[choice] = None
    if shown_key() == run_key(run_id):
        show_on_all_pages(SourceKind.STUDY)
