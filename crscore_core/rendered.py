"""Render a review's Markdown and HTML to the text that a reader sees.

Each paragraph, list item, table cell, heading and line of code becomes a line. Fences, rules, list
numbers, link targets, images, HTML tags, comments and invisible characters vanish. Code is kept as
written. A tag that GitHub does not know is text: `List<String>`.
"""

import html
import re

from markdown_it import MarkdownIt
from markdown_it.common import html_re
from markdown_it.token import Token

from crscore_core.text import INVISIBLE

_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
_INLINE_TAGS = frozenset(
    "a abbr b code del em font i img input ins kbd picture q s samp source span strike strong sub "
    "sup svg tt u var video".split()
)
_BLOCK_TAGS = frozenset(
    "blockquote br center dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre summary table "
    "tbody td tfoot th thead tr ul".split()
)
_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<![A-Za-z].*?(?:>|\Z)"
    rf"|{html_re.open_tag}|{html_re.close_tag}",
    re.DOTALL,
)
_TAG_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")
_MARK = re.compile(r"\A(?:\[[ xX]\]\s+|\[!\w+\]\s*)")
"""The box of a task in a list, or the kind of an alert in a quote."""

MAX_RENDERED = 20_000
"""Maximum characters of a review that are parsed; hostile Markdown takes quadratic time."""


def render_review(review: str) -> str:
    """Return the text that a reader of the review sees.

    Only the first `MAX_RENDERED` characters are read.
    """
    tokens = _MARKDOWN.parse(review[:MAX_RENDERED].replace("\0", ""))
    lines = []
    for index, token in enumerate(tokens):
        text = _visible_text(token)
        container = tokens[max(0, index - 2)].type
        is_marked = token.type == "inline" and container in ("list_item_open", "blockquote_open")
        lines.append(_MARK.sub("", text) if is_marked else text)
    visible = INVISIBLE.sub(lambda match: " " if match[0].isspace() else "", "\n".join(lines))
    return re.sub(r"\n\s*\n", "\n", visible).strip()


def _visible_text(token: Token) -> str:
    """Return the visible text of a token: a block, or a part of its text."""
    if token.type == "inline":
        return "".join(map(_visible_text, token.children or ()))
    if token.type in ("html_block", "html_inline"):
        return _without_tags(token.content)
    if token.type == "code_inline":
        return f"`{token.content}`"
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    return "" if token.type == "image" else token.content


def _without_tags(source: str) -> str:
    """Return HTML without its tags and comments; entities are decoded."""

    def visible(markup: re.Match[str]) -> str:
        tag = _TAG_NAME.match(markup[0])
        if tag and tag[1].lower() not in _INLINE_TAGS | _BLOCK_TAGS:
            return html.escape(markup[0])
        return "\n" if tag and tag[1].lower() in _BLOCK_TAGS else ""

    return html.unescape(_MARKUP.sub(visible, source))
