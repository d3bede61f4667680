"""Split one side of a hunk into logical lines: statements, headings and comments, as tokens."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from crscore_core.change import ChangedLine, LineKind

MAX_JOINED = 40
"""Maximum rows joined into a statement by its brackets; longer ones are read row by row."""

LINKS = frozenset({".", "?.", "->"})
"""Operators that access a member."""

UNKNOWN = "unknown"
"""The language of a file whose name does not indicate one."""

BY_ROW = frozenset({"yaml", "json", "toml", "ini", "css", "xml", "html", UNKNOWN})
"""Languages that are read row by row."""

_GO_LISTS = frozenset((word, "(") for word in ("import", "type", "const", "var"))
"""Heads of Go declaration lists, where each row is a statement."""

_OPEN, _CLOSE = frozenset("(["), frozenset(")]")
_OPENS_BLOCK = frozenset({"{", "=>", "do", "|"})
_CONTINUES = frozenset("&& || & | ?? and or + * ? : throws extends implements where with =".split())
_UNFINISHED = frozenset({"=", "+", "&&", "||", "??", "\\", "and", "or", "?", "=>", "<<"})
_BY_INDENT = frozenset({"python", "shell"})
_COMMENT_MARK = re.compile(
    r'^\s*(?://[/!]?|/\*+|\*+/|\*(?=\s|$)|#+:?|--+|<!--|;+|[rRuUbB]?(?:"""|\'\'\'))\s?'
    r'|\s*(?:\*/|-->|"""|\'\'\')\s*$'
)


class Token(NamedTuple):
    """A token that starts on `row` and spans `extra_rows` more; `gap` is the space before it."""

    text: str
    row: int
    extra_rows: int
    gap: str
    is_comment: bool


_COMMENTS = {
    "slashes": r"//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\*(?:[ \t/][^\n]*)?$",
    "hash": r"(?<![^\s;,)\]}])\#(?!\{)[^\n]*",
    "both": r"//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\*(?:[ \t/][^\n]*)?$|\#(?!\[)[^\n]*",
    "dashes": r"--[^\n]*|/\*.*?(?:\*/|\Z)",
    "markup": r"<!--.*?(?:-->|\Z)",
    "semicolon": r"^[ \t]*[;\#][^\n]*",
    "unknown": r"(?<![:\w)\]])(?<![\w)\]][ ])//[^\n]*|/\*.*?(?:\*/|\Z)|(?<!\S)\#(?=[ !])[^\n]*",
}
_LANGUAGES = {
    "slashes": (
        "java javascript typescript c cpp csharp go rust swift kotlin scala groovy dart "
        "objective-c css json"
    ),
    "hash": "python ruby shell yaml toml perl r make docker elixir",
    "both": "php",
    "dashes": "sql lua haskell",
    "markup": "html xml markdown vue svelte",
    "semicolon": "ini",
}
_COMMENT_STYLES = {name: style for style, names in _LANGUAGES.items() for name in names.split()}
_TRIPLE = (
    r'[rRbBuUfF]{0,2}(?:"""(?:\\.|(?!""").)*(?:"""|\Z)|\'\'\'(?:\\.|(?!\'\'\').)*(?:\'\'\'|\Z))'
)
_TEMPLATE = r"`(?:[^`\\]|\\.)*`"
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
        is_end = re.search(r"[\w.)]$|[^:\s]\s*\n[ \t]*$", before) and not before.endswith("r")
        return marks[0] + 3 if is_end else 0
    if _COMMENT_STYLES.get(language or "", "unknown") in {"hash", "semicolon", "markup"}:
        return 0
    end, start = text.find("*/"), text.find("/*")
    line = text.rfind("\n", 0, end) + 1
    is_inside = end >= 0 and not 0 <= start < end and "//" not in text[line:end]
    return end + 2 if is_inside and '"' not in text[line:end] else 0


def code_of(tokens: Sequence[Token]) -> str:
    """Return tokens as code on one line, with the original spaces and unchanged strings."""
    pieces = []
    for index, token in enumerate(tokens):
        if index and token.gap:
            is_break = "\n" in token.gap
            is_tight = tokens[index - 1].text in _OPEN or token.text in {*_CLOSE, *LINKS, ","}
            pieces.append("" if is_break and is_tight else " ")
        pieces.append(token.text)
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """A statement, a heading or consecutive comment rows on one side of a hunk.

    tokens: empty for comment rows.
    comment: the comment rows, or a comment on a line of code.
    rows: the indices of its lines in the hunk.
    changed: True if the other side lacks one of them.
    line: the corresponding line of the new file.
    """

    tokens: tuple[Token, ...]
    comment: str
    rows: range
    changed: bool
    line: int
    indent: int


def logical_lines(
    lines: Sequence[ChangedLine], side: LineKind, language: str | None
) -> list[LogicalLine]:
    """Return the logical lines of one side of a hunk: context and the lines of kind `side`."""
    indices = [i for i, line in enumerate(lines) if line.kind in {LineKind.CONTEXT, side}]
    texts = [lines[index].text.rstrip() for index in indices]
    by_row: list[list[Token]] = [[] for _ in indices]
    for token in tokenize("\n".join(texts), language):
        by_row[token.row].append(token)
    line_numbers = new_lines(lines)
    logical: list[LogicalLine] = []
    end = 0
    while end < len(indices):
        start, end = end, _statement_end(by_row, end, language) if by_row[end] else end + 1
        tokens = [token for row in by_row[start:end] for token in row]
        changed = [index for index in indices[start:end] if lines[index].kind is side]
        first_row = texts[start].expandtabs(4)
        line = LogicalLine(
            tokens=tuple(
                token
                for token, following in pairwise([*tokens, None])
                if token and not token.is_comment and not _is_break(token, following)
            ),
            comment=comment_text([token.text for token in tokens if token.is_comment]),
            rows=range(indices[start], indices[end - 1] + 1),
            changed=bool(changed),
            line=line_numbers[changed[0] if changed else indices[start]],
            indent=len(first_row) - len(first_row.lstrip()),
        )
        if line.tokens or line.comment:
            logical.append(line)
    return logical


def _is_break(token: Token, following: Token | None) -> bool:
    return token.text == "\\" and (following is None or following.row > token.row)


def new_lines(lines: Sequence[ChangedLine]) -> list[int]:
    """Return the corresponding line of the new file for each line."""
    last = max((line.new or 0 for line in lines), default=0)
    numbers, following = [0] * len(lines), 0
    for index in range(len(lines) - 1, -1, -1):
        following = lines[index].new or following
        numbers[index] = following or max(last, 1)
    return numbers


def comment_text(comments: Sequence[str]) -> str:
    """Return the text of comments on one line, without comment marks."""
    rows = [row for comment in comments for row in comment.split("\n")]
    return " ".join(" ".join(_COMMENT_MARK.sub("", row) for row in rows).split())


def _statement_end(by_row: Sequence[Sequence[Token]], start: int, language: str | None) -> int:
    """Return the row after the statement or comment that starts at `start`."""
    first_end = end = _row_end(by_row, start)
    if not _code(by_row[start]):
        while end < len(by_row) and by_row[end] and not _code(by_row[end]):
            end = _row_end(by_row, end)
        return end
    first_words = tuple(token.text for token in by_row[start][:2])
    braces = first_words[0] in {"import", "use"} or first_words == ("export", "{")
    depth, row = _depth_change(by_row[start], braces=braces), start
    while end < len(by_row) and end - start < MAX_JOINED and language not in BY_ROW:
        code, following = _code(by_row[row]), by_row[end]
        if depth < 0 or not (following if depth else _code(following)):
            break
        if depth == 0 and not _continues(code, following, language):
            return end
        opens_block = bool(code) and code[-1].text in _OPENS_BLOCK and language != "python"
        if depth > 0 and ((opens_block and not braces) or first_words in _GO_LISTS):
            return end
        row, end = end, _row_end(by_row, end)
        depth += _depth_change(following, braces=braces)
    return first_end if depth else end


def _code(row: Sequence[Token]) -> list[Token]:
    return [token for token in row if not token.is_comment]


def _row_end(by_row: Sequence[Sequence[Token]], row: int) -> int:
    """Return the row after the tokens that start on `row`."""
    return row + 1 + max(token.extra_rows for token in by_row[row])


def _depth_change(row: Sequence[Token], *, braces: bool) -> int:
    opening, closing = (_OPEN | {"{"}, _CLOSE | {"}"}) if braces else (_OPEN, _CLOSE)
    code = [token.text for token in _code(row)]
    angles = (code[-1:] == ["<"]) - (code[:1] == [">"])  # the parameters of a type
    return angles + sum((text in opening) - (text in closing) for text in code)


def _continues(code: Sequence[Token], following: Sequence[Token], language: str | None) -> bool:
    last = code[-1].text if code else ""
    if last in _UNFINISHED or (last == ">" and code[0].text == "template"):
        return True
    if last in {"{", "}", ";", ":", ","} or language in _BY_INDENT:
        return False
    is_link = following[0].text in LINKS and following[0].gap[-1:] in {" ", "\t"}
    return is_link or following[0].text in _CONTINUES
