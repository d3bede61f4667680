"""Lines of code in the colours of their syntax."""

import time
from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType
from pygments.util import ClassNotFound

from pages.components.markup.words import visible

_COLOURS = (
    (Comment, "comment"),
    (String, "string"),
    (Number, "number"),
    (Keyword, "keyword"),
    (Name.Function, "name"),
    (Name.Class, "name"),
    (Name.Decorator, "name"),
    (Name.Tag, "name"),
)
_MOST_WIDTH = 300
_MOST_AT_ONCE = 4_000
"""Most characters of a line, and of lines together, that Pygments gets."""

_PIECE = Markup('<span class="typed-{}">{}</span>')


def coloured_lines(lines: Sequence[str], language: str | None, until: float) -> list[Markup]:
    """Colour lines that follow each other in one file; return markup for each.

    Lines stay without colour where `language` is None or unknown to Pygments. The patterns of
    Pygments take a time that grows with the square of some texts and more. So very long lines get
    no colour, many lines are looked at in parts, and the rest stays without colour at `until`, by
    the clock of `time.monotonic`.
    """
    lexer = _lexer(language)
    if lexer is None or not lines:
        return [visible(line) for line in lines]
    markups: list[Markup] = []
    for part in _parts(lines):
        markups += _coloured_part(part, lexer, until)
    return markups


def _parts(lines: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    size = 0
    for line in lines:
        if size > _MOST_AT_ONCE:
            yield part
            part, size = [], 0
        part.append(line)
        size += 1 + min(len(line), _MOST_WIDTH)
    yield part


def _coloured_part(lines: Sequence[str], lexer: Lexer, until: float) -> Iterable[Markup]:
    text = "\n".join(line if len(line) <= _MOST_WIDTH else "" for line in lines)
    tokens = []
    # Unlike `get_tokens`, it takes the text as it is, line ends and all.
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        tokens.append((kind, value))
        if time.monotonic() > until:
            break
    if "".join(value for _, value in tokens) != text:
        return map(visible, lines)
    return (
        coloured if len(line) <= _MOST_WIDTH else visible(line)
        for line, coloured in zip(lines, _by_line(tokens), strict=True)
    )


def _lexer(language: str | None) -> Lexer | None:
    if language is None:
        return None
    try:
        return get_lexer_by_name(language, startinline=True)  # PHP of a hunk lacks its `<?php`
    except ClassNotFound:
        return None


def _by_line(tokens: Sequence[tuple[_TokenType, str]]) -> Iterator[Markup]:
    line: list[Markup] = []
    for kind, value in tokens:
        first, *others = value.split("\n")
        line.append(_coloured(kind, first))
        for other in others:
            yield Markup().join(line)
            line = [_coloured(kind, other)]
    yield Markup().join(line)


def _coloured(kind: _TokenType, text: str) -> Markup:
    for colour, name in _COLOURS:
        if kind in colour and text.strip():
            return _PIECE.format(name, visible(text))
    return visible(text)
