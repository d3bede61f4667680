"""The grammar of JavaScript, as far as hunks need it."""

from analyzers.syntax.grammar import OPERATOR, Grammar, Lead, Place, Way, block_kinds, with_cases
from analyzers.syntax.shape import token_patterns

_PLACES = (
    Place("file", 0),
    Place("statements", 1, heading=r"\bfunction\b|=>\s*\{$"),
    Place("members", 2, heading=r"^(export )?(default )?(\w+(\.\w+)* = )?class\b"),
    Place("pairs", 3, likely=r"""(['"\w$]+['"]?\s*:(?!:)|\.\.\.)""", heading=r"\{$", is_list=True),
    Place("cases", 4, likely=r"case\b|default\s*:", heading=r"\bswitch\b"),
    Place("values", 5, heading=r"\[$", is_list=True),
    Place("arguments", 6, heading=r"\($", filler="__", is_list=True),
    Place("parameters", 7, heading=r"\bfunction\b.*\($", is_list=True),
    Place("names", 7, heading=r"^(import|export) \{$", is_list=True),
    Place("for", 9, filler=";;", is_list=True),
)
_OWN = r"\b(this|super)\b"
# A `break` or `continue` whose loop is not shown.
_JUMP = r"\A(?s:(?!.*\b(for|while|do|switch)\b).*)\b(break|continue);"
_WAYS = (
    # Try ways that seldom fit before those that always do.
    Way("file", "statements", "class __ extends Object { constructor() {", "}}", 0, r"\bsuper\("),
    Way("file", "statements", "class __ extends Object { async* __() {", "}}", 0, _OWN),
    Way("file", "statements", "async function* __() { for (;;) {", "}}", 0, _JUMP, _OWN),
    Way("members", "statements", "constructor() {", "}", 0, r"\bsuper\(", r"\bconstructor\b"),
    Way("statements", "statements", "for (;;) {", "}", 0, r"\b(break|continue)\b"),
    Way("file", "statements", "async function* __() {", "}", 0, None, r"\bsuper\b"),
    Way("file", "members", "class __ extends Object {", "}"),
    Way("statements", "members", "class __ extends Object {", "}"),
    Way("members", "statements", "async* __() {", "}"),
    Way("pairs", "statements", "async* __() {", "}"),
    Way("pairs", "statements", "__: async function*() {", "}", 1),
    Way("arguments", "statements", "async function*() {", "}"),
    Way("arguments", "statements", "async () => {", "}"),
    Way("statements", "statements", "{", "}"),
    Way("statements", "statements", "if (__) {", "}", 1),
    Way("statements", "statements", "try {", "} finally {}", 1),
    Way("file", "statements", "if (__) {", "}", 4),
    Way("file", "statements", "__ = async function*() {", "};", 1),
    Way("file", "pairs", "__ = {", "};", 1),
    Way("file", "arguments", "__(", ");", 1),
    Way("file", "values", "__ = [", "];", 1),
    Way("file", "names", "import {", "} from '';", 1),
    Way("statements", "cases", "switch (__) {", "}"),
    Way("statements", "arguments", "__(", ");"),
    Way("statements", "arguments", "if (", ") {}", 2),
    Way("arguments", "arguments", "__(", ")"),
    Way("values", "arguments", "__(", ")"),
    Way("pairs", "arguments", "__: __(", ")"),
    Way("statements", "for", "for (", ") {}", 2),
    Way("file", "parameters", "function __(", ") {}"),
    Way("statements", "parameters", "function __(", ") {}"),
    Way("members", "parameters", "__(", ") {}"),
    Way("pairs", "parameters", "__(", ") {}", 1),
    Way("statements", "pairs", "__ = {", "};"),
    Way("arguments", "pairs", "{", "}"),
    Way("values", "pairs", "{", "}"),
    Way("pairs", "pairs", "__: {", "}"),
    Way("statements", "values", "__ = [", "];"),
    Way("arguments", "values", "[", "]"),
    Way("values", "values", "[", "]"),
    Way("pairs", "values", "__: [", "]"),
)
_LEADS = (
    Lead(r"else\b", "if (__) {}", "file statements"),
    Lead(r"(catch|finally)\b", "try {}", "file statements"),
    Lead(r"\{", "function __()", "file statements"),
    Lead(r"\{", "__()", "members pairs"),
    Lead(r"(?!case\b|default\b)", "case __:", "cases"),
    Lead(r"[\w$]+\s*=[^=>].*,\s*\n", "var", "file statements", -1),
    Lead(OPERATOR, "__ = __", "file statements"),
    Lead(OPERATOR, "__ = __ ? __", "file statements", 2),
    Lead(OPERATOR, "__", "file statements arguments values"),
    Lead(OPERATOR, "__: __", "pairs"),
    Lead(r",", "__", "arguments values pairs parameters names"),
    Lead(r",", "var __", "file statements"),
)
_KINDS = block_kinds(
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
    module="tree_sitter_javascript",
    quote="`",
    patterns=token_patterns("`", has_regex=True),
    places=_PLACES,
    ways=with_cases(_WAYS),
    leads=_LEADS,
    kinds=_KINDS,
    refused=_REFUSED,
    unread=_UNREAD,
)
