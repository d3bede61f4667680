"""Claims of the Score page: made for a question, held by the session, edited by hand."""

import dataclasses
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import pandas as pd
import streamlit as st

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
from pages.components.score_backend import ClaimInputs
from pages.components.score_form import ScoreInputs
from pages.components.text import escape_markdown

_TABLE = "claim_table"
_ROW_HEIGHT = 70
"""In pixels; text is wrapped in rows of more than 64."""
_KINDS = [kind.value for kind in ClaimKind]


@dataclass(frozen=True, slots=True)
class ClaimQuestion:
    """The change that claims are about and what makes them; claims belong to no other question."""

    diff: str | bytes
    language: str | None
    claims: ClaimInputs

    @classmethod
    def of(cls, inputs: ScoreInputs) -> "ClaimQuestion":
        """Return the question of a form."""
        return cls(inputs.diff, inputs.language, inputs.claims)


@dataclass(frozen=True, slots=True)
class MadeClaims:
    """Claims as a backend made them; `backend` is its full name."""

    question: ClaimQuestion
    change: CodeChange
    backend: str
    claims: ClaimSet


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """Claims as made and as a person left them.

    `key` is the key of the widget, `base` are the rows that the widget began with when it came on
    the page, and `rows` are the rows that it holds now.
    """

    made: MadeClaims
    key: str
    base: tuple[ClaimRow, ...]
    rows: tuple[ClaimRow, ...]

    @property
    def edited(self) -> EditedClaims:
        """The claims as they were left."""
        return EditedClaims(self.made.claims, self.made.backend, self.rows)


def make_claims(question: ClaimQuestion, progress: Progress = silent) -> MadeClaims:
    """Make the claims that are asked for.

    Raises:
        InputError: the diff cannot be read, or the backend cannot be used.
    """
    change = parse_change(question.diff, language=question.language)
    inputs = question.claims
    generator: ClaimGenerator = (
        parse_claims(inputs.given)
        if inputs.backend is None
        else claim_generator(inputs.backend, inputs.options, progress)
    )
    return MadeClaims(question, change, generator.name, generator.generate(change))


def keep_claims(made: MadeClaims, rows: tuple[ClaimRow, ...] | None = None) -> ClaimTable:
    """Hold new claims, or `rows` as a person left them, in place of those before."""
    rows = rows_of(made.claims) if rows is None else rows
    table = ClaimTable(made, f"claims_{uuid.uuid4().hex}", rows, rows)
    st.session_state[_TABLE] = table
    return table


def claims_held_for(question: ClaimQuestion) -> ClaimTable | None:
    """Return the claims that belong to a question, None where there are none."""
    table: ClaimTable | None = st.session_state.get(_TABLE)
    return table if table is not None and table.made.question == question else None


def edits_of_another(question: ClaimQuestion) -> ClaimTable | None:
    """Return claims edited by hand that belong to another question, None where there are none."""
    table: ClaimTable | None = st.session_state.get(_TABLE)
    if table is None or table.made.question == question:
        return None
    return table if table.edited.counts.is_edited else None


def offer_to_drop(table: ClaimTable) -> None:
    """Say that edited claims of another form are in the way, and offer to drop them."""
    st.warning(
        "The claims edited by hand belong to another diff, language or backend than the form "
        f"now holds: {_counts_in_words(table.edited.counts)} They are not used for this one. "
        "Drop them to go on, or put the form back to have them again."
    )
    if st.button("Drop the edited claims", icon=":material/delete:"):
        del st.session_state[_TABLE]
        st.rerun()


def edit_claims(table: ClaimTable) -> ClaimTable:
    """Show warnings and the table of claims, hold the table as it is left, and return it."""
    for warning in table.made.claims.warnings:
        st.warning(escape_markdown(warning))
    table = _table_as_left(table)
    st.session_state[_TABLE] = table
    counts = table.edited.counts
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_counts_in_words(counts))
        if st.button("Reset", icon=":material/undo:", disabled=not counts.is_edited):
            keep_claims(table.made)
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
    return dataclasses.replace(table, base=base, rows=_rows(frame, base, removed))


def _rows(
    frame: pd.DataFrame, base: tuple[ClaimRow, ...], removed: Sequence[int]
) -> tuple[ClaimRow, ...]:
    """Return the rows of `base` but those `removed`, then new rows.

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
