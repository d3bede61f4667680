"""JavaScript and TypeScript, as far as hunks show them."""

import dataclasses

from analyzers.syntax.grammar import Closing, Ending, Grammar, Lead, Lexis, Place, Quote, Way
from analyzers.syntax.languages.common import (
    AFTER_OPERATOR,
    BLOCK_COMMENT,
    CHARACTERS,
    OPERATOR,
    TEXT,
    TORN_CHOICE,
    block_kinds,
    in_cases,
    in_conditions,
)

_LEXIS = Lexis(
    line_comment="//|#!",
    quotes=(
        BLOCK_COMMENT,
        Quote("`", r"(?:\\(?s:.)|\$(?!\{)|[^`\\$])*", "`", ("__ = `", "`"), "`", hole=r"\$\{"),
        TEXT,
        CHARACTERS,
    ),
    regex=r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,99}\]|[^/\\\[\n]){1,999}/\w*",
)
_PLACES = (
    Place("file", 0, is_top=True),
    Place("statements", 1, heading=r"\bfunction\b|=>\s*\{$"),
    Place("members", 2, heading=r"^(export )?(default )?(\w+(\.\w+)* = )?class\b"),
    Place("pairs", 3, likely=r"""(['"\w$]+['"]?\s*:(?!:)|\.\.\.)""", heading=r"\{$", is_list=True),
    Place("cases", 4, likely=r"case\b|default\s*:", heading=r"\bswitch\b"),
    Place("values", 5, heading=r"\[$", is_list=True),
    Place("arguments", 6, heading=r"\($", is_list=True),
    Place("parameters", 7, heading=r"\bfunction\b.*\($", is_list=True),
    Place("names", 7, heading=r"^(import|export) \{$", is_list=True),
    Place("condition", 8, filler="__", is_list=True),
    Place("for", 9, filler=";;", is_list=True),
)
_OWN = r"\b(this|super)\b"
# One that leads out of a loop that is not shown.
_JUMP = r"\A(?s:(?!.*\b(for|while|do|switch)\b).*)\b(break|continue);"
_WAYS = (
    # What is only sometimes a way goes before what always is.
    Way("file", "statements", "class __ extends Object { constructor() {", "}}", 0, r"\bsuper\("),
    Way("file", "statements", "class __ extends Object { async* __() {", "}}", 0, _OWN),
    Way("file", "statements", "async function* __() { for (;;) {", "}}", 0, _JUMP, _OWN),
    Way("members", "statements", "constructor() {", "}", 0, r"\bsuper\(", r"\bconstructor\b"),
    Way("statements", "statements", "for (;;) {", "}", 0, r"\b(break|continue)\b"),
    Way("file", "statements", "async function* __() {", "}", 0, None, r"\bsuper\b"),
    Way("file", "members", "class __ extends Object {", "}"),
    Way("statements", "members", "class __ extends Object {", "}"),
    Way("arguments", "members", "class extends Object {", "}", 1),
    Way("members", "statements", "async* __() {", "}"),
    Way("pairs", "statements", "async* __() {", "}"),
    Way("pairs", "statements", "__: async function*() {", "}", 1),
    Way("arguments", "statements", "async function*() {", "}"),
    Way("arguments", "statements", "async () => {", "}"),
    Way("statements", "statements", "{", "}"),
    Way("statements", "statements", "if (__) {", "}", 1),
    Way("statements", "statements", "try {", "} finally {}", 1),
    Way("statements", "statements", "do {", "} while (__);", 1),
    Way("statements", "statements", "async function* __() {", "}", 2, None, r"\bsuper\b"),
    Way("statements", "statements", "__ = async function*() {", "};", 2),
    Way("file", "statements", "{", "}", 3),
    Way("file", "statements", "if (__) {", "}", 4),
    Way("file", "statements", "__ = async function*() {", "};", 1),
    Way("file", "pairs", "__ = {", "};", 1),
    Way("file", "arguments", "__(", ");", 1),
    Way("file", "values", "__ = [", "];", 1),
    Way("file", "names", "import {", "} from '';", 1),
    Way("file", "names", "export {", "};", 2),
    Way("statements", "cases", "switch (__) {", "}"),
    Way("statements", "arguments", "__(", ");"),
    Way("statements", "arguments", "__ = __(", ");", 1),
    Way("arguments", "arguments", "__(", ")"),
    Way("values", "arguments", "__(", ")"),
    Way("pairs", "arguments", "__: __(", ")"),
    Way("members", "arguments", "__ = __(", ");", 2),
    Way("statements", "condition", "if (", ") {}", 1),
    Way("statements", "condition", "do {} while (", ");", 3),
    Way("statements", "condition", "return (", ");", 3),
    Way("statements", "for", "for (", ") {}", 2),
    Way("file", "parameters", "function __(", ") {}"),
    Way("statements", "parameters", "function __(", ") {}"),
    Way("members", "parameters", "__(", ") {}"),
    Way("pairs", "parameters", "__(", ") {}", 1),
    Way("arguments", "parameters", "(", ") => {}", 2),
    Way("statements", "pairs", "__ = {", "};"),
    Way("arguments", "pairs", "{", "}"),
    Way("values", "pairs", "{", "}"),
    Way("pairs", "pairs", "__: {", "}"),
    Way("members", "pairs", "__ = {", "};", 2),
    Way("parameters", "pairs", "{", "}", 3),
    Way("pairs", "statements", "__: __ ? async () => {", "} : __", 3),
    Way("pairs", "arguments", "__: __ ? __(", ") : __", 3),
    Way("pairs", "values", "__: __ ? [", "] : __", 3),
    Way("arguments", "arguments", "__ ? __(", ") : __", 3),
    Way("arguments", "values", "__ ? [", "] : __", 3),
    Way("arguments", "pairs", "__ ? {", "} : __", 3),
    Way("arguments", "statements", "__ ? async () => {", "} : __", 3),
    Way("statements", "pairs", "__ = __ ? {", "} : __;", 3),
    Way("statements", "values", "__ = __ ? [", "] : __;", 3),
    Way("statements", "arguments", "__ = __ ? __(", ") : __;", 3),
    Way("statements", "values", "__ = [", "];"),
    Way("arguments", "values", "[", "]"),
    Way("values", "values", "[", "]"),
    Way("pairs", "values", "__: [", "]"),
)
_CODE = frozenset({"file", "statements"})
_LEADS = (
    Lead(r"else\b", "if (__) {}", _CODE),
    Lead(r"(catch|finally)\b", "try {}", _CODE),
    Lead(r"\{", "function __()", _CODE),
    Lead(r"\{", "__()", frozenset({"members", "pairs"})),
    Lead(r"extends\b", "class __", _CODE),
    Lead(r"(?!case\b|default\b)", "case __:", frozenset({"cases"})),
    Lead(r"[\w$]+\s*=[^=>].*,\s*\n", "var", _CODE, -1),
    Lead(r":", "__ = __ ? __", _CODE),
    Lead(r":", "__ ? __", frozenset({"arguments", "values", "condition"})),
    Lead(r"\.", "__", _CODE),
    Lead(OPERATOR, "__ = __", _CODE),
    Lead(OPERATOR, "__", frozenset({"arguments", "values", "condition"})),
    Lead(OPERATOR, "__: __", frozenset({"pairs"})),
    Lead(r",", "__", frozenset({"arguments", "values", "pairs", "parameters", "names"})),
    Lead(r",", "var __", _CODE),
)
_CLOSINGS = (
    Closing("{", r"\btry$", "} finally {}", ends=True),
    Closing("{", r"\bdo$", "} while (__);", ends=True),
    Closing("{", r"\b(case .*|default) :$", "}", ends=True),
    Closing("{", r"(=>|\bfunction( \*)?( [\w$]+)? \(\))$", "}"),
    Closing("{", r"([=(\[,:?]|&&|\|\||\breturn|\bdefault)$", "}", is_list=True),
    Closing("{", r"", "}", ends=True),
    Closing("(", r"\bdo \{\} while$", ");", ends=True, is_list=True),
    Closing(
        "(", r"(?<!\. )\b(if|while|for|switch|catch)( await)?$", ") {}", ends=True, is_list=True
    ),
    Closing("(", r"", ")", is_list=True),
    Closing("[", r"", "]", is_list=True),
)
_ENDINGS = (
    Ending(r"^$|;$", ("",)),
    Ending(r"\btry \{\}$", (" finally {}", "")),
    Ending(r"\bdo \{\}$", (" while (__);",)),
    Ending(r"\b(const|let|var) [{\[][}\]]$", (" = __;",)),
    Ending(r"\?(?!.*:).*\{\}$", (" : __;", "", ";")),
    Ending(r"\{\}$", ("", ";")),
    Ending(r"\b(else|finally)$", (" {}",)),
    Ending(r"\bdo$", (" {} while (__);",)),
    Ending(r"\btry$", (" {} finally {}",)),
    Ending(r"(?<!\. )\b(if|for|while|switch|catch)( await)? \(\)$", (" {}",)),
    Ending(r"\bfunction\b[^()]*(\(\))?$", (" {}", "() {}", " __() {}")),
    Ending(r"\bclass\b[^;=]*$", (" {}", " __ {}")),
    Ending(r"\b(case|default)\b[^:]*$", (":", "__:")),
    Ending(r":$", ("", "__;")),
    Ending(r"=>$", (" {};", " __;")),
    Ending(rf"{AFTER_OPERATOR}|\b(return|throw|new|typeof|await)$", (" __;", " __ : __;")),
    Ending(TORN_CHOICE, (" : __;", ";")),
    Ending(r"\b(const|let|var)$", (" __ = __;",)),
    Ending(r"\)$", (";", " {}")),
    Ending(r"", (";", "() {}", " {}", " : __;", " from '';", " = __;")),
)
_LIST_ENDINGS = (
    Ending(r"^[(\[]?$", ("",)),
    Ending(r",$", ("", "__")),
    Ending(r"=>$", (" {}", " __")),
    Ending(AFTER_OPERATOR, (" __", " __ : __")),
    Ending(r":$", (" __",)),
    Ending(TORN_CHOICE, (" : __", "")),
    Ending(r"^[^;]*;[^;]*;", ("", "__")),
    Ending(r";", (";",)),
    Ending(r"", ("", ": __", "() {}", " : __", ";;", " {}")),
)
_BLOCKS = block_kinds(
    classes="class class_declaration",
    functions=(
        "function_declaration generator_function_declaration function_expression "
        "generator_function arrow_function method_definition"
    ),
    others=(
        "if_statement for_statement for_in_statement while_statement do_statement "
        "switch_statement try_statement catch_clause finally_clause statement_block object"
    ),
)
_REFUSED = """
(statement_block [(import_statement) (export_statement)] @refused)
(program (return_statement) @refused)
(labeled_statement body: [(expression_statement) (statement_block)] @refused)
(expression_statement . [(object) (function_expression) (generator_function) (class)] @refused)
(expression_statement (sequence_expression .
  [(object) (function_expression) (generator_function) (class)] @refused))
(formal_parameters [(member_expression) (subscript_expression)] @refused)
((method_definition name: (property_identifier) @refused)
  (#any-of? @refused "if" "else" "for" "while" "switch" "catch"))
(lexical_declaration kind: "const" (variable_declarator !value) @refused)
(variable_declarator name: [(object_pattern) (array_pattern)] !value) @refused
"""
_UNREAD = """
[(jsx_element) (jsx_self_closing_element) (field_definition) (private_property_identifier)] @unread
(augmented_assignment_expression operator: ["??=" "&&=" "||="] @unread)
"""

JAVASCRIPT = Grammar(
    name="javascript",
    module="tree_sitter_javascript",
    lexis=_LEXIS,
    places=_PLACES,
    ways=(*_WAYS, *in_cases(_WAYS), *in_conditions(_WAYS)),
    leads=_LEADS,
    closings=_CLOSINGS,
    endings=_ENDINGS,
    list_endings=_LIST_ENDINGS,
    blocks=_BLOCKS,
    refused=_REFUSED,
    unread=_UNREAD,
    markup=r"/>|</\w|<[A-Z]\w*[\s>]",
)


_TYPED_PLACES = (
    Place(
        "signatures",
        4,
        likely=r"(readonly )?\[?[\w$']+\??\]?\s*(:[^;,=]*;|\()",
        heading=r"^(export )?(declare )?(interface|type)\b",
    ),
    Place("constants", 5, likely=r"[A-Z]\w*( = .*)?,", heading=r"\benum\b", is_list=True),
    Place("types", 7, likely=r"[|&] ", filler="__"),
)
_TYPED_WAYS = (
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
_TYPED_LEADS = (
    Lead(r":", "function __()", frozenset({"file", "statements"})),
    Lead(r":", "__()", frozenset({"members"})),
    Lead(r"(implements|extends)\b", "class __", frozenset({"file", "statements"})),
    Lead(r"=>", "type __ = ()", frozenset({"file"})),
    Lead(r"[|&]", "let __: __", frozenset({"file", "statements"})),
    Lead(r"[|&]", "__: __", frozenset({"members", "signatures", "parameters"})),
)
_TYPED_CLOSINGS = (
    Closing("{", r"\btype [\w$]+( <.*>)? =$", "}"),
    Closing("{", r"\) : .*[^=,(:]$", "}", ends=True),
)
_TYPED_ENDINGS = (
    Ending(r"@ [\w. ]+( \(\))?$", (" class __ {}", " __() {}", " __;")),
    Ending(r"\b(interface|enum|namespace|module)\b[^;={}]*$", (" {}", " __ {}")),
    Ending(r"\btype\b[^=]*$", (" = __;", " __ = __;")),
    Ending(r"\(\) : .*[^|&<:.]$", (" {}", ";", "> {}")),
)
_TYPED_BLOCKS = {
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
    places=(*JAVASCRIPT.places, *_TYPED_PLACES),
    ways=(*_TYPED_WAYS, *JAVASCRIPT.ways),
    leads=(*JAVASCRIPT.leads, *_TYPED_LEADS),
    closings=(*_TYPED_CLOSINGS, *JAVASCRIPT.closings),
    endings=(*_TYPED_ENDINGS, *JAVASCRIPT.endings),
    blocks=_TYPED_BLOCKS,
    refused="",
    unread="",
    markup=None,
    may_err=True,
)
TSX = dataclasses.replace(TYPESCRIPT, function="language_tsx")
