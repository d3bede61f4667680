"""The shape of code that need not be complete: its brackets, and how its ends hang in the air.

A hunk may start and end anywhere, so this reads by tokens alone and never fails.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from analyzers.syntax.grammar import Lexis, Quote
from analyzers.syntax.tokens import Kind, QuoteEnd, Token, Tokens, tagged

HOLE = "${"
"""The bracket that opens a hole in a quote, in any language."""
DIRECTIVE = "#"
"""The bracket that stands for a directive such as `#if`."""
_PAIRS = {"(": ")", "[": "]", "{": "}", HOLE: "}"}
_LEFT = {")": "()", "]": "[]", "}": "{}", "end": "{}"}
_END = ";"
_LISTS = frozenset("([")
# Words that continue the statement of a block.
_AFTER_BLOCK = frozenset("else catch finally while as in of instanceof is".split())
_GOES_ON = re.compile(r"[-+*/%&|^<>=!?:.,(\[{\\]$|\b(and|or|not)$")
_VALUE = re.compile(r"[\w)\]}\"?!]$")
_BEFORE_STATEMENT = frozenset("else then do begin and or not".split())
# The most of a statement, and of each of its tokens, that is kept.
_MOST_TOKENS = 40
_MOST_CHARACTERS = 40
# A text that closes or leaves open more brackets cannot be completed.
_MOST_CLOSERS = 20
# A line that looks like the end of a quote with a tag.
_LONE_TAG = re.compile(r"^[ \t]*([A-Z]\w*)[\])};,. \t]*$", re.MULTILINE)
_MOST_OPENERS = 100


@dataclass(frozen=True, slots=True)
class Closer:
    """A bracket that closes what was opened before the text, and its offset."""

    bracket: str
    offset: int


@dataclass(frozen=True, slots=True)
class Opener:
    """A bracket, quote or `DIRECTIVE` that the text leaves open, and the statement before it.

    `head` starts with the bracket of the list if the statement is in one.
    """

    bracket: str
    head: str
    quote: Quote | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """Brackets and quotes that a text closes and leaves open.

    `start` is the quote that the text starts in. Code starts at `first`; `indent` is the least
    indentation of a line of code. `rest` are the tokens of the unfinished statement at the end.
    In `rest` and in heads a quoted text is `""`, and a pair of brackets is empty. `torn_lines`
    counts lines in comments and quoted texts that an end tears. `directives` counts, for each
    `#if` before the text, the brackets that are closed before its end. `plain` is the text with
    directives and the code that they leave out blanked.
    """

    start: Quote | None
    closers: tuple[Closer, ...]
    opened: tuple[Opener, ...]
    rest: str
    first: int
    indent: int
    torn_lines: int
    directives: tuple[int, ...]
    plain: str


def outline(lexis: Lexis, text: str, start: Quote | None = None) -> Outline | None:
    """Read `text`, which begins inside of the quote `start`, if given.

    Return None if it cannot begin there, if brackets cross, or if too many are torn.
    """
    if start is not None and "<tag>" in start.end:
        torn = _LONE_TAG.search(text)
        if torn is None:
            return None
        start = tagged(start, torn.group(1))
    return _Outliner(lexis, text).outline(start)


@dataclass(slots=True, eq=False)
class _Level:
    bracket: str
    quote: Quote | None = None
    offset: int = 0
    tokens: list[str] = field(default_factory=list)

    @property
    def statement(self) -> str:
        return " ".join(self.tokens[-_MOST_TOKENS:])

    @property
    def head(self) -> str:
        start = f"{self.bracket} " if self.bracket in _LISTS else ""
        return (start + self.statement).rstrip()

    def add(self, token: str) -> None:
        if self.tokens[-1:] == ["{}"] and _starts_statement(token):
            self.tokens.clear()
        self.tokens.append(token[:_MOST_CHARACTERS])
        if token == _END and self.bracket not in _LISTS:
            self.tokens.clear()
        elif len(self.tokens) > 2 * _MOST_TOKENS:
            del self.tokens[:_MOST_TOKENS]


def _starts_statement(token: str) -> bool:
    return (token[0].isalpha() or token[0] in "_$@#~") and token not in _AFTER_BLOCK


class _Outliner:
    def __init__(self, lexis: Lexis, text: str) -> None:
        self._lexis = lexis
        self._text = text
        self._tokens = Tokens(lexis, text)
        self._levels = [_Level("")]
        self._closers: list[Closer] = []
        self._first: int | None = None
        self._indent: int | None = None
        self._torn_lines = 0
        self._start_end = 0
        self._is_hopeless = False
        self._last = ""
        self._directives = _Directives()
        self._plain: list[str] = []

    def outline(self, start: Quote | None) -> Outline | None:
        torn = _Level("", start)
        if start is not None:
            self._levels.append(torn)
            self._read_quote()
            self._start_end = self._tokens.position
        if start is not None and start.is_comment and self._opens_again(start):
            return None
        self._read_all()
        if self._is_hopeless or len(self._levels) > _MOST_OPENERS:
            return None
        if torn in self._levels and not _lies_in(start, self._text):
            return None
        quoted = next((level.offset for level in self._levels if level.quote is not None), None)
        if quoted is not None:
            self._torn_lines += _lines(self._text[quoted:])
        return Outline(
            start,
            tuple(self._closers),
            tuple(self._opened()),
            self._levels[-1].statement,
            len(self._text) if self._first is None else self._first,
            self._indent or 0,
            self._torn_lines,
            tuple(self._directives.closed),
            "".join(self._plain),
        )

    def _opens_again(self, start: Quote) -> bool:
        """Return True if the supposed end of a comment contains the beginning of one."""
        return re.search(start.opening, self._text[: self._start_end]) is not None

    def _read_all(self) -> None:
        shown_to = 0
        for token in self._tokens:
            if self._is_hopeless:
                return
            if token.kind is Kind.DIRECTIVE:
                self._directives.read(token.text, len(self._closers), len(self._levels))
            elif not self._directives.leaves_out:
                self._read(token)
            if token.kind is Kind.DIRECTIVE or self._directives.leaves_out:
                # All before the token was blank, a comment or shown already.
                self._plain.append(self._text[shown_to : token.offset])
                shown_to = self._tokens.position
                self._plain.append(_blanked(self._text[token.offset : shown_to]))
        self._plain.append(self._text[shown_to:])

    def _opened(self) -> Iterator[Opener]:
        outer = self._levels[0]
        for depth, level in enumerate(self._levels):
            if depth > 0:
                yield Opener(level.bracket, outer.head, level.quote)
            yield from [Opener(DIRECTIVE, "")] * self._directives.open_in(depth + 1)
            outer = level

    def _read(self, token: Token) -> None:
        if self._first is None:
            self._first = token.offset
        if token.indent is not None:
            self._indent = min(token.indent, token.indent if self._indent is None else self._indent)
            if self._lexis.ends_lines:
                self._end_line(token.text)
        level = self._levels[-1]
        if token.kind is Kind.QUOTE:
            self._levels.append(_Level("", token.quote, token.offset))
            self._read_quote()
        elif token.kind is Kind.CLOSE:
            self._close(token)
        elif token.kind is Kind.OPEN and token.text in _PAIRS:
            self._levels.append(_Level(token.text, offset=token.offset))
        else:
            level.add(token.text)
            if token.kind is Kind.OPEN and self._opens(token):
                self._levels.append(_Level(token.text, offset=token.offset))
        self._last = token.text

    def _end_line(self, next_token: str) -> None:
        level = self._levels[-1]
        goes_on = _GOES_ON.search(self._last) or next_token in {".", "&.", "?."}
        if level.bracket not in _LISTS and not goes_on:
            level.tokens.clear()

    def _opens(self, token: Token) -> bool:
        """Return True if a word opens a block, unlike one after a statement or a loop's head."""
        top = self._levels[-1]
        if token.text in self._lexis.suffixes:
            return (
                token.indent is not None
                or self._last in _BEFORE_STATEMENT
                or not _VALUE.search(self._last)
            )
        is_of_loop = token.text == "do" and top.bracket in self._lexis.loops
        return not is_of_loop or "\n" in self._text[top.offset : token.offset]

    def _close(self, token: Token) -> None:
        if len(self._levels) == 1:
            self._closers.append(Closer(token.text, token.offset))
            self._is_hopeless |= len(self._closers) > _MOST_CLOSERS
            self._levels[0].tokens = [_LEFT[token.text]]
            return
        level = self._levels.pop()
        self._is_hopeless |= _PAIRS.get(level.bracket, "end") != token.text
        if self._levels[-1].quote is not None:
            self._read_quote()
        else:
            self._levels[-1].tokens.append(_LEFT[token.text])

    def _read_quote(self) -> None:
        """Read on in the quote on top, up to its end or into a hole."""
        quote = self._levels[-1].quote
        if quote is None:
            return
        end = self._tokens.end_quote(quote)
        if end is QuoteEnd.HOLE:
            self._levels.append(_Level(HOLE, offset=self._tokens.position))
        elif end is QuoteEnd.END:
            self._levels.pop()
            if self._first is None:
                self._torn_lines = _lines(self._text[: self._tokens.position])
            if not quote.is_comment:
                self._levels[-1].tokens.append('""')


class _Directives:
    """Directives such as `#if`: of the lines that they choose among, the first ones count."""

    def __init__(self) -> None:
        self.closed: list[int] = []
        self._depths: list[int] = []
        self._left_out_from: int | None = None

    @property
    def leaves_out(self) -> bool:
        return self._left_out_from is not None

    def open_in(self, depth: int) -> int:
        """Count the open directives that started at `depth`."""
        return self._depths.count(depth)

    def read(self, directive: str, closers: int, depth: int) -> None:
        if directive.startswith("if"):
            self._depths.append(depth)
        elif directive.startswith(("el", "endif")):
            if not self._depths:
                self.closed.append(closers)
                self._depths.append(depth)
            if directive.startswith("el"):
                if self._left_out_from is None:
                    self._left_out_from = len(self._depths)
                return
            if self._left_out_from == len(self._depths):
                self._left_out_from = None
            self._depths.pop()


def _lies_in(quote: Quote | None, text: str) -> bool:
    """Return True if each line of `text` looks like a line inside of `quote`."""
    if quote is None or quote.inside is None:
        return False
    pattern = re.compile(quote.inside)
    return all(pattern.match(line) for line in text.split("\n") if line.strip())


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.split("\n"))


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
