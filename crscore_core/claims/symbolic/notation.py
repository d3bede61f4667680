"""What blanks and line breaks mean in a language, and what languages hold no code."""

from collections.abc import Sequence
from itertools import pairwise

from crscore_core.claims.symbolic.lexing import MAX_EXAMINED, Token, TokenKind

__all__ = ["NESTED_BY_INDENT", "PROSE", "WITHOUT_CODE", "breaks_matter", "same_tokens"]

PROSE = frozenset({"markdown", "restructuredtext", "text"})
"""Languages of which the lines are text to read."""

_DATA = "json yaml toml ini properties html xml css docker make sql"
WITHOUT_CODE = PROSE | frozenset(_DATA.split())
"""Languages of which most words do not name parts of a program."""

_FREE = frozenset(
    "java javascript typescript c cpp csharp php dart kotlin rust objective-c sql json".split()
)
"""Blanks and line breaks between tokens mean nothing."""

_BY_LINE = frozenset("python go ruby scala groovy swift lua r elixir".split())
"""Line breaks outside brackets end a statement, blanks between tokens mean nothing."""

NESTED_BY_INDENT = frozenset({"python", "yaml", "scala", None})
"""Indentation says to which block a line belongs; an unknown language may be one of these."""

_ENDING = frozenset({"return", "throw", "break", "continue", "yield", "++", "--"})


def breaks_matter(language: str | None, texts: Sequence[str]) -> bool:
    """Whether joining or splitting the lines `texts` can change what they mean."""
    if language not in _FREE:
        return True
    stripped = [text.strip() for text in texts if text.strip()]
    return any(t.startswith("#") or t.split()[-1] in _ENDING for t in stripped)


def same_tokens(old: Sequence[Token], new: Sequence[Token], language: str | None) -> bool:
    """Whether both are the same code: equal tokens, strings with their blanks included.

    Where a language gives blanks a meaning, the tokens must also be parted in the same places.
    What is cut off, or has a quotation mark without its partner, counts as the same only where
    it is the same to the letter.
    """
    if [t.text for t in old] != [t.text for t in new]:
        return False
    if not old:
        return True
    if max(old[-1].end, new[-1].end) >= MAX_EXAMINED:
        return False
    first, last = old[0].text, old[-1].text
    if any(t.kind is TokenKind.MARK and t.text in "\"'`" for t in old):
        return _gaps(old) == _gaps(new)
    spaced = language not in _FREE | _BY_LINE or first == "#" or (first == "<" and last == ">")
    return not spaced or list(map(bool, _gaps(old))) == list(map(bool, _gaps(new)))


def _gaps(tokens: Sequence[Token]) -> list[int]:
    """Return how many characters part each token from the next."""
    return [other.start - one.end for one, other in pairwise(tokens)]
