"""Parse statements: their kind, and what they define, set, call, check or return."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from crscore_core.claims.symbolic import lexer, patterns
from crscore_core.claims.symbolic.lexer import LINKS, Outline, Token, Tokens, to_code
from crscore_core.claims.symbolic.patterns import CODE, Kind, languages

MAX_OUTLINE = 400
"""Maximum length of an outline that patterns match; longer statements are only compared."""


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """The kind and the parts of a statement.

    name: what it defines, sets or calls.
    value: what it assigns, checks, iterates over, calls or returns, or the head of a definition
        without its parameters.
    operator: the sign between name and value, or the keyword before the value.
    text: its code.
    keyword: the keyword of a type, such as `class`.
    parameters: the name and the code of each parameter.
    is_declared: True if an assignment declares a variable, with its type or a word such as `let`.
    """

    kind: Kind
    name: str = ""
    value: str = ""
    operator: str = ""
    text: str = ""
    keyword: str = ""
    is_declared: bool = False
    parameters: tuple[tuple[str, str], ...] = ()
    tokens: tuple[Token, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """Its tokens but for layout; for an import, also without `import` and parentheses."""
        texts = [
            token.text
            for token, after in pairwise([*self.tokens, *self.tokens[-1:]])
            if token.text != "," or after.text not in lexer.CLOSERS or after.row == token.row
        ]
        if self.kind is Kind.IMPORT:
            texts = [text for text in texts if text not in {"(", ")", "import"}]
        return tuple(texts) or (self.value,)


def parse_statement(
    tokens: Tokens, language: str | None, *, opens_block: bool = False, in_list: bool = False
) -> ParsedStatement:
    """Parse one statement; a block may follow it, or it may be an item of a list in brackets."""
    if language in languages("by_row"):
        return _parse_row(tokens, language)
    is_item = len(tokens) > 1 and tokens[-1].text == ","
    whole = tokens = _without_end(tokens)
    last = tokens[-1].text
    if len(tokens) > 1 and last in {"{", ":", "do"} and language not in languages("no_code"):
        opens_block = lexer.closing_surplus(tokens) >= -(last == "{")  # no other bracket is open
        tokens = tokens[:-1]
        whole = tokens if last == ":" else whole
    text, outline = lexer.close_brackets(tokens), Outline(tokens)
    parsed = ParsedStatement(Kind.OTHER, text=lexer.close_brackets(whole), tokens=tuple(whole))
    if in_list or language in languages("no_code"):
        return replace(parsed, kind=Kind.ROW)
    if len(outline.text) > MAX_OUTLINE or text.startswith("<"):
        return parsed
    test = CODE["test"].match(text)
    if test and (opens_block or to_code(tokens).endswith((")", "}", "do", "|", "=>"))):
        name = test[1] or test[3]
        return replace(parsed, kind=Kind.TEST, name=name, value=name)
    head = replace(parsed, text=text, tokens=tuple(tokens))  # without the brace of the block
    for kind, match in patterns.matches(patterns.PATTERNS, outline.text, language):
        draft = replace(head if kind in patterns.BLOCKS else parsed, kind=kind)
        statement = _parse_parts(draft, _Match(match, outline, language, opens_block=opens_block))
        if statement and not (is_item and kind is Kind.IMPORT):
            return statement
    return parsed


def _without_end(tokens: Tokens) -> Tokens:
    """Return tokens without trailing commas, semicolons and unmatched closing brackets."""
    _, unmatched = lexer.unmatched_brackets(tokens)
    end = len(tokens)
    while end > 1 and (tokens[end - 1].text in ",;" or end - 1 in unmatched):
        end -= 1
    return tokens[:end]


@dataclass(frozen=True, slots=True)
class _Match:
    """A match of the outline of a statement with the pattern of a kind."""

    groups: re.Match[str]
    outline: Outline
    language: str | None
    opens_block: bool

    def tokens(self, group: str) -> Tokens:
        """Return the tokens of a group of the match; none if the pattern lacks the group."""
        text = self.groups.groupdict().get(group)
        if not text:
            return ()
        start = self.groups.start(group) + len(text) - len(text.lstrip())
        end = self.outline.index_at(self.groups.end(group))
        return self.outline.tokens[self.outline.index_at(start) : end]

    def code(self, group: str) -> str:
        """Return the code of a group of the match."""
        return to_code(self.tokens(group))


def _parse_parts(parsed: ParsedStatement, match: _Match) -> ParsedStatement | None:
    """Parse the parts of a statement; None if they do not fit its kind."""
    name, kind = match.code("name"), parsed.kind
    words = " ".join(match.code(group) for group in ("result", "declared"))
    is_method = kind is Kind.FUNCTION and match.language in {"javascript", "typescript"}
    names = [] if kind is Kind.ASSIGNMENT or is_method else [name]
    is_keyword = bool(patterns.WORDS["keywords"] & set(re.findall(r"\w+", words) or names))
    is_nameless = not name and kind in patterns.DEFINITIONS
    if is_nameless or name in patterns.WORDS["no_call"] or (is_keyword and kind is not Kind.CALL):
        return None
    value = match.code("value")
    has_value = match.groups.groupdict().get("value") is not None
    if has_value and match.groups.end("value") == len(match.outline.text):
        start = match.outline.index_at(match.groups.start("value"))
        value = lexer.close_brackets(parsed.tokens[start:])
    operator, keyword = match.code("operator"), match.code("keyword")
    parsed = replace(parsed, name=name, value=value, operator=operator, keyword=keyword)
    parse = _PARSERS.get(kind)
    return parse(parsed, match) if parse else parsed


def _parse_type(parsed: ParsedStatement, match: _Match) -> ParsedStatement | None:
    opens_block = match.opens_block or CODE["type_tail"].match(match.groups["tail"])
    is_value = match.groups["tail"].lstrip().startswith("=") and parsed.keyword != "type"
    is_value |= match.language == "csharp" and parsed.keyword == "object"
    if is_value or (match.language in {"c", "cpp"} and not opens_block):  # a variable of the type
        return None
    target = re.search(r"\sfor\s+([\w:]+)", parsed.text) if parsed.keyword == "impl" else None
    return replace(parsed, name=target[1] if target else parsed.name, value=parsed.text)


def _parse_heading(parsed: ParsedStatement, match: _Match) -> ParsedStatement:
    value = _unwrapped(parsed.value, match.groups["value"])
    if match.outline.text.startswith(("unless", "guard")):
        value = f"not ({value})" if " " in value else f"not {value}"
    return replace(parsed, name=parsed.text, value=value)


def _parse_catch(parsed: ParsedStatement, match: _Match) -> ParsedStatement:
    if match.language in {"javascript", "typescript"}:  # errors are caught without a type
        return replace(parsed, value="")
    value = parsed.value.removeprefix("*").strip()  # except*
    value = _unwrapped(value, match.groups["value"].lstrip("*"))
    return replace(parsed, value=CODE["caught"].sub("", value))


def _unwrapped(code: str, outline: str) -> str:
    """Return a condition without its outer parentheses and the keyword that follows."""
    code = CODE["block_word"].sub("", code)
    return code[1:-1].strip() if CODE["block_word"].sub("", outline).strip() == "()" else code


def _parse_assignment(parsed: ParsedStatement, match: _Match) -> ParsedStatement | None:
    values = lexer.split(match.tokens("value"))
    if len(values) > 1 and match.language in languages("parenthesised"):  # such as `int a = 1, b`
        return None
    if (match.language == "shell" and " " in parsed.name) or " ? " in parsed.name:
        return None
    operator = parsed.operator or ("=" if parsed.value else "")
    name = re.sub(r"\b_, |, _$", "", parsed.name) if match.language == "go" else parsed.name
    is_declared = bool(match.code("declared")) or (operator == ":=" and "," not in name)
    return replace(parsed, name=name, operator=operator, is_declared=is_declared)


def _parse_call(parsed: ParsedStatement, _match: _Match) -> ParsedStatement:
    called = parsed.tokens[parsed.tokens[0].text in LINKS :]
    text = lexer.close_brackets(called)
    return replace(parsed, value=text, text=text, tokens=called)


def _parse_function(parsed: ParsedStatement, match: _Match) -> ParsedStatement | None:
    """Parse a function; its value is its head without the parameters."""
    groups, outline = match.groups, match.outline
    group = "listed" if match.code("listed") else "parameters"
    listed = match.tokens(group)
    inside = listed[1:-1] if listed and listed[0].text == "(" else listed
    is_property = ":" in (groups.groupdict().get("result") or "").replace("::", "")
    if "result" in groups.groupdict() and (is_property or not _declares_function(match, inside)):
        return None
    name, value = parsed.name, parsed.value
    if owner := re.search(r"(\w+)\W*(?:\[.*)?\)$", match.code("receiver")):
        name = f"{owner[1]}.{name}"
    if not value:
        head, tail = (outline.index_at(end) for end in groups.span(group))
        gap = " " if tail < len(outline.tokens) and outline.tokens[tail].gap else ""
        end = lexer.close_brackets(outline.tokens[tail:])
        value = f"{to_code(outline.tokens[:head])}(…){gap}{end}"
        value = value if listed else parsed.text
    operator = "=" if parsed.value else ""
    parameters = tuple(_parameters(inside, match.language))
    return replace(parsed, name=name, value=value, operator=operator, parameters=parameters)


def _declares_function(match: _Match, inside: Tokens) -> bool:
    """Return True if code with parentheses after a name is a function rather than a call."""
    is_void = match.groups["result"] == "void " and match.language not in languages("typed")
    if is_void or (inside and inside[0].text[0] in "\"'"):
        return False
    is_call = match.outline.text.startswith("const ") and not match.groups["result"]  # of Dart
    has_type = bool(match.groups["result"]) or match.groups.start("name") > 0
    parts = lexer.split(inside, angles=True)
    texts = [[token.text for token in part] for part in parts]
    are_typed = all(len(t) - 2 * t.count("::") > 1 or t[0] in {"void", "..."} for t in texts)
    are_typed |= any(t[-1] in {"*", "&"} for t in texts)
    if match.opens_block:  # an indented macro is a statement
        is_macro = match.outline.tokens[0].gap[-1:].isspace() and match.language in {"c", "cpp"}
        return has_type or (are_typed and texts != [["..."]]) or not is_macro
    is_typed = match.language in {"java", "csharp"} or are_typed
    are_named = all(re.search(r"[\w>\]?]\s+\w+$", to_code(part)) for part in parts)
    is_expression = not are_named and any(token.text in {".", "&&"} for token in inside)
    return has_type and is_typed and not (is_call or is_expression)


_PARSERS: dict[Kind, Callable[[ParsedStatement, _Match], ParsedStatement | None]] = {
    Kind.IMPORT: lambda one, _: replace(one, value=re.sub(r"\(\s*|,?\s*\)|;", "", one.value)),
    Kind.FUNCTION: _parse_function,
    Kind.TYPE: _parse_type,
    Kind.CONDITION: _parse_heading,
    Kind.LOOP: _parse_heading,
    Kind.SCOPE: _parse_heading,
    Kind.CATCH: _parse_catch,
    Kind.ASSIGNMENT: _parse_assignment,
    Kind.CALL: _parse_call,
}
"""Parsers of the parts of a statement, by kind; other kinds need none."""


def _parameters(tokens: Tokens, language: str | None) -> Iterator[tuple[str, str]]:
    listed = lexer.split(tokens, angles=True)
    for index, part in enumerate(listed):
        text = to_code(part)
        if re.match(r"(?:[*&]|mut\s|'\w+\s)*(?:self|cls|this)\b(?!\.)|(?:[*/]|void)$", text):
            continue
        words = re.findall(patterns.NAME, re.split(r"=|(?<!:):(?!:)", Outline(part).text)[0])
        name = text if part[0].text in lexer.CLOSING or not words else words[-1]
        if language == "elixir":  # a pattern, with a name before or after it
            name = next(filter(str.isidentifier, re.split(r"\s*=\s*", text)), text)
        if language == "go" and words:
            name = words[0]
            type_text = next((to_code(typed[1:]) for typed in listed[index:] if len(typed) > 1), "")
            text = f"{name} {type_text}" if len(part) == 1 and type_text else text
        yield name, text


def _parse_row(tokens: Tokens, language: str | None) -> ParsedStatement:
    """Parse a row of a settings file: a key with its value, a heading, or an item."""
    tokens = _without_end(tokens)
    text, closed = to_code(tokens), lexer.close_brackets(tokens)
    parsed = ParsedStatement(Kind.ROW, text=closed.removeprefix("- "), tokens=tuple(tokens))
    if not text.strip("{}[]() ") or text.startswith("</"):
        return replace(parsed, tokens=())
    for kind, match in patterns.matches(patterns.SETTINGS, text, language):
        name = re.sub(r"^([\"'])(.*)\1$", r"\2", match["name"])
        value = match["value"] + closed[len(text) :]
        return replace(parsed, kind=kind, name=name, value=value, operator="=")
    return parsed
