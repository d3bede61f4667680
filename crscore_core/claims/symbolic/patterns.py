"""The kinds of statements, and the patterns of code that tell them apart."""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

Kind = StrEnum(
    "Kind",
    "COMMENT IMPORT FUNCTION TYPE TEST CONDITION CASE LOOP SCOPE CATCH BLOCK RETURN RAISE "
    "ASSIGNMENT CALL ENTRY SECTION ROW ANNOTATION OTHER",
)
"""Kinds of statements that claims distinguish."""

DEFINITIONS = frozenset({Kind.FUNCTION, Kind.TYPE, Kind.TEST})
"""Kinds of statements that define a name for other code or a test runner."""

CONTROL = frozenset(map(Kind, "condition case loop scope catch block".split()))
"""Kinds of statements that contain others but define nothing."""

BLOCKS = CONTROL | DEFINITIONS

Pattern = tuple[Kind, frozenset[str], re.Pattern[str]]
"""A kind of statement, its languages (all if empty), and its pattern."""


def _compiled(table: Iterable[tuple[Kind, str, str]]) -> list[Pattern]:
    return [
        (kind, frozenset(languages.split()), re.compile(pattern, re.DOTALL))
        for kind, languages, pattern in table
    ]


def matches(
    patterns: Iterable[Pattern], code: str, language: str | None
) -> Iterator[tuple[Kind, re.Match[str]]]:
    """Yield the kinds whose patterns match, each with its match."""
    for kind, languages, regex in patterns:
        if (not languages or language in languages) and (match := regex.match(code)):
            yield kind, match


KEYWORDS = frozenset(
    "if elif elsif elseif else unless guard switch match select case when for while until foreach "
    "loop do with lock synchronized using try begin except catch rescue finally ensure return "
    "yield raise throw new await go defer delete echo print puts assert not typeof import from "
    "package include require use goto break continue pass in is and or end then sizeof".split()
)
"""Words that never name a function, type or variable."""

NO_CALL = frozenset(
    "if elif else while for switch catch return function not in and or array".split()
)
"""Words that never name a function that is called."""

_MODIFIERS = (
    r"^(?:(?:public|private|protected|internal|static|final|abstract|async|virtual|override|sealed"
    r"|inline|constexpr|extern|synchronized|native|readonly|unsafe|const|explicit|partial|export"
    r"|default|pub(?:\(\))?|open|data|suspend|transient|volatile|friend|declare|lateinit|required"
    r"|fileprivate|__\w+|[A-Z][A-Z\d_]+\(\)(?=\s\w)|@(?!interface\b)[\w.]+(?:\(\))?|\[\]|template\s*<[^()]*?>)\s+)*"
)
NAME = r"[$@]{0,2}[^\W\d][\w$]*"
_TYPE = r"[^\W\d][\w\s<>,.&*:?\[\]]*?[\s*&>\]]"
_TARGET = r"[*&]*(?:[$@\w]|[\[({][\])}])[\w\s$@.,()\[\]{}*&:?\"-]*?(?:->[\w$]+(?:\[\])*)?"
_SET = (
    r"(?P<operator>(?::|\*\*|\|\||&&|\?\?|<<|>>|[-+*/%|&^])?(?<![=!<>])=(?![=>~]))\s*(?P<value>.*)$"
)
_LET = r"(?:(?:let|var|val|mut|auto|local|my|our|global|const)\s+)"
_WORD_ENDS = r"(?!::|\s*(?:[.,)\]]|(?:[-+*/:]?=)(?![=~>])|->|\?\.))"
"""After a keyword: rejects variables with the same name."""

_BLOCK_HEADS = {
    Kind.CONDITION: r"(?:else\s+if|elseif|elsif|elif|if|unless|guard)",
    Kind.LOOP: r"(?:for|while|until|foreach|async\s+for|loop(?=\s*\{|\s+do)"
    r"|do(?=\s*(?:\{\}?)?$))",
    Kind.SCOPE: r"(?:switch|(?:async\s+)?with|lock|synchronized|using(?=\s*\(|\s+var)"
    r"|unsafe(?=\s*\{)|match(?=\s+[^=.\s])|select(?=\s*\{)|when(?=\s*[({]))",
    Kind.CATCH: r"(?:except|catch|rescue)",
}
_BARE = r"(?:else(?!\s+if\b)|(?:try|begin)(?=\s*[{:(]|$)|(?:finally|ensure)(?=\s*[{:]|$))"
_CASE = (
    r"(?:case(?=\s)|default(?=\s*(?::|->|=>|$))|when(?=\s+[^({]))"
    r"\s*(?P<value>[^:]*?(?:::[^:]*?)*)(?=\s*(?::(?!:)|->|=>|\bthen\b|$))"
)
_ARM = r"(?P<value>[^={}:\s](?:[^={}:]|[=!]=|\.\.=|::|\{\})*?)\s*%s"
ARMS = {
    "kotlin": _ARM % "->",
    "rust": _ARM % "=>",
    "scala": r"case\s(?P<value>.+?)\s*=>",
}
"""Patterns, by language, of cases with a sign before their value."""

_TYPED = "c cpp java csharp dart groovy"
"""Languages in which a type comes before a name, and functions need no keyword."""

_COLON = "python typescript kotlin rust swift scala"
"""Languages in which a type comes after a name and a colon."""

_ARROWS = "javascript typescript go php"
PATTERNS = _compiled([
    (Kind.IMPORT, "", (
     r"^(?:import|using(?!\s*\(|\s+var|\s+\w+\s*=)|use|package|#\s*include|include(?:_once)?"
     rf")\b{_WORD_ENDS}\s*(?P<value>.+)$")),
    (Kind.IMPORT, "php ruby lua javascript typescript", (
     rf"^require(?:_once|_relative)?\b{_WORD_ENDS}\s*(?P<value>.+)$")),
    (Kind.IMPORT, "", r"^(?P<value>from\s+\S+\s+import\s.+)$"),
    (Kind.IMPORT, "go", r'^(?P<value>(?:[\w.]+\s+)?"")$'),
    *((kind, "", rf"^{word}\b{_WORD_ENDS}(?P<value>.*)$") for kind, word in _BLOCK_HEADS.items()),
    (Kind.BLOCK, "", rf"^{_BARE}\b{_WORD_ENDS}"),
    (Kind.SCOPE, "ruby shell", r"^case\s(?P<value>.*)$"),
    *((Kind.CASE, language, rf"^{arm}") for language, arm in ARMS.items()),
    (Kind.CASE, "", rf"^{_CASE}"),
    (Kind.RETURN, "", (
     r"^(?P<operator>return|yield(?:\s+(?:return|break|from(?=\s)))?)\b"
     r"(?!\s*(?:[.,)]|=(?!=)))(?P<value>.*)$")),
    (Kind.ASSIGNMENT, "groovy", rf"{_MODIFIERS}(?P<declared>def)\s+(?P<name>{NAME})\s*{_SET}"),
    (Kind.RAISE, "", rf"^(?P<operator>raise|throw)\b{_WORD_ENDS}(?P<value>.*)$"),
    (Kind.FUNCTION, "", (
     rf"{_MODIFIERS}(?P<declared>def|func|fn|fun|function|sub|defp)\b[*!]?\s*"
     r"(?P<receiver>\(\)\s*(?=\w))?(?:<[^()]*>\s*)?(?P<name>[^\W\d](?:[\w.:$#]|-(?=\w))*[?!]?(?:=(?=\())?"
     r"|[-+*/<=>~!%\[\]]+(?=[(\s]))\s*(?:<[^()]*>|\[\])?\s*(?P<parameters>\(\))?")),
    (Kind.TYPE, "", (
     rf"{_MODIFIERS}(?P<keyword>class|@?interface|enum|struct|trait|record|module|namespace|type"
     r"|union|object|protocol|extension|impl)(?:\s+(?:class|struct)|<[^()]*?>)?"
     r"\s+(?P<name>[^\W\d][\w.:$]*\b)(?!\s*(?:[-+;,)\].]|=(?!\s*\S)))(?P<tail>.*)$")),
    (Kind.FUNCTION, f"{_TYPED} javascript typescript", (
     rf"{_MODIFIERS}(?P<result>{_TYPE}+)?"
     r"(?P<name>[\w:<>,~]*(?:operator\s*(?:\(\)|[^\s\w(]+|\w+)|[\w$]))\s*(?P<parameters>\(\))"
     r"(?:\s*(?:const|override|noexcept|final|throws\b[\w\s,.]*|->.*|:.*"
     r"|where\b.*|=\s*(?:0|default|delete)|\{\}))*$")),
    (Kind.FUNCTION, _ARROWS, (
     rf"{_MODIFIERS}{_LET}*(?P<name>[$@\w.\[\]()\"]+)"
     r"(?:\s*:[^=>]+(?==))?\s*(?P<operator>:?=|:|=>)\s*"
     rf"(?:async\s+)?(?P<value>(?:(?:function\b\*?(?:\s+\w+)?|func)\s*(?P<parameters>\(\))"
     rf"|(?:<.*?>)?(?P<listed>\(\)|{NAME})\s*(?::[^=]+)?=>).*)$")),
    (Kind.FUNCTION, "swift", (
     rf"{_MODIFIERS}(?P<name>init[?!]?)\s*(?:<[^()]*>)?\s*(?P<parameters>\(\))")),
    (Kind.FUNCTION, "shell", r"^(?P<name>[\w-]+)\s*(?P<parameters>\(\))$"),
    (Kind.ASSIGNMENT, "c cpp", r"^#\s*define\s+(?P<name>\w+(?:\(\))?)\s*(?P<value>.*)$"),
    (Kind.ASSIGNMENT, f"{_TYPED} php", (
     rf"{_MODIFIERS}{_LET}*(?P<declared>{_TYPE}+)(?P<name>{NAME}(?:\[\])*)"
     rf"(?:\s*\{{\}})?(?:\s*{_SET}|$)")),
    (Kind.ASSIGNMENT, "go", (
     rf"^(?P<declared>var|const)\s+(?P<name>\w+)\s+[^,=]+(?:{_SET}|$)")),
    (Kind.ASSIGNMENT, _COLON, (
     rf"{_MODIFIERS}{_LET}*(?P<name>[\w.$]+)\??(?P<declared>:)(?!:)[^=]*{_SET}")),
    (Kind.ASSIGNMENT, _COLON, (
     rf"{_MODIFIERS}{_LET}*(?P<name>\w+)\??(?P<declared>:)\s*(?:[A-Z]|\w+(?:\[|<|$|\s\|)).*$")),
    (Kind.ASSIGNMENT, "", (
     rf"{_MODIFIERS}(?P<declared>{_LET}*)(?P<name>{_TARGET})\s*{_SET}")),
    (Kind.ENTRY, "php ruby", (
     r"^(?P<name>\"\"|:?[$@\w][\w.:$-]*)\s*(?P<operator>=>)\s*(?P<value>.*)$")),
    (Kind.ENTRY, "", (
     r"^(?P<name>(?:\"\"|\[\])\s*|[$@\w][\w.$-]*\??)(?P<operator>:)(?!:)\s*(?P<value>.*)$")),
    (Kind.CALL, "", (
     rf"^(?:\.|\?\.|->)?(?:(?:await|go|defer|new)\s+)*(?P<name>{NAME}[!?]?"
     rf"(?:\s?(?:\.|\?\.|->|::)\s?{NAME}[!?]?|<[\w\s,<>.]*>|\(\)|\[\])*?!?)"
     r"\(\)(?:\s*(?:\{\}?|do))?$")),
])  # fmt: skip
"""Patterns of the outlines of statements; the first whose parts fit counts."""

TEST = re.compile(
    r"(?:describe|it|test|context|should|specify|suite|t\.Run|TEST(?:_[A-Z]+)?)\b"
    r"(?:\.(?:each|only|skip|todo|concurrent|failing|describe|step)\b[^\"'`]*)?"
    r"[( ]\s*(([\"'`])(?:\\.|(?!\2)[^\\])*\2)|TEST(?:_[A-Z]+)?\((\w+,\s*\w+)\)$"
)
NO_CODE = frozenset({"vue", "docker", "make"})
"""Languages whose statements are only compared."""

PARENTHESISED = frozenset(f"{_TYPED} javascript typescript php kotlin scala".split())
"""Languages in which the condition of a statement is in parentheses."""

_HEAD = "|".join(_BLOCK_HEADS.values())
HEAD_ENDS = {
    "bare": re.compile(rf"^{_BARE}\b{_WORD_ENDS}"),
    "case": re.compile(rf"^{_CASE}(?=\s*(?::|->|=>|then))"),
    **{language: re.compile(rf"^{arm}") for language, arm in ARMS.items()},
    "colon": re.compile(rf"^(?:{_HEAD}|(?:async\s+)?def|class)\b{_WORD_ENDS}[^:]*(?=:)"),
    "parentheses": re.compile(rf"^(?:{_HEAD})\s*\(\)"),
    "brace": re.compile(rf"^(?:{_HEAD})\b{_WORD_ENDS}.*?(?=\s*(?:\{{|;?\s*\b(?:then|do)\b))"),
    "words": re.compile(rf"^(?:{_HEAD})\b{_WORD_ENDS}.*?(?=\s*;?\s*\b(?:then|do)\b)"),
    "definition": re.compile(r"^[^={}]+(?=\{\}\s*$)"),
}
"""Patterns of the head of a block that follows on the same row."""

MODIFIER = re.compile(r"(?!(?:if|unless|elsif|when|in)\b).*[^=]\s(?=(?:if|unless)\s)")
"""A statement of Ruby before its modifier, the condition of the statement."""

_KEY = r"^(?:-\s+)?(?P<name>\"[^\"]+\"|'[^']+'|[\w.$/@*-]+)(?:\s*:(?=\s|$)|\s*=(?!=))\s*"
_ELEMENT = r"^<(?P<name>[\w:.-]+)(?:\s[^<>]*)?>(?P<value>[^<>]+)</(?P=name)>$"
SETTINGS = _compiled([
    (Kind.SECTION, "xml", r"^<(?P<name>[\w:.-]+)[^<>]*(?<!/)>(?P<value>)$"),
    (Kind.ENTRY, "xml", _ELEMENT),
    (Kind.ROW, "xml html", r"^(?P<name>)(?P<value>)"),
    (Kind.SECTION, "css nginx", r"^(?P<name>.*\S)\s*\{(?P<value>)$"),
    (Kind.SECTION, "terraform protobuf", r"^(?P<name>\w[^={}]*[^={}\s])\s*\{(?P<value>)$"),
    (Kind.SECTION, "sql", r"^(?P<name>(?i:create|insert)\b.*[^(\s])\s*\((?P<value>)$"),
    (Kind.SECTION, "", r"^\[+(?P<name>[^\[\],]+)\]+(?P<value>)$"),
    (Kind.SECTION, "", _KEY + r"[{\[]?(?P<value>)$"),
    (Kind.ENTRY, "", _KEY + r"(?P<value>.*)$"),
])  # fmt: skip
"""Patterns of the rows of settings files; the first counts."""
