"""C and C++, as far as hunks show them."""

import dataclasses

from analyzers.syntax.grammar import Closing, Ending, Grammar, Lead, Lexis, Place, Quote, Way
from analyzers.syntax.languages.common import (
    BLOCK_COMMENT,
    CHARACTERS,
    CLOSINGS,
    ENDINGS,
    LIST_ENDINGS,
    OPERATOR,
    TEXT,
    block_kinds,
    in_cases,
    in_conditions,
)

_LEXIS = Lexis(line_comment="//", quotes=(BLOCK_COMMENT, TEXT, CHARACTERS), has_directives=True)
_PLACES = (
    Place("file", 0, is_top=True),
    Place("statements", 1, heading=r"\)\s*\{?$"),
    Place("fields", 3, heading=r"\b(struct|union)\b[^()]*$"),
    Place("cases", 4, likely=r"case\b|default\s*:"),
    Place("constants", 5, likely=r"[A-Z]\w*\s*[,=]", heading=r"\benum\b", is_list=True),
    Place("values", 5, likely=r"[.{\[]|\"", heading=r"[={]$", is_list=True),
    Place("arguments", 6, heading=r"\($", is_list=True),
    Place("parameters", 6, heading=r"[(,]$", is_list=True),
    Place("condition", 8, filler="__", is_list=True),
    Place("for", 9, filler=";;", is_list=True),
)
_WAYS = (
    Way("file", "statements", "void __() {", "}"),
    Way("file", "fields", "struct __ {", "};"),
    Way("file", "constants", "enum __ {", "};"),
    Way("file", "values", "int __[] = {", "};"),
    Way("file", "parameters", "void __(", ") {}"),
    Way("file", "parameters", "void __(", ");", 1),
    Way("file", "arguments", "__(", ");", 1),
    Way("file", "file", 'extern "C" {', "}", 3),
    Way("statements", "statements", "{", "}"),
    Way("statements", "statements", "if (__) {", "}", 1),
    Way("statements", "statements", "do {", "} while (__);", 1),
    Way("statements", "cases", "switch (__) {", "}"),
    Way("statements", "arguments", "__(", ");"),
    Way("statements", "arguments", "__ = __(", ");", 1),
    Way("statements", "condition", "if (", ") {}", 1),
    Way("statements", "condition", "do {} while (", ");", 3),
    Way("statements", "for", "for (", ") {}", 2),
    Way("statements", "values", "int __[] = {", "};"),
    Way("statements", "fields", "struct __ {", "};", 2),
    Way("arguments", "arguments", "__(", ")"),
    Way("arguments", "values", "(__) {", "}", 1),
    Way("values", "values", "{", "}"),
    Way("values", "arguments", "__(", ")"),
    Way("constants", "arguments", "__ = __(", ")"),
    Way("fields", "fields", "struct {", "} __;"),
    Way("fields", "constants", "enum {", "} __;", 1),
    Way("fields", "parameters", "void (*__)(", ");", 1),
    Way("parameters", "parameters", "void (*__)(", ")", 1),
)
_CODE = frozenset({"file", "statements"})
_LEADS = (
    Lead(r"else\b", "if (__) {}", frozenset({"statements"})),
    Lead(r"\{", "void __()", frozenset({"file"})),
    Lead(r"\{", "if (__)", frozenset({"statements"})),
    Lead(r"(?!case\b|default\b)", "case __:", frozenset({"cases"})),
    Lead(r"[*\w]+\s*\(", "void", frozenset({"file"}), 3),
    Lead(r":", "__ = __ ? __", _CODE),
    Lead(r":", "__ ? __", frozenset({"arguments", "values", "condition"})),
    Lead(OPERATOR, "__", _CODE | {"arguments", "values", "condition"}),
    Lead(OPERATOR, "__ = __", _CODE),
    Lead(r"\"", "__ = ", _CODE, 4),
    Lead(r",", "__", frozenset({"arguments", "values", "constants"})),
    Lead(r",", "int __", frozenset({"parameters", *_CODE})),
)
_ENDINGS = (
    Ending(r"\b(struct|union|enum)( \w+)?$", (" {};", " __ {};", " __;")),
    Ending(r"\b(struct|union|enum)( \w+)? \{\}$", (";", " __;")),
)

# The parser takes statements for what a file or structure may hold. Calls can be those of macros.
_REFUSED = """
(translation_unit [
  (break_statement) (case_statement) (continue_statement) (do_statement) (for_statement)
  (goto_statement) (if_statement) (labeled_statement) (return_statement) (switch_statement)
  (while_statement)
] @refused)
(translation_unit (expression_statement [
  (assignment_expression) (binary_expression) (update_expression)
  (call_expression function: (field_expression))
] @refused))
"""

C = Grammar(
    name="c",
    module="tree_sitter_c",
    lexis=_LEXIS,
    places=_PLACES,
    ways=(*_WAYS, *in_cases(_WAYS), *in_conditions(_WAYS)),
    leads=_LEADS,
    closings=CLOSINGS,
    endings=(*_ENDINGS, *ENDINGS),
    list_endings=LIST_ENDINGS,
    blocks=block_kinds(
        classes="struct_specifier union_specifier enum_specifier",
        functions="function_definition",
        others=(
            "if_statement for_statement while_statement do_statement switch_statement "
            "compound_statement"
        ),
    ),
    keywords="break case continue default do else for goto if return sizeof switch while",
    refused=_REFUSED,
    may_err=True,
)


_CPP_RAW_TEXT = Quote(
    r'R"([^()\\\s]*)\(', r'(?s:(?!\)<tag>").)*', r'\)<tag>"', ('__ = R"<tag>(',), ')<tag>"'
)
_CPP_MEMBERS = Place(
    "members",
    2,
    likely=r"(public|private|protected|virtual|explicit|static|~)\b",
    heading=r"^\s*(template\b.*)?(class|struct)\b[^;]*$",
)
_CPP_WAYS = (
    Way("file", "members", "class __ {", "};"),
    Way("members", "members", "class __ {", "};", 1),
    Way("statements", "members", "class __ {", "};", 2),
    Way("members", "statements", "void __() {", "}", 1),
    Way("members", "parameters", "void __(", ");"),
    Way("members", "parameters", "void __(", ") {}", 1),
    Way("members", "constants", "enum __ {", "};"),
    Way("members", "values", "int __[] = {", "};"),
    Way("members", "arguments", "__(", ");", 2),
    Way("file", "file", "namespace __ {", "}", 2),
    Way("statements", "statements", "try {", "} catch (...) {}", 1),
    Way("statements", "statements", "auto __ = [&]() {", "};", 1),
    Way("arguments", "statements", "[&]() {", "}"),
    Way("values", "statements", "[&]() {", "}"),
    Way("arguments", "values", "__ {", "}"),
    Way("arguments", "values", "{", "}"),
    Way("statements", "values", "__ = {", "};", 1),
    Way("statements", "values", "__ __ {", "};", 1),
    Way("file", "statements", "void __() try {", "} catch (...) {}", 4),
)
_CPP_LEADS = (
    Lead(r":", "__::__()", frozenset({"file"})),
    Lead(r":", "__()", frozenset({"members"})),
    Lead(r":", "class __", frozenset({"file", "members"}), 2),
    Lead(r"(\{|const\b|override\b|noexcept\b|->)", "auto __()", frozenset({"file", "members"})),
    Lead(r"catch\b", "try {}", frozenset({"statements"})),
    Lead(r"<<|>>", "__", frozenset({"statements"})),
)
_CPP_CLOSINGS = (
    Closing("{", r"\btry$", "} catch (...) {}", ends=True),
    Closing("{", r"\bnamespace\b[^(){};]*$", "}", ends=True),
    Closing("{", r"\b(class|struct|union|enum)\b[^()=;]*$", "};", ends=True),
    Closing("{", r"\[\]( \(\)( mutable| const| -> .*)?)?$", "}"),
)
_CPP_ENDINGS = (
    Ending(r"\btry \{\}$", (" catch (...) {}",)),
    Ending(r"\btry$", (" {} catch (...) {}",)),
    Ending(r"\b(public|private|protected)$", (":",)),
    Ending(r"^template( <.*)?$", (" void __();", "> void __();", " class __>  void __();")),
    Ending(r"\b(class|struct)\b[^;=(){}]*$", (" {};", " __ {};", ";")),
    Ending(r"\bnamespace\b[^;=(){}]*$", (" {}", " __ {}")),
    Ending(r"\) : .*\)$", (" {}", ";")),
)

_CPP_OF_FILES = (
    f"{C.refused}\n(translation_unit (expression_statement"
    " (call_expression function: (qualified_identifier))) @refused)"
)
_CPP_REFUSED = f"{_CPP_OF_FILES}\n{_CPP_OF_FILES.replace('translation_unit', 'declaration_list')}"

CPP = dataclasses.replace(
    C,
    name="cpp",
    module="tree_sitter_cpp",
    lexis=dataclasses.replace(C.lexis, quotes=(_CPP_RAW_TEXT, *C.lexis.quotes)),
    places=(*C.places, _CPP_MEMBERS),
    ways=(*_CPP_WAYS, *C.ways),
    leads=(*C.leads, *_CPP_LEADS),
    closings=(*_CPP_CLOSINGS, *C.closings),
    endings=(*_CPP_ENDINGS, *C.endings),
    keywords=f"{C.keywords} catch delete new throw try",
    refused=_CPP_REFUSED,
    blocks={
        **C.blocks,
        **block_kinds(
            classes="class_specifier",
            functions="lambda_expression",
            others="for_range_loop try_statement catch_clause namespace_definition",
        ),
    },
)
