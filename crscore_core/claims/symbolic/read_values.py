"""Lines that hold values: assignments, declarations, entries, items, queries, markup."""

from crscore_core.claims.symbolic.lexing import Token, TokenKind
from crscore_core.claims.symbolic.notation import WITHOUT_CODE
from crscore_core.claims.symbolic.statement import Reading, Sort, Statement

__all__ = [
    "assignment_mark",
    "read_assignment",
    "read_declaration",
    "read_entry",
    "read_item",
    "read_markup",
    "read_query",
]


_ASSIGNING = frozenset("= := += -= *= /= %= |= &= ||= ??= ^= **= &&= <<= >>=".split())


_MODIFIERS = frozenset(
    "public private protected internal static final const let var readonly abstract volatile "
    "transient mutable extern constexpr inline override virtual export default async auto val "
    "lateinit unsigned signed local my our synchronized native".split()
)


def assignment_mark(code: tuple[Token, ...]) -> int | None:
    """The index of the assignment mark that no bracket encloses."""
    depth = 0
    for index, token in enumerate(code):
        if token.kind is not TokenKind.MARK:
            continue
        if token.text in "([{":
            depth += 1
        elif token.text in ")]}":
            depth -= 1
        elif depth == 0 and token.text in _ASSIGNING:
            return index
        elif depth == 0 and token.text in {"?", "=>", "==", "&&", "||", ";"}:
            return None
    return None


def read_assignment(r: Reading) -> Statement | None:
    """Read an assignment to a variable, constant, field or element."""
    at = assignment_mark(r.code)
    if at is None or at == 0 or (r.language == "sql" and r.code[at].text == "="):
        return None
    left = r.code[:at]
    annotated = next((i for i, t in enumerate(left) if t.text == ":"), None)
    named = left[:annotated] if annotated else left
    if not any(t.kind in {TokenKind.NAME, TokenKind.STRING} for t in named):
        return None
    subject = _last_operand(named, r.text)
    value = r.after(at + 1).rstrip(",")
    statement = r.made(Sort.ASSIGNMENT, subject, value)
    modifiers = tuple(t.text for t in left if t.text in _MODIFIERS)
    if any(t.text == "type" for t in left[:-1][:3]):
        modifiers = (*modifiers, "type")
    if r.code[-1].text == "," and r.text[r.code[at].start - 1] != " ":
        return r.made(Sort.ENTRY, subject, value)
    return Statement(
        Sort.ASSIGNMENT, r.source, r.all_tokens, subject, value,
        modifiers=modifiers, calls=statement.calls,
    )  # fmt: skip


def _last_operand(tokens: tuple[Token, ...], text: str) -> str:
    """The last unbroken run of source in `tokens`: `x`, `self.x`, `a[i]`, `[a, b]`."""
    start = len(tokens) - 1
    depth = 0
    while start > 0:
        depth += (tokens[start].text in ")]}") - (tokens[start].text in "([{")
        spaced = tokens[start - 1].end < tokens[start].start
        if spaced and depth == 0 and tokens[start - 1].text != "," and tokens[start].text != ",":
            break
        start -= 1
    return text[tokens[start].start : tokens[-1].end].lstrip("*&")


def read_declaration(r: Reading) -> Statement | None:
    """A field or variable without a value: only names, types and a semicolon."""
    if r.code[-1].text != ";" or len(r.code) < 3:
        return None
    names = [t for t in r.code if t.kind is TokenKind.NAME]
    marks = {t.text for t in r.code[:-1] if t.kind is TokenKind.MARK}
    if len(names) < 2 or marks - set("<>,[].*&:?|") - {"::"} or r.language == "css":
        return None
    colon = next((i for i, t in enumerate(r.code) if t.text == ":"), 0)
    if ("|" in marks) > bool(colon) or not _types_alone(r):
        return None
    if any(t.kind in {TokenKind.STRING, TokenKind.COMMENT} for t in r.code):
        return None
    last = next((t for t in r.code[:colon][::-1] if t.text != "?"), r.code[-2])
    if last.kind is not TokenKind.NAME or r.code[0].text in {"delete", "typedef", "goto", "echo"}:
        return None
    modifiers = tuple(t.text for t in names if t.text in _MODIFIERS)
    return Statement(
        Sort.ASSIGNMENT, r.source, r.all_tokens, last.text, "", modifiers=modifiers
    )  # fmt: skip


def _types_alone(r: Reading) -> bool:
    """Whether no word or mark says that the line is no declaration."""
    if r.words[0] in {"use", "include", "using"} or "default" in r.words[:2]:
        return False
    depth = 0
    for token in r.code:
        depth += (token.text == "<") - (token.text == ">")
        if depth < 0:
            return False
    return depth == 0


_CLAUSES = frozenset(
    "SELECT INSERT UPDATE DELETE FROM WHERE SET JOIN LEFT INNER GROUP ORDER HAVING LIMIT VALUES "
    "ON CREATE ALTER DROP WITH UNION ADD PRIMARY FOREIGN CONSTRAINT INDEX AND OR RIGHT OUTER CROSS "
    "FULL OFFSET RETURNING".split()
)


def read_query(r: Reading) -> Statement | None:
    """Read a clause of SQL, which within other languages is written in capitals."""
    if r.language == "sql":
        clause = r.code[0].text.upper()
        known = clause in _CLAUSES and len(r.code) > 1
        return r.made(Sort.QUERY, clause, r.after(0)) if known else None
    if r.language in WITHOUT_CODE:
        return None
    if r.code[0].text in _CLAUSES and len(r.code) > 2 and r.code[1].text not in {"=", "(", ":"}:
        return r.made(Sort.QUERY, r.code[0].text, r.after(0))
    return None


_WITH_ELEMENTS = frozenset({"javascript", "typescript", "vue", "html", "php"})
"""Languages in which a tag makes something to see, rather than to hold a value."""


def _tag_end(code: tuple[Token, ...]) -> int | None:
    """Where the tag that `code` begins with ends, whatever its attributes hold in braces."""
    depth = 0
    for token in code:
        if token.kind is TokenKind.MARK:
            depth += (token.text in "([{") - (token.text in ")]}")
            if token.text == ">" and depth == 0:
                return token.end
    return None


def read_markup(r: Reading) -> Statement | None:
    """Read a tag of HTML or XML; one that holds plain text is an entry."""
    words = r.words
    if words[0] != "<" or len(r.code) < 3:
        return None
    if words[1] == "/":
        return Statement(Sort.BRACKETS, r.source, r.all_tokens)
    if r.code[1].kind is not TokenKind.NAME or r.code[1].start != r.code[0].end:
        return None
    opened = _tag_end(r.code)
    closed = r.text.rfind(f"</{words[1]}")
    if opened is not None and opened < closed and r.language not in _WITH_ELEMENTS:
        value = r.text[opened:closed].strip()
        if value and "<" not in value:
            return r.made(Sort.ENTRY, words[1], value)
    return r.made(Sort.MARKUP, words[1], r.after(0))


def _is_symbol(code: tuple[Token, ...], colon: int) -> bool:
    """Whether the colon begins Ruby's `:name`, blanks before it and none after."""
    following = code[colon + 1].start if colon + 1 < len(code) else 0
    return code[colon - 1].end < code[colon].start and following == code[colon].end


_STYLES = frozenset({"css", "scss", "less"})
"""Languages in which a colon before a brace belongs to a selector."""


def read_entry(r: Reading) -> Statement | None:
    """A key and its value: `"key": value`, `key: value`, `key => value`."""
    if r.language in _STYLES and any(t.text == "{" for t in r.code):
        return None
    lead = 1 if r.code[0].text in {"-", ",", "+"} and len(r.code) > 3 else 0
    code = r.code[lead:]
    for index, token in enumerate(code[:8]):
        if token.text in {":", "=>"} and index > 0:
            if token.text == ":" and _is_symbol(code, index):
                return None
            key = r.text[code[0].start : token.start].strip()
            value = r.text[token.end : r.code[-1].end].strip().rstrip(",;").strip()
            if " " in key and code[0].kind is not TokenKind.STRING:
                return None
            return r.made(Sort.ENTRY, key.strip("'\""), value)
        if token.kind is TokenKind.MARK and token.text not in {"-", ".", "/"}:
            return None
    return None


def read_item(r: Reading) -> Statement | None:
    """An element of a list, or an argument, on a line of its own."""
    last, first = r.code[-1].text, r.code[0].text
    literal = all(
        t.kind in {TokenKind.STRING, TokenKind.NUMBER} or t.text in ",.+-()[]" for t in r.code
    )
    if last == "," or first == "," or literal:
        text = r.after(0).strip(", +").removeprefix("- ")
        return r.made(Sort.ITEM, "", text) if text else None
    return None
