"""Tables of wrapped text and of figures with three digits."""

from collections.abc import Callable, Mapping
from numbers import Integral
from typing import NamedTuple

import pandas as pd
import streamlit as st

from pages.components.text import cut, escape_except_code, escape_markdown, value_text

MAX_ROWS = 200
"""Maximum number of rows in a table of text; for more, `st.dataframe` is faster."""

PEOPLE_COLUMN, RELEVANCE_BY_PEOPLE = "people (1 to 5)", "people's rating of relevance (1 to 5)"
RATINGS = dict.fromkeys((PEOPLE_COLUMN, RELEVANCE_BY_PEOPLE), value_text)
"""Formats of the columns with people's ratings, which are often whole numbers."""

_MAX_UNWRAPPED = 32
"""Maximum length of the Markdown in a column whose figures or words are not broken."""


class Linked(NamedTuple):
    """A cell of `show_texts` that is Markdown, such as a link."""

    markdown: str


def show_texts(
    table: pd.DataFrame,
    caption: str | None = None,
    formats: Mapping[str, str | Callable[[object], str]] | None = None,
    letter: str | None = None,
) -> None:
    """Show the first `MAX_ROWS` rows of a table, with text in full and line breaks preserved.

    Fractions have three digits unless `formats` has a format for their column; missing values are
    empty. Text between backticks is shown as code; `Linked` text may have links. The index is shown
    as row names unless it is a range. Links lead to a row by `letter`; see `row_anchor`.
    """
    if caption is not None:
        st.caption(escape_markdown(caption))
    shown = table.iloc[:MAX_ROWS].rename(columns=escape_markdown)
    short = {
        f"td.col{number} p": cells.str[:1].str.isalpha().any()
        for number, (_, cells) in enumerate(shown.map(as_markdown).items())
        if cells.map(len).max() <= _MAX_UNWRAPPED
    }
    unwrapped = [cell for cell, has_words in short.items() if not has_words]
    styled = shown.style if letter is None else shown.style.set_uuid(letter)
    styled.format(as_markdown, na_rep="").format_index(as_markdown).set_table_styles(
        [
            {"selector": "td, th", "props": "padding-left: 0.5rem; vertical-align: top"},
            {"selector": "td > div, td p", "props": "max-width: none; overflow-wrap: anywhere"},
            {"selector": ", ".join(["caption", *short]), "props": "overflow-wrap: break-word"},
            {
                "selector": ", ".join(["th.row_heading p", *unwrapped]),
                "props": "white-space: nowrap; overflow-wrap: normal",
            },
        ]
    )
    for name, template in (formats or {}).items():
        if name in table:
            styled.format(template, na_rep="", subset=[escape_markdown(name)])
    has_names = not isinstance(table.index, pd.RangeIndex)
    st.table(styled, border="horizontal", hide_index=not has_names, alt=caption)
    if len(table) > MAX_ROWS:
        st.caption(f"{len(table) - MAX_ROWS:,} more rows are not shown.")


def as_markdown(value: object) -> str:
    """Return a cell of `show_texts` as escaped Markdown."""
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, Linked):
        return value.markdown
    if isinstance(value, Integral) and not isinstance(value, bool):
        return f"{value:,}"
    lines = cut(str(value)).replace("\r\n", "\n").split("\n")
    return "  \n".join(map(escape_except_code, lines))
