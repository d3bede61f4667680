"""People's text on a page: shown, never interpreted."""

import html
import re
import textwrap

from crscore_core.text import unseen_as_codes

__all__ = ["counted", "escape_hover", "escape_markdown", "shorten", "wrap_hover"]

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~>$:<&])")

_JOINER = "\u2060"

_TYPOGRAPHIC = re.compile(r"(?<![^ \ufeff])(?:<->|->|<-|--|>=|<=|~=)(?![^ \ufeff])")
"""What Streamlit takes for an arrow, a dash or a sign of mathematics, where it stands alone."""

_RECOGNISED_LATE = re.compile(r"[:@]|www(?=\\?\.)", re.IGNORECASE)


def escape_markdown(text: str) -> str:
    """Text that Streamlit shows as it is, without markup, links, images, icons or formulas.

    Icons (`:name:`), bare addresses and arrows (`->`) are recognised after markdown has taken its
    escapes off; an invisible word joiner keeps them apart.
    """
    line = _TYPOGRAPHIC.sub(_part, " ".join(text.split()))
    escaped = _MARKS.sub(r"\\\1", line)
    return _RECOGNISED_LATE.sub(f"\\g<0>{_JOINER}", escaped)


def escape_hover(text: str, width: int = 160) -> str:
    """Text for a Plotly label, which would take markup for itself."""
    return _escape_plotly(shorten(text, width))


def wrap_hover(text: str, width: int = 60, most_lines: int = 6) -> str:
    """Text for a Plotly label of several lines, each of at most `width` characters.

    It ends with an ellipsis where it is cut. What cannot be seen is there as its code, since it
    might turn the order of the whole label.
    """
    lines = textwrap.wrap(" ".join(unseen_as_codes(text).split()), width, break_on_hyphens=False)
    if len(lines) > most_lines:
        lines = [*lines[: most_lines - 1], f"{lines[most_lines - 1][: width - 1]}…"]
    return "<br>".join(map(_escape_plotly, lines))


def shorten(text: str, width: int) -> str:
    """One line of at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _part(sign: re.Match[str]) -> str:
    return f"{sign[0][0]}{_JOINER}{sign[0][1:]}"


def _escape_plotly(text: str) -> str:
    """Plotly takes HTML, `%{…}` in templates and formulas between dollar signs.

    Of a quotation mark by its name it would show the name.
    """
    return html.escape(text, quote=False).replace("%", "&#37;").replace("$", "&#36;")


def counted(number: int, thing: str) -> str:
    """Return a number with the name of what it counts, such as `1 review` or `2,000 reviews`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
