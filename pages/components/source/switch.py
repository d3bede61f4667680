"""The switch in the sidebar between sources of reviews, and pages that have nothing to show."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from crscore_core.corpus.reviews import LeftOut
from crscore_core.corpus.run.imports import Import, ImportJob
from crscore_core.corpus.run.store import RunInfo, RunStore
from crscore_core.datasets.study.location import check_folder, default_study_folder
from crscore_core.errors import InputError
from pages.components.address import restore, write_address
from pages.components.job_view import say_end, show_progress, watch_job
from pages.components.source.load import (
    IMPORT,
    IMPORTED,
    first_key,
    followed_import,
    imported_run,
    imported_source,
    imports,
    release_source,
    restore_import,
    run_id_of,
    run_labels,
    run_source,
    study_source,
)
from pages.components.source.model import Source, SourceKind
from pages.components.text import escape_markdown, safe_table

PAGE = "page"
"""Key of the session under which the app notes the page that runs."""

_KEY = "data"
_WANTED = "data_wanted"
_DATA_PAGE, _WITHOUT_DATA = "data", ("", "guide")
_MOST_ROWS = 500
_SECONDS_ELSEWHERE = 2.0
_LABELS: Mapping[str, str] = {SourceKind.STUDY: "Human study", SourceKind.FILE: "Imported file"}


def lead_to_data(text: str, *, is_error: bool = False) -> None:
    """Say what is missing, or wrong, and lead to where reviews come from; `text` is markdown."""
    (st.error if is_error else st.info)(text)
    st.page_link("pages/data.py", label="Go to Data", icon=":material/database:")


def show_left_out(left_out: Sequence[LeftOut]) -> None:
    """Show the changes that have no matrix, and why."""
    if not left_out:
        return
    with st.expander(f"Changes that have no matrix: {len(left_out):,}"):
        rows = [{"change": change.id, "why": change.reason} for change in left_out[:_MOST_ROWS]]
        st.dataframe(safe_table(rows), hide_index=True)
        if len(left_out) > _MOST_ROWS:
            st.caption(f"The first {_MOST_ROWS} of them.")


def source_switch() -> None:
    """Show the switch, in the URL as `data`.

    A bound widget would write its labels there, and forget a run that is gone without a word.
    The key of an import, which lets whoever has it see the file, is in the URL of pages that show
    the file, and in no other.
    """
    restore_import()
    labels = {**_LABELS, **run_labels()}
    restore(_KEY)
    if _WANTED in st.session_state:
        st.session_state[_KEY] = st.session_state.pop(_WANTED)
    st.session_state.setdefault(_KEY, first_key())
    if st.session_state[_KEY] == SourceKind.RELEASE or _is_downloaded():
        labels[SourceKind.RELEASE] = "Downloaded study"
    # Data that is gone stays chosen, so that each page says that it is gone.
    labels.setdefault(st.session_state[_KEY], "Missing data")
    key: str = st.sidebar.selectbox(
        "Data",
        list(labels),
        format_func=lambda key: labels.get(key, ""),
        key=_KEY,
        help="The reviews that every page except Score shows. The page Data imports your own.",
    )
    write_address(_KEY, key)
    page = st.session_state.get(PAGE)
    shows_import = page == _DATA_PAGE or (key == SourceKind.FILE and page not in _WITHOUT_DATA)
    write_address(IMPORT, st.session_state.get(IMPORT) if shows_import else None)
    if page != _DATA_PAGE:
        _tell_when_scored(key)


def _tell_when_scored(key: str) -> None:
    """Tell below the switch that an import is scored, once it is, and offer to show it."""
    found = followed_import()
    is_shown_here = key == SourceKind.FILE and IMPORTED not in st.session_state
    if found is not None and not is_shown_here:
        with st.sidebar:
            _tell(found)


@st.fragment(run_every=_SECONDS_ELSEWHERE)
def _tell(found: Import) -> None:
    if found.job is not None and found.job.now().result is None:
        return
    st.success(f"**{escape_markdown(found.name)}** is scored.", icon=":material/check:")
    if st.button("Show it on all pages", icon=":material/visibility:"):
        st.session_state.pop(IMPORTED, None)
        show_on_all_pages(SourceKind.FILE)
        st.rerun()


def show_scoring(of: Import, job: ImportJob) -> None:
    """Show how far an import is, or why it ended without a result; with one the page runs again."""
    end = job.now()
    if not end.is_over:
        watch_job(job, lambda _: f"**Scoring {escape_markdown(of.name)}.**", show_progress)
        return
    if end.result is not None:
        st.rerun()
    say_end(end)
    st.caption(f"{escape_markdown(of.name)}: what was done by then is kept.")
    if st.button("Go on", icon=":material/play_arrow:"):
        imports().find(st.session_state[IMPORT], again=True)
        st.rerun()


def current_source() -> Source | None:
    """Return the chosen source, which has reviews, and say below the switch what it is.

    Where there is none, or it has none, the page says why and what to do; the result is None.
    """
    try:
        source = chosen_source()
    except InputError as error:
        lead_to_data(escape_markdown(str(error)), is_error=True)
        return None
    if source is None:
        found = followed_import()
        if found is not None and found.job is not None:
            show_scoring(found, found.job)
        else:
            lead_to_data(
                "No file is imported in this session. Reviews of your own are imported and scored "
                "on the page Data; saved as a run, they outlive the session."
            )
        return None
    st.sidebar.caption(f"**{escape_markdown(source.label)}**: {escape_markdown(source.note)}")
    if source.comparison:
        return source
    lead_to_data("This source has no review that could be scored. Choose or import another.")
    show_left_out(source.comparison.left_out)
    return None


def chosen_source() -> Source | None:
    """Return the chosen source; None where that is a file and none is imported.

    Raises:
        InputError: it cannot be had, such as a run that is gone.
    """
    key = shown_key()
    if key == SourceKind.STUDY:
        return study_source()
    if key == SourceKind.RELEASE:
        return release_source(study_folder())
    if key == SourceKind.FILE:
        return imported_source()
    run_id = run_id_of(key)
    if run_id is None:
        raise InputError(f"no data is called {key[:80]!r}; choose other data in the sidebar")
    return run_source(run_id)


def save_shown(name: str, source: Source) -> RunInfo:
    """Save the chosen source under a name; a source that is a run already is copied whole.

    Raises:
        InputError: the name is blank or too long, the run is damaged, or it cannot be written.
    """
    store = RunStore()
    if (run_id := run_id_of(shown_key())) is not None:
        return store.take(store.run(run_id).folder.path, name)
    if source.kind is SourceKind.FILE and (run := imported_run()) is not None:
        return store.take(run.folder.path, name, source.label)
    return store.save(name, source.comparison, source.label)


def study_folder() -> Path:
    """Return the folder of the downloaded study.

    Raises:
        InputError: no folder can have the name that the operator gave.
    """
    return check_folder(default_study_folder())


def _is_downloaded() -> bool:
    try:
        return os.path.isdir(study_folder() / "human_study")
    except InputError:
        return False


def shown_key() -> str:
    """Return the key of the chosen source."""
    return str(st.session_state.get(_WANTED) or st.session_state.get(_KEY) or first_key())


def show_on_all_pages(key: str) -> None:
    """Choose a source: one of `SourceKind`, or a run's key. It counts from the next run on."""
    st.session_state[_WANTED] = key


def show_button(key: str) -> None:
    """Offer to show the source with this key on all pages, unless it is shown there already."""
    if shown_key() == key:
        st.badge("All pages show it", icon=":material/check:", color="green")
        return
    st.button(
        "Show it on all pages",
        key=f"show_{key}",
        icon=":material/visibility:",
        on_click=show_on_all_pages,
        args=(key,),
    )
