"""What a logical line does, recognised from its tokens in any language."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from crscore_core.claims.symbolic.headings import Heading, function_heading, type_heading
from crscore_core.claims.symbolic.lexing import Call, Token, TokenKind, calls_in, tokenize
from crscore_core.claims.symbolic.logical import LogicalLine

__all__ = ["Sort", "Statement", "recognise"]


class Sort(StrEnum):
    """The families of statements that are told apart."""

    BLANK = "blank"
    BRACKETS = "brackets"
    COMMENT = "comment"
    DECORATOR = "decorator"
    IMPORT = "import"
    FUNCTION = "function"
    TYPE = "type"
    CONDITION = "condition"
    CASE = "case"
    ELSE = "else"
    LOOP = "loop"
    TRY = "try"
    CATCH = "catch"
    FINALLY = "finally"
    RETURN = "return"
    RAISE = "raise"
    JUMP = "jump"
    ASSERTION = "assertion"
    TEST = "test"
    LOG = "log"
    ASSIGNMENT = "assignment"
    ENTRY = "entry"
    CALL = "call"
    QUERY = "query"
    MARKUP = "markup"
    ITEM = "item"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Statement:
    """A recognised logical line.

    `subject` is what it is about (the name defined, assigned, imported or called), `detail`
    the rest that matters (condition, value, message, body of a comment); either may be empty.
    """

    sort: Sort
    source: LogicalLine
    tokens: tuple[Token, ...]
    subject: str = ""
    detail: str = ""
    heading: Heading | None = None
    modifiers: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()

    @property
    def text(self) -> str:
        """The code, without a comment at its end."""
        code = [t for t in self.tokens if t.kind is not TokenKind.COMMENT]
        if not code:
            return self.source.text
        return self.source.text[code[0].start : code[-1].end]

    @property
    def line(self) -> int:
        """The line of the new file."""
        return self.source.line


@dataclass(frozen=True, slots=True)
class _Reading:
    """A line being recognised: its code tokens, from the first that is no closing brace."""

    source: LogicalLine
    text: str
    all_tokens: tuple[Token, ...]
    code: tuple[Token, ...]
    language: str | None

    @property
    def words(self) -> list[str]:
        return [t.text for t in self.code[:6]]

    def after(self, count: int) -> str:
        """The source after the first `count` code tokens, without what ends a statement."""
        if count >= len(self.code):
            return ""
        rest = self.text[self.code[count].start : self.code[-1].end]
        return rest.rstrip("{:; \t").rstrip()

    def made(self, sort: Sort, subject: str = "", detail: str = "") -> Statement:
        return Statement(
            sort,
            self.source,
            self.all_tokens,
            subject,
            detail,
            calls=calls_in(self.code, self.text),
        )


def recognise(source: LogicalLine, language: str | None) -> Statement:
    """Say what `source` does; never fails, `Sort.OTHER` being the last resort."""
    tokens = tokenize(source.text, language)
    if source.prose or (tokens and all(t.kind is TokenKind.COMMENT for t in tokens)):
        return Statement(Sort.COMMENT, source, tokens, detail=_prose_of(source.text))
    code = tuple(t for t in tokens if t.kind is not TokenKind.COMMENT)
    if not code:
        return Statement(Sort.BLANK, source, tokens)
    if all(t.kind is TokenKind.MARK for t in code):
        return Statement(Sort.BRACKETS, source, tokens)
    start = 0
    while start < len(code) - 1 and code[start].text == "}":
        start += 1
    reading = _Reading(source, source.text, tokens, code[start:], language)
    for reader in _READERS:
        statement = reader(reading)
        if statement is not None:
            return statement
    return reading.made(Sort.OTHER, detail=reading.after(0))


def _prose_of(text: str) -> str:
    stripped = text.strip().strip("/*#").strip()
    for mark in ("<!--", "-->", '"""', "'''", "--"):
        stripped = stripped.removeprefix(mark).removesuffix(mark)
    return stripped.strip("/*#! \t").strip()


def _decorator(r: _Reading) -> Statement | None:
    words = r.words
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


def _import(r: _Reading) -> Statement | None:
    words = r.words
    if words[0] == "#" and len(words) > 1:
        if words[1] in {"include", "import"}:
            return r.made(Sort.IMPORT, r.after(2).strip("<>\"' "), r.after(2))
        return None
    first = words[0]
    if first in {"const", "let", "var"} and "require" in [t.text for t in r.code[:8]]:
        call = next((c for c in calls_in(r.code, r.text) if c.name == "require"), None)
        if call and call.arguments:
            return r.made(Sort.IMPORT, call.arguments[0].strip("'\""), r.after(1))
    if first not in _IMPORTS or len(r.code) < 2 or r.code[1].text in {"=", ".", ":", "["}:
        return None
    if first in {"using", "use", "from", "package", "include"} and r.code[1].text == "(":
        return None
    if first == "from" and "import" not in [t.text for t in r.code]:
        return None
    if first == "using" and "=" in words and "new" in [t.text for t in r.code]:
        return None
    if first == "import" and r.code[1].text == "(":
        return None
    return r.made(Sort.IMPORT, _imported(r), r.after(1))


def _imported(r: _Reading) -> str:
    """The module that an import names."""
    strings = [t.text.strip("'\"") for t in r.code if t.kind is TokenKind.STRING]
    if strings:
        return strings[-1]
    rest = r.after(1)
    if r.words[0] == "from":
        return rest.split(" import ")[0].strip()
    for prefix in ("static ", "type ", "function "):
        rest = rest.removeprefix(prefix)
    return rest.strip("()<> ")


def _function(r: _Reading) -> Statement | None:
    heading = function_heading(r.code, r.text, r.language)
    if heading is None:
        return None
    return Statement(
        Sort.FUNCTION, r.source, r.all_tokens, heading.name, heading=heading,
        modifiers=heading.modifiers,
    )  # fmt: skip


def _type(r: _Reading) -> Statement | None:
    heading = type_heading(r.code, r.text)
    if heading is None:
        return None
    return Statement(
        Sort.TYPE, r.source, r.all_tokens, heading.name, heading=heading,
        modifiers=heading.modifiers,
    )  # fmt: skip


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


def _keyword(r: _Reading) -> Statement | None:
    words = r.words
    first = words[0]
    following = words[1] if len(words) > 1 else ""
    if first == "else":
        if following == "if":
            return r.made(Sort.CONDITION, "else if", _condition(r, 2))
        return r.made(Sort.ELSE, "", r.after(1))
    sort = _KEYWORDS.get(first)
    if first == "default" and following not in {":", "->", "=>", ""}:
        return None
    if sort is None or (following in _NO_KEYWORD_BEFORE and not (following == ":")):
        return None
    if following == ":" and sort not in {Sort.CASE, Sort.TRY, Sort.CATCH, Sort.FINALLY}:
        return None
    if first in {"begin", "do", "loop"} and len(r.code) > 1 and following not in {"{", ":"}:
        return None
    if sort in {Sort.CONDITION, Sort.LOOP}:
        return r.made(sort, first, _condition(r, 1))
    if sort is Sort.ASSERTION:
        return r.made(sort, "", r.after(1))
    return r.made(sort, first, r.after(1))


def _condition(r: _Reading, skip: int) -> str:
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
    return r.after(skip).removesuffix(" then").strip()


_LOGGERS = frozenset(
    "log logger logging console print println printf puts warn slog klog glog".split()
)
_LOG_METHODS = frozenset(
    "debug info warn warning error fatal trace verbose log logf printf print println puts "
    "print_r var_dump echo fprintf errorf infof warnf debugf".split()
)
_ASSERTIONS = ("assert", "expect", "should", "verify", "require.", "t.error", "t.fatal", "ok(")
_TESTS = frozenset("it test describe context specify suite".split())


def _call_like(r: _Reading) -> Statement | None:
    at = (
        1
        if r.code[0].text in {".", "?.", "await", "new", "go", "defer", "delete", "co_await"}
        else 0
    )
    if at >= len(r.code) or r.code[at].kind is not TokenKind.NAME:
        return None
    calls = calls_in(r.code, r.text)
    if not calls or not r.text.startswith(calls[0].name, r.code[at].start):
        return None
    if _assigns(r.code) is not None:
        return None
    first = calls[0]
    lowered = first.name.casefold()
    arguments = ", ".join(first.arguments)
    parts = lowered.replace("::", ".").replace("->", ".").split(".")
    if lowered in _TESTS and first.arguments and first.arguments[0][:1] in "'\"`":
        return r.made(Sort.TEST, first.name, first.arguments[0].strip("'\"`"))
    if lowered.startswith(_ASSERTIONS) or parts[-1].startswith(("assert", "expect")):
        return r.made(Sort.ASSERTION, first.name, arguments)
    logger = any(p.rstrip("f") in _LOGGERS or p.endswith(("logger", "log")) for p in parts)
    if logger and (len(parts) == 1 or parts[-1] in _LOG_METHODS):
        return r.made(Sort.LOG, first.name, arguments)
    return r.made(Sort.CALL, first.name, arguments)


_ASSIGNING = frozenset({"=", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "||=", "??=", "^="})
_MODIFIERS = frozenset(
    "public private protected internal static final const let var readonly abstract volatile "
    "transient mutable extern constexpr inline override virtual export default async auto val "
    "lateinit unsigned signed local my our synchronized native".split()
)


def _assigns(code: tuple[Token, ...]) -> int | None:
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


def _assignment(r: _Reading) -> Statement | None:
    at = _assigns(r.code)
    if at is None or at == 0:
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


def _declaration(r: _Reading) -> Statement | None:
    """A field or variable without a value: only names, types and a semicolon."""
    if r.code[-1].text != ";" or len(r.code) < 3:
        return None
    names = [t for t in r.code if t.kind is TokenKind.NAME]
    marks = {t.text for t in r.code[:-1] if t.kind is TokenKind.MARK}
    if len(names) < 2 or marks - set("<>,[].*&:?") - {"::"}:
        return None
    if any(t.kind in {TokenKind.STRING, TokenKind.COMMENT} for t in r.code):
        return None
    last = r.code[-2]
    if last.kind is not TokenKind.NAME or r.code[0].text in {"delete", "typedef", "goto", "echo"}:
        return None
    modifiers = tuple(t.text for t in names if t.text in _MODIFIERS)
    return Statement(
        Sort.ASSIGNMENT, r.source, r.all_tokens, last.text, "", modifiers=modifiers
    )  # fmt: skip


_CLAUSES = frozenset(
    "SELECT INSERT UPDATE DELETE FROM WHERE SET JOIN LEFT INNER GROUP ORDER HAVING LIMIT VALUES "
    "ON CREATE ALTER DROP WITH UNION ADD PRIMARY FOREIGN CONSTRAINT INDEX".split()
)


def _query(r: _Reading) -> Statement | None:
    if r.code[0].text in _CLAUSES and len(r.code) > 2 and r.code[1].text not in {"=", "(", ":"}:
        return r.made(Sort.QUERY, r.code[0].text, r.after(0))
    return None


def _markup(r: _Reading) -> Statement | None:
    words = r.words
    if words[0] != "<" or len(r.code) < 3:
        return None
    if words[1] == "/":
        return Statement(Sort.BRACKETS, r.source, r.all_tokens)
    if r.code[1].kind is not TokenKind.NAME or r.code[1].start != r.code[0].end:
        return None
    opened = r.text.find(">", r.code[1].end)
    closed = r.text.rfind(f"</{words[1]}")
    if 0 <= opened < closed:
        value = r.text[opened + 1 : closed].strip()
        if value and "<" not in value:
            return r.made(Sort.ENTRY, words[1], value)
    return r.made(Sort.MARKUP, words[1], r.after(0))


def _entry(r: _Reading) -> Statement | None:
    """A key and its value: `"key": value`, `key: value`, `key => value`."""
    lead = 1 if r.code[0].text in {"-", ",", "+"} and len(r.code) > 3 else 0
    code = r.code[lead:]
    for index, token in enumerate(code[:8]):
        if token.text in {":", "=>"} and index > 0:
            key = r.text[code[0].start : token.start].strip()
            value = r.text[token.end : r.code[-1].end].strip().rstrip(",;").strip()
            if " " in key and code[0].kind is not TokenKind.STRING:
                return None
            return r.made(Sort.ENTRY, key.strip("'\""), value)
        if token.kind is TokenKind.MARK and token.text not in {"-", ".", "/"}:
            return None
    return None


def _item(r: _Reading) -> Statement | None:
    """An element of a list, or an argument, on a line of its own."""
    last, first = r.code[-1].text, r.code[0].text
    literal = all(
        t.kind in {TokenKind.STRING, TokenKind.NUMBER} or t.text in ",.+-()[]" for t in r.code
    )
    if last == "," or first == "," or literal:
        text = r.after(0).strip(", +")
        return r.made(Sort.ITEM, "", text) if text else None
    return None


_READERS: tuple[Callable[[_Reading], Statement | None], ...] = (
    _decorator, _import, _keyword, _type, _function, _markup, _query, _declaration,
    _assignment, _call_like, _entry, _item,
)  # fmt: skip
