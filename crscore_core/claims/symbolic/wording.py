"""Quote code, and phrase facts in plain words."""

import re
import unicodedata
from collections.abc import Sequence

MAX_QUOTED = 120
"""Maximum characters of code in a quotation."""

MAX_LISTED = 4
"""Maximum items that an enumeration lists before counting the rest."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def cleaned(text: str) -> str:
    """Return `text` on one line, without control or invisible characters."""
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in _INVISIBLE else c for c in text)
    return " ".join(text.split())


def quoted(code: str, limit: int = MAX_QUOTED) -> str:
    """Quote code; if it is longer than `limit`, show its beginning."""
    text = cleaned(code).replace("`", "'")
    if len(text) > limit:
        start = text[: limit - 2]
        end = max(start.rfind(" "), start.rfind("(") + 1, start.rfind(",") + 1)
        text = f"{start[: end if end > limit // 2 else None].rstrip()} …"
    return f"`{text}`" if text else "nothing"


def said(text: str, limit: int = 160) -> str:
    """Quote the start of prose."""
    words = cleaned(text).replace("`", "'")
    if len(words) > limit:
        words = words[:limit].rsplit(" ", 1)[0] + " …"
    return f"“{words}”"


_AROUND = 24
"""Minimum characters of context around a difference in long code."""


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Count the items that two sequences share at the start, and then at the end."""
    most = min(len(old), len(new))
    start = next((i for i in range(most) if old[i] != new[i]), most)
    rest = most - start
    end = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    return start, end


def contrasted(was: str, now: str) -> tuple[str, str]:
    """Quote two pieces of code; if they are long, show where they differ."""
    was, now = cleaned(was), cleaned(now)
    if max(len(was), len(now)) <= MAX_QUOTED:
        return quoted(was), quoted(now)
    start, end = common_ends(was, now)
    around = max(_AROUND, (MAX_QUOTED - max(len(was), len(now)) + start + end) // 2)
    start = was.rfind(" ", 0, max(start - around, 0)) + 1
    shown = []
    for code in (was, now):
        stop = code.find(" ", len(code) - max(end - around, 0))
        part = code[start : stop if stop >= 0 else len(code)]
        shown.append(f"{'… ' * (start > 0)}{part}{' …' * (stop >= 0)}")
    limit = MAX_QUOTED if quoted(shown[0]) != quoted(shown[1]) else 4 * MAX_QUOTED
    return quoted(shown[0], limit), quoted(shown[1], limit)


def reworded(before: Sequence[str], after: Sequence[str], noun: str) -> tuple[str, str]:
    """Describe the words that prose gained, lost or replaced; also return them."""
    start, end = common_ends(before, after)
    replaces = min(len(before), len(after)) > start + end
    if replaces and len(before) + len(after) - 2 * (start + end) < _FEW_WORDS:
        start, end = max(start - 3, 0), max(end - 3, 0)
    was, now = (" ".join(words[start : len(words) - end]) for words in (before, after))
    if was and now:
        return f"{noun} now says {said(now)} instead of {said(was)}", now
    way = "added to" if now else "removed from"
    words = after if now else before
    beside = " ".join(words[max(start - 4, 0) : start] or words[len(words) - end :][:4])
    place = "after" if start else "before"
    return f"{said(now or was)} is {way} {noun} {place} {said(beside)}", now or was


_FEW_WORDS = 4
"""Number of changed words below which the surrounding ones are included."""


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
_MARKS = re.compile(r"(?:->|::|=>|[.(){}\[\];,:\"'`<>“”])+")


def in_plain_words(sentence: str) -> str:
    """Return a sentence with its identifiers split into words."""

    def words(match: re.Match[str]) -> str:
        pieces = [piece for piece in _HUMP.split(match[0]) if piece]
        return " ".join(
            piece if piece.isupper() and len(pieces) == 1 else piece.lower() for piece in pieces
        )

    parts = sentence.split("`")
    for index in range(1, len(parts), 2):
        parts[index] = _NAME.sub(words, _MARKS.sub(" ", parts[index]))
    return " ".join("".join(parts).split())
