"""Parse a statement into its sort and parts."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from crscore_core.claims.symbolic.grammar import Sort, has_grammar, sort_of, statement_node

if TYPE_CHECKING:
    from tree_sitter import Node

HEADINGS = frozenset(
    {
        Sort.FUNCTION, Sort.TYPE, Sort.CONDITION, Sort.ELSE, Sort.CASE, Sort.LOOP, Sort.SCOPE,
        Sort.TRY, Sort.CATCH, Sort.FINALLY,
    }
)  # fmt: skip
"""Sorts of statements that contain others."""

DEFINITIONS = frozenset({Sort.FUNCTION, Sort.TYPE})
"""Sorts of statements that define names for other code."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as written; `default` may be empty."""

    name: str
    text: str
    default: str = ""
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Parts:
    """A parsed statement.

    `name` is what it defines, sets, calls or throws; `value` what it passes, checks, iterates over
    or returns; `text` the code, with an ellipsis if it continues in rows read separately.
    `operator` is the sign between name and value, or the word before the value. `body` is the
    statement on the same line as its heading. `node` is the tree to compare.
    """

    sort: Sort
    name: str = ""
    value: str = ""
    operator: str = ""
    text: str = ""
    parameters: tuple[Parameter, ...] = ()
    modifiers: tuple[str, ...] = ()
    result: str = ""
    noun: str = ""
    body: "Parts | None" = None
    node: "Node | None" = None


_LEADING = re.compile(r"^(?:[\s})\];,]+|\.(?=\w)|\?\.|->)+")
_CHAINED = re.compile(r"^[\s})\];,]*(?:\.|\?\.|->)")
_DECORATOR = re.compile(r"^@[A-Za-z][\w.]*(?:\(.*\))?$")
_ATTRIBUTE = re.compile(r"^\[[A-Z]\w*(?:\(.*\))?\]$")
_DATA = frozenset({"json", "yaml", "toml", "ini"})
_NO_CODE = frozenset({"sql", "html", "xml", "css", "markdown"})
_OPEN_END = ("{", "(", "[", "=>", "->", "do", "|")


@lru_cache(maxsize=8192)
def read_statement(text: str, language: str | None) -> Parts:
    """Return the parts of a statement; use only tokens if its language has no grammar."""
    code = _LEADING.sub("", text).strip()
    plain = code.rstrip(",; ")
    if language in _DATA:
        return replace(_setting(plain), text=plain.removeprefix("- "), noun="row")
    if language == "go" and re.match(r'^(?:[\w.]+\s+)?"[\w./-]+"$', code):
        return _imported(None, code)
    decorator = {"ruby": None, "csharp": _ATTRIBUTE}.get(language or "", _DECORATOR)
    if decorator and decorator.match(code):
        return Parts(Sort.DECORATOR, value=code, text=code)
    clause = None if _CHAINED.match(text) else _clause(code, language)
    node = statement_node(code, language) if clause is None else None
    if node is not None:
        parts = _parts(node, code) or Parts(Sort.OTHER, text=plain, node=node)
        is_open = code.endswith(_OPEN_END) and parts.sort not in HEADINGS
        if is_open:
            return _abridged(parts, source_of(node))
    else:
        parts = clause or (Parts(Sort.OTHER) if language in _NO_CODE else _by_tokens(plain))
        if parts.sort is Sort.OTHER and not has_grammar(language):
            parts = replace(parts, noun="row")
    return replace(parts, text=_head(plain) if parts.sort in HEADINGS else plain)


_COMPLETED = re.compile(r"([({\[])\s*([)}\]]+;?)$|\s()(end)$")


def _abridged(parts: Parts, source: str) -> Parts:
    """Mark where the code of a statement continues in rows that are read separately."""

    def marked(text: str) -> str:
        return _COMPLETED.sub(lambda m: f"{m[1]}…{m[2]}" if m[1] else " … end", text)

    return replace(parts, value=marked(parts.value), text=marked(source.rstrip(",; ")))


_KEY = re.compile(
    r"""^(?:-\s+)?(?:"([^"]+)"|'([^']+)'|([\w.$/@*-]+))(?:\s*:(?:\s+|$)|\s*=\s*)(.*)$"""
)


def _setting(text: str) -> Parts:
    """Parse a line of a settings file: a key with its value, a heading, or an item."""
    if section := re.match(r"^\[+([^\]]+)\]+$", text):
        return Parts(Sort.SCOPE, section[1])
    if match := _KEY.match(text):
        key, value = match[1] or match[2] or match[3], match[4].strip()
        is_heading = value in {"", "{", "["}
        return Parts(Sort.SCOPE if is_heading else Sort.ENTRY, key, value)
    return Parts(Sort.OTHER)


_ELSE = re.compile(r"^(?:else\s+if|elseif|elsif|elif|else)\b\s*")
_CATCH = re.compile(r"^(?:catch|except|rescue)\b\s*(.*?)\s*(?:[{:]\s*(?:\}|pass)?)?$")
_CASE = re.compile(r"^(?:case\b(.*?)|default\s*|when\s(.*?)(?:\bthen)?):?$")
_WORDS = {
    "finally": Sort.FINALLY, "ensure": Sort.FINALLY, "try": Sort.TRY, "begin": Sort.TRY,
}  # fmt: skip


def _clause(code: str, language: str | None) -> Parts | None:
    """Parse a clause of a previous statement; grammars reject it on its own."""
    if match := _ELSE.match(code):
        rest = code[match.end() :]
        if match[0].strip() != "else":
            return Parts(Sort.CONDITION, value=_bare(rest), noun="else")
        body = rest.strip("{:} ")
        return Parts(Sort.ELSE, body=read_statement(body, language) if body else None)
    if match := _CATCH.match(code):
        caught = re.sub(r"\s+as\s+\w+$|\s*=>\s*\w+$", "", match[1])
        if _is_enclosed(caught):
            caught = caught[1:-1].strip()
            if language != "python":
                caught = re.sub(r"[\s&*$]*\s[\s&*$]*\w+$", "", caught.removeprefix("final "))
        return Parts(Sort.CATCH, value=caught.strip())
    if sort := _WORDS.get(code.rstrip("{: ")):
        return Parts(sort)
    is_case = code.endswith(":") or (language == "ruby" and code.startswith("when "))
    if is_case and (match := _CASE.match(code)):
        return Parts(Sort.CASE, value=(match[1] or match[2] or "").strip())
    return None


_WRAPPERS = frozenset(
    "expression_statement export_statement await await_expression lexical_declaration "
    "variable_declaration global_statement template_declaration linkage_specification "
    "parenthesized_expression labeled_statement type_declaration ambient_declaration "
    "body_statement argument expression_list statement_list block compound_statement "
    "translation_unit source_file program compilation_unit declaration_list class_body "
    "field_declaration_list array_initializer initializer_expression co_await_expression "
    "literal_element".split()
)
_NOT_FIRST = frozenset(
    "modifiers modifier visibility_modifier accessibility_modifier template_parameter_list".split()
)


def _parts(node: "Node", code: str) -> Parts | None:
    """Return the parts of a parsed statement; None if there is nothing beyond its text."""
    current: Node | None = node
    while current is not None:
        if sort := sort_of(current.type):
            read = _READERS.get(sort)
            return read(current, code) if read else Parts(sort, node=current)
        is_wrapper = current.type in _WRAPPERS
        children = [c for c in current.named_children if c.type not in _NOT_FIRST]
        current = children[0] if children and is_wrapper else None
    return None


def source_of(node: "Node | None") -> str:
    """Return the code of a node on one line."""
    return "" if node is None else " ".join((node.text or b"").decode("utf-8", "replace").split())


def _field(node: "Node | None", *names: str) -> "Node | None":
    if node is None:
        return None
    return next((child for name in names if (child := node.child_by_field_name(name))), None)


def _first(nodes: "Iterable[Node]", *types: str) -> "Node | None":
    return next((node for node in nodes if not types or node.type in types), None)


def _head(code: str) -> str:
    """Return a heading without the sign that opens its block."""
    return re.sub(r"\s*(?:\{\s*\}?|:(?:\s*pass)?|;|\bthen|\bdo)$", "", code.strip()).strip()


def _bare(condition: str) -> str:
    text = _head(condition)
    return text[1:-1].strip() if _is_enclosed(text) else text


def _is_enclosed(text: str) -> bool:
    """Return True if the first bracket of `text` closes at its end."""
    depth = 0
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return index == len(text) - 1 > 0
    return False


_IMPORTING = re.compile(
    r"^(?:import|using|use|package|#\s*include|require_once|include_once|require_relative|require"
    r"|include)\b\s*"
)


def _imported(_: "Node | None", code: str) -> Parts:
    return Parts(Sort.IMPORT, value=_IMPORTING.sub("", code).rstrip("; {").strip("()"))


def _block(node: "Node", code: str) -> Parts:
    value = _field(node, "condition", "right", "value", "subject")
    return Parts(sort_of(node.type) or Sort.SCOPE, _head(code), _bare(source_of(value)), node=node)


_BLOCKS = frozenset({"block", "compound_statement", "statement_block", "then"})


def _condition(node: "Node", _: str) -> Parts:
    condition = _field(node, "condition")
    value = _bare(source_of(condition))
    if node.type.startswith("unless"):
        value = f"not ({value})" if " " in value else f"not {value}"
    inner = _field(node, "consequence", "body")
    if inner is not None and inner.type in _BLOCKS:
        inner = _first(inner.named_children)
    body, code = None, source_of(inner).rstrip("; ")
    if inner is not None and code not in {"", "pass", "end"}:
        body = replace(_parts(inner, code) or Parts(Sort.OTHER), text=code)
    return Parts(Sort.CONDITION, value=value, body=body, node=condition)


def _given(node: "Node", code: str) -> Parts:
    """Parse a statement that returns, yields or throws."""
    sort, value = sort_of(node.type) or Sort.RETURN, _first(node.named_children)
    word = code.split(maxsplit=1)[0].rstrip(";") if code else ""
    text = source_of(value)
    if len(node.named_children) > 1:
        text = code.removeprefix(word).strip().rstrip(";")
    name = ""
    if sort is Sort.RAISE and value is not None:
        thrown = _field(value, "function", "constructor", "type", "name", "method") or value
        name = "" if "string" in thrown.type or len(source_of(thrown)) > 60 else source_of(thrown)
    return Parts(sort, name, text, operator=word, node=value)


_MODIFIERS = frozenset(
    "public private protected internal static final abstract async virtual override sealed "
    "inline constexpr extern synchronized native readonly unsafe const explicit "
    "partial export".split()
)


def _modifiers(code: str, name: str) -> tuple[str, ...]:
    head = code.partition(name)[0] if name else code
    return tuple(word for word in re.findall(r"\b\w+\b", head) if word in _MODIFIERS)


def _function(node: "Node", code: str, name: str = "") -> Parts:
    """Parse the heading of a function; `name` is the variable that it is assigned to."""
    declarator = _field(node, "declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = _field(declarator, "declarator") or _first(
            declarator.named_children, "function_declarator"
        )
    name = source_of(_field(declarator, "declarator") or _field(node, "name")) or name
    if not name or name.startswith("("):  # a function pointer has no name
        return Parts(Sort.OTHER, node=node)
    if owner := re.search(r"(\w+)\s*(?:\[.*\])?\)$", source_of(_field(node, "receiver"))):
        name = f"{owner[1]}.{name}"
    listed = _field(declarator or node, "parameters", "parameter")
    parameters = [] if listed is None else listed.named_children or [listed]
    return Parts(
        Sort.FUNCTION,
        name,
        parameters=tuple(p for child in parameters for p in _parameters(child)),
        modifiers=_modifiers(code, name.rpartition(".")[2]),
        result=source_of(_field(node, "return_type", "returns", "result", "type")).lstrip(":-> "),
        noun=next((n for n in ("constructor", "signature") if n in node.type), "function"),
        node=node,
    )


_NO_PARAMETER = frozenset(
    "comment attribute_list keyword_separator positional_separator formal_parameters "
    "parameter_list method_parameters parameters".split()
)
_OPTIONAL = re.compile(r"optional|splat|rest|variadic|spread|block_parameter")


def _parameters(node: "Node") -> list[Parameter]:
    text = source_of(node)
    if node.type in _NO_PARAMETER or re.match(
        r"^(?:[*&\s]*(?:mut )?)?(?:self|cls|this)\b(?!\.)", text
    ):
        return []
    default = source_of(_field(node, "value", "default_value", "right"))
    if not default and node.type == "parameter":  # C# has no field for it
        default = text.partition("=")[2].strip()
    is_optional = bool(default) or bool(_OPTIONAL.search(node.type)) or "..." in text
    names = list(map(source_of, node.children_by_field_name("name")))
    if len(names) > 1:  # Go states the type of several parameters once
        kind = source_of(_field(node, "type"))
        return [Parameter(name, f"{name} {kind}", "", is_optional) for name in names]
    name = source_of(_field(node, "name", "pattern", "left", "declarator"))
    words = re.findall(r"[$\w]+", text.partition("=")[0].partition(":")[0]) or [text]
    return [Parameter((name or words[-1]).lstrip("*&"), text, default, is_optional)]


_TYPE_NOUNS = re.compile(
    r"\b(class|interface|enum|struct|trait|record|module|namespace|type|union|delegate)\b"
)


def _type(node: "Node", code: str) -> Parts:
    named = _field(node, "name", "left", "declarator") or next(
        (c for c in node.named_children if c.type.endswith(("identifier", "name", "constant"))),
        None,
    )
    name, head = source_of(named), _head(code)
    if not name:
        return Parts(Sort.OTHER, node=node)
    noun = _TYPE_NOUNS.search(head.partition(name)[0].rpartition(">")[2])
    return Parts(
        Sort.TYPE,
        name,
        head.partition(name)[2].strip(),
        modifiers=_modifiers(code, name),
        noun=noun[1] if noun else "type",
        node=node,
    )


_DECLARED = (
    "variable_declarator", "init_declarator", "property_element", "const_element", "var_spec",
    "const_spec",
)  # fmt: skip
_FUNCTIONS = frozenset(
    "arrow_function function_expression generator_function lambda lambda_expression "
    "func_literal".split()
)


_TYPED = re.compile(r"^(?:void|\.\.\.|[\w:<>,\s]+[*&\s]+\w*(?:\s*=.*)?)$")


def _assignment(node: "Node", code: str) -> Parts:
    """Parse an assignment into its target and value."""
    outer = _first(node.named_children, "variable_declaration") or node
    declared = node if node.type in _DECLARED else _first(outer.named_children, *_DECLARED)
    target = declared or node
    left = _field(target, "left", "name", "property", "declarator", "argument", "operand")
    left = left or _first(target.named_children)
    right = _field(target, "right", "value", "default_value")
    has_value = declared is not None and "=" in source_of(declared)
    if right is None and has_value and target.named_children[-1] != left:
        right = target.named_children[-1]  # C# has no field for it
    name = source_of(left)
    name = name.lstrip("*& ") if declared is not None else name
    if not re.search(r"\w", name) or (declared is not None and name.startswith("(")):
        return Parts(Sort.OTHER, node=node)
    if right is not None and right.type in _FUNCTIONS:
        return _function(right, code, name)
    if source_of(_field(right, "function")) == "require":  # an import in Node.js
        return Parts(Sort.IMPORT, value=source_of(_field(right, "arguments")).strip("()"))
    prototype = _first(
        [n for n in (left, _field(left, "declarator"), *target.named_children) if n],
        "function_declarator",
    )
    if right is None and prototype is not None:
        listed = _field(prototype, "parameters")
        typed = [_TYPED.match(source_of(c)) for c in listed.named_children] if listed else []
        if all(typed) and _field(node, "type"):
            return _function(node, code)
        return Parts(Sort.OTHER, node=node)  # the construction of a variable
    operator = source_of(_field(target, "operator")) or ("=" if right is not None else "")
    if node.type in {"update_expression", "inc_statement", "dec_statement"}:
        operator = "--" if "--" in code else "++"
    return Parts(
        Sort.ASSIGNMENT,
        name,
        source_of(right),
        operator,
        modifiers=_modifiers(code, name),
        result=next(
            filter(None, (source_of(_field(n, "type")) for n in (node, outer, target))), ""
        ).lstrip(": "),
        noun="declaration" if declared is not None else "",
        node=right if right is not None else node,
    )


def _call(node: "Node", code: str) -> Parts:
    if node.type in {"defer_statement", "go_statement"} and node.named_children:
        node = node.named_children[0]
    name = callee_of(node)
    if name in {"require", "require_relative"}:
        arguments = _field(node, "arguments", "argument_list")
        return Parts(Sort.IMPORT, value=source_of(arguments).strip("()"))
    is_keyword = "(" not in code or node.type.endswith("_statement")
    if "{" in name or is_keyword:  # a call of an inline function
        return Parts(Sort.OTHER, node=node)
    return Parts(Sort.CALL, name, node=node)


def callee_of(node: "Node") -> str:
    """Return the dotted name of the called function."""
    function = _field(node, "function", "constructor", "method", "name", "type")
    receiver = _field(node, "object", "receiver", "scope")
    name = source_of(function) or source_of(_first(node.named_children))
    if receiver is None:
        return name
    mark = "->" if node.type.endswith("member_call_expression") else "."
    mark = "::" if node.type == "scoped_call_expression" else mark
    return f"{source_of(receiver)}{mark}{name}"


def _entry(node: "Node", code: str) -> Parts:
    children = node.named_children
    key = _field(node, "key", "name") or _first(children)
    value = _field(node, "value") or (children[-1] if len(children) > 1 else None)
    if value is not None and value.type in _FUNCTIONS:
        return _function(value, code, source_of(key))
    if node.type == "pair" and key is not None and key.type == "identifier":  # a typed parameter
        return Parts(Sort.OTHER, node=node)
    return Parts(Sort.ENTRY, source_of(key), source_of(value), node=node)


_READERS: "dict[Sort, Callable[[Node, str], Parts]]" = {
    Sort.IMPORT: _imported,
    Sort.FUNCTION: _function,
    Sort.TYPE: _type,
    Sort.CONDITION: _condition,
    Sort.LOOP: _block,
    Sort.SCOPE: _block,
    Sort.RETURN: _given,
    Sort.RAISE: _given,
    Sort.ASSIGNMENT: _assignment,
    Sort.CALL: _call,
    Sort.ENTRY: _entry,
}

_BEFORE = (
    r"^(?:(?:pub(?:\([^)]*\))?|export|default|public|private|protected|internal|abstract|final"
    r"|sealed|static|partial|open|data|async|unsafe|override|suspend|inline)\s+)*"
)
_LOOSE = {
    Sort.FUNCTION: _BEFORE + r"(?:def|func|fn|fun|function)\s+(?:\([^)]*\)\s*)?(?:<[^>]*>\s*)?"
    r"(?P<name>[\w.:]+[?!]?)",
    Sort.TYPE: _BEFORE + r"(?P<noun>class|interface|struct|enum|trait|record|object|protocol|module"
    r"|namespace|impl)\s+(?P<name>[\w.]+)(?:<[^>]*>)?(?=\s|[({:]|$)(?!\s*=)\s*(?P<value>.*?)[{:,\s]*$",
    Sort.CONDITION: r"^(?:if|unless|guard)\b(?P<value>.+)(?:\{|:|\bthen)$",
    Sort.IMPORT: r"^(?:import|from|#\s*include|use)\b\s*(?P<value>.*)$",
}
_LOOSE_PATTERNS = {sort: re.compile(pattern) for sort, pattern in _LOOSE.items()}


def _by_tokens(code: str) -> Parts:
    """Recognise the most common statements by their first word and punctuation."""
    for sort, pattern in _LOOSE_PATTERNS.items():
        if match := pattern.match(code):
            found = {key: (value or "").strip() for key, value in match.groupdict().items()}
            value = _bare(found["value"]) if sort is Sort.CONDITION else found.get("value", "")
            return Parts(sort, found.get("name", ""), value, noun=found.get("noun", ""))
    return Parts(Sort.OTHER)
