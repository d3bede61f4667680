"""Tokens of code that need not be complete."""

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from analyzers.syntax.grammar import Lexis, Quote


class Kind(Enum):
    """The effect of a token on brackets."""

    OPEN = auto()
    CLOSE = auto()
    QUOTE = auto()  # one that has holes or does not end: it must be read on with `end_quote`
    DIRECTIVE = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A token; all quotes have the same `text`.

    `indent` is the indentation of the first token of a line; None for other tokens.
    """

    kind: Kind
    text: str
    offset: int
    indent: int | None = None
    quote: Quote | None = None


class QuoteEnd(Enum):
    """The next event in a quote: its end, a hole in it, or neither."""

    END = auto()
    HOLE = auto()
    NONE = auto()


_BEFORE_VALUE = frozenset("return typeof case in of delete void throw new else do yield".split())
_VALUE_END = re.compile(r"[\w$)\]}\"'`]$")
_TAB = 4
_TEXT = '""'
_TAG = "<tag>"


def tagged(quote: Quote, tag: str) -> Quote:
    """Put `tag` into the patterns of `quote`."""
    return dataclasses.replace(
        quote,
        body=quote.body.replace(_TAG, re.escape(tag)),
        end=quote.end.replace(_TAG, re.escape(tag)),
        leads=tuple(lead.replace(_TAG, tag) for lead in quote.leads),
        closing=quote.closing and quote.closing.replace(_TAG, tag),
    )


class Tokens:
    """Reads a text token by token, without comments and blanks."""

    def __init__(self, lexis: Lexis, text: str) -> None:
        self._lexis = lexis
        self._text = text
        self._patterns = _pattern(lexis, regex=True), _pattern(lexis, regex=False)
        self._last = ""
        self._indent: int | None = 0
        self._waiting: Quote | None = None  # for the end of the line
        self.position = 0

    def __iter__(self) -> Iterator[Token]:
        while self.position < len(self._text):
            token = self._next()
            if token is not None:
                self._last = token.text
                yield token
                self._indent = None

    def end_quote(self, quote: Quote) -> QuoteEnd:
        """Read on in `quote` to its end, to a hole, or to the end of the text."""
        found = _inside(quote).match(self._text, self.position)
        if found is None or found.lastgroup is None:
            self.position = len(self._text)
            return QuoteEnd.NONE
        self.position = found.end()
        self._last = _TEXT if found.lastgroup == "end" else ""
        return QuoteEnd[found.lastgroup.upper()]

    def _next(self) -> Token | None:
        start = self.position
        if self._waiting is not None and self._text.startswith("\n", start):
            quote, self._waiting = self._waiting, None
            return self._quote(quote, start)
        pattern = self._patterns[0 if self._may_start_value() else 1]
        found = pattern.match(self._text, start)
        if found is None or found.lastgroup is None:  # the pattern takes anything
            raise ValueError(start)
        kind, text = found.lastgroup, found.group()
        self.position = found.end()
        if kind in {"blank", "newline", "comment"}:
            self._indent = self._indent_after(kind, text)
            return None
        if kind.startswith("quote"):
            quote = self._lexis.quotes[int(kind.removeprefix("quote"))]
            return self._opened(quote, text, start)
        if kind == "directive":
            return Token(Kind.DIRECTIVE, text.lstrip("# \t"), start, self._indent)
        if kind == "literal":
            return Token(Kind.OTHER, _TEXT, start, self._indent)
        return Token(Kind[kind.upper()], text, start, self._indent)

    def _indent_after(self, kind: str, text: str) -> int | None:
        if kind == "newline":
            return 0
        return len(text.expandtabs(_TAB)) if kind == "blank" and self._indent == 0 else self._indent

    def _opened(self, quote: Quote, opening: str, start: int) -> Token | None:
        found = re.match(quote.opening, opening)
        if found is not None and found.groups():
            self._waiting = tagged(quote, found.group(1))
            return Token(Kind.OTHER, _TEXT, start, self._indent)
        return self._quote(quote, start)

    def _quote(self, quote: Quote, start: int) -> Token | None:
        position = self.position
        if quote.hole is None and self.end_quote(quote) is QuoteEnd.END:
            return None if quote.is_comment else Token(Kind.OTHER, _TEXT, start)
        self.position = position
        if quote.closing is not None:
            return Token(Kind.QUOTE, _TEXT, start, self._indent, quote)
        end = self._text.find("\n", position)
        self.position = end if end >= 0 else len(self._text)
        return Token(Kind.OTHER, _TEXT, start, self._indent)

    def _may_start_value(self) -> bool:
        return self._last in _BEFORE_VALUE or _VALUE_END.search(self._last) is None


@lru_cache
def _inside(quote: Quote) -> re.Pattern[str]:
    hole = "" if quote.hole is None else f"|(?P<hole>{quote.hole})"
    return re.compile(f"{quote.body}(?:(?P<end>{quote.end}){hole})?")


@lru_cache
def _pattern(lexis: Lexis, *, regex: bool) -> re.Pattern[str]:
    """Return the pattern of a token, which a regular expression is if `regex`."""
    parts = [r"(?P<newline>\n)", r"(?P<blank>[^\S\n]+)"]
    parts.append(rf"(?P<comment>(?:{lexis.line_comment})[^\n]*)")
    if lexis.has_directives:
        parts.append(r"(?P<directive>(?<![^\n])\#[ \t]*\w+(?:\\\n|[^\n])*)")
    parts += [f"(?P<quote{i}>{quote.opening})" for i, quote in enumerate(lexis.quotes)]
    literals = [lexis.literal, lexis.regex if regex else None]
    parts += [f"(?P<literal>{'|'.join(one for one in literals if one)})"] if any(literals) else []
    opening, closing = r"[(\[{]", r"[)\]}]"
    if lexis.openers:
        words = "|".join(sorted(lexis.openers))
        opening += rf"|(?<![.:@$\w])(?:{words})\b(?![:?!])"
        closing += r"|(?<![.:@$\w])end\b(?![:?!])"
    parts += [f"(?P<open>{opening})", f"(?P<close>{closing})"]
    parts.append(rf"(?P<other>\d[\w.]*|{lexis.word}|->|=>|::|\?\.|[-+*/%&|^<>=!?]=|&&|\|\||(?s:.))")
    return re.compile("|".join(parts))
