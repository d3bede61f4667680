"""Parse statements: their kind, and what they define, set, call, check or return."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from crscore_core.claims.symbolic.brackets import (
    CLOSER_OF,
    CLOSERS,
    Outline,
    Tokens,
    close_brackets,
    n_unopened,
    split,
)
from crscore_core.claims.symbolic.lexis import BY_ROW, LINKS, Token, code_of

Match = re.Match[str]

StatementKind = StrEnum(
    "StatementKind",
    "COMMENT IMPORT FUNCTION TYPE TEST CONDITION CASE LOOP SCOPE CATCH BLOCK RETURN RAISE "
    "ASSIGNMENT CALL ENTRY SECTION ROW ANNOTATION ARGUMENTS OTHER",
)
"""Kinds of statements that claims distinguish; ARGUMENTS of a call follow a block in it."""

DEFINITIONS = frozenset({StatementKind.FUNCTION, StatementKind.TYPE, StatementKind.TEST})
"""Kinds of statements that define a name for other code or a test runner."""

CONTROL = frozenset(map(StatementKind, "condition case loop scope catch block".split()))
"""Kinds of statements that contain others but define nothing."""


class Parameter(NamedTuple):
    """The name and the code of a parameter."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """The kind and the parts of a statement.

    name: what it defines, sets or calls.
    value: what it assigns, checks, iterates over or returns, or the head of a definition without
        its parameters.
    operator: the sign between name and value, or the keyword before the value.
    text: its code.
    keyword: the keyword of a type, such as `class`.
    is_declared: True if an assignment declares a variable, with its type or a word such as `let`.
    package: the name of the package whose version it sets.
    """

    kind: StatementKind
    name: str = ""
    value: str = ""
    operator: str = ""
    text: str = ""
    keyword: str = ""
    is_declared: bool = False
    package: str = ""
    parameters: tuple[Parameter, ...] = ()
    tokens: tuple[Token, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """Its tokens, for comparison.

        Commas before closing brackets and parentheses around imported names are left out.
        """
        texts = [token.text for token in self.tokens]
        pairs = zip(texts, [*texts[1:], ""], strict=False)
        texts = [text for text, following in pairs if text != "," or following not in CLOSERS]
        if self.kind is StatementKind.IMPORT:
            texts = [text for text in texts if text not in "()"]
        return tuple(texts) or (self.value,)

    @property
    def is_version(self) -> bool:
        """True if it sets a version, for example of a package or an action."""
        return self.kind is StatementKind.ENTRY and self.name.lower() in _VERSION_KEYS


_VERSION_KEYS = frozenset("version rev tag ref revision sha256 hash checksum".split())
_WITH_VALUE = frozenset(map(StatementKind, "return raise assignment entry".split()))

_KEYWORDS = frozenset(
    "if elif elsif elseif else unless guard switch match select case when for while until foreach "
    "loop do with lock synchronized using try begin except catch rescue finally ensure return "
    "yield raise throw new await go defer delete echo print puts assert not typeof import from "
    "package include require use goto break continue pass in is and or end then sizeof".split()
)
"""Words that never name a function, type or variable."""

_NO_CALL = frozenset("if elif else while for switch catch return function not in and or".split())
_MODIFIERS = (
    r"^(?:(?:public|private|protected|internal|static|final|abstract|async|virtual|override|sealed"
    r"|inline|constexpr|extern|synchronized|native|readonly|unsafe|const|explicit|partial|export"
    r"|default|pub(?:\(\))?|open|data|suspend|transient|volatile|friend|declare|lateinit|required"
    r"|fileprivate|__\w+|[A-Z][A-Z\d_]+\(\)(?=\s\w)|@[\w.]+(?:\(\))?|\[\])\s+)*"
)
_NAME = r"[$@]{0,2}[^\W\d][\w$]*"
_TYPE = r"[^\W\d][\w\s<>,.&*:?\[\]]*?[\s*&>\]]"
_TARGET = r"[*&]*(?:[$@\w]|[\[({][\])}])[\w\s$@.,()\[\]{}*&:?\"-]*?(?:->[\w$]+(?:\[\])*)?"
_SET = (
    r"(?P<operator>(?::|\*\*|\|\||&&|\?\?|<<|>>|[-+*/%|&^])?(?<![=!<>])=(?![=>~]))\s*(?P<value>.*)$"
)
_LET = r"(?:(?:let|var|val|mut|auto|local|my|our|global|const)\s+)"
_WORD_ENDS = r"(?!::|\s*(?:[.,)\]]|(?:[-+*/:]?=)(?![=~>])|->|\?\.))"
"""After a keyword: rejects variables with the same name."""

_BLOCK_HEADS = {
    StatementKind.CONDITION: r"(?:else\s+if|elseif|elsif|elif|if|unless|guard)",
    StatementKind.LOOP: r"(?:for|while|until|foreach|async\s+for|loop(?=\s*\{|\s+do)"
    r"|do(?=\s*(?:\{\}?)?$))",
    StatementKind.SCOPE: r"(?:switch|(?:async\s+)?with|lock|synchronized|using(?=\s*\(|\s+var)"
    r"|unsafe(?=\s*\{)|match(?=.*[{:]$)|select(?=\s*\{)|when(?=\s*[({]))",
    StatementKind.CATCH: r"(?:except|catch|rescue)",
}
_BARE = r"(?:else|(?:try|begin)(?=\s*[{:(]|$)|(?:finally|ensure)(?=\s*[{:]|$))"
_CASE = r"(?:case(?=\s)|default(?=\s*:)|when(?=\s+[^({]))\s*(?P<value>[^:]*(?:::[^:]*)*)"
_TYPED = "c cpp java csharp dart groovy"
"""Languages in which a type comes before a name, and functions need no keyword."""

_COLON = "python typescript kotlin rust swift scala"
"""Languages in which a type comes after a name and a colon."""

_ARROWS = "javascript typescript go php"
_TABLE = [
    (StatementKind.IMPORT, "", (
     r"^(?:import|using(?!\s*\(|\s+var)|use|package|#\s*include|include(?:_once)?"
     rf"|require(?:_once|_relative)?)\b{_WORD_ENDS}\s*(?P<value>.+)$")),
    (StatementKind.IMPORT, "", r"^(?P<value>from\s+\S+\s+import\s.+)$"),
    (StatementKind.IMPORT, "go", r'^(?P<value>(?:[\w.]+\s+)?"")$'),
    *((kind, "", rf"^{word}\b{_WORD_ENDS}(?P<value>.*)$") for kind, word in _BLOCK_HEADS.items()),
    (StatementKind.BLOCK, "", rf"^{_BARE}\b{_WORD_ENDS}"),
    (StatementKind.SCOPE, "ruby shell", r"^case\s(?P<value>.*)$"),
    (StatementKind.CASE, "", rf"^{_CASE}"),
    (StatementKind.RETURN, "javascript typescript", r"^(?P<operator>yield\s*\*)(?P<value>.*)$"),
    (StatementKind.RETURN, "", (
     r"^(?P<operator>return|yield(?:\s+(?:return|break|from(?=\s)))?)\b"
     r"(?!\s*(?:[.,)]|=(?!=)))(?P<value>.*)$")),
    (StatementKind.RAISE, "", rf"^(?P<operator>raise|throw)\b{_WORD_ENDS}(?P<value>.*)$"),
    (StatementKind.FUNCTION, "", (
     rf"{_MODIFIERS}(?:def|func|fn|fun|function|sub|defp)\b\*?\s*"
     r"(?P<receiver>\(\)\s*(?=\w))?(?:<[^()]*>\s*)?(?P<name>[^\W\d][\w.:$]*[?!]?(?:=(?=\())?"
     r"|[-+*/<=>~!%\[\]]+(?=[(\s]))\s*(?:<[^()]*>|\[\])?\s*(?P<parameters>\(\))?")),
    (StatementKind.TYPE, "", (
     rf"{_MODIFIERS}(?P<keyword>class|interface|enum|struct|trait|record|module|namespace|type"
     r"|union|object|protocol|extension|impl)(?:\s+(?:class|struct)|<[^()]*?>)?"
     r"\s+(?P<name>[^\W\d][\w.:$]*\b)(?!\s*(?:[-+;,)\].]|=(?!\s*\S)))(?P<tail>.*)$")),
    (StatementKind.FUNCTION, f"{_TYPED} javascript typescript", (
     rf"{_MODIFIERS}(?:template\s*<[^()]*>\s*)?"
     rf"(?P<result>{_TYPE}+)?(?P<name>[\w:<>,~]*(?:operator\s*(?:\(\)|[^\s\w(]+|\w+)|[\w$]))\s*"
     r"(?P<parameters>\(\))(?:\s*(?:const|override|noexcept|final|throws\b[\w\s,.]*|->.*|:.*"
     r"|where\b.*|=\s*(?:0|default|delete)|\{\}))*$")),
    (StatementKind.FUNCTION, _ARROWS, (
     rf"{_MODIFIERS}{_LET}*(?P<name>[$@\w.\[\]()\"]+)"
     r"(?:\s*:[^=>]+(?==))?\s*(?P<operator>:?=|:|=>)\s*"
     rf"(?:async\s+)?(?P<value>(?:(?:function\b\*?(?:\s+\w+)?|func)\s*(?P<parameters>\(\))"
     rf"|(?:<.*?>)?(?P<listed>\(\)|{_NAME})\s*(?::[^=]+)?=>).*)$")),
    (StatementKind.FUNCTION, "shell", r"^(?P<name>[\w-]+)\s*(?P<parameters>\(\))$"),
    (StatementKind.ASSIGNMENT, "c cpp", r"^#\s*define\s+(?P<name>\w+(?:\(\))?)\s*(?P<value>.*)$"),
    (StatementKind.ASSIGNMENT, f"{_TYPED} php typescript", (
     rf"{_MODIFIERS}{_LET}*(?P<declared>{_TYPE}+)(?P<name>{_NAME}(?:\[\])*)"
     rf"(?:\s*{_SET}|$)")),
    (StatementKind.ASSIGNMENT, "go", (
     rf"^(?P<declared>var|const)\s+(?P<name>\w+)\s+[^,=]+(?:{_SET}|$)")),
    (StatementKind.ASSIGNMENT, _COLON, (
     rf"{_MODIFIERS}{_LET}*(?P<name>[\w.$]+)\??(?P<declared>:)(?!:)[^=]*{_SET}")),
    (StatementKind.ASSIGNMENT, _COLON, (
     rf"{_MODIFIERS}(?P<name>\w+)\??(?P<declared>:)\s*(?:[A-Z]|\w+(?:\[|<|$|\s\|)).*$")),
    (StatementKind.ASSIGNMENT, "", (
     rf"{_MODIFIERS}(?P<declared>{_LET}*)(?P<name>{_TARGET})\s*{_SET}")),
    (StatementKind.ENTRY, "php ruby", (
     r"^(?P<name>\"\"|:?[$@\w][\w.:$-]*)\s*(?P<operator>=>)\s*(?P<value>.*)$")),
    (StatementKind.ENTRY, "", (
     r"^(?P<name>(?:\"\"|\[\])\s*|[$@\w][\w.$-]*\??)(?P<operator>:)(?!:)\s*(?P<value>.*)$")),
]  # fmt: skip
_PATTERNS = [(kind, set(names.split()), re.compile(pattern)) for kind, names, pattern in _TABLE]
_CALL = re.compile(
    rf"^(?:\.|\?\.|->)?(?:(?:await|go|defer|new)\s+)*"
    rf"(?P<name>{_NAME}[!?]?(?:\s?(?:\.|\?\.|->|::)\s?{_NAME}[!?]?"
    r"|<[\w\s,<>.]*>|\(\)|\[\])*?!?)\(\)(?:\s*(?:\{\}?|do))?$"
)
_TEST = re.compile(
    r"(?:describe|it|test|context|should|specify|suite|t\.Run|TEST(?:_[A-Z]+)?)\b"
    r"(?:\.(?:each|only|skip|todo|concurrent|failing|describe|step)\b[^\"'`]*)?"
    r"[( ]\s*(([\"'`])(?:\\.|(?!\2)[^\\])*\2)"
)
_HEAD = "|".join(_BLOCK_HEADS.values())
_HEAD_ENDS = {
    "bare": re.compile(rf"^{_BARE}{_WORD_ENDS}"),
    "case": re.compile(rf"^{_CASE}(?=:)"),
    "colon": re.compile(rf"^(?:{_HEAD}|(?:async\s+)?def|class)\b{_WORD_ENDS}[^:]*(?=:)"),
    "parentheses": re.compile(rf"^(?:{_HEAD})\s*\(\)"),
    "brace": re.compile(rf"^(?:{_HEAD})\b{_WORD_ENDS}.*?(?=\s*(?:\{{|;?\s*\b(?:then|do)\b))"),
    "definition": re.compile(r"^[^={}]*?[\w)>\]]\s*(?=\{\}\s*$)"),
}
_KEY = r"^(?:-\s+)?(?P<name>\"[^\"]+\"|'[^']+'|[\w.$/@*-]+)(?:\s*:(?=\s|$)|\s*=)\s*"
_ELEMENT = r"^<(?P<name>[\w:.-]+)(?:\s[^<>]*)?>(?P<value>[^<>]+)</(?P=name)>$"
_ROWS = [
    (StatementKind.SECTION, "xml", r"^<(?P<name>[\w:.-]+)[^<>]*(?<!/)>(?P<value>)$"),
    (StatementKind.ENTRY, "xml", _ELEMENT),
    (StatementKind.ROW, "xml html", r"^(?P<name>)(?P<value>)"),
    (StatementKind.SECTION, "css", r"^(?P<name>.*\S)\s*\{(?P<value>)$"),
    (StatementKind.SECTION, "", r"^\[+(?P<name>[^\[\],]+)\]+(?P<value>)$"),
    (StatementKind.SECTION, "", _KEY + r"[{\[]?(?P<value>)$"),
    (StatementKind.ENTRY, "", _KEY + r"(?P<value>.*)$"),
]
_SETTINGS = [(kind, set(names.split()), re.compile(p, re.DOTALL)) for kind, names, p in _ROWS]
_BLOCK_WORD = re.compile(r"\s*(?:;\s*)?(?:\b(?:then|do|else))?$")
_CAUGHT = re.compile(r"^\w+\s*:\s*|(?:\s+as|\s*=>|(?<=[\w&*>.]))\s+[*&]*\$?\w+$")
"""The variable of a caught error, before or after its type."""

_PARENTHESISED = frozenset(f"{_TYPED} javascript typescript php kotlin scala".split())
"""Languages in which the condition of a statement is in parentheses."""

_NO_CODE = frozenset({"sql", "markdown", "vue", "svelte", "docker", "make"})
_MAX_OUTLINE = 400
"""Maximum characters of an outline that patterns match; longer statements are only compared."""

_MAX_NESTED_BLOCKS = 5
"""Maximum depth of nested blocks on a row."""


def parse_line(
    tokens: Tokens, language: str | None, depth: int = 0
) -> Iterator[tuple[ParsedStatement, int]]:
    """Yield the statements of a logical line, each with its depth below the first.

    A heading and the statements of its block on the same row are separate statements.
    """
    if language in BY_ROW:
        setting = parse_setting(tokens, language)
        if setting.tokens:
            yield setting, depth
        return
    is_after_block = len(tokens) > 1 and tokens[0].text in CLOSERS and tokens[1].text == ","
    while tokens and tokens[0].text in {*CLOSERS, ";", ","}:
        tokens = tokens[1:]
    if is_after_block and n_unopened(tokens) > 0:
        yield replace(parse_statement(tokens, language), kind=StatementKind.ARGUMENTS), depth
        return
    if not tokens or (len(tokens) == 1 and tokens[0].text in CLOSER_OF):
        return
    outline = Outline(tokens)
    modifier = re.search(r"(?<=.)\s(?:if|unless)\s(?!.*\sthen\s)(?!.*[^=]=[^=~])", outline.text)
    if language == "ruby" and modifier and not re.match(r"(?:if|unless|elsif)\b", outline.text):
        at = outline.index_at(modifier.start())
        yield parse_statement(tokens[at:], language), depth
        yield from parse_line(tokens[:at], language, depth + 1)
        return
    end = _head_end(outline, language) if depth < _MAX_NESTED_BLOCKS else len(tokens)
    if end < len(tokens):
        yield parse_statement(tokens[:end], language, is_head=True), depth
        body = tokens[end:]
        while body and body[0].text in {"{", ":", "then", "do", ";"}:
            body = body[1:]
        body = body[: len(body) - (bool(body) and body[-1].text in {"}", "end"})]
        for part in split(body, ";"):
            yield from parse_line(part, language, depth + 1)
        return
    is_code = language not in _NO_CODE and tokens[0].text != "<"
    parts = split(tokens, ";") if is_code else [tokens]
    for part in parts:
        if len(parts) == 1:
            yield parse_statement(part, language), depth
        else:
            yield from parse_line(part, language, depth)


def _head_end(outline: Outline, language: str | None) -> int:
    """Return the index at which the head of a block ends, or the length if there is no block."""
    head = "parentheses" if language in _PARENTHESISED else "brace"
    names = ["bare", "case", *(["colon"] if language == "python" else [head, "definition"])]
    for name in names if len(outline.text) < _MAX_OUTLINE and language not in _NO_CODE else ():
        match = _HEAD_ENDS[name].match(outline.text)
        if not match:
            continue
        end = outline.index_at(len(match[0].rstrip()))
        if (
            name != "definition"
            or parse_statement(outline.tokens[:end], language, is_head=True).kind in DEFINITIONS
        ):
            return end
    return len(outline.tokens)


def parse_statement(
    tokens: Tokens, language: str | None, *, is_head: bool = False
) -> ParsedStatement:
    """Parse one statement; `is_head` is True if a block follows."""
    is_item = len(tokens) > 1 and tokens[-1].text == ","
    n_closers = n_unopened(tokens)
    while len(tokens) > 1 and (
        tokens[-1].text in ",;" or (n_closers > 0 and tokens[-1].text in CLOSERS)
    ):
        n_closers -= tokens[-1].text in CLOSERS
        tokens = tokens[:-1]
    whole = tokens
    if len(tokens) > 1 and tokens[-1].text in {"{", ":"} and language not in _NO_CODE:
        is_head = n_closers >= -(tokens[-1].text == "{")  # no other bracket is open
        tokens = tokens[:-1]
        whole = whole if whole[-1].text == "{" else tokens
    text = close_brackets(tokens)
    parsed = ParsedStatement(StatementKind.OTHER, text=close_brackets(whole), tokens=tuple(whole))
    outline = Outline(tokens)
    if language in _NO_CODE or len(outline.text) > _MAX_OUTLINE or text.startswith("<"):
        return replace(parsed, kind=StatementKind.ROW) if language in _NO_CODE else parsed
    test = _TEST.match(text)
    if test and (is_head or code_of(tokens).endswith((")", "}", "do", "|", "=>"))):
        return replace(parsed, kind=StatementKind.TEST, name=test[1])
    for kind, languages, pattern in _PATTERNS:
        if (languages and language not in languages) or (is_item and kind is StatementKind.IMPORT):
            continue
        if match := pattern.match(outline.text):
            draft = replace(parsed, kind=kind)
            if kind in CONTROL | DEFINITIONS:  # without the brace of the block
                draft = replace(draft, text=text, tokens=tuple(tokens))
            if matched := _parsed_match(match, outline, draft, language, is_head=is_head):
                return matched
    match = _CALL.match(outline.text)
    if match and match["name"] not in _NO_CALL:
        name = code_of(outline.tokens_of(match, "name"))
        called = whole[whole[0].text in LINKS :]
        text, tokens = close_brackets(called), tuple(called)
        return replace(parsed, kind=StatementKind.CALL, name=name, text=text, tokens=tokens)
    return parsed


def _parsed_match(
    match: Match, outline: Outline, parsed: ParsedStatement, language: str | None, *, is_head: bool
) -> ParsedStatement | None:
    """Parse a statement with the match of a pattern; None if it is of another kind."""
    groups, kind = match.groupdict(), parsed.kind
    code = {name: code_of(outline.tokens_of(match, name)) for name in groups if groups[name]}
    name, value, keyword = (code.get(group, "").strip() for group in ("name", "value", "keyword"))
    if kind in _WITH_VALUE and groups.get("value") is not None:
        value = close_brackets(parsed.tokens[outline.index_at(match.start("value")) :])
    operator = "=" if outline.text[0] == "#" and value else code.get("operator", "")
    parsed = replace(parsed, name=name, value=value, operator=operator, keyword=keyword)
    declared = code.get("declared", "")
    words = set(re.findall(r"\w+", f"{code.get('result', '')} {declared} {keyword}"))
    is_mismatch = name in _NO_CALL or bool(_KEYWORDS & (words or {name}))
    if kind is StatementKind.FUNCTION:
        if is_mismatch:
            return None
        return _parsed_function(match, outline, parsed, language, is_head=is_head)
    if kind is StatementKind.TYPE:
        is_used = not is_head and keyword and not re.match(r"\s*(?:[:=]|final\b|$)", match["tail"])
        is_mismatch |= language in {"c", "cpp"} and bool(is_used)  # a variable of the type
        if keyword == "impl" and (target := re.search(r"\sfor\s+([\w:]+)", parsed.text)):
            name = target[1]
        parsed = replace(parsed, name=name, value=parsed.text)
    elif kind in {StatementKind.CONDITION, StatementKind.LOOP, StatementKind.SCOPE}:
        value = _unwrapped(value, groups["value"] or "")
        if outline.text.startswith(("unless", "guard")):
            value = f"not ({value})" if " " in value else f"not {value}"
        name = "" if kind is StatementKind.CONDITION else parsed.text
        parsed = replace(parsed, name=name, value=value)
    elif kind is StatementKind.CATCH:
        bare = _unwrapped(value.removeprefix("*").strip(), groups["value"].lstrip("*"))  # except*
        is_typed = language not in {"javascript", "typescript"}
        parsed = replace(parsed, value=_CAUGHT.sub("", bare) * is_typed)
    elif kind is StatementKind.IMPORT:
        parsed = replace(parsed, value=re.sub(r"\(\s*|,?\s*\)|;", "", value))
    if kind is StatementKind.ASSIGNMENT:
        parsed = replace(parsed, is_declared=bool(declared))
        is_list = "value" in groups and len(split(outline.tokens_of(match, "value"))) > 1
        is_mismatch |= is_list and language in _PARENTHESISED  # such as `int a = 1, b`
        is_mismatch |= language == "shell" and " " in name
    is_mismatch |= kind is StatementKind.ENTRY and not value
    return None if is_mismatch else parsed


def _unwrapped(code: str, outline: str) -> str:
    """Return a condition without its outer parentheses and the keyword that follows."""
    code = _BLOCK_WORD.sub("", code)
    return code[1:-1].strip() if _BLOCK_WORD.sub("", outline).strip() == "()" else code


def _parsed_function(
    match: Match, outline: Outline, parsed: ParsedStatement, language: str | None, *, is_head: bool
) -> ParsedStatement | None:
    """Parse a function; its value is its head without the parameters."""
    groups = match.groupdict()
    group = "listed" if groups.get("listed") else "parameters"
    listed = outline.tokens_of(match, group)
    inside = listed[1:-1] if listed and listed[0].text == "(" else listed
    if "result" in groups and not is_head:  # a declaration without a body, or a call
        has_type = bool(groups["result"]) or match.start("name") > 0
        is_typed = language in {"java", "csharp"} or all(
            len(part) > 1 or part[0].text in {"void", "..."} for part in split(inside, angles=True)
        )
        if not (has_type and is_typed) or any(token.text in {".", "&&"} for token in inside):
            return None
    if "result" in groups and any(token.text[0] in "\"'" for token in inside[:1]):
        return None
    name, value = parsed.name, parsed.value
    receiver = code_of(outline.tokens_of(match, "receiver")) if groups.get("receiver") else ""
    if owner := re.search(r"(\w+)\W*(?:\[.*)?\)$", receiver):
        name = f"{owner[1]}.{name}"
    if not value:
        head, tail = (outline.index_at(end) for end in match.span(group))
        value = f"{code_of(outline.tokens[:head])}(…) {code_of(outline.tokens[tail:])}".strip()
        value = value if listed else parsed.text
    return replace(
        parsed,
        name=name,
        value=value,
        operator="=" * bool(parsed.value),
        parameters=tuple(_parameters(inside, language)),
    )


def _parameters(tokens: Tokens, language: str | None) -> Iterator[Parameter]:
    listed = split(tokens, angles=True)
    for index, part in enumerate(listed):
        text = code_of(part)
        if re.match(r"(?:[*&]|mut\s|'\w+\s)*(?:self|cls|this)\b(?!\.)|(?:[*/]|void)$", text):
            continue
        words = re.findall(_NAME, re.split(r"=|:(?!:)", Outline(part).text)[0])
        name = text if part[0].text in CLOSER_OF or not words else words[-1]
        if language == "go" and words:
            name = words[0]
            type_text = next((code_of(typed[1:]) for typed in listed[index:] if len(typed) > 1), "")
            text = f"{name} {type_text}" if len(part) == 1 and type_text else text
        yield Parameter(name, text)


def parse_setting(tokens: Tokens, language: str | None) -> ParsedStatement:
    """Parse a row of a settings file: a key with its value, a heading, or an item."""
    while len(tokens) > 1 and tokens[-1].text in {",", ";"}:
        tokens = tokens[:-1]
    text, closed = code_of(tokens), close_brackets(tokens)
    row = closed.removeprefix("- ")
    parsed = ParsedStatement(StatementKind.ROW, text=row, tokens=tuple(tokens))
    if not text.strip("{}[]() ") or text.startswith("</"):
        return replace(parsed, tokens=())
    for kind, languages, pattern in _SETTINGS:
        match = pattern.match(text) if language in languages or not languages else None
        if match:
            name = match["name"].strip("\"'")
            value = match["value"] + closed[len(text) :]
            return replace(parsed, kind=kind, name=name, value=value, operator="=")
    return parsed
