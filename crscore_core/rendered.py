"""Render a review's Markdown and HTML to the text that a reader sees.

Each line of a paragraph, list item, heading, row of a table and line of code becomes a `Block`.
Fences, rules, list numbers, link targets, images, HTML tags, comments, invisible characters and the
reasoning of models vanish. Code is kept as written. A tag that GitHub does not know is text:
`List<String>`.
"""

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common import html_re
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from crscore_core.reasoning import without_reasoning
from crscore_core.text import INVISIBLE

BOLD, LINK = "\1\2", "\3\4"
"""The characters around bold text and links in a block."""

_TAGS = json.loads(Path(__file__).with_name("tags.json").read_text(encoding="utf-8"))
_MARKS = {"b": BOLD, "strong": BOLD, "a": LINK, "code": "``"}
_INLINE_TAGS = frozenset(_TAGS["inline"])
_TITLES: dict[str, int] = _TAGS["titles"]
_CONTAINERS = frozenset({"quote", "blockquote", "details", "pre", "suggestion", "table", *_TITLES})
"""Tags that matter to the texts in them; `quote` and `suggestion` are those of Markdown."""

_NAMES = "|".join((*_MARKS, *_INLINE_TAGS, *_TITLES, *_TAGS["block"]))
_NOT_A_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<![A-Za-z].*?(?:>|\Z)"
    rf"|(?!(?=</?(?:{_NAMES})[\s/>])(?:{html_re.open_tag}|{html_re.close_tag}))(?P<text><)",
    re.DOTALL | re.IGNORECASE,
)
_BOX = re.compile(r"\A\[[ xX]\]\s+|\A\[!\w+\]\s*")
"""The box of a task in a list, or the kind of an alert."""

_ALERT = re.compile(r"\[!\w+\]|\x01(?:Note|Tip|Important|Warning|Caution)\x02:?\Z")
_DATE = r"(?:\b(?:19|20)\d\d\b|\d[:.h]\d\d)"
_MAIL = re.compile(
    rf"^(?:(?!>)(?=.*{_DATE}).*\n(?:(?!>)(?=.*\S).*\n)?)?"
    rf"(?!>)(?=.{{1,300}}[:：][ \t]*$)(?=.*(?:\S@\w|{_DATE}.*{_DATE}"
    r"|\b(?:wrote|said|schrieb|écrit|escribió|escreveu|scritto|schreef)\s*[:：][ \t]*$)).*\n"
    r"(?:[ \t]*\n){0,3}(?=>)"
    r"|^(?:[-_]{5}.*\n\w+: |\w+: .*@).*\n(?=.{1,300}$)"
    rf"\w+: .*{_DATE}.*{_DATE}.*\n(?:\w+: .*\n)+(?s:.*)",
    re.MULTILINE,
)
"""The head of a quoted mail, which ends with an address, a date with a time, or a verb; or its
fields, such as From, Sent, To and Subject, and all below them."""

_ANSWER = re.compile(r"^(>.*\n)(?!>|[ \t]*$)", re.MULTILINE)
"""A quoted line directly above one without a mark, which answers it."""

MAX_RENDERED = 20_000
"""Maximum characters of a review that are parsed; hostile Markdown takes quadratic time."""


class Block(NamedTuple):
    """A line that a reader sees.

    cells: its text, or the cells of a row of a table, with the marks of `BOLD` and `LINK`.
    kind: `text`, `row`, `head` (of a table), `cell` (of a table that serves as a layout) or
        `suggestion`.
    level: of a heading, from 1; 0 if it is not a heading.
    quotation, fold, code: the number of the outermost quotation and folded block, and of the block
        of code, that it is in; 0 if it is in none.
    """

    cells: tuple[str, ...]
    kind: str = "text"
    level: int = 0
    quotation: int = 0
    fold: int = 0
    code: int = 0

    @property
    def text(self) -> str:
        """The text without marks."""
        return re.sub("[\1-\4]", "", " ".join(self.cells))


def render_review(review: str) -> str:
    """Return the text that a reader of the review sees, without reasoning; see `read_blocks`."""
    return "\n".join(block.text for block in read_blocks(review))


def read_blocks(review: str) -> list[Block]:
    """Return the lines that a reader sees of the first `MAX_RENDERED` characters of the review.

    Alerts are not quotations, nor is a `<blockquote>` that indents a folded block.
    """
    source = without_reasoning(re.sub(r"\r\n?", "\n", review[:MAX_RENDERED]).replace("\0", ""))
    source = _ANSWER.sub(r"\1\n", f"{source}\n")
    source = _MAIL.sub(lambda head: "> " + head[0][:-1].replace("\n", "\n> ") + "\n", source)
    tokens = _MARKDOWN.parse(source)
    if len(tokens) == 1 and tokens[0].info.strip().lower() in ("markdown", "md"):
        tokens = _MARKDOWN.parse(tokens[0].content)
    reader = _Reader()
    reader.feed(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))
    reader.close()
    reader.handle_endtag("table")
    return reader.blocks


class _Renderer(RendererHTML):
    """Renders Markdown to HTML with known tags alone; a fence without an end is text."""

    def fence(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        token = tokens[idx]
        first, end = token.map or (0, 0)
        if end - first < 2 + token.content.count("\n"):
            return f"\n{escapeHtml(token.content)}"
        tag = "suggestion" if token.info.split()[:1] == ["suggestion"] else "pre"
        return f"<{tag}>{escapeHtml(token.content)}</{tag}>"

    def html_block(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        return f"\n{self.html_inline(tokens, idx)}"

    def html_inline(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        return _NOT_A_TAG.sub(lambda match: "&lt;" if match["text"] else "", tokens[idx].content)

    def blockquote_open(self, *_: object) -> str:
        return "<quote>"

    def blockquote_close(self, *_: object) -> str:
        return "</quote>"


_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 100}, renderer_cls=_Renderer)
_MARKDOWN.enable(["table", "strikethrough"])


class _Reader(HTMLParser):
    """Collects HTML into blocks.

    blocks: the blocks that are complete.
    """

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[Block] = []
        self._numbers = count(1)
        self._containers: list[tuple[str, int]] = []  # around the next text, 0 if it adds nothing
        self._line = ""
        self._marks: list[str] = []  # around the next text
        self._may_have_box = False  # the line is the first of a list item or quotation
        self._row: list[list[str]] | None = None  # the lines of each cell
        self._is_head = False  # the row has no cell besides `th`

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._read_tag(tag, is_open=True)
        if tag == "details" and "open" in dict(attrs):
            self._containers[-1] = (tag, 0)

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag: str) -> None:
        self._read_tag(tag, is_open=False)

    def handle_data(self, data: str) -> None:
        for number, line in enumerate(data.split("\n")):
            if number:
                self._end_line()
            self._line += INVISIBLE.sub(lambda match: " " if match[0].isspace() else "", line)

    def _end_line(self) -> None:
        line = self._line + "".join(marks[1] for marks in reversed(self._marks))
        self._line = "".join(marks[0] for marks in self._marks)
        is_code = self._number("pre", "suggestion") > 0
        line = line.rstrip() if is_code else line.strip()
        if self._may_have_box and line:
            self._may_have_box = False
            if self._containers and self._containers[-1][0] == "quote" and _ALERT.match(line):
                self._containers[-1] = ("quote", 0)
            line = _BOX.sub("", line)
        if not line.strip("\1\2\3\4` \t\xa0"):
            return
        if self._row and not is_code:
            self._row[-1].append(line)
        else:
            self._add(line)

    def _add(self, *cells: str, kind: str = "text") -> None:
        names = [name for name, _ in self._containers]
        if "suggestion" in names:
            kind = "suggestion"
        elif kind == "text" and "table" in names:
            kind = "cell"
        level = max((_TITLES.get(name, 0) for name in names), default=0)
        place = (self._number("quote", "blockquote"), self._number("details"))
        self.blocks.append(Block(cells, kind, level, *place, self._number("pre", "suggestion")))

    def _number(self, *names: str) -> int:
        """Return the number of the outermost container with one of these names, else 0."""
        return next((number for name, number in self._containers if number and name in names), 0)

    def _read_tag(self, name: str, *, is_open: bool) -> None:
        """Read a tag; marks end with the paragraph that they are in, and code has none."""
        if name in _MARKS:
            self._read_mark(_MARKS[name], is_open=is_open)
        elif name == "br":
            self._end_line()
        elif name not in _INLINE_TAGS:
            self._end_line()
            self._line, self._marks = "", []
            self._may_have_box |= is_open and name in ("li", "quote")
            if name == "tr" or name in _CONTAINERS:
                self._end_row()
            if name == "tr" and is_open:
                self._row, self._is_head = [], True
            elif name in ("td", "th") and is_open and self._row is not None:
                self._row.append([])
                self._is_head &= name == "th"
            if name in _CONTAINERS:
                self._read_container(name, is_open=is_open)

    def _read_mark(self, marks: str, *, is_open: bool) -> None:
        if is_open != (marks in self._marks) and not self._number("pre", "suggestion"):
            (self._marks.append if is_open else self._marks.remove)(marks)
            self._line += marks[0 if is_open else 1]

    def _read_container(self, name: str, *, is_open: bool) -> None:
        """Open a container, or close the last of its name with all that is open in it."""
        names = [around for around, _ in self._containers]
        if is_open:
            is_indent = name == "blockquote" and "details" in names
            self._containers.append((name, 0 if is_indent else next(self._numbers)))
        elif name in names:
            del self._containers[len(names) - 1 - names[::-1].index(name) :]

    def _end_row(self) -> None:
        """Add the row as a block, or each line as one if the table serves as a layout."""
        row, self._row = self._row or [], None
        if len(row) < 2 or any(len(cell) > 1 for cell in row):
            for line in chain.from_iterable(row):
                self._add(line)
        elif any(row):
            cells = (cell[0] for cell in row if cell)
            self._add(*cells, kind="head" if self._is_head else "row")
