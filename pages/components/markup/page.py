"""Markup on the page."""

from dataclasses import dataclass

import streamlit as st
from markupsafe import Markup

from pages.components.markup.colours import PALETTE

__all__ = ["show"]

_STYLE = PALETTE + Markup("""
.typed { color: inherit; font-size: 0.9rem; line-height: 1.5; }
.typed bdi, .typed-line span { unicode-bidi: isolate; }
.typed-text { white-space: pre-wrap; overflow-wrap: anywhere; overflow-x: auto; }
.typed-scroll { overflow-x: auto; }
.typed-note { color: var(--typed-muted); font-size: 0.85rem; font-style: italic; margin: 0.3rem 0; }
.typed-unseen { background: var(--typed-head); border: 1px solid currentcolor; border-radius: 3px;
  color: var(--typed-unseen); direction: ltr; font: 0.75em "Source Code Pro", monospace;
  margin: 0 1px; padding: 0 2px; unicode-bidi: isolate; white-space: nowrap; }
.typed-hidden { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute;
  white-space: nowrap; width: 1px; }
""")


@dataclass(frozen=True, slots=True)
class _Body:
    """What Streamlit asks for HTML; of a string it would change blanks."""

    markup: Markup

    def _repr_html_(self) -> str:
        return str(self.markup)


def show(markup: Markup, style: Markup | None = None) -> None:
    """Show markup in the colours of the theme that is on; `style` is what it needs of its own."""
    st.html(
        _Body(
            Markup('<div class="typed"><style>{}{}</style>{}</div>').format(
                _STYLE, style or Markup(), markup
            )
        )
    )
