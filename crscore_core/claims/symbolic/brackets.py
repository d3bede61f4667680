"""Match the brackets of tokens, and outline code without the contents of its brackets."""

import re
from bisect import bisect_left
from collections.abc import Collection

from crscore_core.claims.symbolic.lexer import Tokens, to_code

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
    """Return the indices of opening brackets (outermost first) and closing ones without match."""
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
    """The code of a statement without strings and the contents of brackets, to match patterns."""

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
            elif text[-1] in "\"'`" or "\n" in text:
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
        return f"{code} … end"
    if closers := "".join(
        CLOSING[tokens[index].text] for index in reversed(unmatched_brackets(tokens)[0])
    ):
        gap = "" if code[-1:] in CLOSING else " "
        return f"{code}{gap}…{closers}"
    return f"{code} …" if code.endswith(("->", "=>")) else code
