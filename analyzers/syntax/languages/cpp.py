"""C++, as far as hunks show it: C, classes and more."""

import dataclasses

from analyzers.syntax.grammar import Closing, Ending, Lead, Place, Quote, Way
from analyzers.syntax.languages.c import C
from analyzers.syntax.languages.common import block_kinds

__all__ = ["CPP"]

_RAW_TEXT = Quote(
    r'R"([^()\\\s]*)\(', r'(?s:(?!\)<tag>").)*', r'\)<tag>"', ('__ = R"<tag>(',), ')<tag>"'
)
_PLACES = (
    Place(
        "members",
        2,
        likely=r"(public|private|protected|virtual|explicit|static|~)\b",
        heading=r"^\s*(template\b.*)?(class|struct)\b[^;]*$",
    ),
)
_WAYS = (
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
_LEADS = (
    Lead(r":", "__::__()", frozenset({"file"})),
    Lead(r":", "__()", frozenset({"members"})),
    Lead(r":", "class __", frozenset({"file", "members"}), 2),
    Lead(r"(\{|const\b|override\b|noexcept\b|->)", "auto __()", frozenset({"file", "members"})),
    Lead(r"catch\b", "try {}", frozenset({"statements"})),
    Lead(r"<<|>>", "__", frozenset({"statements"})),
)
_CLOSINGS = (
    Closing("{", r"\btry$", "} catch (...) {}", ends=True),
    Closing("{", r"\bnamespace\b[^(){};]*$", "}", ends=True),
    Closing("{", r"\b(class|struct|union|enum)\b[^()=;]*$", "};", ends=True),
    Closing("{", r"\[\]( \(\)( mutable| const| -> .*)?)?$", "}"),
)
_ENDINGS = (
    Ending(r"\btry \{\}$", (" catch (...) {}",)),
    Ending(r"\btry$", (" {} catch (...) {}",)),
    Ending(r"\b(public|private|protected)$", (":",)),
    Ending(r"^template( <.*)?$", (" void __();", "> void __();", " class __>  void __();")),
    Ending(r"\b(class|struct)\b[^;=(){}]*$", (" {};", " __ {};", ";")),
    Ending(r"\bnamespace\b[^;=(){}]*$", (" {}", " __ {}")),
    Ending(r"\) : .*\)$", (" {}", ";")),
)

_OF_FILES = (
    f"{C.refused}\n(translation_unit (expression_statement"
    " (call_expression function: (qualified_identifier))) @refused)"
)
_REFUSED = f"{_OF_FILES}\n{_OF_FILES.replace('translation_unit', 'declaration_list')}"

CPP = dataclasses.replace(
    C,
    name="cpp",
    module="tree_sitter_cpp",
    lexis=dataclasses.replace(C.lexis, quotes=(_RAW_TEXT, *C.lexis.quotes)),
    places=(*C.places, *_PLACES),
    ways=(*_WAYS, *C.ways),
    leads=(*C.leads, *_LEADS),
    closings=(*_CLOSINGS, *C.closings),
    endings=(*_ENDINGS, *C.endings),
    keywords=f"{C.keywords} catch delete new throw try",
    refused=_REFUSED,
    blocks={
        **C.blocks,
        **block_kinds(
            classes="class_specifier",
            functions="lambda_expression",
            others="for_range_loop try_statement catch_clause namespace_definition",
        ),
    },
)
