"""A file of reviews -> the source of this session: given, understood, scored."""

import functools
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reading import (
    FIELDS,
    LARGEST_FILE,
    ColumnMapping,
    Field,
    RejectedRow,
    RowStream,
    check_mapping,
    guess_mapping,
    label_column,
    label_columns,
)
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.folder import REJECTS
from crscore_core.corpus.run.intake import ImportedCorpus, import_corpus
from crscore_core.errors import InputError
from pages.components.data_runs import offer_save
from pages.components.judging import judge_section
from pages.components.markup import text_table
from pages.components.offers import offer_file
from pages.components.source.load import (
    IMPORT,
    TAKEN,
    follow_import,
    followed_import,
    forget_import,
    imported_run,
    imported_source,
    imports,
    take_import,
    take_import_again,
)
from pages.components.source.model import Source, SourceKind
from pages.components.source.switch import (
    show_button,
    show_left_out,
    show_on_all_pages,
    show_scoring,
    shown_key,
)
from pages.components.text import counted, escape_markdown, keep_options, shorten

PREVIEW_ROWS = 1_000
"""Rows of a file that are read to show what is understood of it."""

_SCORED = "data_scored"
_UPLOAD = "data_upload"
_TYPES = ("jsonl", "ndjson", "json", "csv", "tsv", "tab", "parquet", "gz")
_NEXT = {
    "rankings": ("Rankings", ":material/leaderboard:"),
    "failures": ("Failure cases", ":material/troubleshoot:"),
    "heatmap": ("Heatmap", ":material/grid_on:"),
}
_STYLE = """<style>
.st-key-data_upload [data-testid="stFileUploaderDropzone"] {
  min-height: 9rem; flex-direction: column; align-items: center; justify-content: center;
  border-style: dashed;
  > * { flex: none; margin: 0; } }
</style>"""
_REVIEWS = 3
_MOST_CHARACTERS = 300
_MOST_REJECTED = 50
_SECONDS = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class ReadFile:
    """A file that was given: its name, an id that no other has, content, and first rows."""

    name: str
    id: str
    content: bytes
    rows: RowStream
    columns: tuple[str, ...]


def file_section() -> None:
    """Let a person give a file of reviews; show what is scored of it."""
    upload = st.file_uploader(
        "Drop a file of reviews here, each with the change that it is about",
        type=list(_TYPES),
        key=_UPLOAD,
        max_upload_size=LARGEST_FILE // 2**20,
        help="One row a review. Columns may have any names; where these leave open what a column "
        "holds, the page asks.",
    )
    st.caption(
        "A file is scored at once and stays on this server, where nobody who does not have this "
        "page's address sees it. One packed by gzip counts unpacked."
    )
    with st.container():
        _show_import()
    if isinstance(upload, UploadedFile):
        _understand(upload)
    else:
        st.html(_STYLE)


def _understand(upload: UploadedFile) -> None:
    """Score a file whose columns are plain; ask for what its names leave open before."""
    try:
        file = _read(upload.file_id, upload)
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    question = _question(file)
    is_settled = not question or file.id in st.session_state.get(_SCORED, {})
    folded = f"What is understood of {escape_markdown(file.name)}"
    with st.expander(folded) if is_settled else st.container():
        asked = st.empty()
        mapping, labels = choose_columns(file)
        try:
            imported = _imported(file.id, mapping, labels, file)
        except InputError as error:
            asked.warning(escape_markdown(str(error)))
            return
        if not is_settled:
            asked.info(escape_markdown(question))
        offer_scoring(
            file.id,
            (mapping, labels),
            functools.partial(imports().begin, file.name, file.content, mapping, tuple(labels)),
            at_once=is_settled,
        )
        show_understood(imported)


@st.cache_resource(max_entries=1, scope="session", show_spinner="Reading the file")
def _read(file_id: str, _upload: UploadedFile) -> ReadFile:
    content = _upload.getvalue()
    rows = RowStream(content, _upload.name, most=PREVIEW_ROWS, seconds=_SECONDS)
    columns = rows.columns()
    if not columns:
        first = next((row for row in rows.rows() if isinstance(row, RejectedRow)), None)
        why = f"; line {first.number}: {first.reason}" if first else ""
        raise InputError(f"{_upload.name} is not JSON Lines, with one object a line{why}")
    return ReadFile(_upload.name, file_id, content, rows, columns)


@st.cache_resource(max_entries=2, scope="session", show_spinner="Reading the changes")
def _imported(
    file_id: str,  # noqa: ARG001 - a key
    mapping: ColumnMapping,
    labels: list[str],
    _file: ReadFile,
) -> ImportedCorpus:
    check_mapping(mapping, _file.columns)
    return import_corpus(_file.rows, mapping, _file.name, labels)


def _question(file: ReadFile) -> str:
    """Return what the names of columns leave open; nothing where they settle all that must be."""
    labels = list(label_columns(file.columns))
    mapping = guess_mapping([column for column in file.columns if column not in labels])
    rest = guess_mapping([column for column in file.columns if column not in mapping.values()])
    for field in FIELDS:
        if field.is_required and field.name in rest:
            both = f"{mapping[field.name]!r} and {rest[field.name]!r}"
            return f"The columns {both} could both hold the {field.name}. Choose one, then score."
    try:
        _imported(file.id, mapping, labels, file)
    except InputError:
        return "See that the columns are right, then score."
    return ""


def offer_scoring(
    thing: Hashable, columns: object, begin: Callable[[], str], *, at_once: bool
) -> None:
    """Score what a person gave, at once where it is new; offer to do so with other `columns`.

    `thing` tells it from other files, and `begin` returns the key of the import.
    """
    # Of each thing the columns it was scored with last, and the key of that import.
    scored: dict[Hashable, tuple[object, str]] = st.session_state.setdefault(_SCORED, {})
    last = scored.get(thing)
    if last == (columns, st.session_state.get(IMPORT)):
        return
    label = "Score"
    if last is not None:
        label = "Score again" if last[0] == columns else "Score again with these columns"
    if (last is None and at_once) or st.button(
        label, type="primary", key=f"score_{thing!r}", icon=":material/play_arrow:"
    ):
        began_here = {key for _, key in scored.values()}
        if followed_import() is not None and st.session_state[IMPORT] in began_here:
            forget_import()  # nobody waits for it now
        scored[thing] = columns, ""
        try:
            key = begin()
        except InputError as error:
            st.error(escape_markdown(str(error)))
        else:
            scored[thing] = columns, key
            follow_import(key)
            st.rerun()


def _show_import() -> None:
    """Show how far the scoring is, or what is scored."""
    try:
        if take_import() and imports().is_first_look(st.session_state[TAKEN]):
            show_on_all_pages(SourceKind.FILE)
            st.rerun()  # the switch shows what was taken
        found = followed_import()
        if found is not None and found.job is not None:
            show_scoring(found, found.job)
        elif (source := imported_source()) is not None:
            with st.container(border=True):
                _show_scored(source, imported_run())
    except InputError as error:
        st.error(escape_markdown(str(error)))


def _show_scored(source: Source, run: FinishedRun | None) -> None:
    """Say what is scored, lead to where it is seen, and offer to keep it."""
    comparison = source.comparison
    st.success(
        f"**{escape_markdown(source.label)}** is scored: {counted(len(comparison), 'review')} of "
        f"{counted(len(comparison.changes), 'change')}.",
        icon=":material/check:",
    )
    is_shown = shown_key() == SourceKind.FILE
    with st.container(horizontal=True, vertical_alignment="center"):
        show_button(SourceKind.FILE)
        if is_shown:
            for page, (label, icon) in _NEXT.items():
                st.page_link(f"pages/{page}.py", label=label, icon=icon)
        st.button("Remove it", icon=":material/delete:", on_click=forget_import)
    if is_shown:
        offer_save(source)
    if run is not None:
        judge_section(run, "import", take_import_again)
    if warnings := comparison.warnings:
        with st.expander(f"Warnings: {len(warnings):,}"):
            text_table([{"warning": one} for one in warnings], wide=("warning",))
    if run is not None and (n_rejected := run.document.rejected):
        with st.expander(f"Rows of the file set aside: {n_rejected:,}"):
            _show_rejected(run.folder.rejects(_MOST_REJECTED))
            offer_file(
                "Download them as JSON Lines",
                lambda: b"".join(run.folder.pieces(REJECTS)).decode(),
                "rejected-rows.jsonl",
            )
    show_left_out(comparison.left_out)


def choose_columns(file: ReadFile) -> tuple[ColumnMapping, list[str]]:
    """Let a person choose the column of each field, and labels, guessed by the columns' names."""
    fields, key = st.container(horizontal=True), f"data_labels_{file.id}"
    st.session_state.setdefault(key, list(label_columns(file.columns)))
    labels = st.multiselect(
        "Labels",
        file.columns,
        key=key,
        placeholder="No column",
        help="Columns of what people or outcomes say of the reviews, such as useful or not: any "
        "number, yes or no, or blank. A column of 0 and 1 that is called like a rating is one too.",
    )
    others = [column for column in file.columns if column not in labels]
    guess = guess_mapping(others)
    chosen: dict[str, str | None] = {}
    with fields:
        for field in FIELDS:
            key = f"data_column_{field.name}_{file.id}"
            chosen[field.name] = _choose(field, others, key, guess.get(field.name))
    return {name: column for name, column in chosen.items() if column is not None}, labels


def _choose(field: Field, columns: list[str], key: str, guess: str | None) -> str | None:
    keep_options(key, columns)
    st.session_state.setdefault(key, guess)
    column: str | None = st.selectbox(
        f"{field.name.replace('_', ' ').capitalize()}{' *' if field.is_required else ''}",
        columns,
        index=None,
        key=key,
        placeholder="Choose a column" if field.is_required else "No column",
        help=f"{field.meaning[:1].upper()}{field.meaning[1:]}.",
        width=255,
    )
    return column


def show_understood(imported: ImportedCorpus) -> None:
    """Show what is understood of the first rows of a file, and what is not."""
    reviews = [(change, one) for change in imported.corpus.changes for one in change.reviews]
    st.markdown(
        f"**{counted(len(reviews), 'review')}** of "
        f"**{counted(len(imported.corpus.changes), 'change')}**; "
        f"**{counted(len(imported.rejected), 'row')}** set aside "
        "(of the first rows)."
    )
    if imported.rejected:
        _show_rejected(imported.rejected)
    rows = [
        {
            "id": review.id,
            "change": change.id,
            "system": review.system,
            "language": change.language or "by the diff",
            "review": shorten(review.text, _MOST_CHARACTERS),
            "diff": shorten(change.diff, _MOST_CHARACTERS),
            **{name: getattr(review.ratings, name) for name in DIMENSIONS},
            **{label_column(name): value for name, value in review.labels.items()},
        }
        for change, review in reviews[:_REVIEWS]
    ]
    shown = pd.DataFrame(rows, dtype=object).dropna(axis="columns", how="all")
    text_table(shown, wide=("review", "diff"), caption="The first reviews, as they are understood")


def _show_rejected(rejected: Sequence[RejectedRow]) -> None:
    """Show rows that are set aside."""
    st.warning(
        "These rows cannot be used. The others are kept; to have these too, set them right in the "
        "file and give it again."
    )
    rows = [
        {"row": row.number, "reason": row.reason, "begins with": row.excerpt} for row in rejected
    ]
    text_table(rows, wide=("reason",), most_rows=_MOST_REJECTED)
