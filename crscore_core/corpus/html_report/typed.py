"""Texts and numbers as the report shows them."""

import re
import unicodedata

from markupsafe import Markup

from crscore_core.statistics import Estimate

__all__ = ["estimate_words", "typed"]

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_PERHAPS_UNSEEN = re.compile("([^\n\t -~])")
_CODE = Markup('<span class="unseen">U+{:04X}</span>')


def typed(text: str) -> Markup:
    """A person's text escaped, with its blanks and line ends, apart from the text around it.

    A character of control or format is shown by its code, so that none turns the order of what
    is read. It needs `white-space: pre-wrap`.
    """
    pieces = _PERHAPS_UNSEEN.split(text.replace("\r\n", "\n"))
    return Markup('<bdi dir="auto">{}</bdi>').format(Markup().join(map(_visible, pieces)))


def estimate_words(estimate: Estimate, digits: int = 3) -> str:
    """A figure with its interval, a dash where it is undefined."""
    if estimate.value is None:
        return "–"
    value = f"{estimate.value:.{digits}f}"
    if estimate.interval is None:
        return value
    return f"{value} ({estimate.interval.low:.{digits}f} to {estimate.interval.high:.{digits}f})"


def _visible(piece: str) -> Markup | str:
    if len(piece) == 1 and unicodedata.category(piece) in _UNSEEN and piece not in "\n\t":
        return _CODE.format(ord(piece))
    return piece
