"""Quotations of code, and the same facts in plain words."""

import re
import unicodedata
from collections.abc import Sequence

MAX_QUOTED = 80
"""Characters of code that one quotation shows."""

MAX_LISTED = 4
"""Items that an enumeration names before it says how many more there are."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def cleaned(text: str) -> str:
    """Return `text` on one line, without control or invisible characters."""
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in _INVISIBLE else c for c in text)
    return " ".join(text.split())


def quoted(code: str, limit: int = MAX_QUOTED) -> str:
    """Quote code; show both ends of what is longer than `limit`."""
    text = cleaned(code).replace("`", "'")
    if len(text) > limit:
        half = (limit - 3) // 2
        text = f"{text[:half].rstrip()} … {text[-half:].lstrip()}"
    return f"`{text}`" if text else "nothing"


def said(text: str, limit: int = 160) -> str:
    """Quote prose by its beginning."""
    words = cleaned(text).replace("`", "'")
    if len(words) > limit:
        words = words[:limit].rsplit(" ", 1)[0] + " …"
    return f"“{words}”"


def listed(items: Sequence[str], most: int = MAX_LISTED) -> str:
    """Enumerate `items`; count those after the first `most`."""
    shown = list(items[:most])
    if len(items) > most:
        shown.append(f"{len(items) - most} more")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


_NAME = re.compile(r"[$@]*[A-Za-z_][\w$]*[?!]?")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+|\$|@")
_OPERATORS = {
    "===": "is", "==": "is", "!==": "is not", "!=": "is not", "&&": "and", "||": "or", "!": "not",
    "<=": "is at most", ">=": "is at least", "<": "is less than", ">": "is more than",
    "=": "equals",
}  # fmt: skip
_OPERATOR = re.compile(r"[!=]==?|&&|\|\||(?<=\s)[<>]=?(?=\s)|<=|>=|!(?=[\w(])|(?<=\s)=(?=\s)")
_MARKS = re.compile(r"(?:->|::|=>|[.(){}\[\];,:\"'`<>“”])+")


def in_plain_words(sentence: str) -> str:
    """Return a sentence with its identifiers as the words that they are made of."""

    def words(match: re.Match[str]) -> str:
        pieces = [piece for piece in _HUMP.split(match[0]) if piece]
        return " ".join(
            piece if piece.isupper() and len(pieces) == 1 else piece.lower() for piece in pieces
        )

    parts = sentence.split("`")
    for index in range(1, len(parts), 2):
        code = _OPERATOR.sub(lambda match: f" {_OPERATORS[match[0].strip()]} ", parts[index])
        parts[index] = _NAME.sub(words, _MARKS.sub(" ", code))
    return " ".join("".join(parts).split())
