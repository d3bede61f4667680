"""Ruby, as far as hunks show it."""

from analyzers.syntax.grammar import Closing, Ending, Grammar, Lead, Lexis, Place, Quote, Way
from analyzers.syntax.languages.common import AFTER_OPERATOR, CHARACTERS, OPERATOR, block_kinds

_LEXIS = Lexis(
    line_comment=r"\#",
    quotes=(
        Quote(
            r"(?<![^\n])=begin\b",
            r"(?s:(?!\n=end\b).)*",
            r"\n=end\b",
            ("=begin",),
            "\n=end",
            is_comment=True,
        ),
        Quote(
            r"<<[~-]?[\"'`]?([A-Z]\w*)[\"'`]?",
            r"(?s:(?!\n[ \t]*<tag>\b).)*",
            r"\n[ \t]*<tag>\b",
            ("__ = <<~<tag>",),
            "\n<tag>",
        ),
        Quote('"', r'(?:\\(?s:.)|\#(?!\{)|[^"\\\#])*', '"', ('__ = "',), '"', hole=r"\#\{"),
        Quote("`", r"(?:\\.|[^`\\\n])*", "`"),
        CHARACTERS,
    ),
    word=r"[@$]{0,2}[^\W\d]\w*[?!]?",
    literal=(
        r"%[wWiIqQ]?(?:\[[^\]]{0,999}\]|\([^)]{0,999}\)|\{[^}]{0,999}\}|<[^>]{0,999}>)"
        r"|:\"[^\"\n]*\"|\?[\[\](){}](?!\w)"
    ),
    regex=(
        r"/(?![ =])(?:\\.|\[(?:\\.|[^\]\\\n]){0,99}\]|[^/\\\[\n]){1,999}/\w*"
        r"|%r\{(?:\\.|[^}\\]){0,999}\}\w*"
    ),
    openers=frozenset("begin case class def do for if module unless until while".split()),
    suffixes=frozenset("if unless until while".split()),
    loops=frozenset("for until while".split()),
    ends_lines=True,
)
_PLACES = (
    Place("file", 0, is_top=True),
    Place("statements", 1, heading=r"^(def|class|module|describe|context)\b"),
    Place("branches", 4, likely=r"(else|elsif)\b"),
    Place("rescues", 4, likely=r"(rescue|ensure)\b"),
    Place("cases", 5, likely=r"(when|in)\b"),
    Place("pairs", 5, likely=r"""([\w?!]+:|:\w+ =>|['"][^'"\n]*['"] =>)\s""", is_list=True),
    Place("values", 6, heading=r"\[$", is_list=True),
    Place("arguments", 6, heading=r"\($", is_list=True),
    Place("parameters", 8, is_list=True),
)
_WAYS = (
    Way("file", "statements", "def __", "end"),
    Way("file", "statements", "class __", "end", 1, r"^\s*(def|attr_\w+|include|private)\b"),
    Way("file", "arguments", "__(", ")", 1),
    Way("file", "values", "__ = [", "]", 1),
    Way("file", "pairs", "__ = {", "}", 1),
    Way("file", "pairs", "__(", ")", 1),
    Way("statements", "statements", "begin", "end"),
    Way("statements", "statements", "__ do", "end", 1),
    Way("statements", "statements", "__ {", "}"),
    Way("statements", "statements", "def __", "end", 1),
    Way("statements", "statements", "class __", "end", 2),
    Way("statements", "statements", "module __", "end", 2),
    Way("statements", "statements", "(", ")", 2),
    Way("statements", "branches", "if __", "end"),
    Way("statements", "rescues", "begin", "end"),
    Way("statements", "cases", "case __", "end"),
    Way("file", "branches", "if __", "end", 1),
    Way("file", "rescues", "begin", "end", 1),
    Way("file", "cases", "case __", "end", 1),
    Way("statements", "arguments", "__(", ")"),
    Way("statements", "values", "__ = [", "]"),
    Way("statements", "pairs", "__ = {", "}"),
    Way("statements", "pairs", "__(", ")", 1),
    Way("statements", "parameters", "def __(", "); end", 1),
    Way("arguments", "arguments", "__(", ")"),
    Way("arguments", "pairs", "{", "}"),
    Way("arguments", "pairs", "__(", ")", 1),
    Way("arguments", "values", "[", "]"),
    Way("arguments", "statements", "__ {", "}"),
    Way("arguments", "statements", "__ do", "end"),
    Way("values", "pairs", "{", "}"),
    Way("values", "values", "[", "]"),
    Way("values", "arguments", "__(", ")"),
    Way("pairs", "pairs", "__: {", "}"),
    Way("pairs", "values", "__: [", "]"),
    Way("pairs", "arguments", "__: __(", ")"),
    Way("pairs", "statements", "__: __ {", "}"),
    Way("pairs", "statements", "__: __ do", "end", 1),
)
_LISTS = frozenset({"arguments", "values"})
_CODE = frozenset({"file", "statements"})
_LEADS = (
    Lead(r"(?!when\b|in\b)", "when __", frozenset({"cases"})),
    Lead(OPERATOR, "__", _CODE | _LISTS),
    Lead(r",", "__", _LISTS),
    Lead(r",", "__: __", frozenset({"pairs"})),
    Lead(r",", "__ __", _CODE),
    Lead(r"[\w:'\"]", "__ __,", _CODE, 5),
)
_CLOSINGS = (
    Closing("{", r"(=|=>|:|,|^|[(\[]|\|\||\breturn)$", "}", is_list=True),
    Closing("{", r"", "}"),
    Closing("(", r"", ")", is_list=True),
    Closing("[", r"", "]", is_list=True),
    *(Closing(word, r"", "\nend") for word in sorted(_LEXIS.openers)),
)
_ENDINGS = (
    Ending(r"\b(if|unless|while|until|case|when|class|module|def)$", (" __",)),
    Ending(rf"{AFTER_OPERATOR}|,$|\b(and|or|not)$", (" __",)),
    Ending(r":$", (" __", "")),
    Ending(r"", ("",)),
)
_LIST_ENDINGS = (
    Ending(r",$", ("", " __", " __: __")),
    Ending(rf"{AFTER_OPERATOR}|=>$|:$", (" __",)),
    Ending(r"", ("", ": __", " => __")),
)

RUBY = Grammar(
    name="ruby",
    module="tree_sitter_ruby",
    lexis=_LEXIS,
    places=_PLACES,
    ways=_WAYS,
    leads=_LEADS,
    closings=_CLOSINGS,
    endings=_ENDINGS,
    list_endings=_LIST_ENDINGS,
    blocks=block_kinds(
        classes="class module",
        functions="method singleton_method lambda",
        others="if unless while until for case begin do_block block",
    ),
    keywords="elsif ensure rescue then undef when",
    may_err=True,
)
