"""PHP, as far as hunks show it."""

from analyzers.syntax.grammar import Closing, Ending, Grammar, Lead, Lexis, Place, Quote, Way
from analyzers.syntax.languages.common import (
    AFTER_OPERATOR,
    BLOCK_COMMENT,
    CLOSINGS,
    ENDINGS,
    LIST_ENDINGS,
    OPERATOR,
    block_kinds,
    in_cases,
    in_conditions,
)

_LEXIS = Lexis(
    line_comment=r"//|\#(?!\[)",
    quotes=(
        BLOCK_COMMENT,
        Quote(r"\?>", r"(?s:(?!<\?).)*", r"<\?(?:php\b|=)?", ("?>",), "<?php", is_comment=True),
        Quote(
            r"<<<[ \t]*[\"']?(\w+)[\"']?",
            r"(?s:(?!\n[ \t]*<tag>\b).)*",
            r"\n[ \t]*<tag>\b",
            ("$__ = <<<<tag>",),
            "\n<tag>",
        ),
        Quote('"', r'(?:\\(?s:.)|[^"\\])*', '"', ('$__ = "',), '"'),
        Quote("'", r"(?:\\(?s:.)|[^'\\])*", "'", ("$__ = '",), "'"),
    ),
    word=r"\$?[^\W\d]\w*",
)
_PLACES = (
    Place("page", 9, is_top=True),
    Place("file", 0, is_top=True),
    Place("members", 1, likely=r"(public|protected|private|static|abstract|final|const)\b"),
    Place("statements", 2, heading=r"\bfunction\b"),
    Place("cases", 4, likely=r"case\b|default\s*:"),
    Place("values", 5, likely=r"""(['"][^'"\n]*['"]|\w+(::\w+)?) =>""", is_list=True),
    Place("arguments", 6, heading=r"\($", is_list=True),
    Place("parameters", 7, is_list=True),
    Place("condition", 8, filler="$__", is_list=True),
    Place("arms", 8, is_list=True),
    Place("for", 9, filler=";;", is_list=True),
)
_WAYS = (
    Way("page", "file", "<?php", "", 0, None, r"\A\s*<\?"),
    Way("file", "members", "class __ {", "}"),
    Way("file", "members", "interface __ {", "}", 2),
    Way("file", "statements", "function __() {", "}"),
    Way("file", "arguments", "__(", ");", 1),
    Way("file", "values", "$__ = [", "];", 1),
    Way("file", "values", "return [", "];", 2),
    Way("file", "values", "return array(", ");", 2),
    Way("members", "statements", "function __() {", "}"),
    Way("members", "parameters", "function __(", ") {}"),
    Way("file", "parameters", "function __(", ") {}", 1),
    Way("members", "values", "public $__ = [", "];"),
    Way("members", "values", "public $__ = array(", ");", 1),
    Way("statements", "statements", "{", "}"),
    Way("statements", "statements", "if ($__) {", "}", 1),
    Way("statements", "statements", "try {", "} finally {}", 1),
    Way("statements", "statements", "do {", "} while ($__);", 1),
    Way("statements", "statements", "$__ = function () {", "};", 2),
    Way("statements", "members", "$__ = new class {", "};", 4),
    Way("arguments", "members", "new class {", "}", 3),
    Way("arguments", "statements", "function () {", "}"),
    Way("values", "statements", "function () {", "}"),
    Way("values", "statements", "'' => function () {", "}", 1),
    Way("statements", "cases", "switch ($__) {", "}"),
    Way("statements", "arms", "$__ = match ($__) {", "};", 1),
    Way("statements", "arguments", "__(", ");"),
    Way("statements", "arguments", "$__ = __(", ");", 1),
    Way("arguments", "arguments", "__(", ")"),
    Way("values", "arguments", "__(", ")"),
    Way("values", "arguments", "'' => __(", ")"),
    Way("statements", "condition", "if (", ") {}", 1),
    Way("statements", "condition", "do {} while (", ");", 3),
    Way("statements", "for", "for (", ") {}", 2),
    Way("statements", "values", "$__ = [", "];"),
    Way("statements", "values", "$__ = array(", ");", 1),
    Way("arguments", "values", "[", "]"),
    Way("arguments", "values", "array(", ")", 1),
    Way("values", "values", "[", "]"),
    Way("values", "values", "'' => [", "]"),
    Way("values", "values", "array(", ")", 1),
    Way("values", "values", "'' => array(", ")", 1),
    Way("arguments", "parameters", "function (", ") {}", 2),
)
_CODE = frozenset({"file", "statements"})
_LEADS = (
    Lead(r"(else|elseif)\b", "if ($__) {}", _CODE),
    Lead(r"(else|elseif)\b.*:\s*\n", "if ($__):", _CODE, 2),
    Lead(r"(catch|finally)\b", "try {}", _CODE),
    Lead(r"\{", "function __()", frozenset({"members", "file"})),
    Lead(r"(\{|extends\b|implements\b)", "class __", frozenset({"file"})),
    Lead(r"\{", "if ($__)", frozenset({"statements"})),
    Lead(r"(?!case\b|default\b)", "case __:", frozenset({"cases"})),
    Lead(r":", "$__ = $__ ? $__", _CODE),
    Lead(r":", "$__ ? $__", frozenset({"arguments", "values", "condition"})),
    Lead(OPERATOR, "$__", _CODE | {"arguments", "condition", "values"}),
    Lead(OPERATOR, "public $__ = __", frozenset({"members"})),
    Lead(r",", "$__", frozenset({"arguments", "values", "parameters"})),
    Lead(r"['\"\w]", "$__ = ", _CODE, 4),
)
_CLOSINGS = (
    Closing("{", r"\bmatch \(\)$", "}", is_list=True),
    Closing("{", r"\b(function|fn|use)( &)? \(\)( : [?\w\\ ]+)?$", "}"),
    Closing("{", r"\bnew class\b[^{}]*$", "}"),
    Closing("{", r"\btry$", "} finally {}", ends=True),
    Closing("(", r"\b(foreach|elseif)$", ") {}", ends=True, is_list=True),
)
_ENDINGS = (
    Ending(r"\b(foreach|elseif) \(\)$", (" {}",)),
    Ending(r"\b(foreach|if|elseif|while|for) \(\) :$", ("",)),
    Ending(r"\bfunction\b[^(){}]*(\(\)[^{}]*)?$", (" {}", ";", "() {}", " __() {}")),
    Ending(r"\b(class|interface|trait|enum|namespace)\b[^;={}]*$", (" {}", " __ {}")),
    Ending(r"\b(public|protected|private|static|final|abstract)$", (" $__;",)),
    Ending(r"=>$", (" $__;",)),
    Ending(rf"{AFTER_OPERATOR}|\b(return|throw|new|echo)$", (" $__;", " __();", " $__ : $__;")),
    Ending(r"\?(?!.*:).*[\w)\]}\"]$", (" : $__;", ";")),
)
_LIST_ENDINGS = (
    Ending(r"(=>|\bas)$", (" $__",)),
    Ending(AFTER_OPERATOR, (" $__", " $__ : $__", "__")),
)

PHP = Grammar(
    name="php",
    module="tree_sitter_php",
    function="language_php",
    lexis=_LEXIS,
    places=_PLACES,
    ways=(*_WAYS, *in_cases(_WAYS), *in_conditions(_WAYS)),
    leads=_LEADS,
    closings=(*_CLOSINGS, *CLOSINGS),
    endings=(*_ENDINGS, *ENDINGS),
    list_endings=(*_LIST_ENDINGS, *LIST_ENDINGS),
    blocks=block_kinds(
        classes="class_declaration interface_declaration trait_declaration enum_declaration",
        functions=("function_definition method_declaration anonymous_function arrow_function"),
        others=(
            "if_statement for_statement foreach_statement while_statement do_statement "
            "switch_statement try_statement catch_clause finally_clause compound_statement"
        ),
    ),
    # What stands outside of the marks of code is no code, and anything may stand there.
    refused="(program . (text) @refused)",
    may_err=True,
)
