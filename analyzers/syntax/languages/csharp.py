"""C#, as far as hunks show it."""

from analyzers.syntax.grammar import Closing, Ending, Grammar, Lead, Lexis, Place, Quote, Way
from analyzers.syntax.languages.common import (
    AFTER_OPERATOR,
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

_LEXIS = Lexis(
    line_comment="//",
    quotes=(
        BLOCK_COMMENT,
        Quote('\\$*"""', r'(?s:(?!""").)*', '"""', ('__ = """', '"""'), '"""'),
        Quote(r'(?:@\$?|\$@)"', r'(?:""|[^"])*', '"', ('__ = @"', '@"'), '"'),
        TEXT,
        CHARACTERS,
    ),
    word=r"@?[^\W\d]\w*",
    has_directives=True,
)
_PLACES = (
    Place("file", 0, is_top=True),
    Place(
        "members",
        1,
        likely=r"\[|(public|protected|private|internal|static|readonly|abstract|override|const)\b",
    ),
    Place("statements", 2),
    Place("cases", 4, likely=r"case\b|default\s*:"),
    Place("accessors", 4, likely=r"(get|set|add|remove|init)\b"),
    Place("constants", 5, likely=r"[A-Z]\w*\s*[,=]", heading=r"\benum\b", is_list=True),
    Place("values", 6, likely=r"[A-Z]\w* = .*,", heading=r"\{$", is_list=True),
    Place("arms", 6, likely=r".* => .*,", is_list=True),
    Place("arguments", 6, heading=r"\($", is_list=True),
    Place("parameters", 7, is_list=True),
    Place("condition", 8, filler="__", is_list=True),
    Place("for", 9, filler=";;", is_list=True),
)
_WAYS = (
    Way("file", "file", "namespace __ {", "}", 2),
    Way("file", "members", "class __ {", "}"),
    Way("file", "members", "interface __ {", "}", 2),
    Way("members", "members", "class __ {", "}", 1),
    Way("file", "constants", "enum __ {", "}"),
    Way("members", "constants", "enum __ {", "}"),
    Way("members", "accessors", "int __ {", "}", 2),
    Way("accessors", "statements", "get {", "}"),
    Way("members", "statements", "void __() {", "}"),
    Way("members", "statements", "__() {", "}", 1),
    Way("statements", "statements", "{", "}"),
    Way("statements", "statements", "if (__) {", "}", 1),
    Way("statements", "statements", "try {", "} finally {}", 1),
    Way("statements", "statements", "do {", "} while (__);", 1),
    Way("statements", "statements", "__ = () => {", "};", 2),
    Way("arguments", "statements", "() => {", "}"),
    Way("arguments", "statements", "delegate {", "}", 1),
    Way("values", "statements", "__ = () => {", "}", 1),
    Way("statements", "cases", "switch (__) {", "}"),
    Way("statements", "arms", "__ = __ switch {", "};", 2),
    Way("arguments", "arms", "__ switch {", "}", 2),
    Way("statements", "arguments", "__(", ");"),
    Way("statements", "arguments", "__ = __(", ");", 1),
    Way("arguments", "arguments", "__(", ")"),
    Way("members", "arguments", "int __ = __(", ");", 1),
    Way("members", "arguments", "int __() => __(", ");", 2),
    Way("members", "arguments", "__() : base(", ") {}", 2),
    Way("members", "arguments", "[__(", ")] int __;", 2),
    Way("file", "arguments", "[assembly: __(", ")]", 4),
    Way("statements", "condition", "if (", ") {}", 1),
    Way("statements", "condition", "do {} while (", ");", 3),
    Way("statements", "for", "for (", ") {}", 2),
    Way("members", "parameters", "void __(", ") {}"),
    Way("file", "parameters", "record __(", ");", 2),
    Way("arguments", "parameters", "(", ") => __", 2),
    Way("statements", "values", "__ = new __ {", "};"),
    Way("members", "values", "int[] __ = {", "};"),
    Way("members", "values", "__ __ = new __ {", "};", 1),
    Way("arguments", "values", "new __ {", "}"),
    Way("values", "values", "__ = {", "}"),
    Way("values", "values", "__ = new __ {", "}", 1),
    Way("values", "values", "{", "}", 1),
    Way("values", "arguments", "__ = __(", ")"),
    Way("values", "arguments", "__(", ")", 1),
    Way("arms", "arguments", "__ => __(", ")"),
)
_LEADS = (
    Lead(r"else\b", "if (__) {}", frozenset({"statements"})),
    Lead(r"(catch|finally)\b", "try {}", frozenset({"statements"})),
    Lead(r"\{", "void __()", frozenset({"members"})),
    Lead(r"\{", "int __", frozenset({"members"}), 2),
    Lead(r"(\{|:)", "class __", frozenset({"file", "members"}), 3),
    Lead(r"\{", "namespace __", frozenset({"file"}), 4),
    Lead(r"\{", "get", frozenset({"accessors"})),
    Lead(r"\{", "if (__)", frozenset({"statements"})),
    Lead(r":", "__()", frozenset({"members"})),
    Lead(r"where\b", "void __<__>()", frozenset({"members"})),
    Lead(r"where\b", "class __<__>", frozenset({"file", "members"}), 2),
    Lead(r"=>", "int __()", frozenset({"members"})),
    Lead(r"(?!case\b|default\b)", "case __:", frozenset({"cases"})),
    Lead(r":", "__ = __ ? __", frozenset({"statements"})),
    Lead(r":", "__ ? __", frozenset({"arguments", "values", "condition"})),
    Lead(OPERATOR, "__ = __", frozenset({"statements"})),
    Lead(OPERATOR, "int __ = __", frozenset({"members"})),
    Lead(OPERATOR, "__", frozenset({"arguments", "condition", "values"})),
    Lead(r",", "__", frozenset({"arguments", "values", "constants"})),
    Lead(r",", "int __", frozenset({"parameters"})),
    Lead(r"[\"\w(]", "__ = ", frozenset({"statements"}), 4),
    Lead(r"[\"\w(]", "int __ =", frozenset({"members"}), 5),
)
_CLOSINGS = (
    Closing("{", r"(=>|\bdelegate( \(\))?)$", "}"),
    Closing("{", r"\bswitch$", "}", is_list=True),
    Closing("{", r"\bnew\b[^;{}]*$", "}", is_list=True),
    Closing("(", r"\b(using|lock|fixed|foreach)$", ") {}", ends=True, is_list=True),
)
_ENDINGS = (
    Ending(r"\b(using|lock|fixed|foreach) \(\)$", (" {}",)),
    Ending(r"^\[\]$", (" class __ {}", " void __() {}", " int __;")),
    Ending(r"\b(class|interface|enum|struct|namespace|record)\b[^;={}]*$", (" {}", " __ {}")),
    Ending(r"\b(get|set|add|remove|init)$", (";", " {}")),
    Ending(r"\bwhere\b[^{}]*$", (" {}", ";", " : __ {}")),
    Ending(r"=>$", (" __;", " {};")),
)
_LIST_ENDINGS = (
    Ending(r"=>$", (" __", " {}")),
    Ending(rf"{AFTER_OPERATOR}|\b(new|out|ref|in)$", (" __", " __()", " __ : __")),
)

CSHARP = Grammar(
    name="csharp",
    module="tree_sitter_c_sharp",
    lexis=_LEXIS,
    places=_PLACES,
    ways=(*_WAYS, *in_cases(_WAYS), *in_conditions(_WAYS)),
    leads=_LEADS,
    closings=(*_CLOSINGS, *CLOSINGS),
    endings=(*_ENDINGS, *ENDINGS),
    list_endings=(*_LIST_ENDINGS, *LIST_ENDINGS),
    blocks=block_kinds(
        classes=(
            "class_declaration interface_declaration enum_declaration struct_declaration "
            "record_declaration"
        ),
        functions=(
            "method_declaration constructor_declaration destructor_declaration "
            "local_function_statement operator_declaration lambda_expression "
            "anonymous_method_expression"
        ),
        others=(
            "if_statement for_statement foreach_statement while_statement do_statement "
            "switch_statement try_statement catch_clause finally_clause lock_statement "
            "using_statement block namespace_declaration property_declaration"
        ),
    ),
    # The parser takes what a script may hold for a file.
    keywords=(
        "break case catch continue default do else finally for foreach goto if in is lock new "
        "return sizeof switch throw try typeof using var while"
    ),
    refused="""
(compilation_unit (global_statement
  [(expression_statement) (local_function_statement) (local_declaration_statement)] @refused))
""",
    may_err=True,
)
