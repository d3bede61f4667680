"""A text shown as typed, with its invisible characters.

Each colour is a pair for the light and the dark theme: CSS chooses by `color-scheme`, which
Streamlit sets to the current theme.
"""

import streamlit as st
from markupsafe import Markup

from crscore_core.text import UNSEEN, escape_invisible

BACKGROUNDS: dict[str, tuple[str, str]] = {
    "page": ("#ffffff", "#020406"),
    "head": ("#eef2f7", "#1a212b"),
    "hunk": ("#e4eefa", "#14243a"),
    "added": ("#e2f5e6", "#10291a"),
    "removed": ("#fdeaea", "#351a1d"),
    "mark": ("#ffd968", "#4a3800"),
}
"""Colours behind text; `page` has the background colours of the theme."""

FOREGROUNDS: dict[str, tuple[str, str]] = {
    "muted": ("#525d6b", "#a3afbd"),
    "unseen": ("#8a1466", "#f5a3dc"),
    "plus": ("#0f5c28", "#6cd895"),
    "minus": ("#9c0f24", "#ff9d99"),
    "keyword": ("#7423a0", "#d3aeff"),
    "name": ("#0a4c96", "#8cc2ff"),
    "string": ("#7d4200", "#e8ba7a"),
    "number": ("#0a566f", "#83d3e2"),
    "comment": ("#525d6b", "#a3afbd"),
}
"""Colours of text; each is readable on every background above."""

LINES: dict[str, tuple[str, str]] = {"line": ("#ccd4dd", "#39434f")}
"""Rules between cells."""

_PALETTE = Markup(".typed{{{}}}").format(
    Markup().join(
        Markup("--typed-{}:light-dark({},{});").format(name, light, dark)
        for name, (light, dark) in (BACKGROUNDS | FOREGROUNDS | LINES).items()
    )
)
"""Style that defines every colour as `var(--typed-NAME)` inside an element of class `typed`."""

MAX_CHARACTERS = 20_000
"""Most characters of one text that a page shows; real reviews are far shorter."""

_INVISIBLE = Markup('<span class="typed-unseen">{}</span>')
LEFT_OUT = Markup('<span class="typed-note"> … {:,} more characters are not shown</span>')
"""Markup in place of the rest of a text, with its number of characters."""

_STYLE = _PALETTE + Markup("""
.typed { color: inherit; font-size: 0.9rem; line-height: 1.5; }
.typed bdi, .typed-line span { unicode-bidi: isolate; }
.typed-text { white-space: pre-wrap; overflow-wrap: anywhere; overflow-x: auto; }
/* A shadow at a side means that the content continues there. */
.typed-scroll { --typed-shadow: color-mix(in srgb, var(--typed-muted) 45%, transparent);
  overflow-x: auto; background:
  linear-gradient(to right, var(--typed-page) 50%, transparent) left / 3rem 100% no-repeat local,
  linear-gradient(to left, var(--typed-page) 50%, transparent) right / 3rem 100% no-repeat local,
  linear-gradient(to right, var(--typed-shadow), transparent) left / 0.8rem 100% no-repeat scroll,
  linear-gradient(to left, var(--typed-shadow), transparent) right / 0.8rem 100% no-repeat scroll; }
.typed-note { color: var(--typed-muted); font-size: 0.85rem; font-style: italic; margin: 0.3rem 0; }
.typed-unseen { background: var(--typed-head); border: 1px solid currentcolor; border-radius: 3px;
  color: var(--typed-unseen); direction: ltr; font: 0.75em "Source Code Pro", monospace;
  margin: 0 1px; padding: 0 2px; unicode-bidi: isolate; white-space: nowrap; }
.typed-hidden { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute;
  white-space: nowrap; width: 1px; }
""")


class _Html:
    """Markup for Streamlit, which would change blanks in a plain string."""

    def __init__(self, markup: Markup) -> None:
        self._markup = markup

    def _repr_html_(self) -> str:
        return str(self._markup)


def show_markup(markup: Markup, style: Markup | None = None) -> None:
    """Show markup in the colours of the current theme, with additional `style`."""
    body = Markup('<div class="typed"><style>{}{}</style>{}</div>')
    st.html(_Html(body.format(_STYLE, style or Markup(), markup)))


def visible(text: str) -> Markup:
    """Escape a text; write each invisible character as its code point in a box.

    So no bidirectional control reorders the following text. Spaces and line ends stay; the page has
    to preserve them with `white-space: pre-wrap`.
    """
    pieces = UNSEEN.split(text.replace("\r\n", "\n"))
    return Markup().join(
        # Every second piece is an invisible character.
        _INVISIBLE.format(escape_invisible(piece, keeps_lines=True)) if index % 2 else piece
        for index, piece in enumerate(pieces)
    )


def bounded_text(text: str) -> Markup:
    """Return a text in its own direction of writing, cut with a note if it is very long."""
    markup = Markup('<bdi dir="auto">{}</bdi>').format(visible(text[:MAX_CHARACTERS]))
    left_out = len(text) - MAX_CHARACTERS
    return markup + LEFT_OUT.format(left_out) if left_out > 0 else markup


def plain_text(text: str) -> None:
    """Show a text as typed, with its blanks and line ends, wrapped to the available width."""
    show_markup(Markup('<div class="typed-text">{}</div>').format(bounded_text(text)))
