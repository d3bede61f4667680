"""Lines that a keyword opens: conditions, loops, exceptions, returns, jumps."""

from crscore_core.claims.symbolic.lexing import TokenKind
from crscore_core.claims.symbolic.statement import Reading, Sort, Statement

__all__ = ["read_keyword"]


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
