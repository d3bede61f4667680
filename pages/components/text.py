"""People's text on a page: shown, never interpreted."""

import html
import re

__all__ = ["escape_hover", "escape_markdown", "shorten"]

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~>$:<&])")

_RECOGNISED_LATE = re.compile(r"[:@]|www(?=\\?\.)", re.IGNORECASE)


def escape_markdown(text: str) -> str:
    """Text that Streamlit shows as it is, without markup, links, images, icons or formulas.

    Icons (`:name:`) and bare addresses are recognised after markdown has taken its escapes
    off; an invisible word joiner keeps them apart.
    """
    escaped = _MARKS.sub(r"\\\1", " ".join(text.split()))
    return _RECOGNISED_LATE.sub("\\g<0>\u2060", escaped)


def escape_hover(text: str, width: int = 160) -> str:
    """Text for a Plotly label, which would take markup for itself."""
    return html.escape(shorten(text, width))


def shorten(text: str, width: int) -> str:
    """One line of at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"
