"""One line of code in any language, as tokens.

Lexical only: what a mark means is left to `statement`. Lines are examined up to
`MAX_EXAMINED` characters, so that no pattern meets a line that could make it slow.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

__all__ = ["MAX_EXAMINED", "Call", "Token", "TokenKind", "calls_in", "split_top", "tokenize"]

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
