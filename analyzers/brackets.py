"""Find the brackets and strings that a hunk leaves unmatched."""

import re
from bisect import bisect
from dataclasses import dataclass

_STRINGS = {
    "python": r"""\#[^\n]*|(?P<long>\"{3}|'{3})(?:\\.|(?!(?P=long)).)*(?P<end>(?P=long))?""",
    "other": (
        r"""//[^\n]*|(?P<long>/\*|`|\"{3})(?:(?<=\*)(?:(?!\*/).)*(?P<end>\*/)?"""
        r"""|(?<=`)(?:\\.|[^\\`])*(?P<end2>`)?|(?<=\"\"\")(?:\\.|(?!\"\"\").)*(?P<end3>\"\"\")?)"""
        r"""|(?<=[(,=:\[!&|?{};])[ ]?/(?![*/ ])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/"""
    ),
}
_TOKENS = {
    key: re.compile(
        strings
        + r"""|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|(?P<open>[(\[{])|(?P<close>[)\]}])""",
        re.DOTALL,
    )
    for key, strings in _STRINGS.items()
}
_MAX_CLOSERS, _MAX_LEVELS = 20, 1_000

CLOSING = {"(": ")", "[": "]", "{": "}", "/*": "*/"}
"""Maps opening marks to closing marks; an open string ends with the mark that starts it."""


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Brackets and strings that a text closes or leaves open, each with its offset.

    closers: closing brackets whose opening brackets precede the text, innermost first.
    opened: opening brackets, outermost first, then the mark of an open string or comment.
    inner: the rows, from 0, that start inside a bracket or string.
    is_too_deep: True for nesting deeper than in real code, which would take parsers minutes.
    """

    closers: tuple[tuple[str, int], ...]
    opened: tuple[tuple[str, int], ...]
    inner: frozenset[int]
    is_too_deep: bool


def find_unmatched(text: str, language: str = "other") -> Unmatched:
    """Return the unmatched brackets of `text`; `language` is "python" or "other"."""
    closers: list[tuple[str, int]] = []
    opened: list[tuple[str, int]] = []
    spans: list[tuple[int, int]] = []
    deepest = 0
    for match in _TOKENS[language].finditer(text):
        groups = match.groupdict()
        if groups["open"]:
            opened.append((groups["open"], match.start()))
            deepest = max(deepest, len(opened))
        elif groups["close"] and opened:
            _, start = opened.pop()
            if not opened:
                spans.append((start, match.start()))
        elif groups["close"]:
            closers.append((groups["close"], match.start()))
        elif groups["long"]:
            spans.append(match.span())
            if not any(groups.get(end) for end in ("end", "end2", "end3")):
                opened.append((groups["long"], match.start()))
    spans += [(-1, offset) for _, offset in closers[-1:]]
    spans += [(offset, len(text)) for _, offset in opened[:1]]
    line_ends = [match.start() for match in re.finditer(r"\n", text)]
    inner = {
        row
        for first, last in spans
        for row in range(bisect(line_ends, first) + (first >= 0), bisect(line_ends, last) + 1)
    }
    is_too_deep = deepest > _MAX_LEVELS or len(closers) > _MAX_CLOSERS
    return Unmatched(tuple(closers), tuple(opened), frozenset(inner), is_too_deep)
