"""Claims of the Score page: made by rules or a language model, held by the session, edited."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NoReturn

import pandas as pd
import streamlit as st
from cachetools import LRUCache
from crscore_core.job import Job, JobBoard, Line
from pages.components.job_view import say_end, watch_job

from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import (
    ClaimGenerator,
    ClaimKind,
    ClaimSet,
    Progress,
    claim_generator,
    parse_claims,
    silent,
)
from crscore_core.claims.edited import ClaimRow, EditCounts, EditedClaims, rows_of
from crscore_core.errors import InputError
from pages.components.score_form import ClaimQuestion
from pages.components.streamed import StreamedAnswers, StreamProgress
from pages.components.text import counted, escape_markdown

_TABLES, _RUN = "claim_tables", "claims_run"
_MOST_TABLES = 8
_ANSWER_HEIGHT, _ROW_HEIGHT = 240, 70
"""In pixels; text is wrapped in rows of more than 64."""

_KINDS = [kind.value for kind in ClaimKind]
_AT_ONCE = 2
_models: JobBoard[StreamProgress, "ClaimTable"] = JobBoard(Line(_AT_ONCE))


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """Claims about a change as `backend`, its full name, made them and as a person left them.

    `key` is the key of the widget, `base` are the rows that the widget began with when it came on
    the page, and `rows` are the rows that it holds now.
    """

    change: CodeChange
    backend: str
    made: ClaimSet
    key: str
    base: tuple[ClaimRow, ...]
    rows: tuple[ClaimRow, ...]

    @property
    def edited(self) -> EditedClaims:
        """The claims as they were left."""
        return EditedClaims(self.made, self.backend, self.rows)


@dataclass(frozen=True, slots=True)
class ClaimsRun:
    """A language model that makes claims; `then_score` asks for scores after it."""

    question: ClaimQuestion
    job: Job[StreamProgress, ClaimTable]
    then_score: bool


def make_claims(question: ClaimQuestion, progress: Progress = silent) -> ClaimTable:
    """Make the claims that are asked for.

    Raises:
        InputError: the diff cannot be read, or the backend cannot be used.
    """
    change = parse_change(question.diff, language=question.language)
    generator: ClaimGenerator = (
        parse_claims(question.given)
        if question.backend is None
        else claim_generator(question.backend, question.options, progress)
    )
    return _as_made(change, generator.name, generator.generate(change))


def _as_made(change: CodeChange, backend: str, made: ClaimSet) -> ClaimTable:
    rows = rows_of(made)
    return ClaimTable(change, backend, made, f"claims_{secrets.token_hex(8)}", rows, rows)


def hold_claims(question: ClaimQuestion, table: ClaimTable) -> None:
    """Hold claims for the question that they answer, and for no other."""
    st.session_state.setdefault(_TABLES, LRUCache(_MOST_TABLES))[question] = table


def start_model(question: ClaimQuestion, *, then_score: bool) -> NoReturn:
    """Start a language model for a session that has none at work, and run the page again."""
    job = _models.begin(
        secrets.token_urlsafe(16),
        lambda note, stopping: make_claims(question, StreamedAnswers(note, stopping)),
        "the language model",
    )
    st.session_state[_RUN] = ClaimsRun(question, job, then_score)
    st.rerun()


def take_claims(question: ClaimQuestion) -> tuple[ClaimsRun | None, bool]:
    """Hold the claims of a language model that is done.

    Returns the model that is not done, at work or ended without claims, and True if scores of
    this question waited for the claims.
    """
    run: ClaimsRun | None = st.session_state.get(_RUN)
    table = None if run is None else run.job.now().result
    if run is None or table is None:
        return run, False
    del st.session_state[_RUN]
    hold_claims(run.question, table)
    return None, run.then_score and run.question == question and not run.job.is_stopping


def show_model(run: ClaimsRun, question: ClaimQuestion) -> None:
    """Show a language model at work, or why it gave no claims for this question."""
    end = run.job.now()
    if end.error is None:
        watch_job(run.job, lambda progress: _heading(run.job.age(), progress), _show_answer)
    elif run.question == question:
        say_end(end)


def claims_section(question: ClaimQuestion, *, is_running: bool) -> ClaimTable | None:
    """Show the claims that are held for a question and return them, or offer to make them."""
    table: ClaimTable | None = st.session_state.get(_TABLES, {}).get(question)
    if table is not None:
        return _edit(question, table)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Make claims", icon=":material/list_alt:", disabled=is_running):
            if question.is_slow:
                start_model(question, then_score=False)
            try:
                hold_claims(question, make_claims(question))
            except InputError as error:
                st.error(escape_markdown(str(error)))
            else:
                st.rerun()
        st.caption("Score makes the claims. Make them now to edit, add or remove some before.")
    return None


def _edit(question: ClaimQuestion, table: ClaimTable) -> ClaimTable:
    """Show warnings and the table of claims, hold the table as it is left, and return it."""
    for warning in table.made.warnings:
        st.warning(escape_markdown(warning))
    table = _table_as_left(table)
    hold_claims(question, table)
    counts = table.edited.counts
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_counts_in_words(counts))
        if st.button("Reset", icon=":material/undo:", disabled=not counts.is_edited):
            hold_claims(question, _as_made(table.change, table.backend, table.made))
            st.rerun()
    return table


def _table_as_left(table: ClaimTable) -> ClaimTable:
    st.caption(
        "Enter or a double click edits a cell, the last row adds a claim, and a click at its left "
        # A line of its own, short enough not to lie under the tools of the table.
        "or Shift+Space marks a row.  \nDelete removes the marked rows."
    )
    # A widget forgets its edits while it is not shown; then it begins with what they gave.
    base = table.base if table.key in st.session_state else table.rows
    places = [row.original for row in base]
    frame = st.data_editor(
        pd.DataFrame(
            {
                "claim": pd.Series([row.text for row in base], dtype=object),
                "kind": pd.Series([row.kind.value for row in base], dtype=object),
                "file": pd.Series([place and place.path for place in places], dtype=object),
                "line": pd.Series([place and place.line for place in places], dtype="Int64"),
            }
        ),
        key=table.key,
        num_rows="dynamic",
        disabled=["file", "line"],
        row_height=_ROW_HEIGHT,
        placeholder="",
        alt="Claims about the diff",
        column_config={
            "claim": st.column_config.TextColumn(width=290),
            "kind": st.column_config.SelectboxColumn(
                options=_KINDS, default=ClaimKind.CLAIM.value, required=True, width=105
            ),
            "file": st.column_config.TextColumn(width=90),
            "line": st.column_config.NumberColumn(width=50),
        },
    )
    removed: Sequence[int] = st.session_state[table.key]["deleted_rows"]
    return replace(table, base=base, rows=_rows(frame, base, removed))


def _rows(
    frame: pd.DataFrame, base: tuple[ClaimRow, ...], removed: Sequence[int]
) -> tuple[ClaimRow, ...]:
    """Return the rows of `base` except those `removed`, then new rows.

    The index of `frame` tells nothing: a new row may get the label of a removed one.
    """
    kept = [base[place].original for place in pd.RangeIndex(len(base)).delete(list(removed))]
    return tuple(
        ClaimRow(
            text if isinstance(text, str) else "",
            ClaimKind(kind) if kind in _KINDS else ClaimKind.CLAIM,
            original,
        )
        for original, text, kind in zip_longest(kept, frame["claim"], frame["kind"])
    )


def _counts_in_words(counts: EditCounts) -> str:
    if not counts.is_edited:
        return f"{counts.made} claims, as they were made."
    return (
        f"{counts.edited} of {counts.made} claims edited, {counts.added} added, "
        f"{counts.removed} removed."
    )


def _show_answer(progress: StreamProgress) -> None:
    with st.container(height=_ANSWER_HEIGHT, border=False, autoscroll=True):
        st.code(progress.text, language=None, wrap_lines=True)


def _heading(age: float, progress: StreamProgress | None) -> str:
    if progress is None:
        return f"**Making claims.** Waiting for the first token, {age:.0f} s …"
    made = counted(progress.tokens, "token")
    return f"**Making claims.** {made} in {progress.seconds:.0f} s …"
