"""Read a statement from its tokens: its sort, what it defines, sets, calls, checks or returns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from crscore_core.claims.symbolic.brackets import (
    CLOSER,
    CLOSERS,
    Outline,
    Tokens,
    completed,
    split,
    unopened,
)
from crscore_core.claims.symbolic.lexis import BY_ROW, LINKS, Token, code_of

Sort = StrEnum(
    "Sort",
    "COMMENT IMPORT FUNCTION TYPE TEST CONDITION CASE LOOP SCOPE CATCH BLOCK RETURN RAISE "
    "ASSIGNMENT CALL ENTRY SECTION OTHER",
)
"""Sorts of statements that claims distinguish."""

DEFINITIONS = frozenset({Sort.FUNCTION, Sort.TYPE, Sort.TEST})
"""Sorts of statements that define what other code or a test runner may name."""

CONTROL = frozenset("condition case loop scope catch block".split())
"""Sorts of statements that contain others, without defining anything."""


class Parameter(NamedTuple):
    """A parameter and its code."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Parts:
    """A statement and what it consists of.

    `name` is what it defines, sets or calls; `value` what it passes, checks, iterates over or
    returns, or the head of a definition without its parameters; `text` the code. `operator` is the
    sign between name and value, or the word before the value.
    """

    sort: Sort
    name: str = ""
    value: str = ""
    operator: str = ""
    text: str = ""
    noun: str = ""
    parameters: tuple[Parameter, ...] = ()
    tokens: tuple[Token, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """Its tokens, to compare.

        A comma before a closing bracket does not count, nor the parentheses around imported names.
        """
        texts = [token.text for token in self.tokens]
        pairs = zip(texts, [*texts[1:], ""], strict=False)
        texts = [a for a, b in pairs if a != "," or b not in CLOSERS]
        if self.sort is Sort.IMPORT:
            texts = [text for text in texts if text not in "()"]
        return tuple(texts) or (self.value,)


# --- the statements of a language ---------------------------------------------------------------

_KEYWORDS = frozenset(
    "if elif elsif elseif else unless guard switch match select case when for while until foreach "
    "loop do with lock synchronized using try begin except catch rescue finally ensure return "
    "yield raise throw new await go defer delete echo print puts assert not typeof import from "
    "package include require use goto break continue pass in is and or end then sizeof".split()
)
"""Words that never name a function, type or variable."""

_NO_CALL = frozenset("if elif else while for switch catch return function not in and or".split())
_M = (
    r"^(?:(?:public|private|protected|internal|static|final|abstract|async|virtual|override|sealed"
    r"|inline|constexpr|extern|synchronized|native|readonly|unsafe|const|explicit|partial|export"
    r"|default|pub(?:\(\))?|open|data|suspend|transient|volatile|friend|declare|lateinit|required"
    r"|fileprivate|__\w+|[A-Z][A-Z\d_]+\(\)(?=\s\w)|@[\w.]+(?:\(\))?|\[\])\s+)*"
)
_N = r"[$@]{0,2}[^\W\d][\w$]*"
_T = r"[^\W\d][\w\s<>,.&*:?\[\]]*?[\s*&>\]]"
_LEFT = r"[*&]*(?:[$@\w]|[\[({][\])}])[\w\s$@.,()\[\]{}*&:?\"-]*?(?:->[\w$]+(?:\[\])*)?"
_SET = (
    r"(?P<operator>(?::|\*\*|\|\||&&|\?\?|<<|>>|[-+*/%|&^])?(?<![=!<>])=(?![=>~]))\s*(?P<value>.*)$"
)
_LET = r"(?:(?:let|var|val|mut|auto|local|my|our|global|const)\s+)"
_WORD_ENDS = r"(?!::|\s*(?:[.,)\]]|(?:[-+*/:]?=)(?![=~>])|->|\?\.))"
"""After a keyword: the word is no variable of the same name."""

_BLOCK_HEADS = {
    Sort.CONDITION: r"(?:else\s+if|elseif|elsif|elif|if|unless|guard)",
    Sort.LOOP: r"(?:for|while|until|foreach|async\s+for|loop(?=\s*\{|\s+do)"
    r"|do(?=\s*(?:\{\}?)?$))",
    Sort.SCOPE: r"(?:switch|(?:async\s+)?with|lock|synchronized|using(?=\s*\(|\s+var)"
    r"|unsafe(?=\s*\{)|match(?=.*[{:]$)|select(?=\s*\{)|when(?=\s*[({]))",
    Sort.CATCH: r"(?:except|catch|rescue)",
}
_BARE = r"(?:else|(?:try|begin)(?=\s*[{:(]|$)|(?:finally|ensure)(?=\s*[{:]|$))"
_CASE = r"(?:case(?=\s)|default(?=\s*:)|when(?=\s+[^({]))\s*(?P<value>[^:]*(?:::[^:]*)*)"
_TYPED = "c cpp java csharp dart groovy"
"""Languages in which a type stands before a name, and functions need no keyword."""

_COLON = "python typescript kotlin rust swift scala"
"""Languages in which a type stands after a name and a colon."""

_ARROWS = "javascript typescript go php"
_TABLE = [
    (Sort.IMPORT, "", (
     r"^(?:import|using(?!\s*\(|\s+var)|use|package|#\s*include|include(?:_once)?"
     rf"|require(?:_once|_relative)?)\b{_WORD_ENDS}\s*(?P<value>.+)$")),
    (Sort.IMPORT, "", r"^(?P<value>from\s+\S+\s+import\s.+)$"),
    (Sort.IMPORT, "go", r'^(?P<value>(?:[\w.]+\s+)?"")$'),
    *((sort, "", rf"^{word}\b{_WORD_ENDS}(?P<value>.*)$") for sort, word in _BLOCK_HEADS.items()),
    (Sort.BLOCK, "", rf"^{_BARE}\b{_WORD_ENDS}"),
    (Sort.SCOPE, "ruby shell", r"^case\s(?P<value>.*)$"),
    (Sort.CASE, "", rf"^{_CASE}"),
    (Sort.RETURN, "", (
     r"^(?P<operator>return|yield(?:\s+return)?)\b(?!\s*(?:[.,)]|=(?!=)))(?P<value>.*)$")),
    (Sort.RAISE, "", rf"^(?P<operator>raise|throw)\b{_WORD_ENDS}(?P<value>.*)$"),
    (Sort.FUNCTION, "", (
     rf"{_M}(?:def|func|fn|fun|function|sub|defp)\b\*?\s*"
     r"(?P<receiver>\(\)\s*(?=\w))?(?:<[^()]*>\s*)?(?P<name>[^\W\d][\w.:$]*[?!]?(?:=(?=\())?"
     r"|[-+*/<=>~!%\[\]]+(?=[(\s]))\s*(?:<[^()]*>|\[\])?\s*(?P<parameters>\(\))?")),
    (Sort.TYPE, "", (
     rf"{_M}(?P<noun>class|interface|enum|struct|trait|record|module|namespace|type"
     r"|union|object|protocol|extension|impl)(?:\s+(?:class|struct)|<[^()]*?>)?"
     r"\s+(?P<name>[^\W\d][\w.:$]*\b)(?!\s*(?:[-+;,)\].]|=(?!\s*\S)))(?P<tail>.*)$")),
    (Sort.TYPE, "cpp", r"^template\s*<.*>\s*using\s+(?P<name>\w+)\s*=(?P<tail>).*$"),
    (Sort.FUNCTION, f"{_TYPED} javascript typescript", (
     rf"{_M}(?:template\s*<[^()]*>\s*)?"
     rf"(?P<result>{_T}+)?(?P<name>[\w:<>,~]*(?:operator\s*(?:\(\)|[^\s\w(]+|\w+)|[\w$]))\s*"
     r"(?P<parameters>\(\))(?:\s*(?:const|override|noexcept|final|throws\b[\w\s,.]*|->.*|:.*"
     r"|where\b.*|=\s*(?:0|default|delete)|\{\}))*$")),
    (Sort.FUNCTION, _ARROWS, (
     rf"{_M}{_LET}*(?P<name>[$@\w.\[\]()\"]+)"
     r"(?:\s*:[^=>]+(?==))?\s*(?P<operator>:?=|:|=>)\s*"
     rf"(?:async\s+)?(?P<value>(?:(?:function\b\*?(?:\s+\w+)?|func)\s*(?P<parameters>\(\))"
     rf"|(?:<.*?>)?(?P<listed>\(\)|{_N})\s*(?::[^=]+)?=>).*)$")),
    (Sort.FUNCTION, "shell", r"^(?P<name>[\w-]+)\s*(?P<parameters>\(\))$"),
    (Sort.ASSIGNMENT, "c cpp", r"^#\s*define\s+(?P<name>\w+(?:\(\))?)\s*(?P<value>.*)$"),
    (Sort.ASSIGNMENT, f"{_TYPED} php typescript", (
     rf"{_M}{_LET}*(?P<noun>{_T}+)(?P<name>{_N}(?:\[\])*)"
     rf"(?:\s*{_SET}|$)")),
    (Sort.ASSIGNMENT, "go", rf"^(?P<noun>var|const)\s+(?P<name>\w+)\s+[^,=]+(?:{_SET}|$)"),
    (Sort.ASSIGNMENT, _COLON, rf"{_M}{_LET}*(?P<name>[\w.$]+)\??(?P<noun>:)(?!:)[^=]*{_SET}"),
    (Sort.ASSIGNMENT, _COLON, (
     rf"{_M}(?P<name>\w+)\??(?P<noun>:)\s*(?:[A-Z]|\w+(?:\[|<|$|\s\|)).*$")),
    (Sort.ASSIGNMENT, "", rf"{_M}(?P<noun>{_LET}*)(?P<name>{_LEFT})\s*{_SET}"),
    (Sort.ENTRY, "php ruby", (
     r"^(?P<name>\"\"|:?[$@\w][\w.:$-]*)\s*(?P<operator>=>)\s*(?P<value>.*)$")),
    (Sort.ENTRY, "", (
     r"^(?P<name>(?:\"\"|\[\])\s*|[$@\w][\w.$-]*\??)(?P<operator>:)(?!:)\s*(?P<value>.*)$")),
]  # fmt: skip
_PATTERNS = [(sort, set(names.split()), re.compile(pattern)) for sort, names, pattern in _TABLE]
_CALL = re.compile(
    rf"^(?:(?:await|go|defer|new)\s+)*(?P<name>{_N}[!?]?(?:\s?(?:\.|\?\.|->|::)\s?{_N}[!?]?"
    r"|<[\w\s,<>.]*>|\(\)|\[\])*?!?)\(\)(?:\s*(?:\{\}?|do))?$"
)
_TEST = re.compile(
    r"(?:describe|it|test|context|should|specify|suite|t\.Run|TEST(?:_[A-Z]+)?)\b"
    r"(?:\.(?:each|only|skip|todo|concurrent|failing|describe|step)\b[^\"'`]*)?"
    r"[( ]\s*(([\"'`])(?:\\.|(?!\2)[^\\])*\2)"
)
_PARENTHESISED = frozenset(f"{_TYPED} javascript typescript php kotlin scala".split())
"""Languages in which the condition of a statement is in parentheses."""

_NO_CODE = frozenset({"sql", "markdown", "vue", "svelte", "docker", "make"})
_MAX_OUTLINE = 400
"""Maximum characters of an outline that patterns read; anything longer is only compared."""

_MAX_DEPTH = 5
"""Maximum number of blocks in one another on a row."""


def statements_of(
    tokens: Tokens, language: str | None, depth: int = 0
) -> Iterator[tuple[Parts, int]]:
    """Yield the statements of a logical line, each with its depth below the first.

    A heading and what its block has on the same row are statements of their own.
    """
    if language in BY_ROW:
        yield setting(tokens, language), depth
        return
    is_tail = len(tokens) > 1 and tokens[0].text in CLOSERS and tokens[1].text == ","
    while tokens and tokens[0].text in {*CLOSERS, ";", ","}:
        tokens = tokens[1:]
    if is_tail and tokens and unopened(tokens) > 0:  # arguments after a block
        yield replace(read(tokens, language), sort=Sort.OTHER, noun="tail"), depth
        return
    if not tokens or (len(tokens) == 1 and tokens[0].text in CLOSER):
        return
    outline = Outline(tokens)
    modifier = re.search(r"(?<=.)\s(?:if|unless)\s(?!.*\sthen\s)(?!.*[^=]=[^=~])", outline.text)
    if language == "ruby" and modifier and not re.match(r"(?:if|unless|elsif)\b", outline.text):
        at = outline.at(modifier.start())
        yield read(tokens[at:], language), depth
        yield from statements_of(tokens[:at], language, depth + 1)
        return
    end = _head_end(outline, language) if depth < _MAX_DEPTH else len(tokens)
    if end < len(tokens):
        yield read(tokens[:end], language, opens=True), depth
        body = tokens[end:]
        while body and body[0].text in {"{", ":", "then", "do", ";"}:
            body = body[1:]
        body = body[: len(body) - (bool(body) and body[-1].text in {"}", "end"})]
        for part in split(body, ";"):
            yield from statements_of(part, language, depth + 1)
        return
    is_code = language not in _NO_CODE and tokens[0].text != "<"
    parts = split(tokens, ";") if is_code else [tokens]
    for part in parts:
        if len(parts) == 1:
            yield read(part, language), depth
        else:
            yield from statements_of(part, language, depth)


_HEAD = "|".join(_BLOCK_HEADS.values())
_HEAD_ENDS = {
    "bare": re.compile(rf"^{_BARE}{_WORD_ENDS}"),
    "case": re.compile(rf"^{_CASE}(?=:)"),
    "colon": re.compile(rf"^(?:{_HEAD}|(?:async\s+)?def|class)\b{_WORD_ENDS}[^:]*(?=:)"),
    "parentheses": re.compile(rf"^(?:{_HEAD})\s*\(\)"),
    "brace": re.compile(rf"^(?:{_HEAD})\b{_WORD_ENDS}.*?(?=\s*(?:\{{|;?\s*\b(?:then|do)\b))"),
    "definition": re.compile(r"^[^={}]*?[\w)>\]]\s*(?=\{\}\s*$)"),
}


def _head_end(outline: Outline, language: str | None) -> int:
    """Return where the head of a block ends; the length if the tokens are no heading."""
    own = "parentheses" if language in _PARENTHESISED else "brace"
    names = ["bare", "case", *(["colon"] if language == "python" else [own, "definition"])]
    for name in names if len(outline.text) < _MAX_OUTLINE and language not in _NO_CODE else ():
        match = _HEAD_ENDS[name].match(outline.text)
        if not match:
            continue
        end = outline.at(len(match[0].rstrip()))
        if (
            name != "definition"
            or read(outline.tokens[:end], language, opens=True).sort in DEFINITIONS
        ):
            return end
    return len(outline.tokens)


def read(tokens: Tokens, language: str | None, *, opens: bool = False) -> Parts:
    """Return the parts of one statement; `opens` if a block follows."""
    is_chained = len(tokens) > 1 and tokens[0].text in LINKS
    is_item = len(tokens) > 1 and tokens[-1].text == ","
    tokens = tokens[is_chained:]
    ends = unopened(tokens)
    while len(tokens) > 1 and (
        tokens[-1].text in ",;" or (ends > 0 and tokens[-1].text in CLOSERS)
    ):
        ends -= tokens[-1].text in CLOSERS
        tokens = tokens[:-1]
    whole = tokens
    if len(tokens) > 1 and tokens[-1].text in {"{", ":"} and language not in _NO_CODE:
        tokens, opens = tokens[:-1], ends >= -(tokens[-1].text == "{")  # nothing else is open
        whole = whole if whole[-1].text == "{" else tokens
    text = completed(tokens)
    parts = Parts(Sort.OTHER, text=completed(whole), tokens=tuple(whole))
    outline = Outline(tokens)
    if language in _NO_CODE or len(outline.text) > _MAX_OUTLINE or text.startswith("<"):
        return replace(parts, noun="row" if language in _NO_CODE else "")
    if not is_chained:
        test = _TEST.match(text)
        if test and (opens or code_of(tokens).endswith((")", "}", "do", "|", "=>"))):
            return replace(parts, sort=Sort.TEST, name=test[1])
        for sort, languages, pattern in _PATTERNS:
            if (languages and language not in languages) or (is_item and sort is Sort.IMPORT):
                continue
            if match := pattern.match(outline.text):
                matched = replace(parts, sort=sort)
                if sort in CONTROL | DEFINITIONS:  # without the brace of the block
                    matched = replace(matched, text=text, tokens=tuple(tokens))
                if filled := _filled_parts(match, outline, matched, language, opens=opens):
                    return filled
    match = _CALL.match(outline.text)
    if match and match["name"] not in _NO_CALL:
        return replace(parts, sort=Sort.CALL, name=code_of(outline.part(match, "name")))
    return parts


def _filled_parts(
    match: re.Match[str], outline: Outline, parts: Parts, language: str | None, *, opens: bool
) -> Parts | None:
    """Return the parts of a statement that matches a pattern; None if it is no such statement."""
    groups, sort = match.groupdict(), parts.sort
    code = {name: code_of(outline.part(match, name)) for name in groups if groups[name]}
    name, value, noun = (code.get(group, "").strip() for group in ("name", "value", "noun"))
    has_value = sort in {Sort.RETURN, Sort.RAISE, Sort.ASSIGNMENT, Sort.ENTRY}
    if has_value and groups.get("value") is not None:
        value = completed(parts.tokens[outline.at(match.start("value")) :])
    operator = "=" if outline.text[0] == "#" and value else code.get("operator", "")
    parts = replace(parts, name=name, value=value, operator=operator, noun=noun)
    words = set(re.findall(r"\w+", f"{code.get('result', '')} {noun}"))
    is_other = name in _NO_CALL or bool(_KEYWORDS & (words or {name}))
    if sort is Sort.FUNCTION:
        return None if is_other else _function(parts, match, outline, language, opens=opens)
    if sort is Sort.TYPE:
        is_used = not opens and noun and not re.match(r"\s*(?:[:=]|final\b|$)", match["tail"])
        is_other |= language in {"c", "cpp"} and bool(is_used)  # a variable of the type
        if noun == "impl" and (target := re.search(r"\sfor\s+([\w:]+)", parts.text)):
            name = target[1]
        parts = replace(parts, name=name, value=parts.text, noun=noun or "type")
    elif sort in {Sort.CONDITION, Sort.LOOP, Sort.SCOPE}:
        value = _bare(value, groups["value"] or "")
        if outline.text.startswith(("unless", "guard")):
            value = f"not ({value})" if " " in value else f"not {value}"
        parts = replace(parts, name="" if sort is Sort.CONDITION else parts.text, value=value)
    elif sort is Sort.CATCH:
        bare = _bare(value.removeprefix("*").strip(), groups["value"].lstrip("*"))  # except*
        is_typed = language not in {"javascript", "typescript"}
        parts = replace(parts, value=_CAUGHT.sub("", bare) * is_typed)
    elif sort is Sort.IMPORT:
        parts = replace(parts, value=re.sub(r"\(\s*|,?\s*\)|;", "", value))
    if sort is Sort.ASSIGNMENT:
        is_list = "value" in groups and len(split(outline.part(match, "value"))) > 1
        is_other |= is_list and language in _PARENTHESISED  # such as `int a = 1, b`
        is_other |= language == "shell" and " " in name
    is_other |= sort is Sort.ENTRY and not value
    return None if is_other else parts


_CAUGHT = re.compile(r"^\w+\s*:\s*|(?:\s+as|\s*=>|(?<=[\w&*>.]))\s+[*&]*\$?\w+$")
"""The variable of a caught error, before or after its type."""


_BLOCK_WORD = re.compile(r"\s*(?:;\s*)?(?:\b(?:then|do|else))?$")


def _bare(code: str, outline: str) -> str:
    """Return a condition without the parentheses around all of it, and the word that follows."""
    code = _BLOCK_WORD.sub("", code)
    return code[1:-1].strip() if _BLOCK_WORD.sub("", outline).strip() == "()" else code


def _function(
    parts: Parts, match: re.Match[str], outline: Outline, language: str | None, *, opens: bool
) -> Parts | None:
    """Return the parts of a function; its value is its head without the parameters."""
    groups = match.groupdict()
    group = "listed" if groups.get("listed") else "parameters"
    listed = outline.part(match, group)
    inside = listed[1:-1] if listed and listed[0].text == "(" else listed
    if "result" in groups and not opens:  # a declaration without a body, or a call
        has_type = bool(groups["result"]) or match.start("name") > 0
        is_typed = language in {"java", "csharp"} or all(
            len(part) > 1 or part[0].text in {"void", "..."} for part in split(inside, angles=True)
        )
        if not (has_type and is_typed) or any(t.text in {".", "&&"} for t in inside):
            return None
    if "result" in groups and any(token.text[0] in "\"'" for token in inside[:1]):
        return None
    name, value = parts.name, parts.value
    receiver = code_of(outline.part(match, "receiver")) if groups.get("receiver") else ""
    if owner := re.search(r"(\w+)\W*(?:\[.*)?\)$", receiver):
        name = f"{owner[1]}.{name}"
    if not value:
        head, tail = (outline.at(end) for end in match.span(group))
        value = f"{code_of(outline.tokens[:head])}(…) {code_of(outline.tokens[tail:])}".strip()
        value = value if listed else parts.text
    return replace(
        parts,
        name=name,
        value=value,
        operator="=" * bool(parts.value),
        noun="function",
        parameters=tuple(_parameters(inside, language)),
    )


def _parameters(tokens: Tokens, language: str | None) -> Iterator[Parameter]:
    listed = split(tokens, angles=True)
    for index, part in enumerate(listed):
        text = code_of(part)
        if re.match(r"(?:[*&]|mut\s|'\w+\s)*(?:self|cls|this)\b(?!\.)|(?:[*/]|void)$", text):
            continue
        words = re.findall(_N, re.split(r"=|:(?!:)", Outline(part).text)[0])
        name = text if part[0].text in CLOSER or not words else words[-1]
        if language == "go" and words:
            name = words[0]
            kind = next((code_of(other[1:]) for other in listed[index:] if len(other) > 1), "")
            text = f"{name} {kind}" if len(part) == 1 and kind else text
        yield Parameter(name, text)


# --- settings: read row by row ------------------------------------------------------------------

_KEY = r"^(?:-\s+)?(?P<name>\"[^\"]+\"|'[^']+'|[\w.$/@*-]+)(?:\s*:(?=\s|$)|\s*=)\s*"
_ROWS = [
    (Sort.SECTION, "xml", r"^<(?P<name>[\w:.-]+)[^<>]*(?<!/)>(?P<value>)$"),
    (Sort.ENTRY, "xml", r"^<(?P<name>[\w:.-]+)(?:\s[^<>]*)?>(?P<value>[^<>]+)</(?P=name)>$"),
    (Sort.OTHER, "xml html", r"^(?P<name>)(?P<value>)"),
    (Sort.SECTION, "css scss less", r"^(?P<name>.*\S)\s*\{(?P<value>)$"),
    (Sort.SECTION, "", r"^\[+(?P<name>[^\[\],]+)\]+(?P<value>)$"),
    (Sort.SECTION, "", _KEY + r"[{\[]?(?P<value>)$"),
    (Sort.ENTRY, "", _KEY + r"(?P<value>.*)$"),
]
_SETTINGS = [(sort, set(names.split()), re.compile(p, re.DOTALL)) for sort, names, p in _ROWS]


def setting(tokens: Tokens, language: str | None) -> Parts:
    """Read a row of a settings file: a key with its value, a heading, or an item."""
    while len(tokens) > 1 and tokens[-1].text in {",", ";"}:
        tokens = tokens[:-1]
    text, shown = code_of(tokens), completed(tokens)
    parts = Parts(Sort.OTHER, text=shown.removeprefix("- "), noun="row", tokens=tuple(tokens))
    if not text.strip("{}[]() ") or text.startswith("</"):
        return replace(parts, tokens=())
    for sort, languages, pattern in _SETTINGS:
        match = pattern.match(text) if language in languages or not languages else None
        if match:
            name = match["name"].strip("\"'")
            value = match["value"] + shown[len(text) :]
            return replace(parts, sort=sort, name=name, value=value, operator="=")
    return parts
