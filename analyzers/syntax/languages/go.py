"""Go, as far as hunks show it."""

from analyzers.syntax.grammar import Closing, Ending, Grammar, Lead, Lexis, Place, Quote, Way
from analyzers.syntax.languages.common import (
    AFTER_OPERATOR,
    BLOCK_COMMENT,
    CHARACTERS,
    OPERATOR,
    TEXT,
    block_kinds,
    in_cases,
)

_LEXIS = Lexis(
    line_comment="//",
    quotes=(BLOCK_COMMENT, Quote("`", r"[^`]*", "`", ("__ = `", "`"), "`"), TEXT, CHARACTERS),
    ends_lines=True,
)
_PLACES = (
    Place("file", 0, is_top=True),
    Place("statements", 1, heading=r"^func\b"),
    Place("fields", 3, likely=r"\w+(, \w+)*\s+[\w*.\[\]]+(\s+`.*`)?\n", heading=r"\bstruct\b"),
    Place("methods", 4, likely=r"\w+\(.*\n", heading=r"\binterface\b"),
    Place("cases", 4, likely=r"case\b|default\s*:"),
    Place("imports", 4, likely=r"([\w.]+ )?\"[^\"]*\"\n", heading=r"^import\b"),
    Place("names", 5, likely=r"\w+(\s+\w+)?\s+=", heading=r"^(const|var)\b"),
    Place("values", 5, likely=r"(\w+|\"[^\"]*\"):|\{", heading=r"\{$", is_list=True),
    Place("arguments", 6, heading=r"\($", is_list=True),
    Place("parameters", 7, heading=r"^func\b.*\($", is_list=True),
    Place("types", 8, heading=r"^type \("),
)
_WAYS = (
    Way("file", "statements", "func __() {", "}"),
    Way("file", "fields", "type __ struct {", "}"),
    Way("file", "methods", "type __ interface {", "}"),
    Way("file", "imports", "import (", ")"),
    Way("file", "names", "const (", ")"),
    Way("file", "names", "var (", ")", 1),
    Way("file", "types", "type (", ")", 1),
    Way("file", "values", "var __ = __{", "}"),
    Way("file", "parameters", "func __(", ") {}"),
    Way("file", "arguments", "var __ = __(", ")", 1),
    Way("names", "values", "__ = __{", "}"),
    Way("names", "arguments", "__ = __(", ")"),
    Way("types", "fields", "__ struct {", "}"),
    Way("statements", "fields", "type __ struct {", "}", 2),
    Way("statements", "fields", "__ := []struct {", "}{}", 2),
    Way("fields", "fields", "__ struct {", "}"),
    Way("methods", "parameters", "__(", ")"),
    Way("statements", "statements", "{", "}"),
    Way("statements", "statements", "if __ {", "}", 1),
    Way("statements", "statements", "for {", "}", 1),
    Way("statements", "statements", "func() {", "}()", 1),
    Way("statements", "statements", "go func() {", "}()", 2),
    Way("statements", "statements", "__ := func() {", "}", 2),
    Way("arguments", "statements", "func() {", "}"),
    Way("values", "statements", "func() {", "}"),
    Way("values", "statements", "__: func() {", "}", 1),
    Way("statements", "cases", "switch __ {", "}"),
    Way("statements", "cases", "select {", "}", 1),
    Way("statements", "arguments", "__(", ")"),
    Way("statements", "arguments", "__ = __(", ")", 1),
    Way("statements", "arguments", "if __(", ") {}", 1),
    Way("arguments", "arguments", "__(", ")"),
    Way("values", "arguments", "__: __(", ")"),
    Way("values", "arguments", "__(", ")", 1),
    Way("statements", "values", "__ := __{", "}"),
    Way("statements", "values", "for _, __ := range []__{", "} {}", 2),
    Way("arguments", "values", "__{", "}"),
    Way("values", "values", "{", "}"),
    Way("values", "values", "__: {", "}"),
    Way("values", "values", "__: __{", "}", 1),
)
_LEADS = (
    Lead(r"(?!case\b|default\b)", "case __:", frozenset({"cases"})),
    Lead(OPERATOR, "__", frozenset({"statements", "arguments", "values"})),
    Lead(r"[\"`]", "__ = ", frozenset({"statements"}), 4),
    Lead(r"\w", "__ = __ +", frozenset({"statements"}), 5),
    Lead(r"\{", "func __()", frozenset({"file"})),
)
_CLOSINGS = (
    Closing("{", r"\b(func|if|for|switch|select|else|interface|struct)\b[^{}]*$", "}"),
    Closing("{", r"(^|[\w\]*}])( \{\})?$", "}", is_list=True),
    Closing("{", r"[(,:]$", "}", is_list=True),
    Closing("{", r"", "}"),
    Closing("(", r"^(import|const|var|type)$", ")", ends=True),
    Closing("(", r"", ")", is_list=True),
    Closing("[", r"", "]", is_list=True),
)
_ENDINGS = (
    Ending(r"^$|;$", ("",)),
    Ending(r"\bfunc\b.*\(\)$", (" {}", "")),
    Ending(r"\b(func|if|for|switch|select|struct|interface)\b[^{}]*$", (" {}", " __ {}", "")),
    Ending(r"\belse$", (" {}",)),
    Ending(r"\b(func|interface|struct|map)\b.*\{\}$", ("", "()", "{}")),
    Ending(r"\bcase\b[^:]*$", (":", " __:")),
    Ending(rf"{AFTER_OPERATOR}|,$|:=$", (" __", " __ {}")),
    Ending(r"", ("", " {}", " __", " = __", " := __")),
)
_LIST_ENDINGS = (
    Ending(r"^[(\[]?$", ("",)),
    Ending(r",$", ("", " __")),
    Ending(r"\bfunc\b.*\(\)$", (" {}", "")),
    Ending(rf"{AFTER_OPERATOR}|:$", (" __",)),
    Ending(r"", ("", ",", ": __", " __", " {}")),
)

GO = Grammar(
    name="go",
    module="tree_sitter_go",
    lexis=_LEXIS,
    places=_PLACES,
    ways=(*_WAYS, *in_cases(_WAYS)),
    leads=_LEADS,
    closings=_CLOSINGS,
    endings=_ENDINGS,
    list_endings=_LIST_ENDINGS,
    blocks=block_kinds(
        classes="struct_type interface_type",
        functions="function_declaration method_declaration func_literal",
        others=(
            "if_statement for_statement expression_switch_statement type_switch_statement "
            "select_statement block"
        ),
    ),
    refused="(source_file [(expression_statement) (short_var_declaration)] @refused)",
    may_err=True,
)
