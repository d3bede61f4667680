"""Parse a statement with tree-sitter, completed and framed so that the grammar accepts it."""

import importlib
import re
from enum import StrEnum
from functools import cache
from threading import local
from typing import TYPE_CHECKING

from crscore_core.claims.symbolic.lexis import tokenize

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser


class Sort(StrEnum):
    """Sorts of statements that claims distinguish."""

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
    ASSIGNMENT = "assignment"
    CALL = "call"
    ENTRY = "entry"
    OTHER = "other"


_GRAMMARS = {
    "python": ("tree_sitter_python", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_tsx"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "go": ("tree_sitter_go", "language"),
    "php": ("tree_sitter_php", "language_php_only"),
    "ruby": ("tree_sitter_ruby", "language"),
}

_TYPES = {
    Sort.IMPORT: r"(?:future_)?import_\w+|using_(?:directive|declaration)|namespace_use_declaration"
    r"|preproc_include|package_(?:declaration|clause)|(?:include|require)(?:_once)?_expression",
    Sort.FUNCTION: r"\w*(?:function|method|constructor|destructor|operator)"
    r"_(?:definition|declaration|signature)|(?:singleton_)?method|local_function_statement",
    Sort.TYPE: r"(?:abstract_|file_scoped_)?(?:class|interface|enum|record|struct|union|trait"
    r"|namespace|alias|delegate)_(?:definition|declaration|specifier)|(?:singleton_)?class"
    r"|type_(?:spec|alias|definition|alias_declaration)|annotation_type_declaration|\w*module",
    Sort.CONDITION: r"(?:if|unless)(?:_statement|_modifier)?",
    Sort.LOOP: r"(?:\w+_)?(?:for|while|until|do|foreach)(?:_statement|_modifier)|for_range_loop"
    r"|for_in_statement|while|until|for",
    Sort.SCOPE: r"(?:\w+_)?(?:with|using|lock|synchronized|switch|match|select|unsafe|checked)"
    r"_(?:statement|expression)|case",
    Sort.TRY: r"try_statement|begin",
    Sort.RETURN: r"(?:co_)?(?:return|yield)(?:_statement)?",
    Sort.RAISE: r"(?:raise|throw)_(?:statement|expression)",
    Sort.ENTRY: r"pair|keyed_element|array_element_initializer|enumerator|element_value_pair"
    r"|enum_(?:constant|member_declaration|assignment)|keyword_argument",
    Sort.ASSIGNMENT: r"(?:\w+_)?assignment(?:_expression|_statement)?|local_\w*declaration\w*"
    r"|(?:\w+_)?(?:var|const|field|property)_(?:spec|element|declaration|definition|signature)"
    r"|declaration|(?:variable|init)_declarator|update_expression|(?:inc|dec)_statement"
    r"|preproc_def",
    Sort.CALL: r"(?!preproc)(?:\w+_)?call(?:_expression)?|method_invocation|super"
    r"|invocation_expression|(?:object_creation|new|delete)_expression|explicit_constructor_invocation"
    r"|print_intrinsic|(?:defer|go|delete|assert|echo|unset|print)_statement",
}
_SORTS = [(re.compile(pattern), sort) for sort, pattern in _TYPES.items()]


@cache
def sort_of(node_type: str) -> Sort | None:
    """Return the sort of statement of a node, in any grammar; None for parts of one."""
    return next((sort for pattern, sort in _SORTS if pattern.fullmatch(node_type)), None)


_PARSERS = local()


@cache
def _language(name: str) -> "Language":
    from tree_sitter import Language

    module, function = _GRAMMARS[name]
    return Language(getattr(importlib.import_module(module), function)())


def _parser(language: str) -> "Parser":
    """Return this thread's parser for a language; parsers are not thread-safe."""
    from tree_sitter import Parser

    parsers: dict[str, Parser] = _PARSERS.__dict__
    if language not in parsers:
        parsers[language] = Parser(_language(language))
    return parsers[language]


MAX_DEPTH = 60
"""Maximum bracket depth of a statement to parse."""

_CLOSER = {"(": ")", "[": "]", "{": "}"}
_CLASS = ("class X {\n", "\n}")
_FRAMES = {
    "python": (("", "\n"), ("{\n", "\n}")),
    "java": (("", "\n"), _CLASS),
    "javascript": (("", "\n"), _CLASS, ("x = {\n", "\n}")),
    "typescript": (("", "\n"), _CLASS, ("x = {\n", "\n}")),
    "cpp": (("void f() {\n", "\n}"), ("", "\n"), ("struct X {\n", "\n};")),
    "csharp": (("", "\n"), _CLASS, ("var x = new X {\n", "\n};")),
    "go": (
        ("package p\nfunc f() {\n", "\n}\n"),
        ("package p\n", "\n"),
        ("package p\ntype X struct {\n", "\n}\n"),
        ("package p\nvar x = X{\n", "\n}\n"),
    ),
    "php": (("", "\n"), _CLASS, ("$x = [\n", "\n];")),
    "ruby": (("", "\n"), ("x = {\n", "\n}")),
}
"""Code before and after a statement that makes it parse: a body, a class, a table."""

_SEMICOLON = frozenset({"java", "cpp", "csharp", "php"})
_RUBY_BLOCK = re.compile(
    r"\bdo(?:\s*\|[^|]*\|)?$|^(?:if|unless|while|until|for|case|begin|def|class|module)\b(?!.*\bend$)"
)


def has_grammar(language: str | None) -> bool:
    """Return True if there is a grammar for a language."""
    return language == "c" or language in _GRAMMARS


def statement_node(code: str, language: str | None) -> "Node | None":
    """Return the node of a statement; None if it does not parse in any frame."""
    language = "cpp" if language == "c" else language  # C++ headers look like C headers
    complete = _completed(code, language) if language in _FRAMES else None
    if not complete or language is None:
        return None
    for before, after in _frames(complete, language):
        is_table = "= " in before or before == "{\n"
        inner = complete if is_table else complete.rstrip(",")
        for ending in ("",) if is_table else _endings(complete, language):
            source = f"{before}{inner}{ending}{after}".encode("utf-8", "replace")
            root = _parser(language).parse(source).root_node
            if not root.has_error:
                return _first_node(root, len(before.encode()))
    return None


def _frames(text: str, language: str) -> list[tuple[str, str]]:
    """Return code to put before and after a statement, likeliest first."""
    frames = list(_FRAMES[language])
    if text.endswith(",") and language not in {"java", "cpp"}:
        return [frames[-1], *frames]
    if language == "typescript" and re.match(r"(?:readonly\s+)?[\w$]+\??:\s", text):
        return [_CLASS, *frames]
    if language == "cpp" and text.endswith("{}"):
        return [("", "\n"), *frames]
    if language == "go" and text.startswith(("func ", "type ", "import ", "package ")):
        return [("package p\n", "\n"), *frames]
    return frames


def _endings(code: str, language: str) -> tuple[str, ...]:
    if language not in _SEMICOLON or code.startswith("#") or code.endswith((";", ",", ":")):
        return ("",)
    return ("", ";") if code.endswith("}") else (";", "")


def _first_node(root: "Node", start: int) -> "Node | None":
    """Return the outermost node that starts at `start` or later."""
    node: Node | None = root
    while node is not None and (node.start_byte < start or node.parent is None):
        node = next((c for c in node.named_children if c.end_byte > start), None)
    return node


def _completed(text: str, language: str | None) -> str | None:
    """Close open brackets and quotes in `text`, and drop unmatched closing ones at its end.

    Return None if there is an unmatched closing one before its end, or it nests too deeply.
    """
    stack: list[str] = []
    for token in tokenize(text, language):
        if token.text in _CLOSER:
            stack.append(_CLOSER[token.text])
        elif token.text in {")", "]", "}"} and (not stack or stack.pop() != token.text):
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
