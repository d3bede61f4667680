"""Outline Python text that may be incomplete: its statements, brackets and strings.

A hunk may start and end anywhere, so this reads only tokens and never fails.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""(?P<comment>\#.*)
      | (?P<quote>\"{3}|'{3}|["'])
      | (?P<open>[(\[{])
      | (?P<close>[)\]}])
      | (?P<blank>\s+)
      | (?P<other>[^\s\#"'()\[\]{}\\]+|\\.?)""",
    re.VERBOSE,
)
_TO_END = {quote: re.compile(rf"(?:\\.|[^\\])*?{quote}") for quote in ('"', "'", '"""', "'''")}
_PAIRS = {")": "(", "]": "[", "}": "{"}
_WORD = re.compile(r"(async\s+)?([A-Za-z_]+|@)?")


@dataclass(slots=True)
class Statement:
    """The start of a logical line; `opens_block` if the line ends in a colon."""

    indent: str
    word: str
    opens_block: bool = False


@dataclass(slots=True)
class Outline:
    """The statements of a text, and what its start and end leave open.

    `statements` lists those that start in the text. If one started before it, `starts_inside` is
    set, `closers` are the brackets that it closes, and `head_opens_block` is set if it ends in a
    colon. `open_brackets`, `open_quote` and `continues` (a backslash) are left open at the end.
    `strange` means that no completion of the ends can help. The string lines count lines that
    are not blank in a string cut off by the start or the end; `leading_string_lines` is None if
    the string at the start is never closed.
    """

    statements: list[Statement] = field(default_factory=list)
    starts_inside: bool = False
    head_opens_block: bool = False
    closers: list[str] = field(default_factory=list)
    open_brackets: list[str] = field(default_factory=list)
    open_quote: str | None = None
    continues: bool = False
    strange: bool = False
    leading_string_lines: int | None = 0
    trailing_string_lines: int = 0


def outline(lines: Sequence[str], start_quote: str | None = None) -> Outline:
    """Outline `lines`; with `start_quote` they start inside a string with those quotes."""
    shape = Outline(starts_inside=start_quote is not None, open_quote=start_quote)
    shape.leading_string_lines = None if start_quote else 0
    string_lines = 0
    for text in lines:
        if shape.open_quote is not None and text.strip():
            string_lines += 1
        _read_line(text, shape)
        if shape.strange:
            break
        if shape.open_quote is None:
            if shape.leading_string_lines is None:
                shape.leading_string_lines = string_lines
            string_lines = 0
    shape.trailing_string_lines = string_lines
    return shape


def _read_line(text: str, shape: Outline) -> None:
    position = 0
    if shape.open_quote is not None:
        position = _end_of_string(text, 0, shape.open_quote)
        if position < 0:
            shape.strange = len(shape.open_quote) == 1 and not text.endswith("\\")
            return
        shape.open_quote = None
    elif not shape.open_brackets and not shape.continues:
        _start_statement(text, shape)
    shape.continues = False
    last = ""
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            shape.strange = True
            return
        position = token.end()
        kind = token.lastgroup
        if kind == "quote":
            position = _read_string(text, position, token.group(), shape)
        elif kind == "open":
            shape.open_brackets.append(token.group())
        elif kind == "close":
            _close_bracket(token.group(), shape)
        if kind not in {"comment", "blank"}:
            last = token.group()
    if last == "\\":
        shape.continues = True
    elif last and not shape.open_brackets and shape.open_quote is None:
        _end_statement(shape, opens_block=last.endswith(":"))


def _start_statement(text: str, shape: Outline) -> None:
    stripped = text.lstrip()
    if stripped and not stripped.startswith(("#", "\\")):
        word = _WORD.match(stripped)
        indent = text[: len(text) - len(stripped)]
        shape.statements.append(Statement(indent, (word and word.group(2)) or ""))


def _end_statement(shape: Outline, *, opens_block: bool) -> None:
    if shape.statements:
        shape.statements[-1].opens_block = opens_block
    elif shape.starts_inside:
        shape.head_opens_block = opens_block


def _close_bracket(bracket: str, shape: Outline) -> None:
    if not shape.open_brackets:
        # It was opened before the text: everything up to here is one statement.
        shape.closers.append(bracket)
        shape.statements.clear()
        shape.starts_inside = True
    elif shape.open_brackets.pop() != _PAIRS[bracket]:
        shape.strange = True


def _read_string(text: str, position: int, quote: str, shape: Outline) -> int:
    end = _end_of_string(text, position, quote)
    if end >= 0:
        return end
    if len(quote) == 1 and not text.endswith("\\"):
        shape.strange = True
    shape.open_quote = quote
    return len(text)


def _end_of_string(text: str, position: int, quote: str) -> int:
    found = _TO_END[quote].match(text, position)
    return found.end() if found else -1
