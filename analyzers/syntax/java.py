"""The grammar of Java, as far as hunks need it."""

from analyzers.syntax.grammar import OPERATOR, Grammar, Lead, Place, Way, block_kinds, with_cases
from analyzers.syntax.shape import token_patterns

_PLACES = (
    Place("file", 0),
    Place("members", 1, likely=r"@|(public|protected|private|static|final|abstract|default)\b"),
    Place("statements", 2),
    Place("cases", 4, likely=r"case\b|default\s*(:|->)", heading=r"\bswitch\b"),
    Place("constants", 5, likely=r"[A-Z][A-Z0-9_]*\s*[,(;]", heading=r"\benum\b", is_list=True),
    Place("annotation", 6, likely=r"\w+\s*=[^=]", heading=r"@\w+\($", is_list=True),
    Place("arguments", 6, heading=r"\($", filler="__", is_list=True),
    Place("values", 7, heading=r"\{$", is_list=True),
    Place("parameters", 7, is_list=True),
    Place("for", 9, filler=";;", is_list=True),
)
_WAYS = (
    Way("file", "members", "class __ {", "}"),
    Way("file", "members", "interface __ {", "}", 1, r"\bdefault\s+[\w<]"),
    Way("file", "members", "@interface __ {", "}", 1, r"\)\s*default\b"),
    Way("members", "members", "class __ {", "}", 1),
    Way("statements", "members", "new __() {", "};", 2),
    Way("arguments", "members", "new __() {", "}", 1),
    Way("file", "constants", "enum __ {", "}"),
    Way("constants", "members", "__ {", "}", 2),
    Way("members", "statements", "Object __() {", "}"),
    # A constructor, only for code that fits nowhere else: there are rules about constructors.
    Way("members", "statements", "__() {", "}", 1, r"\b(this|super)\s*\("),
    Way("statements", "statements", "{", "}"),
    Way("statements", "statements", "if (__) {", "}", 1),
    Way("statements", "statements", "try {", "} finally {}", 1),
    Way("arguments", "statements", "() -> {", "}"),
    Way("statements", "cases", "switch (__) {", "}"),
    Way("statements", "arguments", "__(", ");"),
    Way("statements", "arguments", "if (", ") {}", 2),
    Way("members", "arguments", "__ __ = __(", ");", 1),
    Way("arguments", "arguments", "__(", ")"),
    Way("statements", "for", "for (", ") {}", 2),
    Way("members", "parameters", "Object __(", ") {}"),
    Way("statements", "values", "__[] __ = {", "};"),
    Way("members", "values", "__[] __ = {", "};"),
    Way("values", "values", "{", "}"),
    Way("values", "arguments", "__(", ")"),
    Way("file", "annotation", "@__(", ") class __ {}"),
    Way("members", "annotation", "@__(", ") __ __;", 1),
)
_LEADS = (
    Lead(r"else\b", "if (__) {}", "statements"),
    Lead(r"(catch|finally)\b", "try {}", "statements"),
    Lead(r"(throws\b|\{)", "void __()", "members"),
    Lead(r"(extends|implements|permits)\b", "class __", "file members"),
    Lead(r"(?!case\b|default\b)", "case __:", "cases"),
    Lead(OPERATOR, "__ = __", "statements annotation"),
    Lead(OPERATOR, "__ = __ ? __", "statements", 2),
    Lead(OPERATOR, "__ __ = __", "members"),
    Lead(OPERATOR, "__", "statements arguments values"),
    Lead(r",", "__", "arguments values constants"),
    Lead(r"[\"\w(]", "__ = ", "statements", 4),
    Lead(r"[\"\w(]", "__ __ =", "members", 5),
)
# No expressions: a finding on their line may be about the rest of the line.
_KINDS = block_kinds(
    classes=(
        "class_declaration interface_declaration enum_declaration record_declaration "
        "annotation_type_declaration"
    ),
    functions="method_declaration constructor_declaration compact_constructor_declaration",
    others=(
        "if_statement for_statement enhanced_for_statement while_statement do_statement "
        "switch_expression synchronized_statement try_statement "
        "try_with_resources_statement catch_clause finally_clause static_initializer block"
    ),
)
# The parser accepts keywords as names, and files that only `jshell` accepts.
_REFUSED = """
([(identifier) (type_identifier)] @refused (#any-of? @refused
  "assert" "break" "case" "catch" "continue" "default" "do" "else" "finally" "for" "if" "import"
  "instanceof" "new" "package" "return" "super" "switch" "throw" "throws" "try" "while"))
(expression_statement [
  (array_access) (binary_expression) (cast_expression) (decimal_integer_literal) (field_access)
  (identifier) (instanceof_expression) (lambda_expression) (method_reference)
  (parenthesized_expression) (string_literal) (ternary_expression) (unary_expression)
] @refused)
(class_body (compact_constructor_declaration) @refused)
(program [
  (assert_statement) (block) (break_statement) (continue_statement) (do_statement)
  (enhanced_for_statement) (expression_statement) (for_statement) (if_statement)
  (labeled_statement) (local_variable_declaration) (method_declaration) (return_statement)
  (switch_expression) (synchronized_statement) (throw_statement) (try_statement)
  (try_with_resources_statement) (while_statement) (yield_statement)
] @refused)
(block (local_variable_declaration (modifiers
  ["public" "private" "protected" "static" "abstract" "transient" "volatile"]) @refused))
"""


JAVA = Grammar(
    module="tree_sitter_java",
    quote='"""',
    patterns=token_patterns('"""', has_regex=False),
    places=_PLACES,
    ways=with_cases(_WAYS),
    leads=_LEADS,
    kinds=_KINDS,
    refused=_REFUSED,
)
