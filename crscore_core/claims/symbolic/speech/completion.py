"""What makes a single statement one that a grammar reads: the texts to try, likeliest first."""

from collections.abc import Iterator

from crscore_core.claims.symbolic.lexing import MAX_EXAMINED, TokenKind, tokenize
from crscore_core.claims.symbolic.statement import Sort, Statement

MAX_OPEN = 60
"""Brackets within brackets of a statement that is parsed."""

_CLOSER = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = frozenset(_CLOSER.values())
_HEADS = frozenset({Sort.CONDITION, Sort.LOOP, Sort.TRY})
_BRACED = frozenset({"java", "javascript", "typescript", "tsx", "c", "cpp", "csharp", "php"})
_MEMBERS = {
    "javascript": "class It {\n", "typescript": "class It {\n", "tsx": "class It {\n",
    "php": "class It {\n", "csharp": "class It {\n", "java": "class It {\n",
    "cpp": "class It {\n", "go": "type It struct {\n",
}  # fmt: skip
_LEADING = ("else if", "else", "elseif", "elsif", "elif")


def completions(statement: Statement, language: str) -> Iterator[str]:
    """Yield what `statement` may be, made complete."""
    text = _opened(statement.text[:MAX_EXAMINED])
    if statement.sort is Sort.CONDITION:
        for word in _LEADING:
            if text.startswith((f"{word} ", f"{word}(")):
                rest = text.removeprefix(word).lstrip()
                text = rest if word == "else if" else f"if {rest}"
                break
    if statement.sort is not Sort.RETURN:
        text = text.rstrip(",").rstrip()
    closed = _closed(text, language)
    if not closed:
        return
    if language == "python":
        yield f"{closed} pass" if closed.endswith(":") else closed
        return
    if language == "ruby":
        yield _ended(closed)
        return
    ended = closed if closed.endswith(";") or language == "go" else f"{closed};"
    if statement.sort in _HEADS and not closed.endswith(("}", ";")):
        yield _inside(f"{closed} {{}}", language)
        return
    yield _inside(ended, language)
    member = _MEMBERS.get(language)
    if member is not None and statement.sort in {Sort.ASSIGNMENT, Sort.OTHER}:
        yield f"{member}{closed if closed.endswith('}') else ended}\n}}"


def _inside(code: str, language: str) -> str:
    """Return `code` where C and C++ read it as a statement, and not as a declaration."""
    return f"void it() {{\n{code}\n}}" if language in {"c", "cpp"} else f"{code}\n"


def as_value(text: str, language: str) -> str | None:
    """Return a statement that gives `text` to a variable, if that may be a value."""
    closed = _closed(_opened(text[:MAX_EXAMINED]).rstrip(",; "), language)
    if not closed:
        return None
    name = "$it" if language == "php" else "it"
    return f"{name} = {closed}" + (";\n" if language in _BRACED else "\n")


def _opened(text: str) -> str:
    """Return `text` without what ends something before it, or goes on with it."""
    text = text.lstrip()
    while text.startswith(("}", ")", "]")):
        text = text[1:].lstrip()
    for mark in ("?.", "->", "&&", "||", "."):
        if text.startswith(mark) and not text.startswith("..."):
            return text[len(mark) :].lstrip()
    return text


def _closed(text: str, language: str) -> str | None:
    """Return `text` with the brackets closed that it leaves open, unless they are too many.

    A line break stands before them, by which a collection that goes on is told from an empty one.
    """
    opened = [text.count(bracket) for bracket in _CLOSER]
    if sum(opened) <= MAX_OPEN and opened == [text.count(c) for c in _CLOSER.values()]:
        return f"{text} {{}}" if text.endswith(("=>", "->")) else text
    stack: list[str] = []
    for token in tokenize(text, language):
        if token.kind is not TokenKind.MARK:
            continue
        if token.text in _CLOSER:
            stack.append(_CLOSER[token.text])
            if len(stack) > MAX_OPEN:
                return None
        elif stack and token.text == stack[-1]:
            stack.pop()
        elif token.text in _CLOSERS:
            text = text[: token.start].rstrip().rstrip(",")
            break
    if text.endswith(("=>", "->")):
        text += " {}"
    if not stack:
        return text
    line = "\n" if text.endswith(tuple(_CLOSER)) else ""
    return text.rstrip(",") + line + " ".join(reversed(stack))


_ENDED = frozenset("if unless while until for case begin def class module".split())


def _ended(text: str) -> str:
    words = text.split(None, 1)
    if words and words[0] in _ENDED and not text.rstrip().endswith(" end"):
        return f"{text}\nend" if words[0] != "case" else f"{text}\nwhen it\nend"
    head, _, tail = text.rpartition(" do")
    if head and (not tail or tail.strip().startswith("|")) and "end" not in tail:
        return f"{text}\nend"
    return text
