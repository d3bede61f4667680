"""Shows text and figures without interpreting them. Invisible characters become their codes."""

import html
import re
import textwrap
from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import Any

import pandas as pd
import streamlit as st
from markdown_it import MarkdownIt
from markdown_it.common.html_blocks import block_names
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from crscore_core.errors import InputError
from crscore_core.text import escape_invisible, shorten
from crscore_eval.formatting import capitalize_first
from crscore_eval.table.cells import escape_formula

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~>$:<&/])")

MAX_CHARACTERS = 20_000
"""Maximum number of characters of text to show; real reviews are far shorter."""

_RECOGNISED_LATE = re.compile(
    r"((?:https?://[^\s`]*|www\.[^\s`]*|(?<![\w.+/-])[\w.+/-]+@[\w.-]+|:[\w+-]+:"
    r"|(?<!\S)(?:<->|->|<-|--|>=|<=|~=)(?!\S))+)",
    re.IGNORECASE,
)
"""Addresses, icons, and signs turned into arrows or dashes, after Markdown removes escapes."""

CODE_SPAN = re.compile(r"((?<!`)(`+)(?!`)[^“”\n]+?(?<!`)\2(?!`))")
"""A code span in a line of Markdown, not across quotation marks, and its backticks."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_INLINE = (
    "a b br code del em font i img ins kbd mark picture s small span strike strong sub sup tt u"
)
_TAG = re.compile(rf"</?(?:{'|'.join([*block_names, *_INLINE.split()])})\b[^<>]*>", re.IGNORECASE)
_RENDERED_TAG = re.compile(r"<[^>]*>")
_OPTION = re.compile(r"--[a-z]|`crscore ")


def escape_markdown(text: str) -> str:
    """Escape text so that Streamlit shows no markup, links, icons or formulas.

    Anything that Streamlit recognises even when escaped, such as an address, is shown as code.
    Invisible characters become their codes, because they could reorder the text after them.
    """
    return _escape(_on_one_line(text))


def escape_except_code(text: str) -> str:
    """Escape text as `escape_markdown` does, except between backticks."""
    parts = CODE_SPAN.split(_on_one_line(text))
    escaped = (code + _escape(rest) for code, rest in zip(parts[1::3], parts[3::3], strict=True))
    return "".join([_escape(parts[0]), *escaped])


def _on_one_line(text: str) -> str:
    return " ".join(escape_invisible(text, keeps_lines=True).split())


def _escape(line: str) -> str:
    parts = _RECOGNISED_LATE.split(line)
    return "".join(
        f"`{part}`" if at % 2 else _MARKS.sub(r"\\\1", part) for at, part in enumerate(parts)
    )


def describe_error(error: InputError) -> str:
    """Return an error as Markdown, capitalized and without advice about the command line."""
    advice = "" if _OPTION.search(error.advice) else error.advice
    return escape_markdown(capitalize_first(str(InputError(error.problem, advice, error.place))))


def cut(text: str, max_characters: int = MAX_CHARACTERS) -> str:
    """Return the beginning of the text, with a note that counts the characters left out."""
    left_out = len(text) - max_characters
    note = f" … {left_out:,} more characters are not shown"
    return text[:max_characters] + note if left_out > 0 else text


def show_plain(text: str) -> None:
    """Show text as typed, with its blanks and line breaks, but without common indentation."""
    st.text(escape_invisible(cut(text.replace("\r\n", "\n")), keeps_lines=True), width="stretch")


def rendered_markdown(text: str) -> str:
    """Render Markdown as HTML, without HTML tags, and with links and images as typed.

    A tag that HTML does not know is text: `List<String>`.
    """
    source = escape_invisible(cut(text.replace("\r\n", "\n")), keeps_lines=True)
    return f'<div class="rendered">{_RENDERER.render(_COMMENT.sub("", source))}</div>'


def show_rendered(text: str) -> None:
    """Show text as rendered Markdown, and on demand as typed if that differs."""
    rendered = rendered_markdown(text)
    st.html(rendered)
    if html.unescape(_RENDERED_TAG.sub("", rendered)).split() != text.split():
        with st.popover("As typed", type="tertiary"):
            show_plain(text)


def without_marks(text: str) -> str:
    """Return text without the backticks around code, for places that show no Markdown."""
    return CODE_SPAN.sub(lambda code: code[1].strip("`"), text)


def _without_tags(_: RendererHTML, tokens: Sequence[Token], at: int, *__: object) -> str:
    return html.escape(_TAG.sub(" ", tokens[at].content))


_RENDERER = MarkdownIt("commonmark", {"maxNesting": 100, "breaks": True}).enable(
    ["table", "strikethrough"]
)
_RENDERER.disable(["link", "image", "autolink"])
_RENDERER.add_render_rule("html_inline", _without_tags)
_RENDERER.add_render_rule("html_block", _without_tags)


def escape_hover(text: str, width: int = 160) -> str:
    """Shorten and escape text for a Plotly label, which interprets markup."""
    return _escape_plotly(shorten(escape_invisible(text, keeps_lines=True), width))


def wrap_hover(text: str, width: int = 60, max_lines: int = 6) -> str:
    """Wrap and escape text as `escape_hover` does, in lines of at most `width` characters.

    Truncated text ends with an ellipsis.
    """
    lines = textwrap.wrap(_on_one_line(without_marks(text)), width, break_on_hyphens=False)
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], f"{lines[max_lines - 1][: width - 1]}…"]
    return "<br>".join(map(_escape_plotly, lines))


def safe_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose text no spreadsheet program interprets as a formula.

    The toolbar of Streamlit's tables exports their contents as CSV.
    """
    table = table.copy()
    for name in table.columns[[not pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes]]:
        table[name] = table[name].map(escape_formula)
    return table


def _escape_plotly(text: str) -> str:
    """Escape HTML, the `%{…}` of templates and the dollar signs of formulas.

    Quotation marks are not escaped, because Plotly would show the name of their entity.
    """
    return html.escape(text, quote=False).replace("%", "&#37;").replace("$", "&#36;")


def is_yes_or_no(values: "pd.Series[Any]") -> bool:
    """Return True if the numbers are answers, 1 for yes and 0 for no."""
    return pd.api.types.is_numeric_dtype(values) and bool(values.dropna().isin([0, 1]).all())


def value_text(value: object, *, is_answer: bool = False) -> str:
    """Return a column's value with at most two decimals, unless these are 0, or as yes or no."""
    if is_answer:
        return "yes" if value else "no"
    return f"{round(value, 2) or value:g}" if isinstance(value, float) else str(value)


def row_anchor(letter: str, at: int) -> str:
    """Return the anchor of row `at`, from 0, of the `show_texts` table with this `letter`."""
    return f"#T_{letter}_level0_row{at}"  # pandas forms the id of a row's name like this


def unique_labels(texts: Iterable[str], width: int = 80) -> list[str]:
    """Shorten texts to visible labels of `width` characters, and number repeated ones.

    Streamlit identifies options by their labels: among equal ones it always chooses the last.
    """
    labels: list[str] = []
    for text in texts:
        label = shorten(escape_invisible(text, keeps_lines=True), width)
        candidates = chain([label], (f"{label} ({number})" for number in count(2)))
        labels.append(next(candidate for candidate in candidates if candidate not in labels))
    return labels
