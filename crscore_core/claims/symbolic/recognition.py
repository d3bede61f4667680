"""A logical line -> the statement that it is: use, value, control or heading."""

from collections.abc import Callable

from crscore_core.claims.symbolic.headings import function_heading, type_heading
from crscore_core.claims.symbolic.lexing import (
    PROSE,
    WITHOUT_CODE,
    Call,
    LogicalLine,
    Token,
    TokenKind,
    calls_in,
    tokenize,
)
from crscore_core.claims.symbolic.statement import Reading, Sort, Statement

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


def read_decorator(r: Reading) -> Statement | None:
    """Read a decorator, annotation or attribute on a line of its own."""
    words = r.words
    if r.language == "ruby":  # an `@` starts the name of a variable there
        return None
    if words[0] == "@" and len(r.code) > 1 and r.code[1].kind is TokenKind.NAME:
        at, depth = 2, 0
        while at < len(r.code) and (
            depth or r.code[at].text in {"(", "."} or r.code[at - 1].text == "."
        ):
            depth += (r.code[at].text == "(") - (r.code[at].text == ")")
            at += 1
        if at == len(r.code) and words[1] != "interface":
            return r.made(Sort.DECORATOR, words[1], r.text[r.code[1].start : r.code[-1].end])
    attribute = words[0] == "[" and r.code[-1].text == "]" and r.language == "csharp"
    if (attribute or words[:2] == ["#", "["]) and len(r.code) > 2:
        name = next((t.text for t in r.code if t.kind is TokenKind.NAME), "")
        return r.made(Sort.DECORATOR, name, r.text[r.code[0].start : r.code[-1].end])
    return None


_IMPORTS = frozenset(
    "import from using use include require require_once include_once require_relative package "
    "load_plugin".split()
)


def read_import(r: Reading) -> Statement | None:
    """Read an import, include or require."""
    words = r.words
    if words[0] == "#":
        included = len(words) > 1 and words[1] in {"include", "import"}
        name = r.after(2)
        return r.made(Sort.IMPORT, name.strip("<>\"' "), name) if included else None
    if words[0] in {"const", "let", "var"}:
        call = next((c for c in calls_in(r.code, r.text) if c.name == "require"), None)
        required = call.arguments[0].strip("'\"") if call and call.arguments else ""
        return r.made(Sort.IMPORT, required, r.after(1)) if required else None
    return r.made(Sort.IMPORT, _imported(r), r.after(1)) if _is_import(r) else None


def _is_import(r: Reading) -> bool:
    """Whether the first word imports, and is not a name or a statement spelt like it."""
    first, texts = r.words[0], [t.text for t in r.code]
    if texts[:2] == ["from", "."]:  # of this package, as Python writes it
        return "import" in texts
    if first not in _IMPORTS or len(texts) < 2 or texts[1] in {"=", ".", ":", "["}:
        return False
    if texts[1] == "(" and first in {"using", "use", "from", "package", "include", "import"}:
        return False
    if first == "from":
        return "import" in texts
    if first == "using" and "=" in texts and "new" in texts:
        return False
    return not _mixes_in(r, first)


def _mixes_in(r: Reading, first: str) -> bool:
    """Whether a class takes over the members of a module or trait."""
    if r.language == "ruby":
        return first in {"include", "use"}
    return r.language == "php" and first == "use" and r.source.indent > 0


def _imported(r: Reading) -> str:
    """The module that an import names."""
    strings = [t.text.strip("'\"") for t in r.code if t.kind is TokenKind.STRING]
    if strings:
        return strings[-1]
    rest = r.after(1)
    if r.words[0] == "from":
        return rest.split(" import ")[0].strip()
    for prefix in ("static ", "type ", "function ", "namespace "):
        rest = rest.removeprefix(prefix)
    return rest.strip("()<> ")


_LOGGERS = frozenset(
    "log logger logging console print println printf puts warn slog klog glog".split()
)


_LOG_METHODS = frozenset(
    "debug info warn warning error fatal trace verbose log logf printf print println puts "
    "print_r var_dump echo fprintf errorf infof warnf debugf".split()
)


_ASSERTIONS = ("assert", "expect", "should", "verify", "require.", "t.error", "t.fatal", "ok(")


_TESTS = frozenset("it test describe context specify suite".split())


_BEFORE_CALL = frozenset({".", "?.", "await", "new", "go", "defer", "delete", "co_await"})


def read_call_like(r: Reading) -> Statement | None:
    """Read a line that is a call: a test, an assertion, log output or any other."""
    called_on = len(r.code) > 1 and r.code[1].kind is TokenKind.NAME
    at = int(r.code[0].text in _BEFORE_CALL and called_on)
    if r.code[at].kind is not TokenKind.NAME:
        return None
    call = next(iter(calls_in(r.code, r.text)), None)
    if call is None or not r.text.startswith(call.name, r.code[at].start):
        return None
    if assignment_mark(r.code) is not None:
        return None
    sort = _sort_of_call(call)
    detail = call.arguments[0].strip("'\"`") if sort is Sort.TEST else ", ".join(call.arguments)
    return r.made(sort, call.name, detail)


def _sort_of_call(call: Call) -> Sort:
    name = call.name.casefold()
    parts = name.replace("::", ".").replace("->", ".").split(".")
    if name in _TESTS and call.arguments and call.arguments[0][:1] in "'\"`":
        return Sort.TEST
    if name.startswith(_ASSERTIONS) or parts[-1].startswith(("assert", "expect")):
        return Sort.ASSERTION
    logger = any(p.rstrip("f") in _LOGGERS or p.endswith(("logger", "log")) for p in parts)
    if logger and (len(parts) == 1 or parts[-1] in _LOG_METHODS):
        return Sort.LOG
    return Sort.CALL


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
