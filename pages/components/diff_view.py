"""A diff as HTML, with its lines numbered, marked and coloured.

`markupsafe.Markup.format` escapes each value, and `st.html` sanitises the result once more. Each
colour is a pair for the light and the dark theme: CSS chooses by `color-scheme`, which Streamlit
sets to the current theme.
"""

import time
from collections.abc import Iterator, Sequence

import pygments
import streamlit as st
from markupsafe import Markup, escape
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from crscore_core.change import LineKind
from crscore_core.text import escape_invisible
from pages.components.diff_lines import MAX_LINES, DiffLine, diff_lines

BACKGROUNDS: dict[str, tuple[str, str]] = {
    "head": ("#eef2f7", "#1a212b"),
    "hunk": ("#e4eefa", "#14243a"),
    "added": ("#e2f5e6", "#10291a"),
    "removed": ("#fdeaea", "#351a1d"),
    "mark": ("#ffd968", "#4a3800"),
}
"""Colours behind text."""

FOREGROUNDS: dict[str, tuple[str, str]] = {
    "muted": ("#525d6b", "#a3afbd"),
    "plus": ("#0f5c28", "#6cd895"),
    "minus": ("#9c0f24", "#ff9d99"),
    "keyword": ("#7423a0", "#d3aeff"),
    "name": ("#0a4c96", "#8cc2ff"),
    "string": ("#7d4200", "#e8ba7a"),
    "number": ("#0a566f", "#83d3e2"),
}
"""Colours of text; each is readable on every background above."""

_BORDER = {"border": ("#ccd4dd", "#39434f")}

_PALETTE = "".join(
    f"--{name}:light-dark({light},{dark});"
    for name, (light, dark) in (BACKGROUNDS | FOREGROUNDS | _BORDER).items()
)
_STYLE = Markup(".diff {{{}}}").format(_PALETTE) + Markup("""
.diff table { border: 1px solid var(--border); border-collapse: collapse; width: 100%;
  font: 0.8rem/1.5 "Source Code Pro", monospace; }
.diff td { border: 0; overflow-wrap: anywhere; padding: 0 0.4rem; vertical-align: top;
  white-space: pre-wrap; tab-size: 4; }
.diff thead, .diff caption { clip-path: inset(50%); height: 1px; overflow: hidden;
  position: absolute; white-space: nowrap; width: 1px; }
.diff .diff-number { color: var(--muted); min-width: 2.2rem; text-align: end; user-select: none;
  white-space: nowrap; width: 1%; }
.diff .diff-sign { font-weight: 700; padding: 0 0.2rem; user-select: none; width: 1%; }
.diff .diff-line { direction: ltr; padding-inline-start: 0; }
.diff .diff-line span { unicode-bidi: isolate; }
.diff .diff-line[colspan] { padding-inline-start: 0.4rem; }
.diff-head { background: var(--head); }
.diff-hunk { background: var(--hunk); }
.diff-added { background: var(--added); }
.diff-removed { background: var(--removed); }
.diff-added .diff-sign { color: var(--plus); }
.diff-removed .diff-sign { color: var(--minus); }
.diff-mark { background: var(--mark); border-radius: 3px; font-weight: 700; padding: 0 0.3rem;
  user-select: none; }
.diff-note { color: var(--muted); font-size: 0.85rem; font-style: italic; margin: 0.3rem 0; }
.diff [class^="code-k"] { color: var(--keyword); }
.diff :is(.code-nf, .code-nc, .code-nd, .code-nt) { color: var(--name); }
.diff [class^="code-s"] { color: var(--string); }
.diff [class^="code-m"] { color: var(--number); }
.diff [class^="code-c"] { color: var(--muted); font-style: italic; }
""")
_VIEW = Markup(
    '<div class="diff"><style>{}</style>{}'
    '<div role="region" tabindex="0" aria-label="Diff"><table><caption>Diff</caption>'
    '<thead><tr><th scope="col">old line</th><th scope="col">new line</th>'
    '<th scope="col">mark</th><th scope="col">text</th></tr></thead>'
    "<tbody>{}</tbody></table></div>{}</div>"
)
_LINE = Markup(
    '<tr class="{}"><td class="diff-number">{}</td><td class="diff-number">{}</td>'
    '<td class="diff-sign">{}</td><td class="diff-line">{}</td></tr>'
)
_HEAD = Markup('<tr class="{}"><td class="diff-line" colspan="4">{}</td></tr>')
_MARKS = Markup(' <span class="diff-mark" title="pseudo-references about this line">{}</span>')
_PROBLEM = Markup(
    '<p class="diff-note">Shown line by line, because it cannot be read as a diff: {}</p>'
)
_LEFT_OUT = Markup('<p class="diff-note">{:,} more lines are not shown.</p>')

_CODE = HtmlFormatter(nowrap=True, classprefix="code-")
_MAX_SECONDS = 2.0
"""Time for colouring one diff; after it the rest of the diff stays without colours."""

_MAX_COLOURED = 300
_MAX_AT_ONCE = 4_000
"""Maximum characters of a line, and of lines together, that Pygments receives."""

Marks = tuple[tuple[str | None, int, str], ...]
"""Path and line of the new file, and the text to write at that line."""


def show_diff(diff: str, language: str | None = None, marks: Marks = ()) -> None:
    """Show a diff as typed: headers, lines with their numbers and marks, and syntax in colours.

    `language` applies to files whose name does not determine it. A text that cannot be read as a
    diff is shown line by line, with the reason. A note counts the lines beyond `MAX_LINES`.
    Invisible characters are shown as their code points, so that none reorders the text after it.
    """
    st.html(diff_markup(diff, language, marks))


@st.cache_data(max_entries=64, show_spinner=False)
def diff_markup(
    diff: str, language: str | None, marks: Marks = (), max_lines: int = MAX_LINES
) -> Markup:
    """Return the markup of `show_diff`."""
    split = diff_lines(diff, language, max_lines)
    marks_at: dict[tuple[str | None, int | None], list[str]] = {}
    for path, number, mark in marks:
        marks_at.setdefault((path, number), []).append(mark)
    rows = (
        _row(line, markup, marks_at.get((line.path, line.new), ()))
        for line, markup in zip(split.lines, _colour_hunks(split.lines), strict=True)
    )
    return _VIEW.format(
        _STYLE,
        _PROBLEM.format(escape_invisible(split.problem)) if split.problem else "",
        Markup().join(rows),
        _LEFT_OUT.format(split.left_out) if split.left_out else "",
    )


def _row(line: DiffLine, markup: Markup, marks: Sequence[str]) -> Markup:
    if marks:
        markup += _MARKS.format(", ".join(marks))
    if line.kind is None:
        return _HEAD.format("diff-hunk" if line.is_hunk_header else "diff-head", markup)
    css_class = f"diff-{line.kind.name.lower()}"
    return _LINE.format(css_class, line.old or "", line.new or "", line.kind.value, markup)


def _colour_hunks(lines: Sequence[DiffLine]) -> list[Markup]:
    """Return each line, in colours if it is in a hunk.

    Each line is coloured among the lines of its side, as a comment may span several lines.
    """
    deadline = time.monotonic() + _MAX_SECONDS
    texts = [escape_invisible(line.text, keeps_lines=True) for line in lines]
    markups = list(map(escape, texts))
    hunks: dict[int, list[int]] = {}
    for position, line in enumerate(lines):
        if line.hunk is not None:
            hunks.setdefault(line.hunk, []).append(position)
    for positions in hunks.values():
        for other_side in (LineKind.ADDED, LineKind.REMOVED):
            side = [position for position in positions if lines[position].kind is not other_side]
            language = lines[positions[0]].language
            coloured = colour_lines([texts[position] for position in side], language, deadline)
            for position, markup in zip(side, coloured, strict=True):
                markups[position] = markup
    return markups


def colour_lines(lines: Sequence[str], language: str | None, deadline: float) -> list[Markup]:
    """Colour consecutive lines of one file; return markup for each.

    Lines stay without colour if `language` is None or unknown to Pygments. Some patterns of
    Pygments need time quadratic in the length of the text or worse. Therefore lines are coloured in
    parts, and very long lines and lines after `deadline`, a time of `time.monotonic`, stay without.
    """
    lexer = _lexer(language)
    if lexer is None or not lines:
        return [escape(line) for line in lines]
    markups: list[Markup] = []
    for part in _parts(lines):
        markups += _colour_part(part, lexer, deadline)
    return markups


def _parts(lines: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    size = 0
    for line in lines:
        if size > _MAX_AT_ONCE:
            yield part
            part, size = [], 0
        part.append(line)
        size += 1 + min(len(line), _MAX_COLOURED)
    yield part


def _colour_part(lines: Sequence[str], lexer: Lexer, deadline: float) -> list[Markup]:
    text = "\n".join(line if len(line) <= _MAX_COLOURED else "" for line in lines)
    tokens = []
    # Unlike `get_tokens`, this does not change the text, such as line ends.
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        tokens.append((kind, value))
        if time.monotonic() > deadline:
            break
    if "".join(value for _, value in tokens) != text:
        return [escape(line) for line in lines]
    coloured = pygments.format(tokens, _CODE).split("\n")  # closes each element at the line's end
    return [
        Markup(markup) if len(line) <= _MAX_COLOURED else escape(line)  # noqa: S704 - escaped
        for line, markup in zip(lines, coloured, strict=False)
    ]


def _lexer(language: str | None) -> Lexer | None:
    if language is None:
        return None
    try:
        return get_lexer_by_name(language, startinline=True)  # PHP of a hunk lacks its `<?php`
    except ClassNotFound:
        return None
