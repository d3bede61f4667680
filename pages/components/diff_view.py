"""Shows a diff as HTML with numbered, marked and coloured lines.

`markupsafe.Markup.format` escapes each value, and `st.html` sanitises the result again. Each colour
is a pair for the light and the dark theme; CSS chooses between them by `color-scheme`, which
Streamlit sets to the current theme.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import islice

import pygments
import streamlit as st
from markupsafe import Markup, escape
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from crscore_core.change import ChangedLine, FileChange, LineKind, parse_change
from crscore_core.claims import DEFAULT_CLAIMS, PseudoReference
from crscore_core.errors import InputError
from crscore_core.text import escape_invisible
from pages.components.text import CODE_SPAN, cut, row_anchor

MAX_LINES = 600
"""Maximum number of diff lines to show."""

MAX_WIDTH = 2_000
"""Maximum number of characters to show per line; longer lines are usually generated code."""

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
.diff-mark a { color: inherit; padding: 0.3rem 0.1rem; }
.diff-mark a:target { outline: 2px solid; }
.diff-note { color: var(--muted); font-size: 0.85rem; font-style: italic; margin: 0.3rem 0; }
.diff [class^="code-k"] { color: var(--keyword); }
.diff :is(.code-nf, .code-nc, .code-nd, .code-nt) { color: var(--name); }
.diff [class^="code-s"] { color: var(--string); }
.diff [class^="code-m"] { color: var(--number); }
.diff [class^="code-c"] { color: var(--muted); font-style: italic; }
""")
_VIEW = Markup(
    '<div class="diff"><style>{}</style>{}'
    '<div class="diff-box" role="region" tabindex="0" aria-label="Diff">'
    '<table><caption>Diff</caption><thead><tr><th scope="col">old line</th>'
    '<th scope="col">new line</th><th scope="col">mark</th><th scope="col">text</th></tr></thead>'
    "<tbody>{}</tbody></table></div>{}</div>"
)
_LINE = Markup(
    '<tr class="{}"><td class="diff-number">{}</td><td class="diff-number">{}</td>'
    '<td class="diff-sign">{}</td><td class="diff-line">{}</td></tr>'
)
_HEAD = Markup('<tr class="{}"><td class="diff-line" colspan="4">{}</td></tr>')
_MARKS = Markup(' <span class="diff-mark" title="pseudo-references about this line">{}</span>')
_MARK = Markup('<a id="P{0}-{1}" href="{2}">P{0}</a>')
_PROBLEM = Markup(
    '<p class="diff-note">Shown line by line, because it cannot be read as a diff: {}</p>'
)
_LEFT_OUT = Markup('<p class="diff-note">{:,} more lines are not shown.</p>')

_CODE = HtmlFormatter(nowrap=True, classprefix="code-")
_MAX_COLOURED = 300
"""Maximum length of a line that Pygments colours."""

_IN_FILES = re.compile(r", in \d+ files$")
_ITEM = re.compile(r"`[^`]+`|“[^”]+”")
_LIST = rf"(?:{_ITEM.pattern})(?:(?:, | and )(?:{_ITEM.pattern}))+"
_LISTED = re.compile(rf"(?<! in )(?<! to )(?<! from ){_LIST}")
_IN_LISTED = re.compile(rf" (?:in|to|from) {_LIST}")
"""Lists of code or text in claims, and lists of functions."""
_QUALIFIED = re.compile(r"^[\w.]+\.(?=\w+\()")

_Place = tuple[str | None, int | None]  # path and line number in the new file
Marks = tuple[tuple[str | None, int | None, int], ...]
"""Path and line number in the new file, and the position of a pseudo-reference about that line."""


def show_diff(diff: str, language: str | None = None, marks: Marks = ()) -> None:
    """Show a diff as typed, with headers, line numbers, marks and syntax colours.

    Marks link to rows of the table with the letter P, which link to `mark_anchor`. `language`
    applies to files whose name does not determine it. Text that cannot be read as a diff is shown
    line by line, with the reason. A note counts the lines beyond `MAX_LINES`. Invisible characters
    are shown as code points, so that they cannot reorder the text after them.
    """
    st.html(diff_markup(diff, language, marks))


def mark_anchor(at: int) -> str:
    """Return the anchor of the first mark of the pseudo-reference at a position."""
    return f"#P{at + 1}-1"


@st.cache_data(max_entries=64, show_spinner=False)
def diff_markup(
    diff: str, language: str | None, marks: Marks = (), max_lines: int = MAX_LINES
) -> Markup:
    """Return the markup of `show_diff`."""
    texts = diff.replace("\r\n", "\n").removesuffix("\n").split("\n")
    lines, problem = numbered_lines(diff, language)
    marks_at: dict[_Place, list[Markup]] = {}
    counts = Counter[int]()
    for path, number, at in marks:
        counts[at] += 1
        mark = _MARK.format(at + 1, counts[at], row_anchor("P", at))
        marks_at.setdefault((path, number), []).append(mark)
    marked = _marked_lines(lines)
    rows = []
    for position, text in enumerate(texts[:max_lines], 1):
        if position in lines:
            line, file = lines[position]
            place = marked[position]
            mark = Markup(", ").join(marks_at.get(place, ()) if place else ())
            code = _code(line.text, file.language) + (_MARKS.format(mark) if mark else "")
            css_class = f"diff-{line.kind.name.lower()}"
            numbers = line.old or "", line.new or ""
            rows.append(_LINE.format(css_class, *numbers, line.kind.value, code))
        else:
            css_class = "diff-hunk" if text.startswith("@@") else "diff-head"
            rows.append(_HEAD.format(css_class, _code(text)))
    left_out = len(texts) - max_lines
    return _VIEW.format(
        _STYLE,
        _PROBLEM.format(escape_invisible(problem)) if problem else "",
        Markup().join(rows),
        _LEFT_OUT.format(left_out) if left_out > 0 else "",
    )


@lru_cache(maxsize=16)
def numbered_lines(
    diff: str, language: str | None
) -> tuple[dict[int, tuple[ChangedLine, FileChange]], str]:
    """Map the position of each hunk line in the diff, from 1, to the line and its file.

    `language` is passed to `parse_change`. If the diff cannot be read, the mapping is empty and the
    string gives the reason.
    """
    try:
        files = parse_change(diff, language=language).files
    except InputError as error:
        return {}, str(error)
    hunks = [(hunk, file) for file in files for hunk in file.hunks]
    return {line.position: (line, file) for hunk, file in hunks for line in hunk.lines}, ""


def _marked_lines(lines: Mapping[int, tuple[ChangedLine, FileChange]]) -> dict[int, _Place | None]:
    """Map the position of each line to the place whose marks it shows.

    Pseudo-references place removed code at the line below it in the new file. If that line is
    unchanged, its marks move to the first removed line.
    """
    marked: dict[int, _Place | None] = {}
    first_removed = 0  # position of the first removed line directly above, or 0
    for position, (line, file) in lines.items():
        is_removed = line.kind is LineKind.REMOVED
        marked[position] = None if is_removed else (file.path, line.new)
        if first_removed and line.kind is LineKind.CONTEXT and position - 1 in lines:
            marked[first_removed], marked[position] = marked[position], None
        first_removed = (first_removed or position) if is_removed else 0
    return marked


def marks_of(diff: str, language: str | None, references: Sequence[PseudoReference]) -> Marks:
    """Return the marks of pseudo-references at the lines that `show_diff` shows."""
    marked = _marked_lines(numbered_lines(diff, language)[0])
    shown = {place for position, place in marked.items() if position <= MAX_LINES}
    return tuple(
        (*place, at)
        for at, reference in enumerate(references)
        if reference.line is not None
        for place in places_of(diff, language, reference)
        if place in shown
    )


def places_of(diff: str, language: str | None, reference: PseudoReference) -> Sequence[_Place]:
    """Return the places in a diff that a pseudo-reference is about, its own first.

    A claim stores one place. If rules made it, its wording leads to others: the same text in other
    files ("in 3 files") or functions ("in `a` and `b`"), the lines that differ only in a name ("in
    several places"), and the first changed line with other code or text that it lists.
    """
    own, claim = (reference.path, reference.line), reference.text
    if reference.source != DEFAULT_CLAIMS:
        return (own,)
    is_in_files, is_in_functions = _IN_FILES.search(claim), _IN_LISTED.search(claim)
    items = [item.strip("`“”") for one in _LISTED.findall(claim) for item in _ITEM.findall(one)]
    names = [code.strip(ticks) for code, ticks in CODE_SPAN.findall(claim)]
    is_of_names = " in several places" in claim and len(names) > 1
    if not (items or is_in_files or is_in_functions or is_of_names):
        return (own,)
    changed = _changed_lines(diff, language)
    near = [(place, text) for place, text in changed if is_in_files or place[0] == own[0]]
    here = [text for place, text in changed if place == own]
    places = [own]
    if (is_in_files or is_in_functions) and here:
        places += [place for place, text in near if text == here[0]]
    if is_of_names:
        old, new = names[:2] if " is renamed to " in claim else names[1::-1]
        name, texts = re.compile(rf"(?<!\w){re.escape(new)}(?!\w)"), {text for _, text in near}
        earlier = {text: name.sub(lambda _: old, text) for text in texts}
        places += [place for place, text in near if text != earlier[text] in texts]
    for item in items:
        code = _QUALIFIED.sub("", item.partition("…")[0].strip())
        if code and not any(code in text for text in here):
            places += islice((place for place, text in near if code in text), 1)
    return tuple(dict.fromkeys(places))


def _changed_lines(diff: str, language: str | None) -> list[tuple[_Place, str]]:
    """Return the place and the text of each changed line that is not blank, the added lines first.

    The place of a removed line is the line below it in the new file, as in a pseudo-reference.
    """
    added: list[tuple[_Place, str]] = []
    removed: list[tuple[_Place, str]] = []
    below: int | None = None
    for line, file in reversed(numbered_lines(diff, language)[0].values()):
        below = line.new or below
        if line.kind is not LineKind.CONTEXT and line.text.strip():
            lines = removed if line.kind is LineKind.REMOVED else added
            lines.append(((file.path, below), line.text.strip()))
    return [*reversed(added), *reversed(removed)]


def _code(text: str, language: str | None = None) -> Markup:
    return colour_line(escape_invisible(cut(text, MAX_WIDTH), keeps_lines=True), language)


def colour_line(line: str, language: str | None) -> Markup:
    """Colour a line on its own, because a hunk may start inside a string or a comment.

    The line is not coloured if Pygments does not know the language, or if the line is very long,
    because some Pygments patterns take quadratic time.
    """
    lexer = _lexer(language) if line else None
    if lexer is None or len(line) > _MAX_COLOURED:
        return escape(line)
    # Unlike `get_tokens`, this keeps the text as it is, including blanks at both ends. In some
    # languages, a comment ends with a line break.
    tokens = lexer.get_tokens_unprocessed(f"{line}\n")
    on_one_line = ((kind, value.replace("\n", "")) for _, kind, value in tokens)
    return Markup(pygments.format(on_one_line, _CODE).removesuffix("\n"))  # noqa: S704 - escaped


@cache
def _lexer(language: str | None) -> Lexer | None:
    with suppress(ClassNotFound):
        # PHP in a hunk lacks the opening `<?php`.
        return get_lexer_by_name(language, startinline=True) if language else None
    return None
