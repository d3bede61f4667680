"""The shape of code that need not be complete: its brackets, and how its ends hang in the air.

A hunk may start and end anywhere, so this reads by tokens alone and never fails.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from analyzers.syntax.grammar import Lexis, Quote

__all__ = ["Closer", "Opener", "Outline", "outline"]

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = frozenset(_PAIRS.values())
# A word that goes on with the statement that a block may have ended.
_AFTER_BLOCK = frozenset("else catch finally while as in of instanceof is".split())
_VALUE_END = re.compile(r"[\w$\)\]\}\"']$")
_BEFORE_VALUE = frozenset("return typeof case in of delete void throw new else do yield".split())
_MOST_TOKENS = 40
_TAB = 4


@dataclass(frozen=True, slots=True)
class Closer:
    """A bracket that closes what was opened before the text, and where it is."""

    bracket: str
    offset: int


@dataclass(frozen=True, slots=True)
class Opener:
    """A bracket that the text leaves open, and the tokens of the statement before it."""

    bracket: str
    head: str


@dataclass(frozen=True, slots=True)
class Outline:
    """What the text closes and leaves open.

    `first` is where its code starts and `indent` how far its least indented line of code is;
    `rest` are the tokens of the statement at the end, as far as it goes. In `rest` and in heads
    a text is `""` and a pair of brackets, with all that is in them, is left without that.
    `open_quote` is the comment or text that the end leaves open. `torn_lines` counts the lines
    in comments and texts that one of the ends tears. `is_mixed` holds where brackets cross.
    """

    closers: tuple[Closer, ...]
    opened: tuple[Opener, ...]
    rest: str
    first: int
    indent: int
    open_quote: Quote | None
    torn_lines: int
    is_mixed: bool


def outline(lexis: Lexis, text: str, start: Quote | None = None) -> Outline | None:
    """Read `text`, which with `start` begins inside of that; None where that does not end."""
    reader = _Outliner(lexis, text)
    if start is None:
        return reader.outline(0)
    torn = re.compile(f"{start.body}{start.end}").match(text)
    return None if torn is None else reader.outline(torn.end())


@dataclass(slots=True)
class _Level:
    bracket: str
    tokens: list[str] = field(default_factory=list)

    @property
    def statement(self) -> str:
        return " ".join(self.tokens[-_MOST_TOKENS:])

    def add(self, token: str) -> None:
        if self.tokens[-1:] == ["{}"] and _starts_statement(token):
            self.tokens.clear()
        if token == ";" and self.bracket in {"", "{"}:  # noqa: S105 - no secret
            self.tokens.clear()
        else:
            self.tokens.append(token)
        if len(self.tokens) > 2 * _MOST_TOKENS:
            del self.tokens[:_MOST_TOKENS]


def _starts_statement(token: str) -> bool:
    return (token[0].isalpha() or token[0] in "_$@#~") and token not in _AFTER_BLOCK


class _Outliner:
    def __init__(self, lexis: Lexis, text: str) -> None:
        self._lexis = lexis
        self._text = text
        self._levels = [_Level("")]
        self._closers: list[Closer] = []
        self._first: int | None = None
        self._indent: int | None = None
        self._open_quote: Quote | None = None
        self._torn_lines = 0
        self._is_mixed = False

    def outline(self, start: int) -> Outline:
        self._torn_lines = _lines(self._text[:start])
        for kind, token, offset in self._tokens(start):
            self._note_place(offset)
            if kind == "open":
                self._levels.append(_Level(token))
            elif kind == "close":
                self._close(token, offset)
            else:
                self._levels[-1].add('""' if kind.startswith("quote") else token)
        openers = zip(self._levels[1:], self._levels, strict=False)
        return Outline(
            tuple(self._closers),
            tuple(Opener(level.bracket, outer.statement) for level, outer in openers),
            self._levels[-1].statement,
            len(self._text) if self._first is None else self._first,
            self._indent or 0,
            self._open_quote,
            self._torn_lines,
            self._is_mixed,
        )

    def _tokens(self, position: int) -> Iterator[tuple[str, str, int]]:
        """Kind, text and offset of each token that is code."""
        with_regex, without_regex = _patterns(self._lexis)
        last = ""
        while position < len(self._text):
            pattern = with_regex if _may_start_value(last) else without_regex
            found = pattern.match(self._text, position)
            if found is None:
                return
            kind, token = found.lastgroup or "", found.group()
            position = found.end()
            if kind.startswith("torn"):
                quote = self._lexis.quotes[int(kind[4:])]
                if quote.closing is not None:
                    self._open_quote = quote
                    self._torn_lines += _lines(self._text[found.start() :])
                    position = len(self._text)
                else:
                    end = self._text.find("\n", position)
                    position = end if end >= 0 else len(self._text)
                kind = f"quote{kind[4:]}"
            is_comment = kind.startswith("quote") and self._lexis.quotes[int(kind[5:])].is_comment
            if kind != "blank" and not is_comment:
                yield kind, token, found.start()
                last = token

    def _note_place(self, offset: int) -> None:
        if self._first is None:
            self._first = offset
        line = self._text[self._text.rfind("\n", 0, offset) + 1 : offset]
        if not line.strip():
            indent = len(line.expandtabs(_TAB))
            self._indent = indent if self._indent is None else min(indent, self._indent)

    def _close(self, bracket: str, offset: int) -> None:
        if len(self._levels) == 1:
            self._closers.append(Closer(bracket, offset))
            self._levels[0].tokens = []
            opening = next(one for one, other in _PAIRS.items() if other == bracket)
        else:
            opening = self._levels.pop().bracket
            self._is_mixed |= _PAIRS[opening] != bracket
        self._levels[-1].tokens.append(opening + bracket)


def _lines(text: str) -> int:
    return sum(not line.isspace() for line in text.splitlines())


def _may_start_value(last: str) -> bool:
    return last in _BEFORE_VALUE or _VALUE_END.search(last) is None


@lru_cache
def _patterns(lexis: Lexis) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The pattern of a token where a regular expression can stand, and where it cannot."""
    parts = [r"(?P<blank>\s+|(?:" + lexis.line_comment + r")[^\n]*)"]
    for index, quote in enumerate(lexis.quotes):
        parts.append(f"(?P<quote{index}>{quote.opening}{quote.body}{quote.end})")
        parts.append(f"(?P<torn{index}>{quote.opening})")
    literals = [one for one in (lexis.literal, r"\d[\w.]*") if one is not None]
    rest = [
        f"(?P<literal>{'|'.join(literals)})",
        f"(?P<word>{lexis.word})",
        r"(?P<open>[(\[{])",
        r"(?P<close>[)\]}])",
        r"(?P<other>->|=>|::|\?\.|[-+*/%&|^<>=!?]=|&&|\|\||(?s:.))",
    ]
    regex = [] if lexis.regex is None else [f"(?P<regex>{lexis.regex})"]
    return re.compile("|".join([*parts, *regex, *rest])), re.compile("|".join([*parts, *rest]))
