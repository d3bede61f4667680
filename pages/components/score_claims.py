"""Claims of the Score page: made by a backend, and edited in a table."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import pandas as pd
import streamlit as st

from crscore_core.change import CodeChange, parse_change
from crscore_core.claims import (
    CLAIM_BACKENDS,
    Claim,
    ClaimKind,
    ClaimSet,
    GivenClaims,
    claim_generator,
    edited_claim,
    edited_claims,
    parse_claims,
)
from crscore_core.errors import InputError
from pages.components.score_form import ClaimQuestion
from pages.components.text import counted, escape_markdown

_HELD = "claims_held"
_ANSWER_HEIGHT, _ROW_HEIGHT = 240, 70  # pixels; longer text wraps
_KINDS = [kind.value for kind in ClaimKind]


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """Claims about a change as `backend` made them, and the rows after editing.

    `key` is the key of the widget, which started with the rows `base`.
    """

    change: CodeChange
    backend: str
    made: ClaimSet
    key: str
    base: tuple[Claim, ...]
    rows: tuple[Claim, ...]

    @property
    def edited(self) -> GivenClaims:
        """The claims after editing."""
        return edited_claims(self.made, self.backend, self.rows)


def make_claims(question: ClaimQuestion) -> ClaimTable:
    """Make the claims, and keep them for this question; show the answer of a language model.

    Any action of the user, such as the button Stop, ends this run of the page and the model's.

    Raises:
        InputError: the diff cannot be read, or the backend is unavailable or fails.
    """
    change = parse_change(question.diff, language=question.language)
    if question.backend is None:
        backend = parse_claims(question.given)
        return _hold(question, change, backend.name, backend.generate(change))
    if not CLAIM_BACKENDS[question.backend].options:
        rules = claim_generator(question.backend)
        return _hold(question, change, rules.name, rules.generate(change))
    with st.status("The language model reads the change …", expanded=True) as status:
        st.button("Stop", icon=":material/stop:")
        answer = st.container(height=_ANSWER_HEIGHT, border=False, autoscroll=True).empty()
        pieces: list[str] = []

        def show_piece(_prompt: int, piece: str) -> None:
            if piece:
                pieces.append(piece)
            label = "The language model reads the change …"
            if pieces:
                label = f"The language model writes: {counted(len(pieces), 'piece')} …"
            # Without `expanded` an update that comes before the first drawing closes the status.
            # An empty piece leads here too: an update lets Streamlit stop this run.
            # Without `expanded` an update that comes before the first drawing closes the status.
            status.update(label=label, expanded=True)
            answer.code("".join(pieces), language=None, wrap_lines=True)

        try:
            model = claim_generator(question.backend, question.options, show_piece)
            made = model.generate(change)
        except InputError:
            status.update(label="No claims", state="error", expanded=False)
            raise
        status.update(label="The claims are made", expanded=False)
    return _hold(question, change, model.name, made)


def _hold(question: ClaimQuestion, change: CodeChange, backend: str, made: ClaimSet) -> ClaimTable:
    rows = made.claims
    table = ClaimTable(change, backend, made, f"claims_{secrets.token_hex(8)}", rows, rows)
    st.session_state[_HELD] = question, table
    return table


def claims_section(question: ClaimQuestion) -> ClaimTable | None:
    """Show the claims that were made for a question and return them, or offer to make them."""
    held, table = st.session_state.get(_HELD, (None, None))
    if table is not None and held == question:
        return _edit(question, table)
    with st.container(horizontal=True, vertical_alignment="center"):
        is_pressed = st.button("Make claims", icon=":material/list_alt:")
        st.caption("Score makes the claims. Make them now to edit, add or remove some first.")
    if is_pressed:
        try:
            make_claims(question)
        except InputError as error:
            st.error(escape_markdown(str(error)))
        else:
            st.rerun()
    return None


def _edit(question: ClaimQuestion, table: ClaimTable) -> ClaimTable:
    """Show warnings and the table of claims; return the table as it is now."""
    for warning in table.made.warnings:
        st.warning(escape_markdown(warning))
    table = _edited(table)
    st.session_state[_HELD] = question, table
    is_edited = table.rows != table.made.claims
    with st.container(horizontal=True, vertical_alignment="center"):
        state = "edited" if is_edited else "unedited"
        st.caption(f"{counted(len(table.made.claims), 'claim')}, {state}.")
        if st.button("Reset", icon=":material/undo:", disabled=not is_edited):
            _hold(question, table.change, table.backend, table.made)
            st.rerun()
    return table


def _edited(table: ClaimTable) -> ClaimTable:
    st.caption(
        "Double-click a cell or press Enter to edit it. The last row adds a claim. Select rows at "
        # A line of its own, short enough not to lie under the tools of the table.
        "their left or with Shift+Space.  \nDelete removes the selected rows."
    )
    # A widget forgets its edits while it is not shown; then it starts with their result.
    base = table.base if table.key in st.session_state else table.rows
    frame = st.data_editor(
        pd.DataFrame(
            {
                "claim": pd.Series([row.text for row in base], dtype=object),
                "kind": pd.Series([row.kind.value for row in base], dtype=object),
                "file": pd.Series([row.path for row in base], dtype=object),
                "line": pd.Series([row.line for row in base], dtype="Int64"),
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
    frame: pd.DataFrame, base: tuple[Claim, ...], removed: Sequence[int]
) -> tuple[Claim, ...]:
    """Return the rows of `base` except those `removed`, then new rows.

    The index of `frame` is no guide: a new row may get the label of a removed one.
    """
    kept = [base[place] for place in pd.RangeIndex(len(base)).delete(list(removed))]
    edited = (
        edited_claim(
            original,
            text if isinstance(text, str) else "",
            ClaimKind(kind) if kind in _KINDS else ClaimKind.CLAIM,
        )
        for original, text, kind in zip_longest(kept, frame["claim"], frame["kind"])
    )
    return tuple(filter(None, edited))
