"""A diff, with its lines numbered, marked and coloured."""

import time
from collections.abc import Iterable, Iterator, Sequence

import streamlit as st
from markupsafe import Markup
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType
from pygments.util import ClassNotFound

from crscore_core.change import LineKind
from pages.components.markup.diff_lines import MAX_LINES, DiffLine, diff_lines
from pages.components.markup.plain import LEFT_OUT, show_markup, visible

_MAX_SECONDS = 2.0
"""Time for colouring one diff; after it the rest of the diff stays without colours."""

_STYLE = Markup("""
.typed-diff { border: 1px solid var(--typed-line); border-collapse: collapse; width: 100%;
  font: 0.8rem/1.5 "Source Code Pro", monospace; }
.typed-diff td { border: 0; overflow-wrap: anywhere; padding: 0 0.4rem; vertical-align: top;
  white-space: pre-wrap; tab-size: 4; }
.typed-diff .typed-at { color: var(--typed-muted); min-width: 2.2rem; text-align: end;
  user-select: none; white-space: nowrap; width: 1%; }
.typed-diff .typed-sign { font-weight: 700; padding: 0 0.2rem; user-select: none; width: 1%; }
.typed-diff .typed-line { direction: ltr; padding-inline-start: 0; }
.typed-diff tr:is(.typed-head, .typed-hunk) .typed-line { padding-inline-start: 0.4rem; }
.typed-head { background: var(--typed-head); }
.typed-hunk { background: var(--typed-hunk); }
.typed-added { background: var(--typed-added); }
.typed-removed { background: var(--typed-removed); }
.typed-added .typed-sign { color: var(--typed-plus); }
.typed-removed .typed-sign { color: var(--typed-minus); }
.typed-point { background: var(--typed-mark); border-radius: 3px; font-weight: 700;
  padding: 0 0.3rem; user-select: none; }
.typed-keyword { color: var(--typed-keyword); }
.typed-name { color: var(--typed-name); }
.typed-string { color: var(--typed-string); }
.typed-number { color: var(--typed-number); }
.typed-comment { color: var(--typed-comment); font-style: italic; }
""")
_CLASSES = {
    LineKind.CONTEXT: "typed-context",
    LineKind.ADDED: "typed-added",
    LineKind.REMOVED: "typed-removed",
}
_LINE = Markup(
    '<tr class="{}"><td class="typed-at">{}</td><td class="typed-at">{}</td>'
    '<td class="typed-sign">{}</td><td class="typed-line">{}</td></tr>'
)
_HEAD = Markup('<tr class="{}"><td class="typed-line" colspan="4">{}</td></tr>')
_PROBLEM = Markup(
    '<p class="typed-note">Shown line by line, because it cannot be read as a diff: {}</p>'
)
_LEFT_OUT = Markup('<p class="typed-note">{:,} more lines are not shown.</p>')

_MARKS = Markup(' <span class="typed-point" title="pseudo-references about this line">{}</span>')

_SYNTAX = (
    (Comment, "comment"),
    (String, "string"),
    (Number, "number"),
    (Keyword, "keyword"),
    (Name.Function, "name"),
    (Name.Class, "name"),
    (Name.Decorator, "name"),
    (Name.Tag, "name"),
)
_MAX_COLOURED = 300
_MAX_AT_ONCE = 4_000
"""Most characters of a line, and of lines together, that Pygments gets."""

_PIECE = Markup('<span class="typed-{}">{}</span>')


Marks = tuple[tuple[str | None, int, str], ...]
"""Path and line of the new file, and the text to write at that line."""


def diff_view(diff: str, language: str | None = None, marks: Marks = ()) -> None:
    """Show a diff as typed: headers, lines with their numbers and marks, and syntax in colours.

    `language` counts for files whose name does not reveal theirs. A text that cannot be read as a
    diff is shown line by line, with the reason. A note counts the lines beyond `MAX_LINES`.
    """
    show_markup(diff_markup(diff, language, marks), _STYLE)


@st.cache_data(max_entries=64, show_spinner=False)
def diff_markup(
    diff: str, language: str | None, marks: Marks = (), max_lines: int = MAX_LINES
) -> Markup:
    """Return the markup of `diff_view`."""
    split = diff_lines(diff, language, max_lines)
    marks_at: dict[tuple[str | None, int | None], list[str]] = {}
    for path, number, mark in marks:
        marks_at.setdefault((path, number), []).append(mark)
    rows = (
        _row(line, markup, marks_at.get((line.path, line.new), ()))
        for line, markup in zip(split.lines, _colour_hunks(split.lines), strict=True)
    )
    return Markup(
        "{}"
        '<div class="typed-scroll" role="region" tabindex="0" aria-label="Diff">'
        '<table class="typed-diff"><caption class="typed-hidden">Diff</caption>'
        '<thead class="typed-hidden"><tr><th scope="col">old line</th>'
        '<th scope="col">new line</th><th scope="col">mark</th><th scope="col">text</th></tr>'
        "</thead><tbody>{}</tbody></table></div>"
        "{}"
    ).format(
        _PROBLEM.format(visible(split.problem)) if split.problem else Markup(),
        Markup().join(rows),
        _LEFT_OUT.format(split.left_out) if split.left_out else Markup(),
    )


def _colour_hunks(lines: Sequence[DiffLine]) -> Iterator[Markup]:
    """Yield the text of each line, in colours where the line is in a hunk."""
    deadline = time.monotonic() + _MAX_SECONDS
    hunks: dict[int, list[DiffLine]] = {}
    for line in lines:
        if line.hunk is not None:
            hunks.setdefault(line.hunk, []).append(line)
    coloured = {number: _colour_hunk(hunk, deadline) for number, hunk in hunks.items()}
    for line in lines:
        yield visible(line.text) if line.hunk is None else next(coloured[line.hunk])


def _colour_hunk(lines: Sequence[DiffLine], deadline: float) -> Iterator[Markup]:
    """Colour each line among the lines of its side, as a comment may span several lines."""
    language = lines[0].language
    sides = {}
    for absent in (LineKind.ADDED, LineKind.REMOVED):
        texts = [line.text for line in lines if line.kind is not absent]
        sides[absent] = iter(colour_lines(texts, language, deadline))
    for line in lines:
        *_, markup = [next(side) for absent, side in sides.items() if line.kind is not absent]
        yield markup


def _row(line: DiffLine, markup: Markup, marks: Sequence[str]) -> Markup:
    if marks:
        markup += _MARKS.format(", ".join(marks))
    if line.left_out:
        markup += LEFT_OUT.format(line.left_out)
    if line.kind is None:
        return _HEAD.format("typed-hunk" if line.is_hunk_header else "typed-head", markup)
    return _LINE.format(
        _CLASSES[line.kind], line.old or "", line.new or "", line.kind.value, markup
    )


def colour_lines(lines: Sequence[str], language: str | None, deadline: float) -> list[Markup]:
    """Colour consecutive lines of one file; return markup for each.

    Lines stay without colour if `language` is None or unknown to Pygments. Some patterns of
    Pygments need time quadratic in the length of the text or worse. Therefore lines are coloured in
    parts, and very long lines and lines after `deadline`, a time of `time.monotonic`, stay without.
    """
    lexer = _lexer(language)
    if lexer is None or not lines:
        return [visible(line) for line in lines]
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


def _colour_part(lines: Sequence[str], lexer: Lexer, deadline: float) -> Iterable[Markup]:
    text = "\n".join(line if len(line) <= _MAX_COLOURED else "" for line in lines)
    tokens = []
    # Unlike `get_tokens`, this does not change the text, such as line ends.
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        tokens.append((kind, value))
        if time.monotonic() > deadline:
            break
    if "".join(value for _, value in tokens) != text:
        return map(visible, lines)
    return (
        coloured if len(line) <= _MAX_COLOURED else visible(line)
        for line, coloured in zip(lines, _by_line(tokens), strict=True)
    )


def _lexer(language: str | None) -> Lexer | None:
    if language is None:
        return None
    try:
        return get_lexer_by_name(language, startinline=True)  # PHP of a hunk lacks its `<?php`
    except ClassNotFound:
        return None


def _by_line(tokens: Sequence[tuple[_TokenType, str]]) -> Iterator[Markup]:
    line: list[Markup] = []
    for kind, value in tokens:
        first, *rest = value.split("\n")
        line.append(_colour_token(kind, first))
        for text in rest:
            yield Markup().join(line)
            line = [_colour_token(kind, text)]
    yield Markup().join(line)


def _colour_token(kind: _TokenType, text: str) -> Markup:
    for colour, name in _SYNTAX:
        if kind in colour and text.strip():
            return _PIECE.format(name, visible(text))
    return visible(text)
