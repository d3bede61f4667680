"""Rows of one side of a hunk -> logical lines: statements, headings and comments as text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from crscore_core.change import ChangedLine, LineKind

MAX_EXAMINED = 600
"""Characters of a line, or of lines joined to one statement, that are examined."""

MAX_COMMENT = 6000
"""Characters of a run of comment lines that are examined."""

MAX_JOINED = 12
"""Rows that are joined to one statement; longer ones are read row by row."""


class TokenKind(StrEnum):
    """Kinds of tokens that all languages share."""

    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    COMMENT = "comment"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Token:
    """A token and the offset of its first character."""

    kind: TokenKind
    text: str
    start: int


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
    | (?P<string>[rRbBuUfF]{0,2}(?:\"\"\".*?\"\"\"|'''.*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
        |`(?:[^`\\]|\\.)*`)
    | (?P<number>\d(?:[\w.]*\w)?)
    | (?P<name>[$@]{0,2}[^\W\d][\w$]*[?!](?=[(\s.]|$)(?!\s*=)|[$@]{0,2}[^\W\d][\w$]*)
    | (?P<mark>===|!==|<=>|\.\.\.|<<=|>>=|\*\*=|&&=|\|\|=|\?\?=|==|!=|<=|>=|=>|->|&&|\|\||::
        |\?\?|\?\.|:=|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\+\+|--|\S)
"""


@lru_cache(maxsize=16)
def _pattern(style: str) -> re.Pattern[str]:
    return re.compile(f"(?P<comment>{_COMMENTS[style]})" + _REST, re.VERBOSE)


@lru_cache(maxsize=4096)
def tokenize(text: str, language: str | None) -> tuple[Token, ...]:
    """Return the tokens of the first `MAX_EXAMINED` characters of `text`."""
    pattern = _pattern(_COMMENTS_OF.get(language or "", "unknown"))
    return tuple(
        Token(TokenKind(match.lastgroup or "mark"), match.group(), match.start())
        for match in pattern.finditer(text[:MAX_EXAMINED])
    )


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Count the items that two sequences share at their start, and then at their end."""
    most = min(len(old), len(new))
    start = 0
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


_WITHIN = re.compile(r"[\w.]")


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """A statement, a heading or a run of comment lines on one side of a hunk.

    `rows` are the indices of its lines in the hunk; `changed` says that the other side lacks at
    least one of them. `line` is the line of the new file that stands at its place. `key` are its
    tokens, by which two sides are compared; `note` is the comment at its end.
    """

    text: str
    key: tuple[str, ...]
    rows: range
    changed: bool
    line: int
    indent: int
    is_comment: bool
    note: str = ""


def between(line: LogicalLine, start: int, end: int) -> str:
    """Return the code of a line without the first `start` and the last `end` tokens of its key."""
    stop = len(line.key) - end
    tokens = [t for t in tokenize(line.text, None) if t.text != "\\"][: len(line.key)]
    if tuple(token.text for token in tokens) != line.key:
        return " ".join(line.key[start:stop])
    if start >= stop:
        return ""
    first, last = tokens[start].start, tokens[stop - 1].start + len(tokens[stop - 1].text)
    while first and _WITHIN.match(line.text[first - 1]) and _WITHIN.match(line.text[first]):
        first -= 1
    while last < len(line.text) and all(map(_WITHIN.match, line.text[last - 1 : last + 1])):
        last += 1
    return line.text[first:last]


_OPEN, _CLOSE = frozenset("(["), frozenset(")]")
_CONTINUES = re.compile(
    r"\s*(?:&&|\|\||\?\?|and\b|or\b|[+*?:] |(?:throws|extends|implements|where|with)\b)"
)
_SPACED = frozenset({"shell", "make", "docker"})
"""Languages in which a blank may change what a line does."""

_UNFINISHED = frozenset({"=", "+", "&&", "||", "??", "\\", "and", "or", "?", "=>", "<<"})
_IMPORTS = re.compile(r"\s*(?:import|export)\s(?:type\s)?(?:\w+,\s*)?\{[^}]*$")
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
    """Return, for each line, the line of the new file that stands at its place."""
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
        code = [token for token in tokens if token.kind is not TokenKind.COMMENT]
        if len(code) < len(tokens):
            note = _COMMENT_MARK.sub("", tokens[-1].text).strip()
        if code:
            end = code[-1].start + len(code[-1].text)
            pieces.append(text.strip()[code[0].start : end].removesuffix("\\").rstrip())
            key += [token.text for token in code if token.text != "\\"]
    while len(key) > 1 and key[-1] in {",", ";", "{"}:
        key.pop()
    if language in _SPACED:
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
    """Return how many rows from `start` on make one statement."""
    depth = count = 0
    chains = language not in _BY_INDENT
    imports = bool(_IMPORTS.match(texts[start]))
    while start + count < len(texts) and count < MAX_JOINED:
        text = texts[start + count]
        if count and (comments[start + count] or not text.strip()):
            break
        code = [t for t in tokenize(text, language) if t.kind is not TokenKind.COMMENT]
        for token in code:
            if token.kind is TokenKind.MARK:
                depth += (token.text in _OPEN or (imports and token.text == "{")) - (
                    token.text in _CLOSE or (imports and token.text == "}")
                )
        if depth < 0:
            return 1
        count += 1
        last = code[-1].text if code else ""
        if depth > 0:
            if last == "(" and code[0].text in {"type", "import", "const", "var"}:
                return count
            if last in {"{", "=>", ":", "do"} and not imports and language != "python":
                return count
            continue
        if last in _UNFINISHED and language != "yaml":
            continue
        if code and code[0].text == "template" and last == ">":
            continue
        following = texts[start + count] if start + count < len(texts) else ""
        if not (chains and code and last not in {"{", ";", ":"} and _CONTINUES.match(following)):
            return count
    return 1 if depth > 0 else max(count, 1)


_TRIPLE = re.compile(r'"""|\'\'\'')


def _comment_flags(texts: Sequence[str], language: str | None) -> list[bool]:
    """Say which rows are comments, docstrings included."""
    flags = _docstrings(texts) if language == "python" else _block_comments(texts, language)
    return [
        flag or (bool(tokens := tokenize(text, language)) and tokens[0].kind is TokenKind.COMMENT)
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
    """Flag rows between triple quotes that begin a row; a lone end flags what stands before it."""
    flags, is_inside, since = [False] * len(texts), False, 0
    for index, text in enumerate(texts):
        line = text.strip()
        marks = len(_TRIPLE.findall(line))
        starts = line.lstrip("rRuUbB").startswith(('"""', "'''"))
        if marks % 2 == 0:
            flags[index] = is_inside or (starts and marks > 0)
        elif is_inside:
            flags[index], is_inside, since = True, False, index + 1
        elif starts and (len(line) > 3 or _opens(texts, index)):
            flags[index] = is_inside = True
        elif starts:
            flags[since : index + 1] = [True] * (index + 1 - since)
            since = index + 1
        else:  # a string in code that spans rows: its rows are read as code
            since = index + 1
    return flags


def _opens(texts: Sequence[str], index: int) -> bool:
    """Return True if a row of nothing but three quotes begins a docstring."""
    before = [text for text in texts[:index] if text.strip()]
    if before:
        return before[-1].rstrip().endswith(":")
    return any(_TRIPLE.search(text) for text in texts[index + 1 :])
