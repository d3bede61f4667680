"""People's text on a page: shown, never interpreted."""

import html
import re

__all__ = ["escape_hover", "escape_markdown", "shorten"]

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~>$:<&])")


def escape_markdown(text: str) -> str:
    """Text that Streamlit shows as it is, without markup, links, images, icons or formulas."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def escape_hover(text: str, width: int = 160) -> str:
    """Text for a Plotly label, which would take markup for itself."""
    return html.escape(shorten(text, width))


def shorten(text: str, width: int) -> str:
    """One line of at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"
