"""What a logical line does, recognised from its tokens in any language."""

from collections.abc import Callable

from crscore_core.claims.symbolic.headings import function_heading, type_heading
from crscore_core.claims.symbolic.lexing import Token, TokenKind, tokenize
from crscore_core.claims.symbolic.logical import LogicalLine
from crscore_core.claims.symbolic.notation import PROSE
from crscore_core.claims.symbolic.read_control import read_keyword
from crscore_core.claims.symbolic.read_use import read_call_like, read_decorator, read_import
from crscore_core.claims.symbolic.read_values import (
    read_assignment,
    read_declaration,
    read_entry,
    read_item,
    read_markup,
    read_query,
)
from crscore_core.claims.symbolic.statement import Reading, Sort, Statement

__all__ = ["CONFLICT", "recognise"]


def read_function(r: Reading) -> Statement | None:
    """Read the heading of a function or method."""
    heading = function_heading(r.code, r.text, r.language)
    if heading is None:
        return None
    return Statement(
        Sort.FUNCTION, r.source, r.all_tokens, heading.name, heading=heading,
        modifiers=heading.modifiers,
    )  # fmt: skip


def read_type(r: Reading) -> Statement | None:
    """Read the heading of a class or another type."""
    heading = type_heading(r.code, r.text, r.language)
    if heading is None:
        return None
    return Statement(
        Sort.TYPE, r.source, r.all_tokens, heading.name, heading=heading,
        modifiers=heading.modifiers,
    )  # fmt: skip


READERS: tuple[Callable[[Reading], Statement | None], ...] = (
    read_decorator,
    read_import,
    read_keyword,
    read_type,
    read_function,
    read_markup,
    read_query,
    read_declaration,
    read_assignment,
    read_call_like,
    read_entry,
    read_item,
)
"""Tried in this order; the first that recognises a line names it."""


CONFLICT = "conflict"
"""The subject of the marks that a merge leaves around the two versions of a conflict."""

_CONFLICT = ("<<<<<<< ", "||||||| ", ">>>>>>> ")

_ENDS = frozenset({"end", "fi", "done", "esac", "then", "endif", "endforeach", "endfor"})
"""Words that close what another line opened, as a bracket does."""


def recognise(source: LogicalLine, language: str | None) -> Statement:
    """Say what `source` does; never fails, `Sort.OTHER` being the last resort."""
    tokens = tokenize(source.text, language)
    told = _without_code(source, tokens, language)
    if told is not None:
        return told
    code = tuple(t for t in tokens if t.kind is not TokenKind.COMMENT)
    if not code:
        return Statement(Sort.BLANK, source, tokens)
    if all(t.kind is TokenKind.MARK or t.text in _ENDS for t in code):
        return Statement(Sort.BRACKETS, source, tokens)
    start = 0
    while start < len(code) - 1 and code[start].text == "}":
        start += 1
    reading = Reading(source, source.text, tokens, code[start:], language)
    for reader in (read_query, *READERS) if language == "sql" else READERS:
        statement = reader(reading)
        if statement is not None:
            return statement
    return reading.made(Sort.OTHER, detail=reading.after(0))


def _without_code(
    source: LogicalLine, tokens: tuple[Token, ...], language: str | None
) -> Statement | None:
    """Read what is no code: the mark of a conflict, text, a comment."""
    prose = language in PROSE
    if source.text.startswith(_CONFLICT) or (
        source.text == "=======" and not (prose or source.prose)
    ):
        return Statement(Sort.BRACKETS, source, (), CONFLICT)
    if prose and not source.text.strip():
        return Statement(Sort.BLANK, source, tokens)
    if prose or source.prose or (tokens and all(t.kind is TokenKind.COMMENT for t in tokens)):
        return Statement(Sort.COMMENT, source, tokens, detail=_prose_of(source.text))
    return None


def _prose_of(text: str) -> str:
    stripped = text.strip().strip("/*#").strip()
    for mark in ("<!--", "-->", '"""', "'''", "--"):
        stripped = stripped.removeprefix(mark).removesuffix(mark)
    return stripped.strip("/*#! \t").strip()
