"""Logical line -> statement: its sort and its parts, read from a tree of tree-sitter."""

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from threading import local
from typing import TYPE_CHECKING

from crscore_core.claims.symbolic.lexis import TokenKind, tokenize

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser


class Sort(StrEnum):
    """Sorts of statements that claims tell apart."""

    COMMENT = "comment"
    IMPORT = "import"
    DECORATOR = "decorator"
    FUNCTION = "function"
    TYPE = "type"
    CONDITION = "condition"
    ELSE = "else"
    CASE = "case"
    LOOP = "loop"
    SCOPE = "scope"
    TRY = "try"
    CATCH = "catch"
    FINALLY = "finally"
    RETURN = "return"
    RAISE = "raise"
    JUMP = "jump"
    ASSIGNMENT = "assignment"
    CALL = "call"
    ENTRY = "entry"
    OTHER = "other"


HEADINGS = frozenset(
    {
        Sort.FUNCTION, Sort.TYPE, Sort.CONDITION, Sort.ELSE, Sort.CASE, Sort.LOOP, Sort.SCOPE,
        Sort.TRY, Sort.CATCH, Sort.FINALLY,
    }
)  # fmt: skip
"""Sorts of statements that others stand in."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as written; `default` is empty where a call has to pass it."""

    name: str
    text: str
    default: str = ""
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Parts:
    """A statement that was read.

    `name` is what it defines, sets, calls or throws; `value` what it gives, checks, runs through
    or returns; `items` are arguments of a call. `operator` is the mark between name and value.
    `body` is the statement on the same line as its heading. `node` is the tree, for differences.
    """

    sort: Sort
    name: str = ""
    value: str = ""
    operator: str = ""
    items: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    modifiers: tuple[str, ...] = ()
    result: str = ""
    noun: str = ""
    body: "Parts | None" = None
    node: "Node | None" = None


_GRAMMARS = {
    "python": ("tree_sitter_python", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_tsx"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "go": ("tree_sitter_go", "language"),
    "php": ("tree_sitter_php", "language_php_only"),
    "ruby": ("tree_sitter_ruby", "language"),
}
_PARSERS = local()


@cache
def _language(name: str) -> "Language":
    from tree_sitter import Language

    module, function = _GRAMMARS[name]
    return Language(getattr(importlib.import_module(module), function)())


def _parser(language: str) -> "Parser":
    """Return this thread's parser of a language; a parser serves one thread at a time."""
    from tree_sitter import Parser

    parsers: dict[str, Parser] = _PARSERS.__dict__
    if language not in parsers:
        parsers[language] = Parser(_language(language))
    return parsers[language]


MAX_DEPTH = 60
"""Brackets within brackets of a statement that is parsed."""

_CLOSER = {"(": ")", "[": "]", "{": "}"}
_MEMBER = {
    "java": ("class X {\n", "\n}"), "javascript": ("class X {\n", "\n}"),
    "typescript": ("class X {\n", "\n}"), "csharp": ("class X {\n", "\n}"),
    "php": ("class X {\n", "\n}"), "cpp": ("struct X {\n", "\n};"), "c": ("struct X {\n", "\n};"),
    "go": ("package p\ntype X struct {\n", "\n}\n"),
}  # fmt: skip
_BODY = {
    "c": ("void f() {\n", "\n}"),
    "cpp": ("void f() {\n", "\n}"),
    "go": ("package p\nfunc f() {\n", "\n}\n"),
}
_FILE = {"go": ("package p\n", "\n")}
_TABLE = {
    "python": ("{\n", "\n}"), "javascript": ("x = {\n", "\n}"), "typescript": ("x = {\n", "\n}"),
    "php": ("$x = [\n", "\n];"), "ruby": ("x = {\n", "\n}"),
    "go": ("package p\nvar x = X{\n", "\n}\n"), "csharp": ("var x = new X {\n", "\n};"),
}  # fmt: skip
_SEMICOLON = frozenset({"java", "c", "cpp", "csharp", "php"})
_RUBY_OPENERS = frozenset("if unless while until for case begin def class module".split())


def _frames(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield what may stand before and after a statement, likeliest first."""
    plain = ("", "\n")
    if text.endswith(",") and language in _TABLE:
        yield _TABLE[language]
    if language == "go" and text.startswith(("func ", "type ", "import ", "package ")):
        yield _FILE[language]
    if language in {"c", "cpp"} and text.endswith("{}"):
        yield plain
    yield _BODY.get(language, plain)
    yield plain
    if language in _MEMBER:
        yield _MEMBER[language]
    if language in _TABLE:
        yield _TABLE[language]


def _completed(text: str, language: str) -> str | None:
    """Close what `text` leaves open, and drop what closes more at its end.

    None where it closes what it did not open before its end.
    """
    stack: list[str] = []
    for token in tokenize(text, language):
        if token.kind is not TokenKind.MARK:
            continue
        if token.text in _CLOSER:
            stack.append(_CLOSER[token.text])
            if len(stack) > MAX_DEPTH:
                return None
        elif token.text in ")]}" and (not stack or stack.pop() != token.text):
            if text[token.start :].strip(")]};, "):
                return None
            text = text[: token.start].rstrip()
            break
    if text.endswith(("=>", "->")) and language != "ruby":
        text += " {}"
    if language == "python" and text.endswith(":"):
        text += " pass"
    if language == "ruby":
        first = text.split(maxsplit=1)[0]
        block = re.search(r"\bdo(?:\s*\|[^|]*\|)?$", text)
        if block or (first in _RUBY_OPENERS and not re.search(r"\bend\b|\bthen\b.*\bend$", text)):
            text += "\nend"
    closers = "".join(reversed(stack))
    if stack and text.endswith((",",)):
        text = text[:-1]
    return text + closers


@lru_cache(maxsize=8192)
def read_statement(text: str, language: str | None) -> Parts:
    """Return the parts of one statement; of a language without a grammar, its tokens decide."""
    code = _LEADING.sub("", text).strip()
    if language in _DATA:
        return _data(code, language)
    if language == "go" and re.match(r'^(?:[\w.]+\s+)?"[\w./-]+"$', code):
        return Parts(Sort.IMPORT, value=code)
    is_chained = text.lstrip().startswith((".", "?.", "->"))
    if not is_chained and (clause := _clause(code, language)):
        return clause
    if language in _GRAMMARS and code and (complete := _completed(code, language)):
        for before, after in _frames(complete, language):
            if node := _node(before, complete, after, language):
                return _parts(node, language, code) or Parts(Sort.OTHER, value=code, node=node)
    return _by_tokens(code, language)


_DATA = frozenset({"json", "yaml", "toml", "ini"})
_KEY = re.compile(r"""^(?:-\s+)?(?:"([^"]+)"|'([^']+)'|([\w.$/@*-]+))\s*[:=]\s*(.*)$""")


def _data(code: str, language: str | None) -> Parts:
    """Read a line of a file of settings: a key with its value, a heading, or an item."""
    text = code.rstrip(",").strip()
    if language in {"toml", "ini"} and (section := re.match(r"^\[+([^\]]+)\]+$", text)):
        return Parts(Sort.SCOPE, section[1])
    if match := _KEY.match(text):
        key, value = match[1] or match[2] or match[3], match[4].strip()
        if value in {"", "{", "["}:
            return Parts(Sort.SCOPE, key)
        return Parts(Sort.ENTRY, key, value)
    return Parts(Sort.OTHER, value=text)


_LEADING = re.compile(r"^(?:[\s})\];,]+|\.(?=\w)|\?\.|->)+")


def _node(before: str, code: str, after: str, language: str) -> "Node | None":
    """Parse a framed statement; return the node at its start, None if it does not fit."""
    inner = code.rstrip(",") if before.endswith("f() {\n") or not before else code
    endings = [""]
    if language in _SEMICOLON and "= " not in before and not code.endswith((";", ",", ":")):
        endings = ["", ";"] if code.endswith("}") else [";", ""]
    for ending in endings:
        source = f"{before}{inner}{ending}{after}"
        tree = _parser(language).parse(source.encode("utf-8", "replace"))
        if not tree.root_node.has_error:
            break
    else:
        return None
    start, node = len(before.encode("utf-8", "replace")), tree.root_node
    while node.start_byte < start or node.parent is None:
        child = next((c for c in node.named_children if c.end_byte > start), None)
        if child is None:
            return None
        node = child
        if node.start_byte >= start:
            break
    return node


_WORD = re.compile(r"^(?:@?\w+\??)")
_ELSE = re.compile(r"^(?:else\s+if|elseif|elsif|elif|else)\b\s*")
_CASE = re.compile(r"^(?:case|when|default)\b\s*(?!.*=>\s*\{?$)")
_CATCH = re.compile(r"^(?:catch|except|rescue)\b\s*")
_TRY = re.compile(r"^(?:try|begin)\b(?!.*\bend\b)")


def _clause(code: str, language: str | None) -> Parts | None:
    """Read a clause that belongs to a statement before it; grammars refuse one alone."""
    if match := _ELSE.match(code):
        rest = code[match.end() :]
        if match[0].strip() == "else":
            body = rest.strip().lstrip("{:").rstrip("}").strip()
            return Parts(Sort.ELSE, body=read_statement(body, language) if body else None)
        return Parts(Sort.CONDITION, value=_bare(rest), noun="else")
    if match := _CATCH.match(code):
        rest = re.sub(r"[{:]\s*(?:\}|pass)?$", "", code[match.end() :]).strip()
        rest = re.sub(r"\s+as\s+\w+$|\s*=>\s*\w+$", "", rest)
        rest = rest[1:-1] if rest.startswith("(") and rest.endswith(")") else rest
        if language in {"java", "csharp", "php", "cpp", "javascript", "typescript"}:
            rest = re.sub(r"\s+[$&]*\w+$", "", rest.removeprefix("final ").strip())
        return Parts(Sort.CATCH, value=rest.strip())
    if re.match(r"^(?:finally|ensure)\b\s*[{:]?$", code):
        return Parts(Sort.FINALLY)
    if re.match(r"^(?:try|begin)\b\s*[{:]?$", code):
        return Parts(Sort.TRY)
    if language != "python" and re.match(r"^(?:case\b.*|default\s*):$", code):
        return Parts(Sort.CASE, value=code.removeprefix("case").rstrip(":").strip())
    if language == "ruby" and code.startswith("when "):
        return Parts(Sort.CASE, value=code.removeprefix("when").removesuffix("then").strip())
    if language == "python" and re.match(r"^case\b.*:$", code):
        return Parts(Sort.CASE, value=code.removeprefix("case").rstrip(":").strip())
    return None


_TYPES: dict[Sort, str] = {
    Sort.IMPORT: "import_statement import_from_statement future_import_statement "
    "import_declaration using_directive namespace_use_declaration preproc_include import_spec "
    "package_declaration package_clause include_expression include_once_expression "
    "require_expression require_once_expression using_declaration",
    Sort.DECORATOR: "decorator annotation marker_annotation attribute_list attribute_group",
    Sort.FUNCTION: "function_definition function_declaration method_declaration "
    "method_definition constructor_declaration destructor_declaration method singleton_method "
    "local_function_statement generator_function_declaration function_signature "
    "method_signature abstract_method_signature operator_declaration compact_constructor_declaration",
    Sort.TYPE: "class_definition class_declaration abstract_class_declaration "
    "interface_declaration enum_declaration record_declaration struct_declaration class_specifier "
    "struct_specifier union_specifier enum_specifier trait_declaration type_spec type_alias class "
    "module namespace_definition namespace_declaration file_scoped_namespace_declaration "
    "type_alias_declaration type_definition annotation_type_declaration singleton_class "
    "internal_module alias_declaration delegate_declaration",
    Sort.CONDITION: "if_statement if unless if_modifier unless_modifier",
    Sort.LOOP: "for_statement for_in_statement enhanced_for_statement while_statement "
    "do_statement foreach_statement for_range_loop while until for while_modifier until_modifier",
    Sort.SCOPE: "with_statement using_statement lock_statement synchronized_statement "
    "switch_statement switch_expression match_statement expression_switch_statement "
    "type_switch_statement select_statement case match_expression preproc_ifdef preproc_if "
    "fixed_statement unsafe_statement checked_statement",
    Sort.TRY: "try_statement begin",
    Sort.RETURN: "return_statement return yield yield_statement co_return_statement",
    Sort.RAISE: "raise_statement throw_statement throw_expression",
    Sort.JUMP: "break_statement continue_statement goto_statement break next redo pass_statement "
    "fallthrough_statement",
    Sort.ASSIGNMENT: "assignment augmented_assignment assignment_expression "
    "augmented_assignment_expression variable_declarator short_var_declaration "
    "assignment_statement init_declarator operator_assignment field_definition "
    "public_field_definition var_spec const_spec property_element const_element update_expression "
    "inc_statement dec_statement field_declaration declaration local_variable_declaration "
    "local_declaration_statement property_declaration property_signature const_declaration "
    "var_declaration preproc_def reference_assignment_expression",
    Sort.CALL: "call call_expression method_invocation invocation_expression "
    "object_creation_expression new_expression function_call_expression member_call_expression "
    "scoped_call_expression nullsafe_member_call_expression explicit_constructor_invocation "
    "defer_statement go_statement delete_statement assert_statement echo_statement super "
    "print_intrinsic unset_statement delete_expression print_statement",
    Sort.ENTRY: "pair keyed_element array_element_initializer enumerator enum_constant "
    "enum_member_declaration element_value_pair enum_assignment keyword_argument",
}  # fmt: skip
_SORT_OF = {name: sort for sort, names in _TYPES.items() for name in names.split()}
_WRAPPERS = frozenset(
    "expression_statement export_statement await await_expression lexical_declaration "
    "variable_declaration global_statement template_declaration linkage_specification "
    "parenthesized_expression labeled_statement type_declaration import_spec_list ambient_declaration "
    "decorated_definition body_statement var_spec_list argument expression_list "
    "statement_list block compound_statement translation_unit source_file program module_body "
    "compilation_unit declaration_list class_body field_declaration_list array_element_initializer "
    "array_initializer initializer_expression co_await_expression statement element literal_element".split()
)
_NOT_FIRST = frozenset({"modifiers", "modifier", "visibility_modifier", "accessibility_modifier"})


def _parts(node: "Node", language: str, code: str) -> Parts | None:
    """Return the parts of a parsed statement, None for code that says no more than its text."""
    current: Node | None = node
    for _ in range(6):
        if current is None:
            return None
        if current.type in {"arrow_function", "function_expression", "lambda"}:
            return None
        if current.type == "decorated_definition" and code.startswith("@"):
            return Parts(Sort.DECORATOR, value=code)
        sort = _SORT_OF.get(current.type)
        if sort is not None:
            return _read(current, sort, language, code)
        if current.type not in _WRAPPERS:
            return None
        children = [c for c in current.named_children if c.type not in _NOT_FIRST]
        last = current.type in {"template_declaration", "linkage_specification"}
        current = children[-1 if last else 0] if children else None
    return None


def source_of(node: "Node | None") -> str:
    """Return the code of a node on one line."""
    return "" if node is None else " ".join((node.text or b"").decode("utf-8", "replace").split())


def _field(node: "Node", *names: str) -> "Node | None":
    return next((child for name in names if (child := node.child_by_field_name(name))), None)


def _bare(condition: str) -> str:
    """Return a condition without the brackets around it and the mark that opens its block."""
    text = re.sub(r"\s*(?:\{\s*\}?|:(?:\s*pass)?|\bthen)$", "", condition.strip()).strip()
    return text[1:-1].strip() if _is_enclosed(text) else text


def _is_enclosed(text: str) -> bool:
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return index == len(text) - 1
    return False


def _read(node: "Node", sort: Sort, language: str, code: str) -> Parts:
    match sort:
        case Sort.FUNCTION:
            read = _function(node, node, language, code)
            return read if read.name else Parts(Sort.OTHER, value=code, node=node)
        case Sort.TYPE:
            return _type(node, code)
        case Sort.IMPORT:
            return Parts(sort, value=_imported(code))
        case Sort.DECORATOR:
            return Parts(sort, value=code)
        case Sort.CONDITION:
            return _condition(node, language)
        case Sort.LOOP | Sort.SCOPE:
            head = re.sub(r"\s*(?:\{\s*\}?|:)$", "", code)
            value = _field(node, "condition", "right", "value", "subject")
            return Parts(sort, value=_bare(source_of(value)), name=head, node=node)
        case Sort.RETURN | Sort.RAISE:
            return _given(node, sort, code)
        case Sort.JUMP:
            return Parts(sort, name=code.rstrip(";"))
        case Sort.ASSIGNMENT:
            return _assignment(node, language, code)
        case Sort.CALL:
            return _call(node, language, code)
        case Sort.ENTRY:
            key = _field(node, "key", "name") or next(iter(node.named_children), None)
            value = _field(node, "value") or (
                node.named_children[-1] if len(node.named_children) > 1 else None
            )
            if value is not None and value.type in {"arrow_function", "function_expression"}:
                return _function(value, node, language, code, source_of(key))
            return Parts(sort, source_of(key), source_of(value), node=node)
    return Parts(sort, node=node)


def _imported(code: str) -> str:
    text = re.sub(
        r"^(?:import|using|use|package|#\s*include|require_once|include_once|require"
        r"|include|require_relative)\b\s*",
        "",
        code,
    )
    return text.rstrip("; {").strip("()")


def _condition(node: "Node", language: str) -> Parts:
    value = _field(node, "condition")
    text = _bare(source_of(value))
    if node.type.startswith("unless"):
        text = f"not ({text})" if " " in text else f"not {text}"
    body = _field(node, "consequence", "body")
    inner = None
    if body is not None:
        if body.type in {"block", "compound_statement", "statement_block", "then"}:
            inner = next(iter(body.named_children), None)
        else:
            inner = body
    text_of_body = source_of(inner)
    parts = None
    if inner is not None and text_of_body not in {"", "pass", ";"}:
        parts = _parts(inner, language, text_of_body) or Parts(Sort.OTHER, value=text_of_body)
    return Parts(Sort.CONDITION, value=text, body=parts, node=value)


def _given(node: "Node", sort: Sort, code: str) -> Parts:
    children = [c for c in node.named_children if c.type != "comment"]
    value = children[0] if children else None
    text = source_of(value)
    name = ""
    if sort is Sort.RAISE and value is not None:
        call = value
        if call.type in {"argument_list", "expression_list"} and call.named_children:
            call = call.named_children[0]
        callee = _field(call, "function", "constructor", "type", "name", "method") or call
        name = source_of(callee)
        if callee.type in {"string", "template_string"} or len(name) > 60:
            name = ""
    elif value is not None and len(children) > 1:
        text = re.sub(r"^(?:return|yield)\b\s*", "", code).rstrip(";")
    word = code.split(maxsplit=1)[0].rstrip(";")
    return Parts(sort, name, text, operator=word, node=value)


_MODIFIERS = frozenset(
    "public private protected internal static final abstract async virtual override sealed "
    "export default inline constexpr extern synchronized native readonly unsafe const explicit "
    "partial".split()
)


def _modifiers(code: str, name: str) -> tuple[str, ...]:
    head = code.partition(name)[0] if name else code
    return tuple(word for word in re.findall(r"\b\w+\b", head) if word in _MODIFIERS)


def _function(node: "Node", outer: "Node", language: str, code: str, name: str = "") -> Parts:
    """Read the heading of a function; `outer` gives a name to one without."""
    declarator = _field(node, "declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = _field(declarator, "declarator") or next(
            (c for c in declarator.named_children if c.type == "function_declarator"), None
        )
    named = _field(declarator, "declarator") if declarator else _field(node, "name")
    listed = _field(declarator or node, "parameters", "parameter")
    result = _field(node, "return_type", "returns", "result", "type")
    text = source_of(named) or name
    receiver = source_of(_field(node, "receiver"))
    if receiver and (owner := re.search(r"\*?(\w+)\s*(?:\[.*\])?\)$", receiver)):
        text = f"{owner[1]}.{text}"
    parameters = tuple(
        parameter
        for child in (listed.named_children if listed is not None and listed.named_children
                      else [listed] if listed is not None and listed.type == "identifier" else [])
        for parameter in _parameters(child, language)
    )  # fmt: skip
    return Parts(
        Sort.FUNCTION,
        name=text,
        parameters=parameters,
        modifiers=_modifiers(code, text.rpartition(".")[2]),
        result=source_of(result).lstrip(":-> "),
        noun="constructor" if node.type.startswith("constructor") else "function",
        node=node,
    )


_RECEIVERS = frozenset({"self", "cls", "this"})


def _parameters(node: "Node", language: str) -> list[Parameter]:
    if node.type in {"comment", "attribute_list", "keyword_separator", "positional_separator"}:
        return []
    text = source_of(node)
    if text in _RECEIVERS or re.match(r"^(?:self|cls|this)\s*[:,]", text):
        return []
    default = source_of(_field(node, "value", "default_value", "right"))
    if language == "csharp" and "=" in text:
        default = text.partition("=")[2].strip()
    is_optional = bool(default) or node.type in {
        "optional_parameter", "list_splat_pattern", "dictionary_splat_pattern", "rest_pattern",
        "variadic_parameter", "spread_parameter", "variadic_parameter_declaration",
        "splat_parameter", "hash_splat_parameter", "block_parameter",
        "optional_parameter_declaration",
    } or "..." in text  # fmt: skip
    if language == "ruby" and node.type == "keyword_parameter":
        is_optional = bool(default)
    if language == "go":
        names = [source_of(c) for c in node.children_by_field_name("name")]
        kind = source_of(_field(node, "type"))
        if names:
            return [Parameter(n, f"{n} {kind}", "", is_optional) for n in names]
        return [Parameter(text, text)]
    named = _field(node, "name", "pattern", "left", "declarator")
    name = source_of(named) if named is not None else ""
    if not name:
        words = re.findall(r"[$\w]+", text.partition("=")[0].partition(":")[0])
        name = words[-1] if words else text
    return [Parameter(name.lstrip("*&"), text, default, is_optional)]


def _type(node: "Node", code: str) -> Parts:
    named = _field(node, "name", "left", "declarator")
    if named is None:
        named = next(
            (c for c in node.named_children if c.type.endswith(("identifier", "name"))), None
        )
    name = source_of(named)
    if not name:
        return Parts(Sort.OTHER, value=code, node=node)
    head = re.sub(r"\s*(?:\{\s*\}?|:|;)$", "", code)
    after = head.partition(name)[2].strip() if name else ""
    noun = next(
        (w for w in re.findall(r"\w+", head) if w in {
            "class", "interface", "enum", "struct", "trait", "record", "module", "namespace",
            "type", "union", "typedef", "delegate",
        }),
        "type",
    )  # fmt: skip
    noun = "type" if noun == "typedef" else noun
    return Parts(
        Sort.TYPE, name, value=after, modifiers=_modifiers(code, name), noun=noun, node=node
    )


_DECLARES = frozenset(
    {
        "variable_declarator", "init_declarator", "property_element", "const_element", "var_spec",
        "const_spec",
    }
)  # fmt: skip


def _declarator(node: "Node", depth: int = 3) -> "Node | None":
    for child in node.named_children:
        if child.type in _DECLARES:
            return child
        if depth and child.type in {"variable_declaration", "declarator"}:
            return _declarator(child, depth - 1)
    return None


def _assignment(node: "Node", language: str, code: str) -> Parts:
    """Read what is set, and to what."""
    declared = node if node.type in _DECLARES else _declarator(node)
    target = declared or node
    if node.type == "preproc_def":
        value = source_of(_field(node, "value"))
        return Parts(Sort.ASSIGNMENT, source_of(_field(node, "name")), value, "=", node=node)
    left = _field(target, "left", "name", "property", "declarator", "argument", "operand")
    right = _field(target, "right", "value", "default_value")
    if language == "csharp" and right is None and declared is not None:
        others = [c for c in declared.named_children if c != left]
        right = others[-1] if others else None
    if left is None and target.named_children:
        left = target.named_children[0]
    operator = source_of(_field(target, "operator"))
    name = source_of(left).lstrip("*& ")
    if right is not None and right.type in {
        "arrow_function", "function_expression", "generator_function", "lambda",
        "lambda_expression", "func_literal",
    }:  # fmt: skip
        return _function(right, node, language, code, name)
    if right is None:
        function = next((c for c in [left, *target.named_children]
                         if c is not None and c.type == "function_declarator"), None)  # fmt: skip
        if function is not None:
            return _declared_function(node, function, language, code)
    if node.type in {"update_expression", "inc_statement", "dec_statement"}:
        operator = "--" if "--" in code else "++"
        name = name or code.strip(";+-")
    if right is not None and right.type == "assignment":
        right = _field(right, "right")
    value = source_of(right)
    if not operator:
        operator = "=" if right is not None else ""
    kind = source_of(_field(node, "type")) or source_of(_field(target, "type"))
    required = _required(right)
    if required:
        return Parts(Sort.IMPORT, value=code.rstrip(";"))
    return Parts(
        Sort.ASSIGNMENT,
        name,
        value,
        operator,
        modifiers=_modifiers(code, name),
        result=kind.lstrip(": "),
        noun="declaration" if node.type != "assignment" and declared is not None else "",
        node=right if right is not None else node,
    )


_TYPED = re.compile(r"^(?:void|\.\.\.|[\w:<>,\s]+(?:[*&\s]+)\w*(?:\s*=.*)?)$")


def _declared_function(node: "Node", declarator: "Node", language: str, code: str) -> Parts:
    """Read a prototype; what has values for parameters is the construction of a variable."""
    listed = _field(declarator, "parameters")
    texts = [source_of(child) for child in listed.named_children] if listed else []
    if all(_TYPED.match(text) for text in texts) and _field(node, "type"):
        return _function(node, node, language, code)
    name = source_of(_field(declarator, "declarator"))
    value = source_of(listed)
    kind = source_of(_field(node, "type"))
    return Parts(Sort.ASSIGNMENT, name, value, "", result=kind, noun="declaration", node=node)


def _required(node: "Node | None") -> bool:
    """Return True for `require("x")`, by which Node.js imports."""
    return (
        node is not None
        and node.type == "call_expression"
        and source_of(_field(node, "function")) == "require"
    )


def _call(node: "Node", language: str, code: str) -> Parts:
    if node.type in {"defer_statement", "go_statement"}:
        word = node.type.partition("_")[0]
        inner = next(iter(node.named_children), node)
        parts = _call(inner, language, code)
        return Parts(Sort.CALL, parts.name, items=parts.items, operator=word, node=inner)
    if node.type in {"delete_statement", "assert_statement", "echo_statement", "print_statement",
                     "unset_statement", "print_intrinsic", "delete_expression"}:  # fmt: skip
        word = node.type.partition("_")[0]
        return Parts(
            Sort.CALL, word, items=tuple(map(source_of, node.named_children)), noun="keyword",
            node=node,
        )  # fmt: skip
    name, arguments = callee_of(node), _field(node, "arguments", "argument_list")
    if language == "ruby" and name in {"require", "require_relative", "include", "extend"}:
        return Parts(Sort.IMPORT, value=source_of(arguments))
    items = tuple(source_of(c) for c in arguments.named_children) if arguments else ()
    parts = Parts(Sort.CALL, name, items=items, node=node)
    if language in {"javascript", "typescript"} and name == "require":
        return Parts(Sort.IMPORT, value=code)
    if language == "python" and node.parent is not None and node.parent.type == "await":
        return Parts(Sort.CALL, name, items=items, operator="await", node=node)
    return parts


CALLS = frozenset(
    "call call_expression method_invocation invocation_expression object_creation_expression "
    "new_expression function_call_expression member_call_expression scoped_call_expression "
    "nullsafe_member_call_expression".split()
)
"""Types of nodes that are calls."""


def callee_of(node: "Node") -> str:
    """Return the dotted name that a call names, without the arguments of calls before it."""
    function = _field(node, "function", "constructor", "method", "name", "type")
    receiver = _field(node, "object", "receiver", "scope")
    name = source_of(function)
    if receiver is not None:
        mark = "::" if node.type == "scoped_call_expression" else "."
        mark = "->" if node.type.endswith("member_call_expression") else mark
        name = f"{source_of(receiver)}{mark}{name}"
    if node.type in {"new_expression", "object_creation_expression"}:
        name = name or source_of(next(iter(node.named_children), None))
    return name


_KEYWORDS = {
    "if": Sort.CONDITION, "unless": Sort.CONDITION, "guard": Sort.CONDITION, "for": Sort.LOOP,
    "while": Sort.LOOP, "foreach": Sort.LOOP, "until": Sort.LOOP, "loop": Sort.LOOP,
    "switch": Sort.SCOPE, "with": Sort.SCOPE, "match": Sort.SCOPE, "using": Sort.SCOPE,
    "return": Sort.RETURN, "yield": Sort.RETURN, "throw": Sort.RAISE, "raise": Sort.RAISE,
    "import": Sort.IMPORT, "from": Sort.IMPORT, "#include": Sort.IMPORT, "use": Sort.IMPORT,
    "break": Sort.JUMP, "continue": Sort.JUMP, "goto": Sort.JUMP, "class": Sort.TYPE,
    "interface": Sort.TYPE, "struct": Sort.TYPE, "enum": Sort.TYPE, "trait": Sort.TYPE,
    "def": Sort.FUNCTION, "func": Sort.FUNCTION, "fn": Sort.FUNCTION, "fun": Sort.FUNCTION,
    "function": Sort.FUNCTION,
}  # fmt: skip
_LOOSE_FUNCTION = re.compile(
    r"^(?:(?:pub(?:\([^)]*\))?|async|unsafe|export|override|private|public|internal|suspend|inline"
    r"|open|protected|static|final|default)\s+)*(?:def|func|fn|fun|function)\s+(?:\([^)]*\)\s*)?"
    r"(?:<[^>]*>\s*)?([\w.:]+[?!]?)"
)
_LOOSE_TYPE = re.compile(
    r"^(?:(?:pub(?:\([^)]*\))?|export|default|public|private|protected|internal|abstract|final|sealed"
    r"|static|partial|open|data)\s+)*(class|interface|struct|enum|trait|record|object|protocol"
    r"|module|namespace|impl)\s+([\w.]+)(?:<[^>]*>)?(?=\s|[({:]|$)(?!\s*=)"
)
_LOOSE_ASSIGNMENT = re.compile(
    r"^(?:(?:let|var|val|const|mut|final|my|local|auto|static|pub|private|public)\s+)*"
    r"([$@\w.\->\[\]'\"*]+)\s*(?::\s*[\w<>\[\]?&:. ]+?)?\s*(=|:=|\+=|-=|\*=|\|\|=|\?\?=)\s*([^=].*)$"
)
_LOOSE_CALL = re.compile(r"^(?:await\s+)?([\w.:>\-$@!]+)\((.*)\)[;?]*$")


def _by_tokens(code: str, language: str | None) -> Parts:
    """Tell the commonest statements by their first word and their marks."""
    text = code.rstrip(";").strip()
    word = re.match(r"#?\s*\w+", code)
    sort = _KEYWORDS.get(word[0].replace(" ", "")) if word else None
    if match := _LOOSE_FUNCTION.match(code):
        return Parts(Sort.FUNCTION, match[1], modifiers=_modifiers(code, match[1]), noun="function")
    if sort in {Sort.RETURN, Sort.RAISE} and word:
        value = text[word.end() :].strip()
        name = re.match(r"^(?:new\s+)?([\w.:]+)", value)
        return Parts(
            sort,
            name[1] if name and sort is Sort.RAISE else "",
            value,
            operator=word[0],
        )
    if sort is Sort.CONDITION and word and code.endswith(("{", ":", "then", ")")):
        return Parts(sort, value=_bare(text[word.end() :]))
    if sort in {Sort.LOOP, Sort.SCOPE} and code.endswith(("{", ":", "do", ")")):
        return Parts(sort, name=re.sub(r"\s*(?:\{|:|\bdo)$", "", code))
    if match := _LOOSE_TYPE.match(code):
        value = re.sub(r"\s*[{:,]?$", "", code[match.end() :])
        return Parts(
            Sort.TYPE, match[2], value, modifiers=_modifiers(code, match[2]), noun=match[1]
        )
    if sort is Sort.IMPORT:
        return Parts(sort, value=_imported(code))
    if sort is Sort.JUMP:
        return Parts(sort, name=text)
    if match := _LOOSE_ASSIGNMENT.match(text):
        return Parts(Sort.ASSIGNMENT, match[1], match[3], match[2])
    if (match := _LOOSE_CALL.match(text)) and match[1] not in _KEYWORDS:
        return Parts(Sort.CALL, match[1], items=(match[2],) if match[2] else ())
    if code.startswith("@") and language != "ruby":
        return Parts(Sort.DECORATOR, value=code)
    return Parts(Sort.OTHER, value=text)
