"""Trees of single statements: one parser for each thread and language."""

import importlib
from functools import cache
from threading import local
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Parser, Tree

__all__ = ["LANGUAGES", "parsed"]

LANGUAGES = {
    "python": ("tree_sitter_python", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "go": ("tree_sitter_go", "language"),
    "php": ("tree_sitter_php", "language_php_only"),
    "ruby": ("tree_sitter_ruby", "language"),
}
"""The module and the function that give the parser of each language or dialect."""

_OF_THREAD = local()


def parsed(source: bytes, language: str) -> "Tree":
    """Return the tree of `source`, errors and all."""
    parsers: dict[str, Parser] | None = getattr(_OF_THREAD, "parsers", None)
    if parsers is None:
        parsers = _OF_THREAD.parsers = {}
    parser = parsers.get(language)
    if parser is None:
        parser = parsers[language] = _parser(language)
    return parser.parse(source)


def _parser(language: str) -> "Parser":
    from tree_sitter import Parser

    return Parser(_language(language))


@cache
def _language(name: str) -> "Language":
    from tree_sitter import Language

    module, function = LANGUAGES[name]
    return Language(getattr(importlib.import_module(module), function)())
