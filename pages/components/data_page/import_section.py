"""A file of reviews -> the source of this session: given, understood, scored."""

import streamlit as st

from crscore_core.corpus.reading import ColumnMapping, ImportedCorpus, import_corpus
from crscore_core.errors import InputError
from pages.components.data_page.columns import choose_columns
from pages.components.data_page.counted import counted
from pages.components.data_page.preview import show_import
from pages.components.data_page.scoring_run import (
    MOST_CHANGES,
    begin_scoring,
    scoring_run,
    show_run,
)
from pages.components.data_page.show_button import show_button
from pages.components.data_page.upload import ReadFile, read_upload
from pages.components.source.model import SourceKind
from pages.components.source.switch import imported_source
from pages.components.text import escape_markdown

__all__ = ["import_section"]

_IMPORT = "data_import"
_MOST_WARNINGS = 5


def import_section() -> None:
    """Let a person import reviews."""
    st.write(
        "Reviews of your own, with the changes that they are about: they are scored as the Score "
        "page does, with claims of the symbolic backend where a change comes without any."
    )
    _show_imported()
    st.subheader("1. File")
    file = read_upload()
    run = scoring_run()
    is_running = run is not None and run.is_running
    if file is not None:
        _understand(file, may_score=not is_running)
    if run is not None:
        show_run(run, was_running=is_running)


def _understand(file: ReadFile, *, may_score: bool) -> None:
    """Show what is understood of a file, by columns that a person chooses, and score it."""
    st.subheader("2. Columns")
    mapping = choose_columns(file)
    try:
        imported = _imported(file, mapping)
    except InputError as error:
        st.warning(escape_markdown(str(error)))
        return
    st.subheader("3. What is understood")
    show_import(imported)
    st.subheader("4. Scores")
    too_many = len(imported.corpus.changes) > MOST_CHANGES
    if too_many:
        st.warning(f"At most {MOST_CHANGES:,} changes can be scored at once; split the file.")
    if st.button(
        "Score",
        type="primary",
        icon=":material/play_arrow:",
        disabled=not may_score or too_many or not imported.corpus.changes,
    ):
        begin_scoring(imported.corpus)
        st.rerun()


def _imported(file: ReadFile, mapping: ColumnMapping) -> ImportedCorpus:
    """What is understood of a file, found anew only when file or mapping changed."""
    held: tuple[int, ColumnMapping, ImportedCorpus] | None = st.session_state.get(_IMPORT)
    if held is None or held[:2] != (file.number, mapping):
        with st.spinner("Reading the changes"):
            held = (file.number, mapping, import_corpus(file.table, mapping, file.name))
        st.session_state[_IMPORT] = held
    return held[2]


def _show_imported() -> None:
    """Say what is imported in this session, and where to see it."""
    source = imported_source()
    if source is None:
        return
    comparison = source.comparison
    st.success(
        f"**{escape_markdown(source.label)}** is imported and scored: "
        f"{counted(len(comparison.reviews), 'review')} of "
        f"{counted(len(comparison.changes), 'change')}. See them on "
        "Heatmap, Failure cases, Rankings, Threshold and Validity; keep them with *Save* under "
        "Saved runs.",
        icon=":material/check:",
    )
    show_button(SourceKind.FILE)
    for warning in comparison.warnings[:_MOST_WARNINGS]:
        st.caption(escape_markdown(warning))
    if len(comparison.warnings) > _MOST_WARNINGS:
        st.caption(f"{len(comparison.warnings) - _MOST_WARNINGS:,} more warnings are not shown.")
    if comparison.left_out:
        st.warning(f"Changes that cannot be scored, left out: {len(comparison.left_out):,}.")
        st.dataframe(
            [{"change": one.id, "reason": one.reason} for one in comparison.left_out],
            hide_index=True,
            key="data_left_out",
        )
