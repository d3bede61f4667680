"""Code and prose of a diff, made fit to stand in a sentence."""

import unicodedata
from collections.abc import Sequence

__all__ = ["cleaned", "listed", "quoted"]

MAX_QUOTED = 90
"""Characters of code or prose that one quotation shows."""

MAX_LISTED = 5
"""Items that an enumeration names before it says how many more there are."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def cleaned(text: str) -> str:
    """Return `text` on one line: no control or invisible characters, runs of blanks as one."""
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in _INVISIBLE else c for c in text)
    return " ".join(text.split())


def quoted(text: str, limit: int = MAX_QUOTED) -> str:
    """Return `text` cleaned, cut after `limit` characters, between backticks."""
    shown = cleaned(text).replace("`", "'")
    if len(shown) > limit:
        shown = shown[:limit].rstrip() + "…"
    return f"`{shown}`"


def listed(items: Sequence[str], limit: int = MAX_LISTED) -> str:
    """Return an English enumeration of `items`, which are shown as they are."""
    shown = list(items[:limit])
    if len(items) > limit:
        shown.append(f"{len(items) - limit} more")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
