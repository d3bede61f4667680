"""Parse Python files and hunks with the grammar of the running Python."""

import ast
import re
import threading
import warnings
from collections.abc import Iterator

from analyzers.model import Fragment
from analyzers.python.measures import Function
from analyzers.python.outline import Outline, Statement, outline
from analyzers.reading import (
    Block,
    BlockKind,
    Context,
    Line,
    Passage,
    Reader,
    UnparsableError,
    cuts,
    source_lines,
)

_LABEL = "<analysed passage>"
_OURS = re.compile(re.escape(_LABEL))
_one_at_a_time = threading.Lock()
"""Python 3.11 counts recursion depth across threads and may report a mismatch."""


def parse(text: str) -> ast.Module:
    """Parse `text` with the grammar of the running Python.

    Raises:
        UnparsableError: `text` is not valid Python, or is nested too deeply to parse.
    """
    _silence_warnings()
    readable = text.encode("utf-8", "replace").decode("utf-8")
    if "\0" in readable:
        line = readable[: readable.index("\0")].count("\n") + 1
        raise UnparsableError(line, "a NUL byte")
    try:
        with _one_at_a_time:
            return ast.parse(readable, filename=_LABEL)
    except SyntaxError as error:
        raise UnparsableError(error.lineno or 1, error.msg) from None
    except ValueError as error:
        raise UnparsableError(1, str(error)) from None
    except (RecursionError, MemoryError):
        raise UnparsableError(1, "nested too deeply to read") from None


def _silence_warnings() -> None:
    # Parsing warns about doubtful escapes and literals in the reviewed code, which are not ours to
    # print. The filter names our label, so that it hides no other warning of the process.
    if not any(module == _OURS for _, _, _, module, _ in warnings.filters):
        warnings.filterwarnings("ignore", module=_OURS.pattern)


# Characters over all attempts, so that a hopeless hunk does not take long.
_PARSE_BUDGET = 2_000_000
_TRIPLE_QUOTES = ('"""', "'''")
_OPENING = {")": "(", "]": "[", "}": "{"}
_CLOSING = {opening: closing for closing, opening in _OPENING.items()}
# Code before the bracket in which a fragment starts, likeliest first.
_HEADS = {"(": ("_(", "from _ import (", "(", "(_"), "[": ("_ = [", "_["), "{": ("_ = {",)}
_BLOCK_HEADS = {
    "(": ("def _(", "if (", "class _(", "for _ in (", "with (", "if (_"),
    "[": ("for _ in [",),
}
# Brackets that may enclose a whole fragment.
_WRAPS = (("_(", ")"), ("_ = [", "]"), ("_ = {", "}"), ("(_", ")"), ("def _(", "): pass"))
_AFTER_TRY = frozenset({"except", "finally"})
_AFTER_IF = frozenset({"elif", "else"})


def repair(fragment: Fragment, changed_lines: frozenset[int]) -> tuple[Passage, ast.Module]:
    """Make the smallest addition or cut at the ends of `fragment` that makes it valid Python.

    Nothing inside it is altered and no changed line is dropped. Try it unchanged, under headers
    for its indentation, with its first and last statement completed; then with up to six lines of
    context cut off its ends, or all of it inside a bracket or, if its heading opens one, a string.

    Raises:
        UnparsableError: nothing helped; `line` is a line of the new file.
    """
    lines: list[Line] = list(enumerate(source_lines(fragment.text), fragment.first_line))
    budget = _PARSE_BUDGET
    first_error: UnparsableError | None = None
    for candidate in _candidates(lines, changed_lines, fragment.heading):
        passage = Passage.of_lines(candidate)
        budget -= len(passage.text)
        try:
            return passage, parse(passage.text)
        except UnparsableError as error:
            line = passage.nearest_line(error.line) or fragment.first_line
            first_error = first_error or UnparsableError(line, error.reason)
        if budget < 0:
            break
    raise first_error or UnparsableError(
        fragment.first_line, "this cannot be completed to valid Python"
    )


def _candidates(
    lines: list[Line], changed_lines: frozenset[int], heading: str | None
) -> Iterator[list[Line]]:
    """Yield completed lines, likeliest first: those with fewer lines in an incomplete string."""
    for kept in cuts(lines, changed_lines):
        texts = [text for _, text in kept]
        shapes = [(quote, outline(texts, quote)) for quote in (None, *_TRIPLE_QUOTES)]
        # Inside a string that neither starts nor ends in the hunk, anything would parse.
        fine = [
            (shape.leading_string_lines + shape.trailing_string_lines, shape, quote)
            for quote, shape in shapes
            if not shape.strange and shape.leading_string_lines is not None
        ]
        for _, shape, quote in sorted(fine, key=lambda reading: reading[0]):
            yield from _completed(kept, shape, quote)
        if len(kept) == len(lines):
            yield from _wrapped(lines)
    quote = _quote_left_open(heading)
    if quote is not None:
        whole = outline([text for _, text in lines], quote)
        if whole.leading_string_lines is None:
            yield [(None, quote), *lines, (None, quote)]
    yield lines  # for its error, if the ends cannot be completed


def _completed(lines: list[Line], shape: Outline, quote: str | None) -> Iterator[list[Line]]:
    for head, opens_block in _heads(shape, quote):
        for tail in _tails(shape):
            before = _scaffold_before(shape, head, opens_block=opens_block)
            yield [*before, *lines, *((None, text) for text in tail)]


def _wrapped(lines: list[Line]) -> Iterator[list[Line]]:
    """Yield the lines inside one bracket that opens and closes outside the hunk."""
    shape = outline([text for _, text in lines])
    if shape.strange or shape.open_quote is not None:
        return
    inner = "".join(_OPENING[closer] for closer in reversed(shape.closers)).replace("(", "_(")
    closing = "".join(_CLOSING[bracket] for bracket in reversed(shape.open_brackets))
    for head, end in _WRAPS:
        key = "_: " if inner and end == "}" else ""
        yield [(None, head + key + inner), *lines, (None, closing + end)]


def _heads(shape: Outline, quote: str | None) -> Iterator[tuple[str, bool]]:
    """Yield starts for a statement that began before the text, and True if it opens a block."""
    if not shape.starts_inside:
        yield "", False
        return
    inner = "".join(_OPENING[closer] for closer in reversed(shape.closers[:-1])) + (quote or "")
    if not shape.closers:
        yield inner, False
        yield f"_ = {inner}", False
        return
    outer = _OPENING[shape.closers[-1]]
    if shape.head_opens_block:
        yield from ((head + inner, True) for head in _BLOCK_HEADS.get(outer, ()))
    yield from ((head + inner, False) for head in _HEADS[outer])


def _scaffold_before(shape: Outline, head: str, *, opens_block: bool) -> list[Line]:
    statements = list(shape.statements)
    if shape.starts_inside:
        statements.insert(0, Statement(_head_indent(statements, opens_block=opens_block), "head"))
    outermost = statements[:1]
    for statement in statements[1:]:
        if len(statement.indent) < len(outermost[-1].indent):
            outermost.append(statement)
    scaffold: list[str] = []
    if outermost and outermost[-1].indent:
        scaffold.append("if 1:")
    for statement in reversed(outermost):
        is_first = statement is outermost[0]
        if statement.word in _AFTER_TRY:
            scaffold.append(f"{statement.indent}try:")
        elif statement.word in _AFTER_IF or not is_first:
            scaffold.append(f"{statement.indent}if 1:")
        if is_first and statement.word in _AFTER_TRY | _AFTER_IF:
            scaffold.append(f"{statement.indent} pass")
    if head:
        scaffold.append(statements[0].indent + head)
    return [(None, text) for text in scaffold]


def _head_indent(statements: list[Statement], *, opens_block: bool) -> str:
    if not statements:
        return ""
    body = statements[0]
    if not opens_block:
        # A clause such as `else:` ends a block, and the incomplete statement was in that block.
        return body.indent + (" " if body.word in _AFTER_TRY | _AFTER_IF else "")
    outer = [s.indent for s in statements[1:] if len(s.indent) < len(body.indent)]
    return outer[0] if outer else ""


def _tails(shape: Outline) -> Iterator[list[str]]:
    """Yield ends for the last statement and the blocks still open there."""
    closing = "".join(_CLOSING[bracket] for bracket in reversed(shape.open_brackets))
    is_torn = bool(closing or shape.open_quote or shape.continues)
    if not is_torn:
        yield _blocks_after(shape, heads_block=_opens_block(shape))
        return
    if shape.open_quote is not None and len(shape.open_quote) == 1:
        return
    for start in [shape.open_quote] if shape.open_quote else ["", "_"]:
        for end, heads_block in (("", False), (":", True)):
            yield [start + closing + end, *_blocks_after(shape, heads_block=heads_block)]


def _opens_block(shape: Outline) -> bool:
    return shape.statements[-1].opens_block if shape.statements else shape.head_opens_block


def _blocks_after(shape: Outline, *, heads_block: bool) -> list[str]:
    tail: list[str] = []
    last = shape.statements[-1] if shape.statements else Statement("", "")
    if last.word == "@":
        tail.append(f"{last.indent}def _(): pass")
    elif heads_block:
        tail.append(f"{last.indent} pass")
    for indent in reversed(_tries_without_handler(shape)):
        tail += [f"{indent}finally:", f"{indent} pass"]
    return tail


def _tries_without_handler(shape: Outline) -> list[str]:
    """Return the indentation of each `try` block open at the end, outermost first."""
    indents: list[str] = []
    for statement in shape.statements:
        while indents and len(indents[-1]) >= len(statement.indent):
            indents.pop()
        if statement.word == "try":
            indents.append(statement.indent)
    return indents


def _quote_left_open(heading: str | None) -> str | None:
    if not heading:
        return None
    shape = outline([heading])
    return shape.open_quote if shape.open_quote in _TRIPLE_QUOTES else None


def _whole(fragment: Fragment) -> Context:
    passage = Passage.of_lines(enumerate(source_lines(fragment.text), fragment.first_line))
    return _context(passage, parse(passage.text))


PYTHON = Reader(_whole, lambda fragment, changed_lines: _context(*repair(fragment, changed_lines)))
"""Reads Python: whole files as they are, hunks in the smallest scaffold that parses."""


def _context(passage: Passage, tree: ast.Module) -> Context:
    last_row = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.ExceptHandler) and passage.line(node.lineno) is not None:
            last_row = max(last_row, node.lineno)
    return Context.of(passage, _blocks(tree, last_row))


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
