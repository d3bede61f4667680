"""Code and prose of a diff, made fit to stand in a sentence."""

import re
import unicodedata
from collections.abc import Sequence

__all__ = ["are", "cleaned", "listed", "quoted", "spoken"]

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


def are(items: Sequence[object]) -> str:
    """Return the verb that agrees with an enumeration of `items`."""
    return "is" if len(items) == 1 else "are"


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?!Pv\d)|[^A-Za-z0-9]+")


def spoken(name: str, limit: int = 60) -> str:
    """Return the words that an identifier is made of: `maxRetries` as "max retries"."""
    words = [word for word in _HUMP.split(cleaned(name[: 2 * limit])) if word]
    shouted = name.isupper()
    said = [w if w.isupper() and not shouted and len(words) > 1 else w.lower() for w in words]
    return " ".join(said)[:limit].strip()
