"""What the columns of a file hold, as a person says."""

import streamlit as st

from crscore_core.corpus.reading import FIELDS, ColumnMapping, Field, guess_mapping
from pages.components.data_page.upload import ReadFile

__all__ = ["choose_columns"]

_PER_ROW = 4


def choose_columns(file: ReadFile) -> ColumnMapping:
    """A field for each thing that a column may hold, guessed by the names of columns."""
    guess = guess_mapping(file.table.columns)
    chosen: dict[str, str | None] = {}
    for start in range(0, len(FIELDS), _PER_ROW):
        for column, field in zip(
            st.columns(_PER_ROW), FIELDS[start : start + _PER_ROW], strict=False
        ):
            with column:
                chosen[field.name] = _choose(file, field, guess.column_of(field.name))
    return ColumnMapping(**chosen)


def _choose(file: ReadFile, field: Field, guess: str | None) -> str | None:
    key = f"data_column_{field.name}_{file.number}"
    st.session_state.setdefault(key, guess)
    column: str | None = st.selectbox(
        f"{field.name.replace('_', ' ').capitalize()}{' *' if field.is_required else ''}",
        file.table.columns,
        index=None,
        key=key,
        persist_state="session",
        placeholder="Choose a column" if field.is_required else "No column",
        help=f"{field.meaning[:1].upper()}{field.meaning[1:]}.",
    )
    return column
