"""Split a logical line into its statements."""

from collections.abc import Iterator

from crscore_core.claims.symbolic import brackets, patterns
from crscore_core.claims.symbolic.brackets import CLOSERS, Outline
from crscore_core.claims.symbolic.lexer import BY_ROW, Tokens
from crscore_core.claims.symbolic.statement import MAX_OUTLINE, ParsedStatement, parse_statement

_MAX_NESTED_BLOCKS = 5
"""Maximum depth of nested blocks on a row."""


def split_line(
    tokens: Tokens, language: str | None, depth: int = 0
) -> Iterator[tuple[ParsedStatement, int]]:
    """Yield the statements of a logical line, each with its depth below the first.

    A heading, the statements of its block on the same row, and a modifier of Ruby are separate.
    """
    if language in BY_ROW:
        row = parse_statement(tokens, language)
        if row.tokens:
            yield row, depth
        return
    code = _without_closers(tokens)
    if not code or (len(code) == 1 and code[0].text in brackets.CLOSER_OF):
        return
    outline = Outline(code)
    end = _head_end(outline, language) if depth < _MAX_NESTED_BLOCKS else len(code)
    is_code = language not in patterns.NO_CODE and code[0].text != "<"
    parts = brackets.split(code, ";") if is_code else [code]
    if end < len(code):
        yield parse_statement(code[:end], language, is_head=True), depth
        for part in brackets.split(_body(code[end:]), ";"):
            yield from split_line(part, language, depth + 1)
    elif len(parts) > 1:
        for part in parts:
            yield from split_line(part, language, depth)
    elif language == "ruby" and (modified := patterns.MODIFIER.match(outline.text)):
        condition = outline.index_at(modified.end())
        yield parse_statement(code[condition:], language), depth
        yield from split_line(code[:condition], language, depth + 1)
    else:
        yield parse_statement(code, language), depth


def _without_closers(tokens: Tokens) -> Tokens:
    """Return tokens after the brackets that close blocks.

    Return nothing if these are followed by further arguments of a call that contains the block.
    """
    start = 0
    while start < len(tokens) and tokens[start].text in {*CLOSERS, ";", ","}:
        start += 1
    is_after_block = start > 1 and tokens[1].text == "," and tokens[0].text in CLOSERS
    code = tokens[start:]
    return () if is_after_block and brackets.closing_surplus(code) > 0 else code


def _body(tokens: Tokens) -> Tokens:
    """Return tokens after the head of a block without the signs around the block."""
    while tokens and tokens[0].text in {"{", ":", "then", "do", ";"}:
        tokens = tokens[1:]
    return tokens[:-1] if tokens and tokens[-1].text in {"}", "end"} else tokens


def _head_end(outline: Outline, language: str | None) -> int:
    """Return the index at which the head of a block ends, or the length if there is no block."""
    if len(outline.text) >= MAX_OUTLINE or language in patterns.NO_CODE:
        return len(outline.tokens)
    control = "parentheses" if language in patterns.PARENTHESISED else "brace"
    for head in ("bare", "case", "colon" if language == "python" else control, "definition"):
        if match := patterns.HEAD_ENDS[head].match(outline.text):
            end = outline.index_at(len(match[0].rstrip()))
            parsed = parse_statement(outline.tokens[:end], language, is_head=True)
            if head != "definition" or parsed.kind in patterns.DEFINITIONS:
                return end
    return len(outline.tokens)
