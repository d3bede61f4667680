"""Asks what each column of an uploaded file contains."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from crscore_core.text import counted
from crscore_eval.table import ColumnRole
from crscore_eval.table.roles import RATED, RATING, ROLES, SCALES, reversed_scale
from pages.components.text import escape_markdown

_RATINGS = (RATING, *RATED)
_TITLES = {
    "diff": "diff of the change",
    "review": "review text",
    "system": "reviewer",
    "rater": "person who rated the review",
    "id": "name of the review",
    "change": "name of the change",
    "title": "title of the change",
    "language": "programming language",
    "reference": "reference review",
    "path": "file name",
    "reply": "comment that this one answers",
    "new_file": "complete file after the change",
    "old_file": "complete file before the change",
    RATING: "another rating",
    **{name: f"rating of {name}" for name in RATED},
    "right": "label: whether the review is right",
    "number": "other number",
    "text": "other text",
    "ignored": "not used",
}


def is_complete(columns: Iterable[Mapping[str, Any]]) -> bool:
    """Return True if the columns include reviews, and diffs or references."""
    fields = {column["read_as"] for column in columns if column["kind"] == "field"}
    return "review" in fields and not fields.isdisjoint({"diff", "reference"})


def ask_roles(name: str, columns: Sequence[Mapping[str, Any]], key: str) -> dict[str, str]:
    """Ask what a file's columns contain; return their roles once the user has confirmed them.

    `columns` holds the guesses as fields of `ColumnRole`; `key` identifies the widgets.
    """
    guesses = sorted((ColumnRole(**one) for one in columns), key=lambda guess: -guess.lost)
    uncertain = [guess for guess in guesses if guess.alternatives or guess.lost]
    certain = [guess for guess in guesses if guess not in uncertain]
    st.header(f"What do the columns of {escape_markdown(name)} contain?", anchor=False)
    st.caption("The fields show our guesses. Please correct any that are wrong.")
    roles = {guess.column: _ask(guess, key) for guess in uncertain}
    if certain:
        more = counted(len(certain), "more column" if uncertain else "column")
        with st.expander(more, expanded=not is_complete(columns)):
            roles |= {guess.column: _ask(guess, key) for guess in certain}
    return roles if st.button("Score the reviews", type="primary", key=f"score_{key}") else {}


def _ask(guess: ColumnRole, key: str) -> str:
    role, scale = guess.role, guess.scale
    scales = dict.fromkeys([scale, reversed_scale(scale), *SCALES] if scale else SCALES)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        role = st.selectbox(
            escape_markdown(guess.column),
            ROLES,
            ROLES.index(role),
            format_func=lambda one: _TITLES.get(one, one),
            key=f"role_{key}_{guess.column}",
        )
        if role in _RATINGS:
            scale = st.selectbox(
                "Scale",
                [*scales],
                key=f"scale_{key}_{guess.column}",
                accept_new_options=True,
                help="The worst rating comes first, such as 6-1 if 1 is the best.",
                width=120,
            )
    examples = " | ".join(guess.examples)
    st.caption(escape_markdown(f"{examples} ({guess.note})" if guess.note else examples))
    return f"{role}:{scale}" if role in _RATINGS else role
