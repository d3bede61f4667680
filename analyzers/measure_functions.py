"""Measure the functions in source files: print one line of JSON for each file.

Lizard's command line silently skips functions after a directive in a comment, and the rest of a
file that looks generated or that it fails on. Parameters are counted in the syntax tree, because
lizard counts each comma in a function type or a default value.
"""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from lizard import (
    FileInfoBuilder,
    condition_counter,
    get_reader_for,
    line_counter,
    preprocessing,
    token_counter,
)
from tree_sitter import Language, Node, Parser, Query, QueryCursor

_GRAMMARS = {
    ".java": ("tree_sitter_java", "language"),
    ".js": ("tree_sitter_javascript", "language"),
    ".ts": ("tree_sitter_typescript", "language_typescript"),
    ".c": ("tree_sitter_cpp", "language"),
    ".cpp": ("tree_sitter_cpp", "language"),
    ".cs": ("tree_sitter_c_sharp", "language"),
    ".go": ("tree_sitter_go", "language"),
    ".php": ("tree_sitter_php", "language_php"),
    ".rb": ("tree_sitter_ruby", "language"),
}
# Code that lizard mistakes for the start of a string or for a decision.
_MISREAD = {
    ".js": "(regex) @misread",
    ".ts": '(regex) @misread (conditional_type "?" @misread)',
    ".cpp": '[(reference_declarator "&&" @misread) (abstract_reference_declarator "&&" @misread)]',
    ".cs": '[(conditional_access_expression "?" @misread) (nullable_type "?" @misread)]',
    ".php": '(optional_type "?" @misread)',
}
_LAST_NAME = re.compile(r"[\w$]+(?=\W*$)")
_ParameterList = tuple[int, str, int]
"""A parameter list: its row, from 1, the name of its function or "", and its length."""
_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})


def _without_comments(tokens: Iterator[str], reader: Any) -> Iterator[str]:  # noqa: ANN401
    """Drop comments, including directives to lizard, but keep their line breaks."""
    for token in tokens:
        comment = reader.get_comment_from_token(token)
        if comment is None:
            yield token
        else:
            yield from "\n" * token.count("\n")


def _functions(name: str) -> list[dict[str, object]]:
    """Return each function's name, rows and measure for each rule in `lizard.txt`."""
    builder = FileInfoBuilder(name)
    reader = get_reader_for(name)(builder)
    source = Path(name).read_bytes()
    language, query = _grammar(Path(name).suffix)
    root = Parser(language).parse(source).root_node
    tokens = reader.generate_tokens(_without_misread(source, query, root))
    steps = preprocessing, _without_comments, line_counter, token_counter, condition_counter
    for process in steps:
        tokens = process(tokens, reader)
    for _ in reader(tokens, reader):
        pass
    functions = builder.fileinfo.function_list
    lists = _parameter_lists(root) if functions else []
    return [
        {
            "name": function.name,
            "first_row": function.start_line,
            "last_row": function.end_line,
            "long-function": function.nloc,
            "long-parameter-list": _parameters(function, lists),
            "cyclomatic-complexity": function.cyclomatic_complexity,
        }
        for function in functions
    ]


def _parameters(function: Any, lists: list[_ParameterList]) -> int:  # noqa: ANN401
    """Count the parameters of a lizard function in the syntax tree, or else as lizard does."""
    name = _last_name(function.name) if function.name != "(anonymous)" else ""
    rows = range(function.start_line, function.end_line + 1)
    inside = [entry for entry in lists if entry[0] in rows and entry[1] in {name, ""}]
    inside.sort(key=lambda entry: entry[1] != name)
    return inside[0][2] if inside else function.parameter_count


@cache
def _grammar(suffix: str) -> tuple[Language, Query | None]:
    """Return the grammar, and a query for code that lizard misreads."""
    module, function = _GRAMMARS[suffix]
    language = Language(getattr(importlib.import_module(module), function)())
    query = _MISREAD.get(suffix)
    return language, Query(language, query) if query else None


def _without_misread(source: bytes, query: Query | None, root: Node) -> str:
    """Replace code that lizard misreads with a number or blanks, keeping all rows."""
    code = bytearray(source)
    for node in QueryCursor(query).captures(root).get("misread", []) if query else ():
        number = b"0" if node.type == "regex" else b""
        code[node.start_byte : node.end_byte] = number.ljust(node.end_byte - node.start_byte)
    return code.decode()


def _parameter_lists(root: Node) -> list[_ParameterList]:
    """Return the parameter lists without syntax errors, outer ones first."""
    lists: list[_ParameterList] = []
    stack = [root]
    while stack:
        node = stack.pop()
        stack += reversed(node.named_children)
        parameters = node.child_by_field_name("parameters")
        if parameters is not None and not any(node.is_error for node in parameters.children):
            lists.append((parameters.start_point.row + 1, _name(node), _count(parameters)))
    return lists


def _name(node: Node) -> str:
    """Return the name of a function, or of the variable or key that it is assigned to."""
    places = [(node, "name"), (node, "declarator")]
    if node.parent is not None:
        places += [(node.parent, field) for field in ("name", "left", "key")]
    names = (place.child_by_field_name(field) for place, field in places)
    name = next((name for name in names if name is not None and name != node), None)
    return _last_name((name.text or b"").decode(errors="replace")) if name else ""


def _last_name(code: str) -> str:
    return next(iter(_LAST_NAME.findall(code)), "")


def _count(parameters: Node) -> int:
    """Count the names between commas; a Go declaration may have several."""
    count, is_new = 0, True
    for node in parameters.children:
        if node.type == ",":
            is_new = True
        elif is_new and node.is_named and node.type not in _COMMENTS and node.text != b"void":
            count += max(1, len(node.children_by_field_name("name")))
            is_new = False
    return count


def main(names: list[str]) -> None:
    """Measure the files `names` and print their measures."""
    for name in names:
        try:
            report: dict[str, object] = {"functions": _functions(name)}
        except Exception as error:  # noqa: BLE001 - one bad file must not spoil the others
            report = {"error": type(error).__name__}
        print(json.dumps({"file": name, **report}))


if __name__ == "__main__":
    main(sys.argv[1:])
