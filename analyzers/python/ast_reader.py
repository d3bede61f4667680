"""Parse Python: whole files unchanged, hunks below headers that make them valid."""

import ast
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from itertools import product

from crscore_core.analyzers.brackets import CLOSING, Unmatched, find_unmatched
from crscore_core.analyzers.model import Fragment
from crscore_core.analyzers.python.scopes import Function
from crscore_core.analyzers.reader import (
    Block,
    BlockKind,
    Line,
    ParsedCode,
    Passage,
    Reader,
    first_readable,
    fragment_lines,
    with_less_context,
)
from crscore_core.analyzers.tool import NotAnalysedError

PYTHON_VERSION = "Python {}.{}".format(*sys.version_info)
_parser_lock = threading.Lock()
"""Python 3.11 counts recursion depth across threads and may report a mismatch."""


def parse(text: str) -> ast.Module:
    """Parse `text` with the grammar of the running Python.

    Raises:
        NotAnalysedError: `text` is not valid Python, or is nested too deeply to parse.
    """
    if "\0" in text:
        row = text[: text.index("\0")].count("\n") + 1
        raise NotAnalysedError("a NUL byte", row)
    try:
        # Python warns about doubtful escapes and literals in the reviewed code.
        with _parser_lock, warnings.catch_warnings(action="ignore"):
            return ast.parse(text)
    except SyntaxError as error:
        reason = f"{PYTHON_VERSION} cannot read this: {error.msg}"
        raise NotAnalysedError(reason, error.lineno or 1) from None
    except ValueError as error:
        raise NotAnalysedError(str(error)) from None
    except (RecursionError, MemoryError):
        raise NotAnalysedError("nested too deeply to parse") from None


_MAX_CHARACTERS = 2_000_000  # over all attempts, so that a hopeless hunk does not take long
_LEADS = ("", '"""', "'''")  # a hunk may start in a string
# Code before the bracket in which a hunk starts, likeliest first.
_OPENERS = {
    "": ("",),
    ")": ("_(", "def _(", "if (", "(", "from _ import ("),
    "]": ("_ = [", "_["),
    "}": ("_ = {",),
}
_STATEMENT = re.compile(r"(?P<indent>[ \t]*)(?P<word>@|\w+|[^\s#])")
_COMMENT = re.compile(r"\s*(#[^'\"]*)?$")
_Statement = tuple[int, str, str]
"""The row of a statement, from 0, its indentation and its first word."""
_BEFORE = {"except": "try:", "finally": "try:", "elif": "if 1:", "else": "if 1:"}


def _read_hunk(fragment: Fragment, changed_lines: frozenset[int]) -> ParsedCode:
    """Parse a hunk, completed or trimmed as little as needed to be valid Python."""
    return first_readable(_candidates(fragment, changed_lines), _parsed_code, fragment)


def _candidates(fragment: Fragment, changed_lines: frozenset[int]) -> Iterator[Passage]:
    budget = _MAX_CHARACTERS
    for lines in with_less_context(fragment_lines(fragment), changed_lines):
        for passage in _completed(lines):
            budget -= len(passage.text)
            if budget < 0:
                return
            yield passage


def _completed(lines: list[Line]) -> Iterator[Passage]:
    """Yield the lines below headers that match their indentation, with their ends completed."""
    text = "\n".join(line for _, line in lines)
    for lead in _LEADS:
        unmatched = find_unmatched(lead + text, "python")
        never_closed = lead and unmatched.opened and unmatched.opened[-1][1] == 0
        if never_closed or unmatched.is_too_deep:
            continue
        closing = "".join(CLOSING.get(mark, mark) for mark, _ in reversed(unmatched.opened))
        inner = unmatched.inner | ({0} if lead or unmatched.closers else set())
        statements = [
            (row, match["indent"], match["word"])
            for row, (_, line) in enumerate(lines)
            if row not in inner and (match := _STATEMENT.match(line)) is not None
        ]
        is_incomplete = bool(closing) or text.endswith("\\")
        for (opener, closer), colon in product(_openers(unmatched), ("", ":")):
            if is_incomplete or not colon:
                completed = [] if closer else statements
                end = closing + closer + colon
                tail = [end] * bool(end) + [*_tail(completed, end or lines[-1][1])]
                head = _headers(completed, opener + lead)
                yield Passage.from_lines(
                    [*((None, line) for line in head), *lines, *((None, line) for line in tail)]
                )


def _openers(unmatched: Unmatched) -> Iterator[tuple[str, str]]:
    """Yield code that opens the brackets that the text closes, likeliest first, and its end.

    Only the last two have an end, since they put brackets around the whole text.
    """
    *inner, (outer, _) = unmatched.closers or [("", 0)]
    rest = "".join(_OPENERS[bracket][0] for bracket, _ in reversed(inner)).replace("_ = ", "")
    yield from ((opener + rest, "") for opener in _OPENERS[outer])
    if not unmatched.closers:
        yield from (("_ = {", "}"), ("_(", ")"))


def _headers(statements: list[_Statement], opener: str) -> Iterator[str]:
    """Yield lines that open the blocks around the statements, and then `opener`."""
    if opener:
        first = statements[0][1] if statements else ""
        shallower = [indent for _, indent, _ in statements if len(indent) < len(first)]
        opens_block = opener.startswith(("def", "if"))
        indent = (shallower or [""])[0] if opens_block and first else first
        word = statements[0][2] if statements else ""
        statements = [(-1, indent + " " * (word in _BEFORE), "_"), *statements]
    outermost = statements[:1]
    for statement in statements[1:]:
        if len(statement[1]) < len(outermost[-1][1]):
            outermost.append(statement)
    if outermost and outermost[-1][1]:
        yield "if 1:"
    for statement in reversed(outermost):
        _, indent, word = statement
        if word in _BEFORE or statement is not outermost[0]:
            yield indent + _BEFORE.get(word, "if 1:")
        if word in _BEFORE and statement is outermost[0]:
            yield f"{indent} pass"
    if opener:
        yield outermost[0][1] + opener


def _tail(statements: list[_Statement], last_line: str) -> Iterator[str]:
    """Yield lines that complete the last statement and the `try` blocks still open."""
    _, indent, word = statements[-1] if statements else (0, "", "")
    if word == "@":
        yield f"{indent}def _(): pass"
    elif _COMMENT.sub("", last_line).endswith(":"):
        yield f"{indent} pass"
    tries: list[str] = []
    for _, indent, word in statements:
        while tries and len(tries[-1]) >= len(indent):
            tries.pop()
        tries += [indent] * (word == "try")
    for indent in reversed(tries):
        yield f"{indent}finally: pass"


def _read_whole(fragment: Fragment) -> ParsedCode:
    return _parsed_code(Passage.from_lines(fragment_lines(fragment)))


PYTHON = Reader(_read_whole, _read_hunk)
"""Reads Python: whole files unchanged, hunks in the smallest frame that parses."""


def _parsed_code(passage: Passage) -> ParsedCode:
    tree, last_row = parse(passage.text), 0
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.ExceptHandler) and passage.line(node.lineno) is not None:
            last_row = max(last_row, node.lineno)
    return ParsedCode.of(passage, _blocks(tree, last_row))


def _blocks(tree: ast.Module, last_row: int) -> Iterator[Block]:
    """Yield blocks, outer ones first; only a statement after a block shows its end."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Match | ast.ExceptHandler) or (
            isinstance(node, ast.stmt) and hasattr(node, "body")
        ):
            kind, name = BlockKind.OTHER, None
            if isinstance(node, Function | ast.ClassDef):
                name = node.name
                kind = BlockKind.FUNCTION if isinstance(node, Function) else BlockKind.CLASS
            end = node.end_lineno or node.lineno
            yield Block(kind, name, node.lineno, end, end < last_row)
