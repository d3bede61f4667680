"""Split code into tokens, match brackets, and outline code without the contents of brackets."""

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from crscore_core.claims.symbolic.patterns import ROWS, TOKENS, compiled, languages

LINKS = frozenset({".", "?.", "->"})  # operators that access a member
UNKNOWN = "unknown"  # the language of a file whose name does not indicate one
PROSE = "prose"  # the language of documentation: paragraphs, read as comments


class Token(NamedTuple):
    """A token that starts on `row` and spans `extra_rows` more; `gap` is the space before it."""

    text: str
    row: int
    extra_rows: int
    gap: str
    is_comment: bool


Tokens = Sequence[Token]


@cache
def _pattern(language: str) -> re.Pattern[str]:
    comments, strings = (
        next(text for names, text in TOKENS[key] if not names or language in languages(names))
        for key in ("comments", "strings")
    )
    pattern = f"(?P<comment>{comments})|(?:{strings})|{TOKENS['others']}"
    return compiled(pattern, re.DOTALL | re.MULTILINE)


def tokenize(text: str, language: str | None) -> list[Token]:
    """Return the tokens of one or more rows; a string or comment may span several."""
    start = text[: _open_end(text, language)]
    first = Token(start, 0, start.count("\n"), "", is_comment=start.endswith("*/"))
    tokens = [first] if start else []
    end, row = len(start), first.extra_rows
    for match in _pattern(language or "").finditer(text, end):
        gap = text[end : match.start()]
        row += gap.count("\n")
        piece = match.group()
        extra_rows = piece.count("\n")
        tokens.append(Token(piece, row, extra_rows, gap, match["comment"] is not None))
        row, end = row + extra_rows, match.end()
    return tokens


def _open_end(text: str, language: str | None) -> int:
    """Return the end of a comment, docstring or text block that starts before the text, or 0."""
    strings = ("docstrings", "text_blocks", "raw_strings", "rust_strings")
    kinds = [kind for kind in strings if language in languages(kind)]
    kinds += ["comments"] * (r"/\*" in _pattern(language or "").pattern)
    return next((m.end() for kind in kinds if (m := ROWS[f"end_of_{kind}"].match(text))), 0)


def to_code(tokens: Tokens) -> str:
    """Return tokens as code on one line, with the original spaces and unchanged strings."""
    pieces = []
    for index, token in enumerate(tokens):
        if index and token.gap:
            is_break = "\n" in token.gap
            is_tight = tokens[index - 1].text in {"(", "["} or token.text in {")", "]", ",", *LINKS}
            pieces.append("" if is_break and is_tight else " ")
        pieces.append(token.text)
    return "".join(pieces)


CLOSING = {"(": ")", "[": "]", "{": "}"}
CLOSERS = frozenset(CLOSING.values())


def closing_index(tokens: Tokens, start: int) -> int:
    """Return the index at which the bracket at `start` closes, or the length if it stays open."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += (tokens[index].text in CLOSING) - (tokens[index].text in CLOSERS)
        if depth == 0:
            return index
    return len(tokens)


def unmatched_brackets(tokens: Tokens) -> tuple[list[int], set[int]]:
    """Return the indices of unmatched opening (outermost first) and closing brackets."""
    opened: list[int] = []
    closing: set[int] = set()
    for index, token in enumerate(tokens):
        if token.text in CLOSING:
            opened.append(index)
        elif opened and token.text == CLOSING[tokens[opened[-1]].text]:
            opened.pop()
        elif token.text in CLOSERS:
            closing.add(index)
    return opened, closing


def closing_surplus(tokens: Tokens) -> int:
    """Return the number of closing brackets minus the number of opening brackets."""
    return sum((token.text in CLOSERS) - (token.text in CLOSING) for token in tokens)


def split(tokens: Tokens, signs: Collection[str] = ",", *, angles: bool = False) -> list[Tokens]:
    """Split tokens at signs outside brackets; with `angles`, also outside `<` and `>`."""
    texts = [token.text for token in tokens]
    angles &= texts.count("<") == texts.count(">")
    opening = {*CLOSING, "<"} if angles else CLOSING
    closers = {*CLOSERS, ">"} if angles else CLOSERS
    parts: list[Tokens] = []
    depth = start = 0
    for index, text in enumerate(texts):
        depth += (text in opening) - (text in closers)
        if text in signs and depth == 0:
            parts.append(tokens[start:index])
            start = index + 1
    return [part for part in (*parts, tokens[start:]) if part]


class Outline:
    """A statement's code without strings and the contents of brackets, for matching patterns."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        pieces: list[str] = []
        self._starts, self._offsets = [0], [0]
        index = offset = 0
        while index < len(tokens):
            token = tokens[index]
            text, end = token.text, index + 1
            if text in CLOSING:
                end = min(closing_index(tokens, index) + 1, len(tokens))
                text += CLOSING[text]
            elif text[-1] in "\"'`" or "\n" in text or (text[0] == "%" and len(text) > 2):
                text = '""'
            text += " " if end < len(tokens) and tokens[end].gap else ""
            pieces.append(text)
            index, offset = end, offset + len(text)
            self._starts.append(index)
            self._offsets.append(offset)
        self.text = "".join(pieces)

    def index_at(self, offset: int) -> int:
        """Return the index of the first token at or after an offset of the text."""
        return self._starts[min(bisect_left(self._offsets, offset), len(self._starts) - 1)]


def close_brackets(tokens: Tokens) -> str:
    """Return code with an ellipsis and its missing closing brackets."""
    code = to_code(tokens)
    if re.search(r"\bdo(?: \|[^|]*\|)?$", code):
        return f"{code} … end" if len(tokens) > 1 else f"{code} {{…}}"
    opened, closing = unmatched_brackets(tokens)
    if opened and max(closing, default=-1) < opened[0]:  # otherwise unpaired: `([a;)b`
        closers = "".join(CLOSING[tokens[index].text] for index in reversed(opened))
        gap = "" if code[-1:] in CLOSING else " "
        return f"{code}{gap}…{closers}"
    return f"{code} …" if code.endswith(("->", "=>")) else code
