"""A file of reviews -> the source of this session: given, understood, scored."""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH, Corpus
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
from crscore_core.corpus.run.folder import REJECTS
from crscore_core.corpus.run.intake import ImportedCorpus, import_corpus
from crscore_core.errors import InputError
from pages.components.data_scoring import show_scoring
from pages.components.markup import text_table
from pages.components.names import keep_options
from pages.components.offers import offer_file
from pages.components.source.imported import (
    follow_import,
    followed_import,
    forget_import,
    imported_run,
    imported_source,
    imports,
)
from pages.components.source.model import SourceKind
from pages.components.source.switch import show_button
from pages.components.text import counted, escape_markdown, safe_table

PREVIEW_ROWS = 1_000
"""Rows of a file that are read to show what is understood of it."""

_IMPORT = "data_import"
_MOST_WARNINGS = 5
_UPLOAD = "data_upload"
_READ = "data_file"
_TYPES = ("jsonl", "ndjson", "json", "csv", "tsv", "tab", "parquet", "gz")
_numbers = itertools.count(1)
_PER_ROW = 4
_REVIEWS = 5
_MOST_LINES = 6
_MOST_CHARACTERS = 400
_MOST_REJECTED = 50
_SECONDS = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class ReadFile:
    """A file that was given: its name, content, a number that no other has, its first rows."""

    name: str
    content: bytes
    number: int
    rows: RowStream
    columns: tuple[str, ...]


def import_section() -> None:
    """Let a person import reviews."""
    st.write(
        "Reviews of your own, with the changes that they are about: they are scored as the Score "
        "page does, with claims of the symbolic backend where a change comes without any."
    )
    show_imported()
    st.header("1. File")
    file = read_upload()
    found = followed_import()
    job = None if found is None else found.job
    is_running = job is not None and not job.now().is_over
    if file is not None:
        _understand(file, may_score=not is_running)
    if found is not None and job is not None:
        show_scoring(found, job, was_running=is_running)


def _understand(file: ReadFile, *, may_score: bool) -> None:
    """Show what is understood of a file, by columns that a person chooses, and score it."""
    st.header("2. Columns")
    mapping, labels = choose_columns(file)
    try:
        imported = _imported(file, mapping, labels)
    except InputError as error:
        st.warning(escape_markdown(str(error)))
        return
    st.header("3. What is understood")
    show_import(imported)
    st.header("4. Scores")
    if st.button("Score", type="primary", icon=":material/play_arrow:", disabled=not may_score):
        try:
            follow_import(imports().begin(file.name, file.content, mapping, tuple(labels)))
        except InputError as error:
            st.error(escape_markdown(str(error)))
        else:
            st.rerun()


def _imported(file: ReadFile, mapping: ColumnMapping, labels: list[str]) -> ImportedCorpus:
    """Read the corpus of a file anew only when the file or its columns changed."""
    key = file.number, mapping, labels
    held: tuple[object, ImportedCorpus] | None = st.session_state.get(_IMPORT)
    if held is None or held[0] != key:
        check_mapping(mapping, file.columns)
        with st.spinner("Reading the changes"):
            held = key, import_corpus(file.rows, mapping, file.name, labels)
        st.session_state[_IMPORT] = held
    return held[1]


def show_imported() -> None:
    """Say what is imported in this session, and where to see it."""
    try:
        source = imported_source()
    except InputError:  # the page has said why when it took the import
        return
    if source is None:
        return
    comparison = source.comparison
    st.success(
        f"**{escape_markdown(source.label)}** is imported and scored: "
        f"{counted(len(comparison), 'review')} of "
        f"{counted(len(comparison.changes), 'change')}. See them on "
        "Heatmap, Failure cases, Rankings, Threshold and Validity; keep them with *Save* under "
        "Saved runs.",
        icon=":material/check:",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        show_button(SourceKind.FILE)
        st.button("Remove it", icon=":material/delete:", on_click=forget_import)
    for warning in comparison.warnings[:_MOST_WARNINGS]:
        st.caption(escape_markdown(warning))
    if len(comparison.warnings) > _MOST_WARNINGS:
        st.caption(f"{len(comparison.warnings) - _MOST_WARNINGS:,} more warnings are not shown.")
    try:
        run = imported_run()
    except InputError as error:
        st.warning(escape_markdown(str(error)))
        run = None
    if run is not None and (n_rejected := run.document.rejected):
        st.markdown(f"**{counted(n_rejected, 'row')}** of the file set aside.")
        _show_rejected(run.folder.rejects(_MOST_REJECTED))
        offer_file(
            "Download them as JSON Lines",
            lambda: b"".join(run.folder.pieces(REJECTS)).decode(),
            "rejected-rows.jsonl",
        )
    if comparison.left_out:
        st.warning(f"Changes that cannot be scored, left out: {len(comparison.left_out):,}.")
        st.dataframe(
            safe_table({"change": one.id, "reason": one.reason} for one in comparison.left_out),
            hide_index=True,
            key="data_left_out",
        )


def read_upload() -> ReadFile | None:
    """Let a person give a file; the one that was read stays while other pages are open."""
    upload = st.file_uploader(
        "File of reviews",
        type=list(_TYPES),
        key=_UPLOAD,
        max_upload_size=LARGEST_FILE // 2**20,
        on_change=_forget,
        help="One row a review, with the change that it is about. Columns may have any names; "
        "what they hold is said in the next step.",
    )
    st.caption(
        "JSON Lines, JSON, CSV, TSV or Parquet, also packed with gzip; at most "
        f"{LARGEST_FILE // 2**20} MB, unpacked too. It stays on this server, "
        "where nobody who does not have this page's address sees it."
    )
    if _READ not in st.session_state and isinstance(upload, UploadedFile):
        _read(upload)
    file: ReadFile | None = st.session_state.get(_READ)
    if file is not None and upload is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape_markdown(file.name)}** is still here.")
            st.button("Forget it", icon=":material/close:", on_click=_forget)
    return file


def _read(upload: UploadedFile) -> None:
    try:
        with st.spinner("Reading the file"):
            content = upload.getvalue()
            rows = RowStream(content, upload.name, most=PREVIEW_ROWS, seconds=_SECONDS)
            columns = rows.columns()
    except InputError as error:
        st.error(escape_markdown(str(error)))
    else:
        st.session_state[_READ] = ReadFile(upload.name, content, next(_numbers), rows, columns)


def _forget() -> None:
    st.session_state.pop(_READ, None)


def choose_columns(file: ReadFile) -> tuple[ColumnMapping, list[str]]:
    """Let a person choose the column of each field, and labels, guessed by the columns' names."""
    fields, key = st.container(), f"data_labels_{file.number}"
    st.session_state.setdefault(key, list(label_columns(file.columns)))
    labels = st.multiselect(
        "Labels",
        file.columns,
        key=key,
        persist_state="session",
        placeholder="No column",
        help="Columns of what people or outcomes say of the reviews, such as useful or not: any "
        "number, yes or no, or blank. A column of 0 and 1 that is called like a rating is one too.",
    )
    others = [column for column in file.columns if column not in labels]
    guess = guess_mapping(others)
    chosen: dict[str, str | None] = {}
    for start in range(0, len(FIELDS), _PER_ROW):
        for column, field in zip(
            fields.columns(_PER_ROW), FIELDS[start : start + _PER_ROW], strict=False
        ):
            with column:
                key = f"data_column_{field.name}_{file.number}"
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
        persist_state="session",
        placeholder="Choose a column" if field.is_required else "No column",
        help=f"{field.meaning[:1].upper()}{field.meaning[1:]}.",
    )
    return column


def show_import(imported: ImportedCorpus) -> None:
    """Show what is understood of a file, and what is not."""
    corpus = imported.corpus
    n_reviews = sum(len(change.reviews) for change in corpus.changes)
    n_rows = len(imported.rejected) + sum(
        review.system != GROUND_TRUTH for change in corpus.changes for review in change.reviews
    )
    n_rated = sum(
        any(getattr(review.ratings, name) is not None for name in DIMENSIONS)
        for change in corpus.changes
        for review in change.reviews
    )
    n_labelled = Counter(
        name for change in corpus.changes for review in change.reviews for name in review.labels
    )
    with_labels = "".join(
        f", {number:,} labelled {escape_markdown(name)}" for name, number in n_labelled.items()
    )
    st.markdown(
        f"**{counted(n_reviews, 'review')}** of **{counted(len(corpus.changes), 'change')}**, "
        f"{n_rated:,} with ratings{with_labels}; "
        f"**{counted(len(imported.rejected), 'row')}** set aside."
        + (f" These are the first {PREVIEW_ROWS:,} rows." if n_rows == PREVIEW_ROWS else "")
    )
    if imported.rejected:
        _show_rejected(imported.rejected)
    if n_reviews:
        st.markdown("The first reviews, as they are understood:")
        text_table(_first(corpus), wide=("review", "diff"))


def _first(corpus: Corpus) -> list[dict[str, object]]:
    reviews = ((change, review) for change in corpus.changes for review in change.reviews)
    first = list(itertools.islice(reviews, _REVIEWS))
    rated = [
        name
        for name in DIMENSIONS
        if any(getattr(one.ratings, name) is not None for _, one in first)
    ]
    return [
        {
            "id": review.id,
            "change": change.id,
            "system": review.system,
            "language": change.language or "by the diff",
            "review": _beginning(review.text),
            "diff": _beginning(change.diff),
            **{name: getattr(review.ratings, name) for name in rated},
            **{label_column(name): value for name, value in review.labels.items()},
        }
        for change, review in first
    ]


def _beginning(text: str) -> str:
    lines = text[:_MOST_CHARACTERS].split("\n")[:_MOST_LINES]
    beginning = "\n".join(lines)
    return beginning if beginning == text else f"{beginning} …"


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
