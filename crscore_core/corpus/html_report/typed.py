"""Texts and numbers as the report shows them."""

from markupsafe import Markup

from crscore_core.statistics import Estimate
from crscore_core.text import unseen_markup

__all__ = ["estimate_words", "typed"]


def typed(text: str) -> Markup:
    """A person's text escaped, with its blanks and line ends, apart from the text around it.

    A character that nobody sees is shown by its code, so that none turns the order of what is
    read. It needs `white-space: pre-wrap`.
    """
    return Markup('<bdi dir="auto">{}</bdi>').format(unseen_markup(text, "unseen"))


def estimate_words(estimate: Estimate, digits: int = 3) -> str:
    """A figure with its interval, a dash where it is undefined."""
    if estimate.value is None:
        return "–"
    value = f"{estimate.value:.{digits}f}"
    if estimate.interval is None:
        return value
    return f"{value} ({estimate.interval.low:.{digits}f} to {estimate.interval.high:.{digits}f})"
