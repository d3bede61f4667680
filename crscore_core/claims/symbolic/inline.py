"""Branches and loops that have their body on the same line, read as head and body."""

from dataclasses import replace

from crscore_core.claims.symbolic.lexing import LogicalLine, Token, TokenKind, split_top
from crscore_core.claims.symbolic.recognition import recognise
from crscore_core.claims.symbolic.statement import Sort, Statement

MAX_INLINE = 4
"""Statements of a body on the line of its head that are read."""

_STEP = 4
"""How much deeper than its head such a body is taken to stand."""

_HEADS = frozenset({Sort.CONDITION, Sort.LOOP, Sort.ELSE})
_BRACED = frozenset("java javascript typescript c cpp csharp php dart".split())


def statements_of(source: LogicalLine, language: str | None) -> tuple[Statement, ...]:
    """Return what `source` says: one statement, or a head and the body beside it."""
    whole = recognise(source, language)
    if whole.sort not in _HEADS or len(source.positions) != 1:
        return (whole,)
    code = tuple(t for t in whole.tokens if t.kind is not TokenKind.COMMENT)
    body = _body_in_braces(code) if language in _BRACED else ()
    if language == "python":
        body = _body_after_colon(code)
    if not body:
        return (whole,)
    head = recognise(replace(source, text=source.text[: body[0].start].rstrip()), language)
    end = ";" if language in _BRACED else ""
    parts = split_top(body, source.text, ";")[:MAX_INLINE]
    inner = (replace(source, text=p + end, indent=source.indent + _STEP) for p in parts)
    return (head, *(recognise(line, language) for line in inner))


def _body_after_colon(code: tuple[Token, ...]) -> tuple[Token, ...]:
    depth = 0
    for index, token in enumerate(code):
        if token.text == "lambda":
            return ()
        if token.kind is TokenKind.MARK:
            depth += (token.text in "([{") - (token.text in ")]}")
            if token.text == ":" and depth == 0:
                return code[index + 1 :]
    return ()


def _body_in_braces(code: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens after a head, without the braces around them; none where it is left open."""
    at = 0
    while at < len(code) and (code[at].text == "}" or code[at].text in _KEYWORDS):
        at += 1
    if at < len(code) and code[at].text == "(":
        depth = 0
        while at < len(code):
            depth += (code[at].text == "(") - (code[at].text == ")")
            at += 1
            if depth == 0:
                break
    elif at == 0 or code[at - 1].text != "else":
        return ()
    rest = code[at:]
    if rest and rest[0].text == "{":
        return rest[1:-1] if rest[-1].text == "}" else ()
    return rest if rest and rest[0].kind is TokenKind.NAME else ()


_KEYWORDS = frozenset({"if", "else", "elseif", "for", "foreach", "while"})
