"""The claims about the diff as a table that a person may edit."""

import dataclasses
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import pandas as pd
import streamlit as st

from crscore_core.claims import ClaimKind
from crscore_core.claims.edited import ClaimRow, EditCounts, EditedClaims, rows_of
from pages.components.made_claims import MadeClaims

__all__ = ["ClaimTable", "counts_in_words", "edit_claims"]

_ROW_HEIGHT = 70
"""In pixels; text is wrapped in rows of more than 64."""
_KINDS = [kind.value for kind in ClaimKind]


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """Claims and what became of them.

    `key` is that of the widget, `base` are the rows that it began with since it is on the page,
    and `rows` those that it holds.
    """

    made: MadeClaims
    key: str
    base: tuple[ClaimRow, ...]
    rows: tuple[ClaimRow, ...]

    @classmethod
    def of(cls, made: MadeClaims) -> "ClaimTable":
        """The claims as they were made."""
        rows = rows_of(made.claims)
        return cls(made, f"claims_{uuid.uuid4().hex}", rows, rows)

    @property
    def edited(self) -> EditedClaims:
        """The claims as they were left."""
        return EditedClaims(self.made.claims, self.made.backend, self.rows)


def edit_claims(table: ClaimTable) -> ClaimTable:
    """Show the table and return it as it is left."""
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


def counts_in_words(counts: EditCounts) -> str:
    """What became of the claims."""
    if not counts.is_edited:
        return f"{counts.made} claims, as they were made."
    return (
        f"{counts.edited} of {counts.made} claims edited, {counts.added} added, "
        f"{counts.removed} removed."
    )


def _rows(
    frame: pd.DataFrame, base: tuple[ClaimRow, ...], removed: Sequence[int]
) -> tuple[ClaimRow, ...]:
    """What a person left: the rows of `base` but those `removed`, then new ones.

    Their labels tell nothing, as a new row may get that of a removed one.
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
