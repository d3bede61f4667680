"""Render a review's Markdown and HTML to the text that a reader sees.

Each line of a paragraph, list item or heading, each table row and each line of code becomes a
`Block`. Fences, rules, list numbers, link targets, images, HTML tags, comments, invisible
characters and model reasoning are removed. Code is kept as written. A tag that GitHub does not know
is kept as text: `List<String>`.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from itertools import count, groupby
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common import html_re
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from crscore_core.reasoning import without_reasoning
from crscore_core.text import INVISIBLE

BOLD, LINK = "\1\2", "\3\4"
"""The characters around bold text and links in a block."""

_TAGS = json.loads(Path(__file__).with_name("tags.json").read_text(encoding="utf-8"))
_MARKS = {"b": BOLD, "strong": BOLD, "a": LINK, "code": "``"}
_INLINE_TAGS = frozenset(_TAGS["inline"])
_TITLES = frozenset(_TAGS["titles"])
# Tags that affect the text in them, as titles do; `quote`, `fence` and `suggestion` are Markdown's.
_CODE = ("pre", "fence", "suggestion")
_CONTAINERS = {*_CODE, "quote", "blockquote", "details", "table", "tr", "td"}
_NAMES = "|".join((*_MARKS, *_INLINE_TAGS, *_TITLES, *_TAGS["block"]))
_MARKUP = re.compile(
    rf"(?P<tag>(?=</?(?:{_NAMES})[\s/>])(?:{html_re.open_tag}|{html_re.close_tag}))"
    r"|<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<![A-Za-z].*?(?:>|\Z)"
    r"|(?P<text><)",
    re.DOTALL | re.IGNORECASE,
)
# The checkbox of a task, or the type of an alert.
_BOX = re.compile(r"\A\[[ xX]\]\s+|\A\[!\w+\]\s*")
_ALERT = re.compile(r"\[!\w+\]|\x01(?:Note|Tip|Important|Warning|Caution)\x02:?\Z")
_DATE = r"(?:\b(?:19|20)\d\d\b|\d[:.h]\d\d)"
# The lead-in to a quoted email, which ends with an address, a date and time, or a verb; the fields
# of the review's own email; the fields of a quoted one, such as From, Sent, To and Subject, and
# everything below them; or a signature.
_MAIL = re.compile(
    rf"^(?:(?!>)(?=.*{_DATE}).*\n(?:(?!>)(?=.*\S).*\n)?)?"
    rf"(?!>)(?=.{{1,300}}[:：][ \t]*$)(?=.*(?:\S@\w|{_DATE}.*{_DATE}"
    r"|\b(?:wrote|said|schrieb|écrit|escribió|escreveu|scritto|schreef)\s*[:：][ \t]*$)).*\n"
    r"(?:[ \t]*\n){0,3}(?=>)"
    r"|\A(?=(?:.+\n)*From: .*@)(?:(?:[\w-]+:|From |[ \t]).*\n)+(?=\n)"
    r"|^(?:[-_]{5}.*\n\w+: |\w+: .*@).*\n(?=.{1,300}$)"
    rf"\w+: .*{_DATE}.*{_DATE}.*\n(?:\w+: .*\n)+(?s:.*)|^-- ?\n(?:.+\n){{1,4}}\s*\Z"
    r"|^(?i:thanks|(?:kind |best )?regards|cheers|best),\n\n?(?:[A-Z]\S*[ \n]){1,3}(?=\s*(?:\Z|>))",
    re.MULTILINE,
)
# A quoted line directly above an unquoted line, which is the reply to it.
_ANSWER = re.compile(r"^(>.*\n)(?!>|[ \t]*$)", re.MULTILINE)
MAX_RENDERED = 20_000
"""Maximum number of characters parsed in a review; hostile Markdown takes quadratic time."""


class Block(NamedTuple):
    """A line that a reader sees.

    cells: its text, or the cells of a table row, with the marks of `BOLD` and `LINK`.
    kind: `text`, `row`, `table` (of a table used for layout), `suggestion` or `pre` (of HTML).
    is_title: True in a heading, the title of a folded block, or a table header.
    quotation, code: the numbers of the outermost quotation and of the code block around it, or 0.
    folds: the numbers of the folded blocks around it, the outermost first.
    """

    cells: tuple[str, ...]
    kind: str = "text"
    is_title: bool = False
    quotation: int = 0
    folds: tuple[int, ...] = ()
    code: int = 0

    @property
    def text(self) -> str:
        """The text without marks."""
        return re.sub("[\1-\4]", "", " ".join(self.cells))


def render_review(review: str) -> str:
    """Return the text that a reader of the review sees, without reasoning; see `read_blocks`."""
    return "\n".join(block.text for block in read_blocks(review))


def read_blocks(review: str) -> list[Block]:
    """Return the visible lines in the first `MAX_RENDERED` characters of the review.

    Alerts do not count as quotations, nor do those that indent text in a folded block.
    """
    source = without_reasoning(re.sub(r"\r\n?", "\n", review[:MAX_RENDERED]).replace("\0", ""))
    source = _ANSWER.sub(r"\1\n", f"{source}\n")
    source = _MAIL.sub(lambda head: "> " + head[0][:-1].replace("\n", "\n> ") + "\n", source)
    tokens = _MARKDOWN.parse(source)
    if len(tokens) == 1 and tokens[0].info.strip().lower() in ("markdown", "md"):
        tokens = _MARKDOWN.parse(tokens[0].content)
    for token in tokens:
        token.tag = "quote" if token.tag == "blockquote" else token.tag
    reader = _Reader()
    reader.feed(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))
    reader.close()
    reader.handle_endtag("table")
    return list(reader.blocks())


def _render_fence(_renderer: object, tokens: Sequence[Token], index: int, *_: object) -> str:
    """Return a code block as HTML; an unclosed fence is text."""
    token = tokens[index]
    first, end = token.map or (0, 0)
    if end - first < 2 + token.content.count("\n"):
        return f"\n{escapeHtml(token.content)}"
    tag = "suggestion" if token.info.startswith("suggestion") else "fence"
    return f"<{tag}>{escapeHtml(token.content)}</{tag}>"


def _render_html(_renderer: object, tokens: Sequence[Token], index: int, *_: object) -> str:
    """Return HTML without comments; unknown tags become text."""
    token = tokens[index]
    content = _MARKUP.sub(
        lambda markup: "&lt;" if markup["text"] else markup["tag"] or "", token.content
    )
    return f"\n{content}" if token.block else content


def _render_emphasis(_renderer: object, tokens: Sequence[Token], index: int, *_: object) -> str:
    """Return a tag; marks in names such as `__init__` and patterns such as `*?*` stay text."""
    token = tokens[index]
    inner, other = (tokens[min(index + step * token.nesting, len(tokens) - 1)] for step in (1, 2))
    text = inner.content
    is_name = token.markup == "__" and text.isidentifier() and (text.islower() or text.isupper())
    is_whole = inner.type == "text" and other.markup == token.markup
    if is_whole and (is_name or not any(map(str.isalnum, text))):
        return token.markup
    return f"<{token.tag}>" if token.nesting > 0 else f"</{token.tag}>"


_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
_MARKDOWN.add_render_rule("fence", _render_fence)
_MARKDOWN.add_render_rule("html_block", _render_html)
_MARKDOWN.add_render_rule("html_inline", _render_html)
for _tag in ("em_open", "em_close", "strong_open", "strong_close"):
    _MARKDOWN.add_render_rule(_tag, _render_emphasis)


class _Reader(HTMLParser):
    """Collects HTML into lines."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[tuple[int, int, Block]] = []  # with row and cell numbers
        self._line = ""
        self._open: list[tuple[str, int]] = []  # open tags and their numbers; 0: no effect
        self._count = count(1)
        self._n_cells = Counter[int]()  # by row number
        self._may_have_box = False  # the line is the first of a list item or quotation

    def blocks(self) -> Iterator[Block]:
        """Yield the lines; the cells of a row become one, unless the table is used for layout."""
        for row, group in groupby(self._lines, lambda line: line[0]):
            _, cells, blocks = zip(*group, strict=True)
            is_layout = self._n_cells[row] < 2 or len({*cells}) < len(cells)
            is_mixed = len({block[2:] for block in blocks}) > 1
            if row and not is_layout and not is_mixed and not blocks[0].code:
                texts = tuple(block.cells[0] for block in blocks)
                yield blocks[0]._replace(cells=texts, kind="row")
            else:
                yield from blocks

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end_block(tag)
        self._may_have_box |= tag in ("li", "quote")
        if tag in _MARKS or tag in _CONTAINERS or tag in _TITLES:
            is_open = tag == "details" and "open" in dict(attrs)
            is_indent = tag in ("quote", "blockquote") and "details" in dict(self._open)
            self._open.append((tag, 0 if is_open or is_indent else next(self._count)))
        if tag in ("td", "th"):
            self._n_cells[self._numbers("tr")[-1]] += 1

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag: str) -> None:
        self._end_block(tag)
        names = [name for name, _ in self._open]
        if tag in names:
            last = len(names) - 1 - names[::-1].index(tag)
            del self._open[last : last + 1 if tag in _MARKS else None]

    def handle_data(self, data: str) -> None:
        is_code = self._numbers(*_CODE)[0]
        names = [name for name, _ in reversed(self._open) if name in _MARKS and not is_code]
        for number, text in enumerate(data.split("\n")):
            if number:
                self._end_line()
            line = INVISIBLE.sub(lambda match: " " if match[0].isspace() else "", text)
            for marks in dict.fromkeys(_MARKS[name] for name in names if line):
                line = f"{marks[0]}{line}{marks[1]}"
            self._line += line

    def _end_block(self, tag: str) -> None:
        """End the line at a `br` outside bold, or a block tag, which also closes the open marks."""
        if tag == "br" and "strong" in dict(self._open):
            self._line += "" if self._line.rstrip(BOLD).endswith(" ") else " "
        elif tag not in _INLINE_TAGS and tag not in _MARKS:
            self._end_line()
            while tag != "br" and self._open and self._open[-1][0] in _MARKS:
                self._open.pop()

    def _end_line(self) -> None:
        line, self._line = re.sub("\2\1|\4\3", "", self._line).rstrip(), ""
        if not line.strip("\1\2\3\4` \t\xa0"):
            return
        code = self._numbers(*_CODE)[0]
        line = line if code else line.lstrip()
        if self._may_have_box:
            self._may_have_box = False
            if _ALERT.match(line) and self._open and self._open[-1][0] == "quote":
                self._open[-1] = ("quote", 0)
            line = _BOX.sub("", line)
        names = dict(self._open)
        is_title = not _TITLES.isdisjoint(names)
        kind = next((name for name in ("suggestion", "pre", "table") if name in names), "text")
        quotation, folds = self._numbers("quote", "blockquote")[0], self._numbers("details")
        if line:
            block = Block((line,), kind, is_title, quotation, tuple(filter(None, folds)), code)
            self._lines.append((self._numbers("tr")[-1], self._numbers("td", "th")[-1], block))

    def _numbers(self, *names: str) -> list[int]:
        """Return the numbers of the open tags with these names, outermost first; [0] if none."""
        return [number for name, number in self._open if number and name in names] or [0]
