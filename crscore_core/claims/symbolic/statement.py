"""Parse statements: their kind, and what they define, set, call, check or return."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from crscore_core.claims.symbolic import brackets, patterns
from crscore_core.claims.symbolic.brackets import CLOSERS, Outline, Tokens
from crscore_core.claims.symbolic.lexis import BY_ROW, LINKS, Token, code_of
from crscore_core.claims.symbolic.patterns import Kind

_MAX_OUTLINE = 400
"""Maximum characters of an outline that patterns match; longer statements are only compared."""

_MAX_NESTED_BLOCKS = 5
"""Maximum depth of nested blocks on a row."""

_BLOCK_WORD = re.compile(r"\s*(?:;\s*)?(?:\b(?:then|do|else))?$")
_CAUGHT = re.compile(r"^\w+\s*:\s*|(?:\s+as|\s*=>|(?<=[\w&*>.]))\s+[*&]*\$?\w+$")
"""The variable of a caught error, before or after its type."""


class Parameter(NamedTuple):
    """The name and the code of a parameter."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """The kind and the parts of a statement.

    name: what it defines, sets or calls.
    value: what it assigns, checks, iterates over, calls or returns, or the head of a definition
        without its parameters.
    operator: the sign between name and value, or the keyword before the value.
    text: its code.
    keyword: the keyword of a type, such as `class`.
    is_declared: True if an assignment declares a variable, with its type or a word such as `let`.
    """

    kind: Kind
    name: str = ""
    value: str = ""
    operator: str = ""
    text: str = ""
    keyword: str = ""
    is_declared: bool = False
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
        if self.kind is Kind.IMPORT:
            texts = [text for text in texts if text not in "()"]
        return tuple(texts) or (self.value,)


def parse_line(
    tokens: Tokens, language: str | None, depth: int = 0
) -> Iterator[tuple[ParsedStatement, int]]:
    """Yield the statements of a logical line, each with its depth below the first.

    A heading, the statements of its block on the same row, and a modifier of Ruby are separate.
    """
    if language in BY_ROW:
        row = _parse_row(tokens, language)
        if row.tokens:
            yield row, depth
        return
    code = _without_closers(tokens)
    if not code or (len(code) == 1 and code[0].text in brackets.CLOSER_OF):
        return
    outline = Outline(code)
    end = _head_end(outline, language) if depth < _MAX_NESTED_BLOCKS else len(code)
    is_code = language not in patterns.NO_CODE and code[0].text != "<"
    parts = brackets.split(code, ";") if is_code else [code]
    if end < len(code):
        yield parse_statement(code[:end], language, is_head=True), depth
        for part in brackets.split(_body(code[end:]), ";"):
            yield from parse_line(part, language, depth + 1)
    elif len(parts) > 1:
        for part in parts:
            yield from parse_line(part, language, depth)
    elif language == "ruby" and (modified := patterns.MODIFIER.match(outline.text)):
        condition = outline.index_at(modified.end())
        yield parse_statement(code[condition:], language), depth
        yield from parse_line(code[:condition], language, depth + 1)
    else:
        yield parse_statement(code, language), depth


def _without_closers(tokens: Tokens) -> Tokens:
    """Return tokens after the brackets that close blocks.

    Return nothing if these are followed by further arguments of a call that contains the block.
    """
    start = 0
    while start < len(tokens) and tokens[start].text in {*CLOSERS, ";", ","}:
        start += 1
    is_after_block = start > 1 and tokens[1].text == "," and tokens[0].text in CLOSERS
    code = tokens[start:]
    return () if is_after_block and brackets.closing_surplus(code) > 0 else code


def _body(tokens: Tokens) -> Tokens:
    """Return tokens after the head of a block without the signs around the block."""
    while tokens and tokens[0].text in {"{", ":", "then", "do", ";"}:
        tokens = tokens[1:]
    return tokens[:-1] if tokens and tokens[-1].text in {"}", "end"} else tokens


def _head_end(outline: Outline, language: str | None) -> int:
    """Return the index at which the head of a block ends, or the length if there is no block."""
    if len(outline.text) >= _MAX_OUTLINE or language in patterns.NO_CODE:
        return len(outline.tokens)
    control = "parentheses" if language in patterns.PARENTHESISED else "brace"
    for head in ("bare", "case", "colon" if language == "python" else control, "definition"):
        if match := patterns.HEAD_ENDS[head].match(outline.text):
            end = outline.index_at(len(match[0].rstrip()))
            parsed = parse_statement(outline.tokens[:end], language, is_head=True)
            if head != "definition" or parsed.kind in patterns.DEFINITIONS:
                return end
    return len(outline.tokens)


def parse_statement(
    tokens: Tokens, language: str | None, *, is_head: bool = False
) -> ParsedStatement:
    """Parse one statement; `is_head` is True if a block follows."""
    if language in BY_ROW:
        return _parse_row(tokens, language)
    is_item = len(tokens) > 1 and tokens[-1].text == ","
    whole = tokens = _without_end(tokens)
    if len(tokens) > 1 and tokens[-1].text in {"{", ":"} and language not in patterns.NO_CODE:
        own_brace = tokens[-1].text == "{"
        is_head = brackets.closing_surplus(tokens) >= -own_brace  # no other bracket is open
        tokens = tokens[:-1]
        whole = whole if own_brace else tokens
    text, outline = brackets.close_brackets(tokens), Outline(tokens)
    parsed = ParsedStatement(Kind.OTHER, text=brackets.close_brackets(whole), tokens=tuple(whole))
    if language in patterns.NO_CODE:
        return replace(parsed, kind=Kind.ROW)
    if len(outline.text) > _MAX_OUTLINE or text.startswith("<"):
        return parsed
    test = patterns.TEST.match(text)
    if test and (is_head or code_of(tokens).endswith((")", "}", "do", "|", "=>"))):
        return replace(parsed, kind=Kind.TEST, name=test[1], value=test[1])
    head = replace(parsed, text=text, tokens=tuple(tokens))  # without the brace of the block
    for kind, match in patterns.matches(patterns.PATTERNS, outline.text, language):
        draft = replace(head if kind in patterns.BLOCKS else parsed, kind=kind)
        found = _Found(match, outline, draft, language, is_head=is_head)
        statement = _parse_parts(found)
        if statement and not (is_item and kind is Kind.IMPORT):
            return statement
    return parsed


def _without_end(tokens: Tokens) -> Tokens:
    """Return tokens without final commas, semicolons and brackets that are not opened."""
    n_closers = brackets.closing_surplus(tokens)
    while len(tokens) > 1 and (
        tokens[-1].text in ",;" or (n_closers > 0 and tokens[-1].text in CLOSERS)
    ):
        n_closers -= tokens[-1].text in CLOSERS
        tokens = tokens[:-1]
    return tokens


@dataclass(frozen=True, slots=True)
class _Found:
    """A statement that matches the pattern of its kind; its parts are still to be examined."""

    match: re.Match[str]
    outline: Outline
    parsed: ParsedStatement
    language: str | None
    is_head: bool

    def tokens(self, group: str) -> Tokens:
        """Return the tokens of a group of the match."""
        return self.outline.tokens_of(self.match, group)

    def code(self, group: str) -> str:
        """Return the code of a group of the match."""
        return code_of(self.tokens(group))


def _parse_parts(found: _Found) -> ParsedStatement | None:
    """Parse the parts of a statement; None if they do not fit its kind."""
    name, kind = found.code("name"), found.parsed.kind
    words = " ".join(found.code(group) for group in ("result", "declared", "keyword"))
    is_keyword = bool(patterns.KEYWORDS & set(re.findall(r"\w+", words) or [name]))
    if name in patterns.NO_CALL or (is_keyword and kind is not Kind.CALL):
        return None
    value = found.code("value")
    has_value = found.match.groupdict().get("value") is not None
    if has_value and found.match.end("value") == len(found.outline.text):
        start = found.outline.index_at(found.match.start("value"))
        value = brackets.close_brackets(found.parsed.tokens[start:])
    operator, keyword = found.code("operator"), found.code("keyword")
    parsed = replace(found.parsed, name=name, value=value, operator=operator, keyword=keyword)
    parse = _PARSERS.get(kind)
    return parse(replace(found, parsed=parsed)) if parse else parsed


def _parse_import(found: _Found) -> ParsedStatement:
    return replace(found.parsed, value=re.sub(r"\(\s*|,?\s*\)|;", "", found.parsed.value))


def _parse_type(found: _Found) -> ParsedStatement | None:
    parsed = found.parsed
    is_head = found.is_head or re.match(r"\s*(?:[:=]|final\b|$)", found.match["tail"])
    if found.language in {"c", "cpp"} and not is_head:  # a variable of the type
        return None
    target = re.search(r"\sfor\s+([\w:]+)", parsed.text) if parsed.keyword == "impl" else None
    return replace(parsed, name=target[1] if target else parsed.name, value=parsed.text)


def _parse_heading(found: _Found) -> ParsedStatement:
    parsed = found.parsed
    value = _unwrapped(parsed.value, found.match["value"])
    if found.outline.text.startswith(("unless", "guard")):
        value = f"not ({value})" if " " in value else f"not {value}"
    name = "" if parsed.kind is Kind.CONDITION else parsed.text
    return replace(parsed, name=name, value=value)


def _parse_catch(found: _Found) -> ParsedStatement:
    if found.language in {"javascript", "typescript"}:  # errors are caught without a type
        return replace(found.parsed, value="")
    value = found.parsed.value.removeprefix("*").strip()  # except*
    value = _unwrapped(value, found.match["value"].lstrip("*"))
    return replace(found.parsed, value=_CAUGHT.sub("", value))


def _unwrapped(code: str, outline: str) -> str:
    """Return a condition without its outer parentheses and the keyword that follows."""
    code = _BLOCK_WORD.sub("", code)
    return code[1:-1].strip() if _BLOCK_WORD.sub("", outline).strip() == "()" else code


def _parse_assignment(found: _Found) -> ParsedStatement | None:
    parsed = found.parsed
    values = brackets.split(found.tokens("value"))
    if len(values) > 1 and found.language in patterns.PARENTHESISED:  # such as `int a = 1, b`
        return None
    if found.language == "shell" and " " in parsed.name:
        return None
    operator = parsed.operator or "=" * bool(parsed.value)
    return replace(parsed, operator=operator, is_declared=bool(found.code("declared")))


def _parse_call(found: _Found) -> ParsedStatement:
    called = found.parsed.tokens[found.parsed.tokens[0].text in LINKS :]
    text = brackets.close_brackets(called)
    return replace(found.parsed, value=text, text=text, tokens=called)


def _parse_function(found: _Found) -> ParsedStatement | None:
    """Parse a function; its value is its head without the parameters."""
    parsed, match, outline = found.parsed, found.match, found.outline
    group = "listed" if found.code("listed") else "parameters"
    listed = found.tokens(group)
    inside = listed[1:-1] if listed and listed[0].text == "(" else listed
    if "result" in match.groupdict() and not _declares_function(found, inside):
        return None
    name, value = parsed.name, parsed.value
    if owner := re.search(r"(\w+)\W*(?:\[.*)?\)$", found.code("receiver")):
        name = f"{owner[1]}.{name}"
    if not value:
        head, tail = (outline.index_at(end) for end in match.span(group))
        value = f"{code_of(outline.tokens[:head])}(…) {code_of(outline.tokens[tail:])}".strip()
        value = value if listed else parsed.text
    operator, parameters = "=" * bool(parsed.value), tuple(_parameters(inside, found.language))
    return replace(parsed, name=name, value=value, operator=operator, parameters=parameters)


def _declares_function(found: _Found, inside: Tokens) -> bool:
    """Return True if code with parentheses after a name is a function rather than a call."""
    if inside and inside[0].text[0] in "\"'":
        return False
    if found.is_head:
        return True
    has_type = bool(found.match["result"]) or found.match.start("name") > 0
    is_typed = found.language in {"java", "csharp"} or all(
        len(part) > 1 or part[0].text in {"void", "..."}
        for part in brackets.split(inside, angles=True)
    )
    return has_type and is_typed and not any(token.text in {".", "&&"} for token in inside)


_PARSERS: dict[Kind, Callable[[_Found], ParsedStatement | None]] = {
    Kind.IMPORT: _parse_import,
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


def _parameters(tokens: Tokens, language: str | None) -> Iterator[Parameter]:
    listed = brackets.split(tokens, angles=True)
    for index, part in enumerate(listed):
        text = code_of(part)
        if re.match(r"(?:[*&]|mut\s|'\w+\s)*(?:self|cls|this)\b(?!\.)|(?:[*/]|void)$", text):
            continue
        words = re.findall(patterns.NAME, re.split(r"=|:(?!:)", Outline(part).text)[0])
        name = text if part[0].text in brackets.CLOSER_OF or not words else words[-1]
        if language == "go" and words:
            name = words[0]
            type_text = next((code_of(typed[1:]) for typed in listed[index:] if len(typed) > 1), "")
            text = f"{name} {type_text}" if len(part) == 1 and type_text else text
        yield Parameter(name, text)


def _parse_row(tokens: Tokens, language: str | None) -> ParsedStatement:
    """Parse a row of a settings file: a key with its value, a heading, or an item."""
    while len(tokens) > 1 and tokens[-1].text in {",", ";"}:
        tokens = tokens[:-1]
    text, closed = code_of(tokens), brackets.close_brackets(tokens)
    parsed = ParsedStatement(Kind.ROW, text=closed.removeprefix("- "), tokens=tuple(tokens))
    if not text.strip("{}[]() ") or text.startswith("</"):
        return replace(parsed, tokens=())
    for kind, match in patterns.matches(patterns.SETTINGS, text, language):
        name = match["name"].strip("\"'")
        value = match["value"] + closed[len(text) :]
        return replace(parsed, kind=kind, name=name, value=value, operator="=")
    return parsed
