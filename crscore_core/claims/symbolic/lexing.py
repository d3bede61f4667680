"""Lines of code -> tokens, notations and logical lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from crscore_core.change import ChangedLine, Hunk, LineKind

MAX_EXAMINED = 600
"""Characters of a line, or of lines joined to one statement, that are examined."""

MAX_CALLS = 10
"""Calls of one statement that are looked at."""


class TokenKind(StrEnum):
    """What a token looks like."""

    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    COMMENT = "comment"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Token:
    """A token and the offset of its first character in the text that was read."""

    kind: TokenKind
    text: str
    start: int

    @property
    def end(self) -> int:
        """Offset after the last character."""
        return self.start + len(self.text)


_COMMENT_MARKS = {
    "slashes": (
        r"//.*|/\*.*?(?:\*/|$)"
        r"|\#\ (?!include|define|ifn?def|if|else|elif|endif|undef|pragma|error|warning|line).*"
    ),
    "hash": r"\#.*",
    "both": r"//.*|/\*.*?(?:\*/|$)|\#(?!\[).*",
    "dashes": r"--.*|/\*.*?(?:\*/|$)",
    "markup": r"<!--.*?(?:-->|$)",
    "unknown": r"(?<!:)//.*|/\*.*?(?:\*/|$)|\#(?=[ !]).*",
}

_COMMENT_STYLE = {
    "slashes": (
        "java javascript js jsx typescript ts tsx c h cpp c++ cxx cs c# csharp go golang rust "
        "swift kotlin scala groovy dart objective-c css scss less protobuf"
    ),
    "hash": "python py ruby rb shell bash sh yaml yml toml perl r make makefile dockerfile ini",
    "both": "php",
    "dashes": "sql lua haskell",
    "markup": "html xml svg markdown",
}

_STYLE_OF = {name: style for style, names in _COMMENT_STYLE.items() for name in names.split()}

_REST = r"""
    | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)
    | (?P<number>\d(?:[\w.]*\w)?)
    | (?P<name>[^\W\d][\w$]*[?!]?(?=\()|[^\W\d][\w$]*|\$[\w$]+)
    | (?P<mark>===|!==|<=>|\.\.\.|<<=|>>=|\*\*=|&&=|\|\|=|\?\?=|==|!=|<=|>=|=>|->|&&|\|\||::
        |\?\?|\?\.|:=|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\+\+|--|\S)
"""


@lru_cache(maxsize=16)
def _pattern(style: str) -> re.Pattern[str]:
    return re.compile(f"(?P<comment>{_COMMENT_MARKS[style]})" + _REST, re.VERBOSE)


def tokenize(text: str, language: str | None) -> tuple[Token, ...]:
    """Return the tokens of the first `MAX_EXAMINED` characters of `text`.

    `language` decides only what starts a comment; an unknown one gets cautious rules.
    """
    pattern = _pattern(_STYLE_OF.get((language or "").casefold(), "unknown"))
    return tuple(
        Token(TokenKind(match.lastgroup or "mark"), match.group(), match.start())
        for match in pattern.finditer(text[:MAX_EXAMINED])
    )


@dataclass(frozen=True, slots=True)
class Call:
    """A call as written: the dotted name called, and the text of each argument."""

    name: str
    arguments: tuple[str, ...]

    @property
    def short_name(self) -> str:
        """The last part of the dotted name."""
        return re.split(r"\.|::|->|\?\.", self.name)[-1]


_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_OPENING.values())
_LINKS = frozenset({".", "::", "->", "?."})
_NOT_CALLED = frozenset(
    (
        "if elif elsif while for foreach switch catch except return function def func fn not and "
        "or in is await yield with when unless until assert raise throw sizeof typeof "
        "lambda else case match super synchronized using lock"
    ).split()
)


def split_top(
    tokens: tuple[Token, ...], text: str, separator: str = ",", *, angles: bool = False
) -> tuple[str, ...]:
    """Split the source of `tokens` at `separator` marks that no bracket encloses.

    With `angles`, `<` and `>` are brackets as well, where each has its partner.
    """
    opening, closing = {*_OPENING}, {*_CLOSING}
    marks = [t.text for t in tokens if t.kind is TokenKind.MARK] if angles else []
    if marks and marks.count("<") == marks.count(">"):
        opening.add("<")
        closing.add(">")
    parts: list[str] = []
    depth, start = 0, tokens[0].start if tokens else 0
    for token in tokens:
        if token.kind is not TokenKind.MARK:
            continue
        if token.text in opening:
            depth += 1
        elif token.text in closing:
            depth -= 1
        elif token.text == separator and depth == 0:
            parts.append(text[start : token.start].strip())
            start = token.end
    if tokens:
        parts.append(text[start : tokens[-1].end].strip())
    return tuple(part for part in parts if part)


def calls_in(tokens: tuple[Token, ...], text: str) -> tuple[Call, ...]:
    """Return the calls in `tokens`, outermost and leftmost first."""
    closers = _closers(tokens)
    found = []
    for index, token in enumerate(tokens):
        if token.text != "(" or index == 0 or tokens[index - 1].kind is not TokenKind.NAME:
            continue
        first = _chain_start(tokens, index - 1)
        if tokens[index - 1].text in _NOT_CALLED and first == index - 1:
            continue
        close = closers.get(index)
        inside = tokens[index + 1 : close]
        found.append(
            Call(
                "".join(t.text for t in tokens[first:index]),
                split_top(inside, text),
            )
        )
        if len(found) == MAX_CALLS:
            break
    return tuple(found)


def _chain_start(tokens: tuple[Token, ...], index: int) -> int:
    while (
        index >= 2
        and tokens[index - 1].text in _LINKS
        and tokens[index - 2].kind is TokenKind.NAME
        and tokens[index - 2].end == tokens[index - 1].start
    ):
        index -= 2
    return index


def _closers(tokens: tuple[Token, ...]) -> dict[int, int]:
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind is not TokenKind.MARK:
            continue
        if token.text in _OPENING:
            stack.append(index)
        elif token.text in _CLOSING and stack:
            pairs[stack.pop()] = index
    return pairs


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


MAX_JOINED = 10
"""Physical lines that are joined to one statement; a longer one is read line by line."""


@dataclass(frozen=True, slots=True)
class Side:
    """Which of the two files of a hunk is read: the kind of line that only it has."""

    own: LineKind
    other: LineKind


OLD = Side(LineKind.REMOVED, LineKind.ADDED)
NEW = Side(LineKind.ADDED, LineKind.REMOVED)


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One statement of one side.

    `positions` are the indices of its lines in the hunk, `changed` those that only this side
    has. `line` is the line of the new file where it stands, or where what replaced it stands.
    `prose` says that it lies within a block comment or a docstring.
    """

    text: str
    positions: tuple[int, ...]
    changed: tuple[int, ...]
    line: int
    indent: int
    prose: bool

    @property
    def touched(self) -> bool:
        """Whether the change made or removed at least a part of it."""
        return bool(self.changed)


_OPEN = frozenset("([")
_CLOSE = frozenset(")]")
_CONTINUES = re.compile(r"\s*(?:\.(?!\.)|\?\.|&&|\|\||\+ |\? |: )")
_UNBRACED = frozenset("python py ruby rb yaml yml toml ini properties css scss less".split())


def logical_lines(hunk: Hunk, side: Side, language: str | None) -> tuple[LogicalLine, ...]:
    """Return the logical lines of one side of `hunk`, in order."""
    rows = [(i, line) for i, line in enumerate(hunk.lines) if line.kind is not side.other]
    places = _new_lines(hunk)
    prose = _prose([line.text for _, line in rows], language)
    if language in PROSE:
        prose = [True] * len(rows)
    chains = (language or "").casefold() not in _UNBRACED
    found: list[LogicalLine] = []
    at = 0
    while at < len(rows):
        count = 1 if prose[at] else _span(rows, prose, at, language, chains=chains)
        part = rows[at : at + count]
        changed = tuple(i for i, line in part if line.kind is side.own)
        first = part[0][1].text[:MAX_EXAMINED]
        found.append(
            LogicalLine(
                text=_joined([line.text for _, line in part], language),
                positions=tuple(i for i, _ in part),
                changed=changed,
                line=places[changed[0] if changed else part[0][0]],
                indent=len(first.expandtabs(4)) - len(first.expandtabs(4).lstrip()),
                prose=prose[at],
            )
        )
        at += count
    return tuple(found)


def _joined(texts: Sequence[str], language: str | None) -> str:
    """Return one text for the lines of a statement; only a single line keeps its comment."""
    if len(texts) == 1:
        return texts[0][:MAX_EXAMINED].strip()
    parts = []
    for text in texts:
        code = [t for t in tokenize(text, language) if t.kind is not TokenKind.COMMENT]
        if code:
            parts.append(text[code[0].start : code[-1].end])
    return " ".join(parts)


def _new_lines(hunk: Hunk) -> list[int]:
    """Return, for each line of the hunk, the line of the new file that stands at its place."""
    last = hunk.new_start + hunk.new_count - 1
    places, following = [0] * len(hunk.lines), 0
    for index in range(len(hunk.lines) - 1, -1, -1):
        following = hunk.lines[index].new or following
        places[index] = following or max(last, 1)
    return places


def _span(
    rows: Sequence[tuple[int, ChangedLine]],
    prose: Sequence[bool],
    at: int,
    language: str | None,
    *,
    chains: bool,
) -> int:
    """Return how many rows from `at` on make one statement."""
    depth, count, size = 0, 0, 0
    chains = chains and not _CONTINUES.match(rows[at][1].text)
    braced = rows[at][1].text.lstrip().startswith(("import {", "import type {", "export {"))
    while at + count < len(rows) and count < MAX_JOINED and size < MAX_EXAMINED:
        text = rows[at + count][1].text
        if count and (prose[at + count] or not text.strip()):
            return 1 if depth > 0 else count
        size += len(text)
        tokens = [t for t in tokenize(text, language) if t.kind is not TokenKind.COMMENT]
        for token in tokens:
            if token.kind is TokenKind.MARK and braced:
                depth += (token.text == "{") - (token.text == "}")
            if token.kind is TokenKind.MARK:
                depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if count and not tokens:
            return 1
        count += 1
        if depth < 0:
            return 1
        if depth > 0:
            if tokens and tokens[-1].text in {"{", "=>"} and not braced:
                return 1
            continue
        following = rows[at + count][1].text if at + count < len(rows) else ""
        if not (chains and tokens and _CONTINUES.match(following)):
            return count
    return 1


_TRIPLE = re.compile(r'"""|\'\'\'')
_STRING_STARTS = re.compile(r'[=(,+]\s*[rRuUbBfF]{0,2}("""|\'\'\')')
_QUERY = re.compile(r"\s*(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|SET|VALUES|ON|WITH|CREATE)\b")
_HASHED = frozenset({"python", "py"})


def _prose(texts: Sequence[str], language: str | None) -> list[bool]:
    """Say which lines lie within a docstring or a block comment."""
    if (language or "").casefold() in _HASHED:
        return _docstrings(texts)
    flags: list[bool] = []
    inside = False
    for text in texts:
        line = text[:MAX_EXAMINED].strip()
        opens = line.startswith(("/*", "<!--"))
        starred = line.startswith("*") and (len(line) == 1 or line[1] in " /*")
        flags.append(inside or opens or starred)
        if inside or opens or starred:
            inside = not ("*/" in line or "-->" in line) and (inside or opens)
    return flags


def _docstrings(texts: Sequence[str]) -> list[bool]:
    """Read triple quotes; a lone one after prose, not after a heading, ends what came before."""
    flags = [False] * len(texts)
    inside, since, previous = False, 0, ""
    for index, text in enumerate(texts):
        line = text[:MAX_EXAMINED].strip()
        marks = len(_TRIPLE.findall(line))
        if marks % 2:
            bare = line.lstrip("rRuUbBfF")
            starts = bare.startswith(('"""', "'''"))
            opens = starts and (len(bare) > 3 or previous.endswith(":"))
            if inside:
                inside, since = False, index + 1
                flags[index] = True
            elif opens:
                inside = flags[index] = True
            elif starts or not _STRING_STARTS.search(line):
                if any(_QUERY.match(t) for t in texts[since:index]):
                    since = index + 1
                    continue
                flags[since : index + 1] = [True] * (index + 1 - since)
                since = index + 1
        else:
            flags[index] = inside or line.startswith(('"""', "'''"))
        previous = line or previous
    return flags
