"""TypeScript, as far as hunks show it: JavaScript and types."""

import dataclasses

from analyzers.syntax.grammar import Closing, Ending, Lead, Place, Way
from analyzers.syntax.languages.common import block_kinds
from analyzers.syntax.languages.javascript import JAVASCRIPT

__all__ = ["TSX", "TYPESCRIPT"]

_PLACES = (
    Place(
        "signatures",
        4,
        likely=r"(readonly )?\[?[\w$']+\??\]?\s*(:[^;,=]*;|\()",
        heading=r"^(export )?(declare )?(interface|type)\b",
    ),
    Place("constants", 5, likely=r"[A-Z]\w*( = .*)?,", heading=r"\benum\b", is_list=True),
    Place("types", 7, likely=r"[|&] ", filler="__"),
)
_WAYS = (
    Way("file", "signatures", "interface __ {", "}"),
    Way("file", "signatures", "type __ = {", "};", 1),
    Way("statements", "signatures", "interface __ {", "}", 1),
    Way("signatures", "signatures", "__: {", "};", 1),
    Way("members", "signatures", "__: {", "};", 2),
    Way("parameters", "signatures", "__: {", "}", 2),
    Way("types", "signatures", "{", "}", 1),
    Way("file", "constants", "enum __ {", "}"),
    Way("statements", "constants", "enum __ {", "}", 1),
    Way("file", "types", "type __ =", ";"),
    Way("file", "members", "abstract class __ extends Object {", "}", 0, r"\babstract\b"),
    Way("file", "file", "namespace __ {", "}", 3),
    Way("file", "file", "declare module '' {", "}", 4),
    Way("signatures", "parameters", "__(", "): __;", 1),
    Way("members", "parameters", "constructor(", ") {}", 1),
    Way("file", "arguments", "@__(", ") class __ {}", 4),
    Way("members", "arguments", "@__(", ") __;", 3),
    Way("parameters", "arguments", "@__(", ") __", 4),
)
_LEADS = (
    Lead(r":", "function __()", frozenset({"file", "statements"})),
    Lead(r":", "__()", frozenset({"members"})),
    Lead(r"(implements|extends)\b", "class __", frozenset({"file", "statements"})),
    Lead(r"=>", "type __ = ()", frozenset({"file"})),
    Lead(r"[|&]", "let __: __", frozenset({"file", "statements"})),
    Lead(r"[|&]", "__: __", frozenset({"members", "signatures", "parameters"})),
)
_CLOSINGS = (
    Closing("{", r"\btype [\w$]+( <.*>)? =$", "}"),
    Closing("{", r"\) : .*[^=,(:]$", "}", ends=True),
)
_ENDINGS = (
    Ending(r"@ [\w. ]+( \(\))?$", (" class __ {}", " __() {}", " __;")),
    Ending(r"\b(interface|enum|namespace|module)\b[^;={}]*$", (" {}", " __ {}")),
    Ending(r"\btype\b[^=]*$", (" = __;", " __ = __;")),
    Ending(r"\(\) : .*[^|&<:.]$", (" {}", ";", "> {}")),
)
_BLOCKS = {
    **JAVASCRIPT.blocks,
    **block_kinds(
        classes="abstract_class_declaration interface_declaration enum_declaration",
        functions="",
        others="internal_module module",
    ),
}

TYPESCRIPT = dataclasses.replace(
    JAVASCRIPT,
    name="typescript",
    module="tree_sitter_typescript",
    function="language_typescript",
    places=(*JAVASCRIPT.places, *_PLACES),
    ways=(*_WAYS, *JAVASCRIPT.ways),
    leads=(*JAVASCRIPT.leads, *_LEADS),
    closings=(*_CLOSINGS, *JAVASCRIPT.closings),
    endings=(*_ENDINGS, *JAVASCRIPT.endings),
    blocks=_BLOCKS,
    refused="",
    unread="",
    markup=None,
    may_err=True,
)
TSX = dataclasses.replace(TYPESCRIPT, function="language_tsx")
