"""Find the brackets, quotes and statements that a piece of Java or JavaScript leaves open."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

HOLE = "${"
"""The bracket that opens a hole in a template."""
QUOTES = {"/*": "*/", "`": "`", '"""': '"""'}
"""Quotes that may span lines, with their closing quotes."""
_INSIDE = {
    "/*": re.compile(r"[^*]*(?:\*(?!/)[^*]*)*(?P<end>\*/)?"),
    "`": re.compile(r"(?:\\(?s:.)|\$(?!\{)|[^`\\$])*(?:(?P<end>`)|(?P<hole>\$\{))?"),
    '"""': re.compile(r'(?:\\(?s:.)|(?!""")[^\\])*(?P<end>""")?'),
}
_LINE_OF_COMMENT = re.compile(r"\s*(\*|$)")
_TEXT = r""""(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?"""
_REGEX = r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,99}\]|[^/\\\[\n]){1,999}/\w*"
_PATTERN = (
    r"(?P<newline>\n)|(?P<blank>[^\S\n]+)|(?P<comment>//[^\n]*)|(?P<quote>/\*|%s)|(?P<text>%s)"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<other>\d[\w.]*|[^\W\d][\w$]*|->|=>|::|\?\.|[-+*/%%&|^<>=!?]=|&&|\|\||(?s:.))"
)
_PAIRS = {"(": ")", "[": "]", "{": "}", HOLE: "}"}
_EMPTY = {")": "()", "]": "[]", "}": "{}"}
_AFTER_BLOCK = frozenset("else catch finally while as in of instanceof is".split())
_BEFORE_VALUE = frozenset("return typeof case in of delete void throw new else do yield".split())
_VALUE_END = re.compile(r"[\w$)\]}\"'`]$")
_TAB = 4
# Limits on how much of a statement, and of each of its tokens, is kept.
_MOST_TOKENS = 40
_MOST_CHARACTERS = 40
# A text that closes or leaves open more brackets cannot be completed.
_MOST_CLOSERS = 20
_MOST_OPENERS = 100


def token_patterns(quote: str, *, has_regex: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of a token after a value, and elsewhere, where a regex may start.

    `quote` is the string quote that may span lines.
    """
    texts = _TEXT, f"{_TEXT}|{_REGEX}" if has_regex else _TEXT
    after_value, elsewhere = (re.compile(_PATTERN % (quote, text)) for text in texts)
    return after_value, elsewhere


@dataclass(frozen=True, slots=True)
class Opener:
    """A bracket or quote that the text leaves open, and the statement before it.

    If the statement is in a list, `head` starts with the list's bracket.
    """

    bracket: str
    head: str


@dataclass(frozen=True, slots=True)
class Shape:
    """Brackets and quotes that a text closes or leaves open.

    `start` is the quote in which the text starts. `closers` are closing brackets whose opening is
    before the text, with their offsets. Code starts at `first`; `indent` is the smallest
    indentation of a line of code. `rest` holds the tokens of the unfinished statement at the end.
    In `rest` and in heads, strings are `""` and pairs of brackets are empty. `torn_lines`
    counts lines in comments and strings that the start or end cuts off.
    """

    start: str | None
    closers: Sequence[tuple[str, int]]
    opened: Sequence[Opener]
    rest: str
    first: int
    indent: int
    torn_lines: int


def shape_of(
    patterns: tuple[re.Pattern[str], re.Pattern[str]], text: str, start: str | None = None
) -> Shape | None:
    """Return the shape of `text`, which starts inside the quote `start`, if given.

    Return None if it cannot start there, if brackets cross, or if too many are unmatched.
    """
    return _Reader(patterns, text, start).shape(start)


@dataclass(slots=True, eq=False)
class _Level:
    bracket: str
    offset: int = 0
    tokens: list[str] = field(default_factory=list)

    @property
    def head(self) -> str:
        start = [self.bracket] if self.bracket in {"(", "["} else []
        return " ".join(start + self.tokens[-_MOST_TOKENS:])

    def add(self, token: str) -> None:
        starts_statement = token[0].isalpha() or token[0] in "_$@#~"
        if self.tokens[-1:] == ["{}"] and starts_statement and token not in _AFTER_BLOCK:
            self.tokens.clear()
        self.tokens.append(token[:_MOST_CHARACTERS])
        if token[0] == ";" and self.bracket not in {"(", "["}:
            self.tokens.clear()
        elif len(self.tokens) > 2 * _MOST_TOKENS:
            del self.tokens[:_MOST_TOKENS]


class _Reader:
    def __init__(
        self, patterns: tuple[re.Pattern[str], re.Pattern[str]], text: str, start: str | None
    ) -> None:
        self._patterns = patterns
        self._text = text
        self._torn = _Level(start or "")
        self._position = 0
        self._levels = [_Level("")]
        self._closers: list[tuple[str, int]] = []
        self._last = ""
        self._first: int | None = None
        self._indents: list[int] = []
        self._torn_lines = 0
        self._is_hopeless = False

    def shape(self, start: str | None) -> Shape | None:
        if start is not None:
            self._levels.append(self._torn)
            if start == "/*" and -1 < self._text.find("/*") < self._text.find("*/"):
                return None  # the comment that ends here starts here
        self._read()
        is_comment = start == "/*" and all(map(_LINE_OF_COMMENT.match, self._text.split("\n")))
        if self._torn in self._levels and not is_comment:
            return None
        if self._is_hopeless or len(self._levels) > _MOST_OPENERS:
            return None
        quoted = next((level.offset for level in self._levels if level.bracket in QUOTES), None)
        if quoted is not None:
            self._torn_lines += _lines(self._text[quoted:])
        opened = [
            Opener(level.bracket, outer.head)
            for outer, level in zip(self._levels, self._levels[1:], strict=False)
        ]
        rest = " ".join(self._levels[-1].tokens[-_MOST_TOKENS:])
        first = len(self._text) if self._first is None else self._first
        indent = min(self._indents, default=0)
        return Shape(start, self._closers, opened, rest, first, indent, self._torn_lines)

    def _read(self) -> None:
        indent: int | None = 0  # None after the first token of a line
        while self._position < len(self._text) and not self._is_hopeless:
            if self._levels[-1].bracket in QUOTES:
                self._read_quote()
                continue
            may_be_regex = self._last in _BEFORE_VALUE or not _VALUE_END.search(self._last)
            found = self._patterns[may_be_regex].match(self._text, self._position)
            if (
                found is None or found.lastgroup is None
            ):  # unreachable: the pattern matches anything
                raise ValueError(self._position)
            kind, token = found.lastgroup, found.group()
            self._position = found.end()
            if kind == "newline":
                indent = 0
            elif kind == "blank":
                indent = len(token.expandtabs(_TAB)) if indent == 0 else indent
            elif found.group() == "/*":
                self._levels.append(_Level(token, found.start()))
            elif kind != "comment":
                self._first = found.start() if self._first is None else self._first
                self._indents += [] if indent is None else [indent]
                indent = None
                self._take(kind, token, found.start())

    def _take(self, kind: str, token: str, offset: int) -> None:
        level = self._levels[-1]
        self._last = '""' if kind == "text" else token
        if kind in {"open", "quote"}:
            self._levels.append(_Level(token, offset))
        elif kind != "close":
            level.add(self._last)
        elif len(self._levels) == 1:
            self._closers.append((token, offset))
            self._is_hopeless |= len(self._closers) > _MOST_CLOSERS
            level.tokens = [_EMPTY[token]]
        else:
            self._levels.pop()
            self._is_hopeless |= _PAIRS[level.bracket] != token
            if level.bracket != HOLE:
                self._levels[-1].tokens.append(_EMPTY[token])

    def _read_quote(self) -> None:
        """Read the innermost quote to its end or to a hole."""
        quote = self._levels[-1].bracket
        found = _INSIDE[quote].match(self._text, self._position)
        if found is None or found.lastgroup is None:
            self._position = len(self._text)
            return
        self._position = found.end()
        self._last = ""
        if found.lastgroup == "hole":
            self._levels.append(_Level(HOLE, found.start("hole")))
            return
        if self._levels.pop() is self._torn:
            self._torn_lines = _lines(self._text[: self._position])
        if quote != "/*":
            self._levels[-1].tokens.append('""')
            self._last = '""'


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.split("\n"))
