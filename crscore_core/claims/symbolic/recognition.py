"""What a logical line does, recognised from its tokens in any language."""

from collections.abc import Callable

from crscore_core.claims.symbolic.headings import function_heading, type_heading
from crscore_core.claims.symbolic.lexing import Token, TokenKind, tokenize
from crscore_core.claims.symbolic.logical import LogicalLine
from crscore_core.claims.symbolic.notation import PROSE
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


_KEYWORDS = {
    "if": Sort.CONDITION, "elif": Sort.CONDITION, "elsif": Sort.CONDITION,
    "elseif": Sort.CONDITION, "unless": Sort.CONDITION, "switch": Sort.CONDITION,
    "case": Sort.CASE, "default": Sort.CASE,
    "for": Sort.LOOP, "foreach": Sort.LOOP, "while": Sort.LOOP, "until": Sort.LOOP,
    "do": Sort.LOOP, "loop": Sort.LOOP,
    "try": Sort.TRY, "begin": Sort.TRY, "catch": Sort.CATCH, "except": Sort.CATCH,
    "rescue": Sort.CATCH, "finally": Sort.FINALLY, "ensure": Sort.FINALLY,
    "return": Sort.RETURN, "yield": Sort.RETURN,
    "raise": Sort.RAISE, "throw": Sort.RAISE, "panic": Sort.RAISE,
    "break": Sort.JUMP, "continue": Sort.JUMP, "pass": Sort.JUMP, "goto": Sort.JUMP,
    "assert": Sort.ASSERTION,
}  # fmt: skip


_NO_KEYWORD_BEFORE = frozenset({"=", ":", ".", ",", "=>", ")"})


_BARE = frozenset({"begin", "do", "loop"})
_BEFORE_COLON = frozenset({Sort.CASE, Sort.TRY, Sort.CATCH, Sort.FINALLY})


def read_keyword(r: Reading) -> Statement | None:
    """Read a line whose first word is a keyword of control flow."""
    words = r.words
    first = words[0]
    if first == "else":
        if words[1:2] == ["if"]:
            return r.made(Sort.CONDITION, "else if", _condition(r, 2))
        return r.made(Sort.ELSE, "", r.after(1))
    sort = _KEYWORDS.get(first)
    if sort is None or not _is_keyword(first, words[1] if len(words) > 1 else "", sort):
        return None
    if sort in {Sort.CONDITION, Sort.LOOP}:
        return r.made(sort, first, _condition(r, 1))
    return r.made(sort, "" if sort is Sort.ASSERTION else first, r.after(1))


def _is_keyword(first: str, following: str, sort: Sort) -> bool:
    """Whether the word is the keyword, and not a name, a key or a modifier spelt like it."""
    if first == "default":
        return following in {":", "->", "=>", ""}
    if first in _BARE:
        return following in {"{", ":", ""}
    if first == "rescue":
        return following not in _NO_KEYWORD_BEFORE - {"=>"}
    if following == ":":
        return sort in _BEFORE_COLON
    return following not in _NO_KEYWORD_BEFORE


def _condition(r: Reading, skip: int) -> str:
    """The tested expression: what the parentheses hold, or the rest of the line."""
    if skip < len(r.code) and r.code[skip].text == "(":
        depth = 0
        for token in r.code[skip:]:
            depth += (token.text == "(") - (token.text == ")")
            if depth == 0:
                closed = r.text[r.code[skip].end : token.start].strip()
                trailing = [t for t in r.code if t.start >= token.end]
                if not trailing or trailing[0].kind is not TokenKind.MARK or (
                    trailing[0].text in "{:;"
                ):  # fmt: skip
                    return closed
                break
    return r.after(skip).removesuffix("then").rstrip("; ").strip()


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
