"""Split code into tokens."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

LINKS = frozenset({".", "?.", "->"})
"""Operators that access a member."""

UNKNOWN = "unknown"
"""The language of a file whose name does not indicate one."""

PROSE = "prose"
"""The language of documentation: paragraphs, read as comments."""

BY_ROW = frozenset(
    "yaml json json5 toml ini properties css xml html sql terraform protobuf nginx".split()
) | {UNKNOWN}
"""Languages that are read row by row."""


class Token(NamedTuple):
    """A token that starts on `row` and spans `extra_rows` more; `gap` is the space before it."""

    text: str
    row: int
    extra_rows: int
    gap: str
    is_comment: bool


Tokens = Sequence[Token]

_COMMENTS = {
    "slashes": r"//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\*(?:[ \t/][^\n]*)?$",
    "hash": r"(?<![^\s;,)\]}])\#(?![{!])[^\n]*",
    "both": r"//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\*(?:[ \t/][^\n]*)?$|\#(?!\[)[^\n]*",
    "dashes": r"--[^\n]*|/\*.*?(?:\*/|\Z)",
    "markup": r"<!--.*?(?:-->|\Z)",
    "semicolon": r"^[ \t]*[;\#][^\n]*",
    "unknown": r"(?<![:\w)\]])(?<![\w)\]][ ])//[^\n]*|/\*.*?(?:\*/|\Z)|(?<!\S)\#(?=[ \n]|\Z)[^\n]*",
}
_LANGUAGES = {
    "slashes": (
        "java javascript typescript c cpp csharp go rust swift kotlin scala groovy dart "
        "objective-c css json json5 protobuf"
    ),
    "hash": "python ruby shell yaml toml perl r make docker elixir nginx properties",
    "both": "php terraform",
    "dashes": "sql lua haskell",
    "markup": "html xml markdown vue",
    "semicolon": "ini",
}
_COMMENT_STYLES = {name: style for style, names in _LANGUAGES.items() for name in names.split()}
_TRIPLE = (
    r'[rRbBuUfF]{0,2}(?:"""(?:\\.|(?!""").)*(?:"""|\Z)|\'\'\'(?:\\.|(?!\'\'\').)*(?:\'\'\'|\Z))'
)
_TEMPLATE = r"`(?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\}|\$)*`"
_REGEX = (
    r"(?:(?<=[=(,:!&|?])|(?<=[=(,:!&|?][ ])|(?<=return[ ]))"
    r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*"
)
_STRINGS = {
    "csharp": r'\$?@\$?"(?:[^"]|"")*(?:"|\Z)|\$*"""(?:(?!""").)*(?:"""+|\Z)',
    "cpp": r'[uUL8]*R"(?P<raw>[^\s()\\]{0,16})\(.*?(?:\)(?P=raw)"|\Z)',
    "rust": r"b?r(?P<hashes>\#*)\".*?(?:\"(?P=hashes)|\Z)|'(?:\\[^'\n]*|[^'\\\n])'|'\w+",
    "go": _TEMPLATE,
    "ruby": _REGEX,
    "javascript": f"{_TEMPLATE}|{_REGEX}",
    "typescript": f"{_TEMPLATE}|{_REGEX}",
    **dict.fromkeys("python java kotlin swift scala groovy dart toml elixir".split(), _TRIPLE),
}
"""Patterns, by language, of strings that span rows or have special rules."""

_OTHER_TOKENS = r"""
    | [rRbBuUfF]{0,2}(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*') | `[^`\n]*`
    | \d[\w.]*(?:'\d+)*
    | [$@]{0,2}[^\W\d][\w$]*[?!](?=[(\s.]|$)(?!\s*=) | [$@]{0,2}[^\W\d][\w$]*
    | ===|!==|<=>|\.\.\.|<<=|>>=|\*\*=?|&&=|\|\|=|\?\?=|==|!=|<=|>=|=>|->|<-|&&|\|\||::
    | \\(?=\n) | \?\?|\?\.|:=|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\+\+|--|\S
"""


@cache
def _pattern(language: str) -> re.Pattern[str]:
    strings = _STRINGS.get("cpp" if language == "c" else language, r"(?!)")
    comment = _COMMENTS[_COMMENT_STYLES.get(language, "unknown")]
    pattern = f"(?P<comment>{comment})|(?:{strings}){_OTHER_TOKENS}"
    return re.compile(pattern, re.VERBOSE | re.DOTALL | re.MULTILINE)


def tokenize(text: str, language: str | None) -> list[Token]:
    """Return the tokens of one or more rows; a string or comment may span several."""
    comment_end = _open_comment_end(text, language)
    comment = Token(text[:comment_end], 0, text.count("\n", 0, comment_end), "", is_comment=True)
    tokens = [comment] if comment_end else []
    end, row = comment_end, comment.extra_rows
    for match in _pattern(language or "").finditer(text, comment_end):
        gap = text[end : match.start()]
        row += gap.count("\n")
        piece = match.group()
        extra_rows = piece.count("\n")
        tokens.append(Token(piece, row, extra_rows, gap, match["comment"] is not None))
        row, end = row + extra_rows, match.end()
    return tokens


def _open_comment_end(text: str, language: str | None) -> int:
    """Return the end of a comment or docstring that starts before the text, or 0."""
    if language == "python":
        marks = [match.start() for match in re.finditer(r'"""|\'\'\'', text)]
        before = text[: marks[0]] if len(marks) % 2 else ":"
        is_end = re.search(r"[\w.)]$|[^:\s]\s*\n[ \t]*$|^[ \t]*$", before) and not before.endswith(
            "r"
        )
        return marks[0] + 3 if is_end else 0
    if _COMMENT_STYLES.get(language or "", "unknown") in {"hash", "semicolon", "markup"}:
        return 0
    end, start = text.find("*/"), text.find("/*")
    line = text.rfind("\n", 0, end) + 1
    is_inside = end >= 0 and not 0 <= start < end and "//" not in text[line:end]
    is_string = re.search(r"(?<!\w)[\"']", text[line:end])
    return end + 2 if is_inside and not is_string else 0


def to_code(tokens: Tokens) -> str:
    """Return tokens as code on one line, with the original spaces and unchanged strings."""
    pieces = []
    for index, token in enumerate(tokens):
        if index and token.gap:
            is_break = "\n" in token.gap
            is_tight = tokens[index - 1].text in {"(", "["} or token.text in {")", "]", ",", *LINKS}
            is_tight &= tokens[index - 1].text not in {"in", "return"}
            pieces.append("" if is_break and is_tight else " ")
        pieces.append(token.text)
    return "".join(pieces)
