"""Split one side of a hunk into logical lines: statements, headings and comments."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from crscore_core.change import ChangedLine, LineKind

MAX_EXAMINED = 600
"""Maximum characters to examine of a line, or of lines joined into a statement."""

MAX_COMMENT = 6000
"""Maximum characters to examine of consecutive comment lines."""

MAX_JOINED = 20
"""Maximum rows joined into a statement; longer ones are read row by row."""


class Token(NamedTuple):
    """A token and the offset of its first character."""

    text: str
    start: int
    is_comment: bool


_COMMENTS = {
    "slashes": (
        r"//.*|/\*.*?(?:\*/|$)|(?<!\S)\#\ (?!\s*(?:include|define|undef|pragma|if|el|end)).*"
    ),
    "hash": r"\#(?!\{).*",
    "both": r"//.*|/\*.*?(?:\*/|$)|\#(?!\[).*",
    "dashes": r"--.*|/\*.*?(?:\*/|$)",
    "markup": r"<!--.*?(?:-->|$)",
    "semicolon": r"[;\#].*",
    "unknown": r"(?<![:\w])//.*|/\*.*?(?:\*/|$)|(?<!\S)\#(?=[ !]).*",
}
_LANGUAGES = {
    "slashes": (
        "java javascript typescript tsx c cpp csharp go rust swift kotlin scala groovy dart "
        "objective-c css json"
    ),
    "hash": "python ruby shell yaml toml perl r make docker elixir",
    "both": "php",
    "dashes": "sql lua haskell",
    "markup": "html xml markdown",
    "semicolon": "ini",
}
_COMMENTS_OF = {name: style for style, names in _LANGUAGES.items() for name in names.split()}
_REST = r"""
    | [rRbBuUfF]{0,2}(?:\"\"\".*?\"\"\"|'''.*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | `(?:[^`\\]|\\.)*`
    | \d(?:[\w.]*\w)?
    | [$@]{0,2}[^\W\d][\w$]*[?!](?=[(\s.]|$)(?!\s*=) | [$@]{0,2}[^\W\d][\w$]*
    | ===|!==|<=>|\.\.\.|<<=|>>=|\*\*=|&&=|\|\|=|\?\?=|==|!=|<=|>=|=>|->|&&|\|\||::
    | \?\?|\?\.|:=|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\+\+|--|\S
"""


@lru_cache(maxsize=16)
def _pattern(style: str) -> re.Pattern[str]:
    return re.compile(f"(?P<comment>{_COMMENTS[style]})" + _REST, re.VERBOSE)


@lru_cache(maxsize=4096)
def tokenize(text: str, language: str | None) -> tuple[Token, ...]:
    """Return the tokens of the first `MAX_EXAMINED` characters of `text`."""
    pattern = _pattern(_COMMENTS_OF.get(language or "", "unknown"))
    return tuple(
        Token(match.group(), match.start(), match.lastgroup == "comment")
        for match in pattern.finditer(text[:MAX_EXAMINED])
    )


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """A statement, a heading or consecutive comment lines on one side of a hunk.

    `rows` are the indices of its lines in the hunk; `changed` is True if the other side lacks any
    of them. `line` is the corresponding line of the new file. `key` are its tokens, used to compare
    the two sides; `note` is its trailing comment.
    """

    text: str
    key: tuple[str, ...]
    rows: range
    changed: bool
    line: int
    indent: int
    is_comment: bool
    note: str = ""


_OPEN, _CLOSE = frozenset("(["), frozenset(")]")
_CONTINUES = re.compile(
    r"\s*(?:&&|\|\||\?\?|and\b|or\b|[+*?:] |(?:throws|extends|implements|where|with)\b)"
)
_UNFINISHED = frozenset({"=", "+", "&&", "||", "??", "\\", "and", "or", "?", "=>", "<<"})
_IMPORTS = re.compile(r"\s*(?:import|export)\s(?:type\s)?(?:\w+,\s*)?\{[^}]*$")
_DECLARES = re.compile(r"\s*(?:type|import|const|var)\b")
_BY_INDENT = frozenset({"python", "yaml", "css", "ini", "toml"})
_COMMENT_MARK = re.compile(r"^(?://[/!]?|/\*+|\*+/|\*(?=\s|$)|#+:?|--+|<!--|;+)\s?|\s*(?:\*/|-->)$")
_QUOTES = re.compile(r'^[rRuUbB]{0,2}("""|\'\'\')|("""|\'\'\')$')


def logical_lines(
    lines: Sequence[ChangedLine], own: LineKind, language: str | None
) -> list[LogicalLine]:
    """Return the logical lines of one side of a hunk: context and the lines of kind `own`."""
    other = LineKind.REMOVED if own is LineKind.ADDED else LineKind.ADDED
    rows = [index for index, line in enumerate(lines) if line.kind is not other]
    texts = [lines[row].text[:MAX_EXAMINED].rstrip() for row in rows]
    places = _new_lines(lines)
    comments = _comment_flags(texts, language)
    found: list[LogicalLine] = []
    start = 0
    while start < len(rows):
        if not texts[start].strip():
            start += 1
            continue
        count = (
            _comment_span(texts, comments, start)
            if comments[start]
            else _span(texts, comments, start, language)
        )
        part = rows[start : start + count]
        changed = [row for row in part if lines[row].kind is own]
        text, key, note = (
            _comment(texts[start : start + count])
            if comments[start]
            else _code(texts[start : start + count], language)
        )
        first = texts[start].expandtabs(4)
        found.append(
            LogicalLine(
                text,
                key,
                range(part[0], part[-1] + 1),
                bool(changed),
                places[changed[0] if changed else part[0]],
                len(first) - len(first.lstrip()),
                comments[start],
                note,
            )
        )
        start += count
    return [line for line in found if line.key]


def _new_lines(lines: Sequence[ChangedLine]) -> list[int]:
    """Return the corresponding line of the new file for each line."""
    last = max((line.new or 0 for line in lines), default=0)
    places, following = [0] * len(lines), 0
    for index in range(len(lines) - 1, -1, -1):
        following = lines[index].new or following
        places[index] = following or max(last, 1)
    return places


def _comment(texts: Sequence[str]) -> tuple[str, tuple[str, ...], str]:
    pieces = []
    for text in texts:
        piece = _COMMENT_MARK.sub("", _COMMENT_MARK.sub("", text.strip()))
        pieces.append(_QUOTES.sub("", piece.strip()).strip())
    text = " ".join(piece for piece in pieces if piece)
    text = text[:MAX_COMMENT]
    return text, ("#", *text.split()) if text else (), ""


def _code(texts: Sequence[str], language: str | None) -> tuple[str, tuple[str, ...], str]:
    pieces, key, note = [], [], ""
    for text in texts:
        tokens = tokenize(text.strip(), language)
        code = [token for token in tokens if not token.is_comment]
        if len(code) < len(tokens):
            note = _COMMENT_MARK.sub("", tokens[-1].text).strip()
        if code:
            end = code[-1].start + len(code[-1].text)
            pieces.append(text.strip()[code[0].start : end].removesuffix("\\").rstrip())
            key += [token.text for token in code if token.text != "\\"]
    while len(key) > 1 and key[-1] in {",", ";", "{"}:
        key.pop()
    if language in {"shell", "make", "docker"}:  # where a space may change the meaning of a line
        key = " ".join(pieces).split()
    return " ".join(pieces)[:MAX_EXAMINED], tuple(key), note


def _comment_span(texts: Sequence[str], comments: Sequence[bool], start: int) -> int:
    count = 1
    while start + count < len(texts) and comments[start + count]:
        text = texts[start + count].lstrip()
        if text.startswith(("/*", '"""', "'''")) and count:
            break
        count += 1
    return count


def _span(texts: Sequence[str], comments: Sequence[bool], start: int, language: str | None) -> int:
    """Return how many rows from `start` form one statement."""
    depth = count = 0
    chains = language not in _BY_INDENT
    imports = bool(_IMPORTS.match(texts[start]))
    while start + count < len(texts) and count < MAX_JOINED:
        text = texts[start + count]
        if count and (comments[start + count] or not text.strip()):
            break
        code = [t for t in tokenize(text, language) if not t.is_comment]
        for token in code:
            depth += (token.text in _OPEN) - (token.text in _CLOSE)
            depth += imports * ((token.text == "{") - (token.text == "}"))
        if code and language == "typescript":  # parameters of a type
            depth += (code[-1].text == "<") - (depth > 0 and code[0].text == ">")
        if depth < 0:
            return 1
        count += 1
        last = code[-1].text if code else ""
        if depth > 0:
            if last == "(" and _DECLARES.match(texts[start]):
                return count
            if last in {"{", "=>", "do"} and not imports and language != "python":
                return count
            continue
        goes_on = last in _UNFINISHED and language != "yaml"
        goes_on |= language == "typescript" and last in {"&", "|"}
        goes_on |= chains and last == ":" and any(token.text == "?" for token in code)
        if goes_on or (last == ">" and code[0].text == "template"):
            continue
        following = texts[start + count] if start + count < len(texts) else ""
        if not (chains and code and last not in {"{", ";", ":"} and _CONTINUES.match(following)):
            return count
    return 1 if depth > 0 else max(count, 1)


_TRIPLE = re.compile(r'"""|\'\'\'')
_DOCSTRING = re.compile(r'\s*[rRuUbB]{0,2}(?:"""|\'\'\')')


def _comment_flags(texts: Sequence[str], language: str | None) -> list[bool]:
    """Return which rows are comments, including docstrings."""
    flags = _docstrings(texts) if language == "python" else _block_comments(texts, language)
    return [
        flag or (bool(tokens := tokenize(text, language)) and tokens[0].is_comment)
        for flag, text in zip(flags, texts, strict=True)
    ]


def _block_comments(texts: Sequence[str], language: str | None) -> list[bool]:
    if _COMMENTS_OF.get(language or "", "unknown") in {"hash", "semicolon"}:
        return [False] * len(texts)
    flags, is_inside = [], False
    has_stars = _COMMENTS_OF.get(language or "") in {"slashes", "both"}
    for text in texts:
        line = text.strip()
        opens = line.startswith(("/*", "<!--"))
        is_starred = has_stars and (line == "*" or line.startswith(("* ", "*/", "*\t")))
        flags.append(is_inside or opens or is_starred)
        if flags[-1]:
            is_inside = (is_inside or opens) and not ("*/" in line or "-->" in line)
    return flags


def _docstrings(texts: Sequence[str]) -> list[bool]:
    """Flag rows between triple quotes that start a row; an unmatched end flags all rows before."""
    marks = [len(_TRIPLE.findall(text)) for text in texts]
    starts = [bool(_DOCSTRING.match(text)) for text in texts]
    flags = [start and count % 2 == 0 for start, count in zip(starts, marks, strict=True)]
    ends = [index for index, count in enumerate(marks) if count % 2]
    if len(ends) % 2 and len(texts[ends[0]].strip()) == 3:
        before = [text for text in texts[: ends[0]] if text.strip()]
        if not (before and before[-1].rstrip().endswith(":")):
            end = ends.pop(0)
            flags[: end + 1] = [True] * (end + 1)
    for first, last in zip_longest(ends[::2], ends[1::2], fillvalue=len(texts) - 1):
        if starts[first]:
            flags[first : last + 1] = [True] * (last + 1 - first)
    return flags
