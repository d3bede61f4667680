"""Code of which no tree is to be had, as words: its tokens."""

from crscore_core.claims.symbolic.lexing import TokenKind, tokenize
from crscore_core.claims.symbolic.speech.words import content, named

MAX_TOKENS = 40
"""Tokens of one piece of code that are said."""

_MARKS = {
    "==": "is", "===": "is", "!=": "is not", "!==": "is not", "<=": "at most", ">=": "at least",
    "&&": "and", "||": "or", "??": "or else", "+": "plus", "=>": "to", "=": "is", ":": "",
    "+=": "increased by", "-=": "decreased by",
}  # fmt: skip
_SPACED = {**_MARKS, "<": "less than", ">": "greater than"}
"""The same with blanks around them, by which comparisons are told from brackets of types."""

_SILENT = frozenset("const let var final new function def end then do struct std echo".split())


def words_of(code: str, language: str | None = None) -> str:
    """Return the names, numbers, strings and a few marks of `code` in words."""
    said: list[str] = []
    for token in tokenize(code, language)[:MAX_TOKENS]:
        if token.text == "," and said:
            said[-1] = f"{said[-1].rstrip(',')},"
            word = ""
        elif token.kind is TokenKind.MARK:
            spaced = code[token.start - 1 : token.end + 1] == f" {token.text} "
            word = (_SPACED if spaced else _MARKS).get(token.text, "") if said else ""
        elif token.kind is TokenKind.STRING:
            word = content(token.text[1:-1]) if len(token.text) > 2 else "an empty string"
        elif token.kind is TokenKind.NUMBER:
            word = token.text[:40]
        elif token.kind is TokenKind.NAME and token.text not in _SILENT:
            word = named(token.text)
        else:
            word = ""
        if word:
            said.append(word)
    while said and said[-1].rstrip(",") in _TRAILING:
        said.pop()
    return " ".join(said).rstrip(", ")


_TRAILING = frozenset(_MARKS.values())
