"""Text and figures on a page: shown, never interpreted."""

import html
import re
import textwrap
from collections.abc import Iterable, Mapping
from itertools import chain, count

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import escape_invisible, shorten
from crscore_eval.formatting import capitalize_first
from crscore_eval.table.cells import escape_formula

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~>$:<&/])")

MAX_CHARACTERS = 20_000
"""Maximum number of characters of a text that a page shows; real reviews are far shorter."""

_RECOGNISED_LATE = re.compile(
    r"((?:https?://[^\s`]*|www\.[^\s`]*|(?<![\w.+-])[\w.+-]+@[\w.-]+|:[\w+-]+:"
    r"|(?<!\S)(?:<->|->|<-|--|>=|<=|~=)(?!\S))+)",
    re.IGNORECASE,
)
"""Addresses, icons, and signs that become arrows or dashes, after markdown removed its escapes."""

_OPTION = re.compile(r"--[a-z]|`crscore ")


def escape_markdown(text: str) -> str:
    """Escape a text so that Streamlit shows it without markup, links, icons or formulas.

    What Streamlit recognises even if it is escaped, such as addresses, is shown as code. Unseen
    characters become their codes, since they could reorder the text after them.
    """
    line = " ".join(escape_invisible(text, keeps_lines=True).split())
    parts = _RECOGNISED_LATE.split(line)
    return "".join(
        f"`{part}`" if at % 2 else _MARKS.sub(r"\\\1", part) for at, part in enumerate(parts)
    )


def describe_error(error: InputError) -> str:
    """Return an error as Markdown, in upper case at first, without advice on the command line."""
    advice = "" if _OPTION.search(error.advice) else error.advice
    return escape_markdown(capitalize_first(str(InputError(error.problem, advice, error.place))))


def cut(text: str, max_characters: int = MAX_CHARACTERS) -> str:
    """Return the beginning of a text, with a note that counts the characters left out."""
    left_out = len(text) - max_characters
    note = f" … {left_out:,} more characters are not shown"
    return text[:max_characters] + note if left_out > 0 else text


def show_plain(text: str) -> None:
    """Show a text as typed, with its blanks and line ends, but without an indent of all lines.

    Unseen characters become their codes, as in `escape_markdown`.
    """
    st.text(escape_invisible(cut(text.replace("\r\n", "\n")), keeps_lines=True), width="stretch")


def escape_hover(text: str, width: int = 160) -> str:
    """Shorten and escape a text for a Plotly label, which interprets markup.

    Unseen characters become their codes, as in `escape_markdown`.
    """
    return _escape_plotly(shorten(escape_invisible(text, keeps_lines=True), width))


def wrap_hover(text: str, width: int = 60, max_lines: int = 6) -> str:
    """Wrap and escape a text as `escape_hover` does, in lines of at most `width` characters.

    A text that is cut ends with an ellipsis.
    """
    lines = textwrap.wrap(
        " ".join(escape_invisible(text, keeps_lines=True).split()), width, break_on_hyphens=False
    )
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], f"{lines[max_lines - 1][: width - 1]}…"]
    return "<br>".join(map(_escape_plotly, lines))


def safe_table(rows: pd.DataFrame | Iterable[Mapping[str, object]]) -> pd.DataFrame:
    """Return rows whose texts no spreadsheet program interprets as a formula.

    The toolbar of Streamlit's tables exports what they show as CSV.
    """
    table = rows.copy() if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows))
    for name in table.columns[[not pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes]]:
        table[name] = table[name].map(escape_formula)
    return table


def _escape_plotly(text: str) -> str:
    """Escape HTML, `%{…}` of templates and dollar signs of formulas.

    Quotation marks stay, since Plotly shows the name of an escaped one.
    """
    return html.escape(text, quote=False).replace("%", "&#37;").replace("$", "&#36;")


def unique_labels(texts: Iterable[str], width: int = 80) -> list[str]:
    """Shorten texts to labels of `width` characters, with a number after each repeated label.

    Streamlit identifies options by their labels: among equal ones it always chooses the last.
    """
    labels: list[str] = []
    for text in texts:
        label = shorten(text, width)
        candidates = chain([label], (f"{label} ({number})" for number in count(2)))
        labels.append(next(candidate for candidate in candidates if candidate not in labels))
    return labels
