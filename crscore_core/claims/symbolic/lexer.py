"""Split code into tokens."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from crscore_core.claims.symbolic.patterns import TOKENS, compiled, languages

LINKS = frozenset({".", "?.", "->"})
"""Operators that access a member."""

UNKNOWN = "unknown"
"""The language of a file whose name does not indicate one."""

PROSE = "prose"
"""The language of documentation: paragraphs, read as comments."""

_ROW_OF_CODE = (
    r"\s*\n\s*(?:\n|@|#|[\w.]+ ="
    r"|(?:class|def|defp|for|from|function|if|import|raise|return|self|try|with)\b)"
)
"""What is likely to follow the end of a docstring."""


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
    comment_end = _open_comment_end(text, language)
    comment = Token(text[:comment_end], 0, text.count("\n", 0, comment_end), "", is_comment=True)
    tokens = [comment] if comment_end else []
    end, row = comment_end, comment.extra_rows
    for match in _pattern(language or "").finditer(text, comment_end):
        gap = text[end : match.start()]
        row += gap.count("\n")
        piece = match.group()
        extra_rows = piece.count("\n")
        tokens.append(Token(piece, row, extra_rows, gap, match["comment"] is not None))
        row, end = row + extra_rows, match.end()
    return tokens


def _open_comment_end(text: str, language: str | None) -> int:
    """Return the end of a comment or docstring that starts before the text, or 0."""
    if language in languages("docstrings"):
        return _open_docstring_end(text)
    if r"/\*" not in _pattern(language or "").pattern:
        return 0
    end, start = text.find("*/"), text.find("/*")
    line = text.rfind("\n", 0, end) + 1
    is_inside = end >= 0 and not 0 <= start < end and "//" not in text[line:end]
    is_string = re.search(r"(?<!\w)[\"']", text[line:end])
    return end + 2 if is_inside and not is_string else 0


def _open_docstring_end(text: str) -> int:
    """Return the end of a docstring that starts before the text, or 0; each mark has one vote."""
    marks = list(re.finditer(r'"""|\'\'\'', text))
    votes = [_closes_docstring(text, mark) != number % 2 for number, mark in enumerate(marks)]
    return marks[0].end() if sum(votes) > len(votes) / 2 else 0


def _closes_docstring(text: str, mark: re.Match[str]) -> bool:
    """Return whether a mark is more likely to end a docstring than to start one."""
    before, after = text[: mark.start()], text[mark.end() :]
    if before.rpartition("\n")[2].strip():
        return not re.search(r"(?:[\s=(,+{\[]|\b[rRbBfFuU]{1,2})$", before)
    if re.match(r"[ \t]*[^\s,)]", after):
        return False
    if before.strip():
        return before.rstrip()[-1] not in ":(=,["
    return re.match(_ROW_OF_CODE, after) is not None


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
