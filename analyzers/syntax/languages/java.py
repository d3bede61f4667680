"""Java, as far as hunks show it."""

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
    line_comment="//",
    quotes=(
        BLOCK_COMMENT,
        Quote('"""', r'(?:\\(?s:.)|(?!""")[^\\])*', '"""', ('__ = """', '"""'), '"""'),
        TEXT,
        CHARACTERS,
    ),
)
_PLACES = (
    Place("file", 0, is_top=True),
    Place("members", 1, likely=r"@|(public|protected|private|static|final|abstract|default)\b"),
    Place("statements", 2),
    Place("cases", 4, likely=r"case\b|default\s*(:|->)", heading=r"\bswitch\b"),
    Place("constants", 5, likely=r"[A-Z][A-Z0-9_]*\s*[,(;]", heading=r"\benum\b", is_list=True),
    Place("annotation", 6, likely=r"\w+\s*=[^=]", heading=r"@\w+\($", is_list=True),
    Place("arguments", 6, heading=r"\($", is_list=True),
    Place("values", 7, heading=r"\{$", is_list=True),
    Place("parameters", 7, filler="", is_list=True),
    Place("condition", 8, filler="__", is_list=True),
    Place("for", 9, filler=";;", is_list=True),
    Place("resources", 9, filler="__ __ = __", is_list=True),
)
_WAYS = (
    Way("file", "members", "class __ {", "}"),
    Way("file", "members", "interface __ {", "}", 1, if_found=r"\bdefault\s+[\w<]"),
    Way("file", "members", "@interface __ {", "}", 1, if_found=r"\)\s*default\b"),
    Way("members", "members", "class __ {", "}", 1),
    Way("statements", "members", "class __ {", "}", 2),
    Way("statements", "members", "new __() {", "};", 2),
    Way("arguments", "members", "new __() {", "}", 1),
    Way("members", "members", "__ __ = new __() {", "};", 2),
    Way("file", "constants", "enum __ {", "}"),
    Way("members", "constants", "enum __ {", "}", 1),
    Way("constants", "members", "__ {", "}", 2),
    Way("constants", "arguments", "__(", ")", 1),
    Way("members", "statements", "Object __() {", "}"),
    # A constructor, only for what cannot stand anywhere else: there are rules about constructors.
    Way("members", "statements", "__() {", "}", 1, if_found=r"\b(this|super)\s*\("),
    Way("members", "statements", "static {", "}", 2),
    Way("statements", "statements", "{", "}"),
    Way("statements", "statements", "if (__) {", "}", 1),
    Way("statements", "statements", "try {", "} finally {}", 1),
    Way("statements", "statements", "do {", "} while (__);", 1),
    Way("statements", "statements", "__ = () -> {", "};", 2),
    Way("arguments", "statements", "() -> {", "}"),
    Way("cases", "statements", "case __ -> {", "}", 1),
    Way("statements", "cases", "switch (__) {", "}"),
    Way("statements", "cases", "__ = switch (__) {", "};", 1),
    Way("statements", "arguments", "__(", ");"),
    Way("statements", "arguments", "__ = __(", ");", 1),
    Way("members", "arguments", "__ __ = __(", ");", 1),
    Way("arguments", "arguments", "__(", ")"),
    Way("statements", "condition", "if (", ") {}", 1),
    Way("statements", "condition", "do {} while (", ");", 3),
    Way("statements", "for", "for (", ") {}", 2),
    Way("statements", "resources", "try (", ") {}", 2),
    Way("members", "parameters", "Object __(", ") {}"),
    Way("arguments", "parameters", "(", ") -> __", 2),
    Way("statements", "values", "__[] __ = {", "};"),
    Way("members", "values", "__[] __ = {", "};"),
    Way("arguments", "values", "new __[] {", "}", 1),
    Way("values", "values", "{", "}"),
    Way("values", "arguments", "__(", ")"),
    Way("annotation", "values", "__ = {", "}", 1),
    Way("file", "annotation", "@__(", ") class __ {}"),
    Way("members", "annotation", "@__(", ") __ __;", 1),
    Way("values", "annotation", "@__(", ")", 1),
    Way("annotation", "annotation", "__ = @__(", ")", 2),
)
_LEADS = (
    Lead(r"else\b", "if (__) {}", frozenset({"statements"})),
    Lead(r"(catch|finally)\b", "try {}", frozenset({"statements"})),
    Lead(r"(throws\b|\{)", "void __()", frozenset({"members"})),
    Lead(r"(extends|implements|permits)\b", "class __", frozenset({"file", "members"})),
    Lead(r"\{", "if (__)", frozenset({"statements"})),
    Lead(r"(?!case\b|default\b)", "case __:", frozenset({"cases"})),
    Lead(r":", "__ = __ ? __", frozenset({"statements"})),
    Lead(r":", "__ ? __", frozenset({"arguments", "condition"})),
    Lead(OPERATOR, "__ = __", frozenset({"statements", "annotation"})),
    Lead(r"\.", "__", frozenset({"statements"})),
    Lead(OPERATOR, "__ __ = __", frozenset({"members"})),
    Lead(OPERATOR, "__", frozenset({"arguments", "condition", "values"})),
    Lead(r"->", "() ", frozenset({"arguments"})),
    Lead(r",", "__", frozenset({"arguments", "values", "constants"})),
    Lead(r",", "__ __", frozenset({"parameters"})),
    Lead(r"[\"\w(]", "__ = ", frozenset({"statements"}), 4),
    Lead(r"[\"\w(]", "__ __ =", frozenset({"members"}), 5),
)
_CLOSINGS = (
    Closing("{", r"\btry( \(\))?$", "} finally {}", ends=True),
    Closing("{", r"\bdo$", "} while (__);", ends=True),
    Closing("{", r"(=|\[\]|[(,])$", "}", is_list=True),
    Closing("{", r"(->|\bnew [\w .<>,?]+ \(\))$", "}"),
    Closing("{", r"", "}", ends=True),
    Closing("(", r"\bdo \{\} while$", ");", ends=True, is_list=True),
    Closing(
        "(", r"(?<!\. )\b(if|while|for|switch|catch|synchronized)$", ") {}", ends=True, is_list=True
    ),
    Closing("(", r"\btry$", ") {} finally {}", ends=True, is_list=True),
    Closing("(", r"", ")", is_list=True),
    Closing("[", r"", "]", is_list=True),
)
_ENDINGS = (
    Ending(r"^$|;$", ("",)),
    Ending(r"\btry( \(\))? \{\}$", (" finally {}", "")),
    Ending(r"\bdo \{\}$", (" while (__);",)),
    Ending(r"\{\}$", ("", ";")),
    Ending(r"\b(else|finally)$", (" {}",)),
    Ending(r"\bdo$", (" {} while (__);",)),
    Ending(r"\btry( \(\))?$", (" {} finally {}",)),
    Ending(r"(?<!\. )\b(if|for|while|switch|synchronized|catch) \(\)$", (" {}",)),
    Ending(r"(^| )@ [\w .]+( \(\))?$", (" class __ {}", " void __() {}", " int __;")),
    Ending(r"\b(class|interface|enum|record|throws)\b[^;=]*$", (" {}", " __ {}", ";")),
    Ending(r"\b(case|default)\b[^:]*$", (":", "__:")),
    Ending(r":$", ("", "__;")),
    Ending(r"\bnew$", (" __();",)),
    Ending(r"->$", ("{};", "__;")),
    Ending(r"=$", ("__;", "__() {};")),
    Ending(rf"{AFTER_OPERATOR}|\b(return|throw|instanceof)$", (" __;", " __();", " __ : __;")),
    Ending(r",$", (" __;", " __ __;", " __ {}")),
    Ending(TORN_CHOICE, (" : __;", ";")),
    Ending(r"\)$", (";", " {}", " __;", "__() {}")),
    Ending(r"", (";", " __;", " = __;", "() {}", " {}", " : __;", ".__();", " __() {}")),
)
_LIST_ENDINGS = (
    Ending(r"^[(\[]?$", ("",)),
    Ending(r",$", ("", "__", "__ __")),
    Ending(r"->$", ("{}", "__")),
    Ending(r"\bnew$", (" __()",)),
    Ending(AFTER_OPERATOR, ("__", "__ : __")),
    Ending(TORN_CHOICE, (" : __", "")),
    Ending(r"^[^;]*;[^;]*;", ("", "__")),
    Ending(r";", (";", "")),
    Ending(r"", ("", " __", " : __", " = __", ";;", " __ : __")),
)
# No expressions: on a line that holds one, what is said of the rest of it is not said of them.
_BLOCKS = block_kinds(
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
_KEYWORDS = (
    "assert boolean break byte case catch char class const continue default do double else enum "
    "extends final finally float for goto if implements import instanceof int interface long "
    "native new package private protected public return short static strictfp super switch "
    "synchronized this throw throws transient try void volatile while"
)
# The parser takes what `jshell` does for a file.
_REFUSED = """
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
    name="java",
    module="tree_sitter_java",
    lexis=_LEXIS,
    places=_PLACES,
    ways=(*_WAYS, *in_cases(_WAYS), *in_conditions(_WAYS)),
    leads=_LEADS,
    closings=_CLOSINGS,
    endings=_ENDINGS,
    list_endings=_LIST_ENDINGS,
    blocks=_BLOCKS,
    keywords=_KEYWORDS,
    refused=_REFUSED,
)
