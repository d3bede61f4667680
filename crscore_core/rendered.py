"""Render a review's Markdown and HTML to the text that a reader sees.

Each line of a paragraph, list item, heading, row of a table and line of code becomes a `Block`.
Fences, rules, list numbers, link targets, images, HTML tags, comments, invisible characters and the
reasoning of models vanish. Code is kept as written. A tag that GitHub does not know is text:
`List<String>`.
"""

import html
import json
import re
from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common import html_re
from markdown_it.token import Token

from crscore_core.reasoning import without_reasoning
from crscore_core.text import INVISIBLE

_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
BOLD, LINK = "\1\2", "\3\4"
"""The characters around bold text and links in a block."""

_TAGS = json.loads(Path(__file__).with_name("tags.json").read_text(encoding="utf-8"))
_MARKS = {"b": BOLD, "strong": BOLD, "a": LINK}
_INLINE_TAGS = frozenset(_TAGS["inline"])
_TITLES: dict[str, int] = _TAGS["titles"]
_CONTAINERS = frozenset({"quote", "alert", "blockquote", "details", "pre", "table", *_TITLES})
"""Tags that matter to the texts in them; `quote` and `alert` are those of Markdown."""

_BLOCK_TAGS = _CONTAINERS.union(_TAGS["block"])
_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<![A-Za-z].*?(?:>|\Z)"
    rf"|{html_re.open_tag}|{html_re.close_tag}",
    re.DOTALL,
)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)(?:[^>]*?(\sopen\b))?")
_BOX = re.compile(r"\A\[[ xX]\]\s+|\A\[!\w+\]\s*")
"""The box of a task in a list, or the kind of an alert."""

_ALERT = re.compile(r"\[!\w+\]|\*\*(?:Note|Tip|Important|Warning|Caution)\*\*:?[ \t]*(?:\n|\Z)")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\d[:.h]\d\d")
_MAIL = re.compile(
    rf"\S@\w|(?:{_DATE.pattern}).*(?:{_DATE.pattern})"
    r"|\b(?:wrote|said|schrieb|écrit|escribió|escreveu|scritto|schreef)\s*:\Z"
)
"""An address, a date with a time, or a verb: in the line above a quoted mail."""

MAX_RENDERED = 20_000
"""Maximum characters of a review that are parsed; hostile Markdown takes quadratic time."""


class Block(NamedTuple):
    """A line that a reader sees.

    cells: its text, or the cells of a row of a table, with the marks of `BOLD` and `LINK`.
    kind: `text`, `row`, `head` (of a table), `cell` (of a table that serves as a layout), `code`
        or `suggestion`.
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
    source = _mark_mail(source)
    tokens = _MARKDOWN.parse(source)
    if len(tokens) == 1 and tokens[0].info.strip().lower() in ("markdown", "md"):
        source = tokens[0].content
        tokens = _MARKDOWN.parse(source)
    reader = _Reader(source.split("\n"))
    reader.read(tokens)
    reader.read_tag("table", is_open=False)
    return reader.blocks


def _mark_mail(source: str) -> str:
    """Mark the line above a quoted mail, such as "Ann wrote:", as quoted.

    A row without a mark directly below quoted rows is an answer to them.
    """
    lines = source.split("\n")
    for index in range(len(lines) - 1, 0, -1):
        above, line = lines[index - 1 : index + 1]
        if above.startswith(">") and line.strip() and not line.startswith(">"):
            lines.insert(index, "")
        elif line.startswith(">") and not above.startswith(">"):
            last = index if above.strip() else index - 1
            for first in range(last - 1, max(last - 4, -1), -1):
                head = " ".join(lines[first:last]).rstrip()
                if head.endswith((":", "：")) and lines[first].strip() and _MAIL.search(head):
                    start = first - (first > 0 and _DATE.search(lines[first - 1]) is not None)
                    lines[start:index] = [f"> {row}" for row in lines[start:index]]
                    break
    return "\n".join(lines)


class _Reader:
    """Collects Markdown, and the HTML in it, into blocks.

    blocks: the blocks that are complete.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.blocks: list[Block] = []
        self._lines = lines  # of the source
        self._numbers = count(1)
        self._containers: list[tuple[str, int]] = []  # around the next text, 0 if it adds nothing
        self._line = ""
        self._marks: list[str] = []  # around the next text
        self._may_have_box = False  # the line is the first of a list item or alert
        self._row: list[list[str]] | None = None  # the lines of each cell
        self._is_head = False  # the row has no cell besides `th`

    def read(self, tokens: Sequence[Token]) -> None:
        """Read the tokens of Markdown."""
        for index, token in enumerate(tokens):
            if token.type == "inline":
                self.read(token.children or ())
            elif token.type in ("html_block", "html_inline"):
                self._read_html(token.content)
            elif token.type in ("fence", "code_block"):
                self._read_code(token)
            elif token.type == "blockquote_open":
                is_alert = any(_ALERT.match(text.content) for text in tokens[index + 2 : index + 3])
                self.read_tag("alert" if is_alert else "quote", is_open=True)
            elif token.type.endswith("break"):
                self._end_line()
            elif token.nesting:
                name = "quote" if token.type == "blockquote_close" else token.tag
                self.read_tag(name, is_open=token.nesting > 0)
            elif token.type == "code_inline":
                self._read_text(f"`{token.content}`")
            elif token.type != "image":
                self._read_text(token.content)

    def _read_html(self, source: str) -> None:
        position = 0
        for markup in _MARKUP.finditer(source):
            self._read_text(html.unescape(source[position : markup.start()]))
            position = markup.end()
            if tag := _TAG.match(markup[0]):
                end, name, is_open = tag.groups()
                if name.lower() not in _BLOCK_TAGS | _INLINE_TAGS | _MARKS.keys():
                    self._read_text(markup[0])
                elif not is_open:
                    self.read_tag(name.lower(), is_open=not end)
        self._read_text(html.unescape(source[position:]))

    def _read_code(self, token: Token) -> None:
        """Read a block of code; a fence without an end contains what follows it, which is text."""
        last = self._lines[(token.map or [0, 1])[1] - 1].strip(" \t>")
        if token.type == "fence" and last.strip(token.markup[0]):
            self._read_text(token.content)
        else:
            self._end_line()
            is_suggestion = token.info.split()[:1] == ["suggestion"]
            self._containers.append(("code", next(self._numbers)))
            self._read_text(token.content, "suggestion" if is_suggestion else "code")
            self._containers.pop()

    def _read_text(self, text: str, kind: str = "text") -> None:
        for number, line in enumerate(text.split("\n")):
            if number:
                self._end_line(kind)
            self._line += INVISIBLE.sub(lambda match: " " if match[0].isspace() else "", line)

    def _end_line(self, kind: str = "text") -> None:
        line = self._line + "".join(marks[1] for marks in reversed(self._marks))
        self._line = "".join(marks[0] for marks in self._marks)
        line = line.rstrip() if kind != "text" else line.strip()
        if self._may_have_box and line:
            line, self._may_have_box = _BOX.sub("", line), False
        if not line.strip("\1\2\3\4 \t"):
            return
        if self._row and kind == "text":
            self._row[-1].append(line)
        else:
            self._add(kind, line)

    def _add(self, kind: str, *cells: str) -> None:
        place = (self._number("quote", "blockquote"), self._number("details"))
        code = self._number("code", "pre")
        names = [name for name, _ in self._containers]
        kind = "cell" if kind == "text" and "table" in names else kind
        level = max((_TITLES.get(name, 0) for name in names), default=0)
        self.blocks.append(Block(cells, kind, level, *place, code))

    def _number(self, *names: str) -> int:
        """Return the number of the outermost container with one of these names, else 0."""
        return next((number for name, number in self._containers if number and name in names), 0)

    def read_tag(self, name: str, *, is_open: bool) -> None:
        """Read a tag; emphasis ends with the paragraph that it is in."""
        if name in _MARKS:
            marks = _MARKS[name]
            if is_open and marks not in self._marks:
                self._marks.append(marks)
            elif not is_open and marks in self._marks:
                self._marks.remove(marks)
            self._line += marks[0 if is_open else 1]
        elif name == "br":
            self._end_line()
        elif name not in _INLINE_TAGS:
            self._end_line()
            self._line, self._marks = "", []
            self._may_have_box |= is_open and name in ("li", "alert")
            if name == "tr" or name in _CONTAINERS:
                self._end_row()
            if name == "tr" and is_open:
                self._row, self._is_head = [], True
            elif name in ("td", "th") and is_open and self._row is not None:
                self._row.append([])
                self._is_head &= name == "th"
            if name in _CONTAINERS:
                self._read_container(name, is_open=is_open)

    def _read_container(self, name: str, *, is_open: bool) -> None:
        """Open a container, or close the last of its name with all that is open in it."""
        names = [around for around, _ in self._containers]
        if is_open:
            is_indent = name == "blockquote" and "details" in names
            number = 0 if is_indent or name == "alert" else next(self._numbers)
            self._containers.append(("quote" if name == "alert" else name, number))
        elif name in names:
            del self._containers[len(names) - 1 - names[::-1].index(name) :]

    def _end_row(self) -> None:
        """Add the row as a block, or each line as one if the table serves as a layout."""
        row, self._row = self._row or [], None
        if len(row) < 2 or any(len(cell) > 1 for cell in row):
            for line in chain.from_iterable(row):
                self._add("text", line)
        elif any(row):
            self._add("head" if self._is_head else "row", *(cell[0] for cell in row if cell))
