"""One saved run: what it is, and what can be done with it."""

import json
from collections.abc import Callable

import streamlit as st

from crscore_core.corpus.html_report import html_report
from crscore_core.corpus.review_case import made_with, reviews_csv
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.corpus.run.export import run_document
from crscore_core.corpus.run.store import RunInfo, RunStore
from crscore_core.errors import InputError
from pages.components.data_page.own_tau import own_tau
from pages.components.data_page.show_button import show_button
from pages.components.source.model import SourceKind
from pages.components.source.runs import run_key, run_note
from pages.components.source.switch import show_on_all_pages, shown_key
from pages.components.text import escape_markdown

__all__ = ["show_run"]

_DELETE_FAILED = "data_delete_failed"


def show_run(store: RunStore, run: RunInfo, choice: str) -> None:
    """Show a run, damaged or not; `choice` is the key of the field that chose it."""
    st.subheader(escape_markdown(run.name or "Damaged run"), anchor=False)
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
    tau = own_tau("tau of the download", "data_tau_download", run.encoder)

    def made(of: Callable[[ReviewTable], str]) -> Callable[[], str]:
        return lambda: of(ReviewTable(store.load(run.id)))

    with st.container(horizontal=True):
        for label, make, name, mime in (
            ("CSV", lambda table: _csv(table, tau), "crscore-run.csv", "text/csv"),
            ("JSON", lambda table: _json(table, tau), "crscore-run.json", "application/json"),
            ("HTML report", lambda table: _html(table, tau, run), "crscore-run.html", "text/html"),
        ):
            st.download_button(
                f"Download {label}",
                made(make),
                name,
                mime,
                icon=":material/download:",
                on_click="ignore",
            )


def _csv(table: ReviewTable, tau: float) -> str:
    return reviews_csv(table.shown_at(tau), made_with(table.comparison, tau))


def _html(table: ReviewTable, tau: float, run: RunInfo) -> str:
    note = run_note(run)
    return html_report(table.comparison, tau, run.name, note=note, scored_at=run.created)


def _json(table: ReviewTable, tau: float) -> str:
    return json.dumps(run_document(table, tau), ensure_ascii=False, allow_nan=False, indent=1)


def _deletion(store: RunStore, run: RunInfo, choice: str) -> None:
    with st.popover("Delete", icon=":material/delete:"):
        st.write("The run is deleted for everybody and cannot be had back.")
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
        show_on_all_pages(SourceKind.SAMPLE)
