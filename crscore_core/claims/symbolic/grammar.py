"""Code of one statement -> node of tree-sitter, completed and framed so that a grammar reads it."""

import importlib
import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
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

_TYPES: dict[Sort, str] = {
    Sort.IMPORT: "import_statement import_from_statement future_import_statement "
    "import_declaration using_directive namespace_use_declaration preproc_include import_spec "
    "package_declaration package_clause include_expression include_once_expression "
    "require_expression require_once_expression using_declaration",
    Sort.DECORATOR: "decorator annotation marker_annotation attribute_list attribute_group "
    "decorated_definition",
    Sort.FUNCTION: "function_definition function_declaration method_declaration "
    "method_definition constructor_declaration destructor_declaration method singleton_method "
    "local_function_statement generator_function_declaration function_signature method_signature "
    "abstract_method_signature operator_declaration compact_constructor_declaration",
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
}
SORT_OF = {name: sort for sort, names in _TYPES.items() for name in names.split()}
"""Sort of statement by the type of its node, in every grammar."""

_PARSERS = local()


def has_grammar(language: str | None) -> bool:
    """Return True if trees of the language can be had."""
    return language in _GRAMMARS


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
_CLASS = ("class X {\n", "\n}")
_MEMBER = {
    **dict.fromkeys(("java", "javascript", "typescript", "csharp", "php"), _CLASS),
    **dict.fromkeys(("c", "cpp"), ("struct X {\n", "\n};")),
    "go": ("package p\ntype X struct {\n", "\n}\n"),
}
_BODY = {
    **dict.fromkeys(("c", "cpp"), ("void f() {\n", "\n}")),
    "go": ("package p\nfunc f() {\n", "\n}\n"),
}
_TABLE = {
    **dict.fromkeys(("javascript", "typescript", "ruby"), ("x = {\n", "\n}")),
    "python": ("{\n", "\n}"),
    "php": ("$x = [\n", "\n];"),
    "go": ("package p\nvar x = X{\n", "\n}\n"),
    "csharp": ("var x = new X {\n", "\n};"),
}
_GO_FILE = ("package p\n", "\n")
_PLAIN = ("", "\n")
_SEMICOLON = frozenset({"java", "c", "cpp", "csharp", "php"})
_RUBY_BLOCK = re.compile(
    r"\bdo(?:\s*\|[^|]*\|)?$|^(?:if|unless|while|until|for|case|begin|def|class|module)\b(?!.*\bend$)"
)


def statement_node(code: str, language: str) -> "Node | None":
    """Return the node of a statement, None if no frame makes a tree without error of it."""
    complete = _completed(code, language)
    if not complete:
        return None
    for before, after in _frames(complete, language):
        for ending in _endings(complete, before, language):
            inner = (
                complete.rstrip(",") if before in {"", _BODY.get(language, _PLAIN)[0]} else complete
            )
            source = f"{before}{inner}{ending}{after}".encode("utf-8", "replace")
            root = _parser(language).parse(source).root_node
            if not root.has_error:
                return _first_node(root, len(before.encode()))
    return None


def _frames(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield what may stand before and after a statement, likeliest first."""
    if text.endswith(",") and language in _TABLE:
        yield _TABLE[language]
    if language == "typescript" and re.match(r"(?:readonly\s+)?[\w$]+\??:\s", text):
        yield _CLASS
    if language == "go" and text.startswith(("func ", "type ", "import ", "package ")):
        yield _GO_FILE
    if language in {"c", "cpp"} and text.endswith("{}"):
        yield _PLAIN
    for frames in (_BODY, {language: _PLAIN}, _MEMBER, _TABLE):
        if language in frames:
            yield frames[language]


def _endings(code: str, before: str, language: str) -> tuple[str, ...]:
    if (
        language not in _SEMICOLON
        or "= " in before
        or code.startswith("#")
        or code.endswith((";", ",", ":"))
    ):
        return ("",)
    return ("", ";") if code.endswith("}") else (";", "")


def _first_node(root: "Node", start: int) -> "Node | None":
    """Return the outermost node that begins at `start` or after it."""
    node: Node | None = root
    while node is not None and (node.start_byte < start or node.parent is None):
        node = next((c for c in node.named_children if c.end_byte > start), None)
    return node


def _completed(text: str, language: str) -> str | None:
    """Close what `text` leaves open, and drop what closes more at its end.

    None where it closes what it did not open before its end, or nests too deep.
    """
    stack: list[str] = []
    for token in tokenize(text, language):
        if token.kind is not TokenKind.MARK:
            continue
        if token.text in _CLOSER:
            stack.append(_CLOSER[token.text])
        elif token.text in ")]}" and (not stack or stack.pop() != token.text):
            if text[token.start :].strip(")]};, "):
                return None
            text = text[: token.start].rstrip()
            break
    if len(stack) > MAX_DEPTH:
        return None
    if language == "python" and text.endswith(":"):
        text += " pass"
    elif language == "ruby" and _RUBY_BLOCK.search(text):
        text += "\nend"
    elif text.endswith(("=>", "->")):
        text += " {}"
    return (text.removesuffix(",") if stack else text) + "".join(reversed(stack))
