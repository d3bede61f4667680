"""A diff, with its lines numbered, marked and coloured."""

import streamlit as st
from markupsafe import Markup

from crscore_core.change import LineKind
from pages.components.markup.diff_lines import DiffLine, diff_lines
from pages.components.markup.page import show
from pages.components.markup.visible import LEFT_OUT, visible

__all__ = ["MOST_LINES", "diff_markup", "diff_view"]

MOST_LINES = 600
"""Nobody reads more of a change on a page, and every line is a row of it."""

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
    '<p class="typed-note">Shown line by line, as it cannot be read as a diff: {}</p>'
)
_LEFT_OUT = Markup('<p class="typed-note">{:,} more lines are not shown.</p>')


def diff_view(diff: str, language: str | None = None, *, most_lines: int = MOST_LINES) -> None:
    """Show a diff as typed: headers, lines with their numbers and marks, and syntax in colours.

    `language` is that of files whose name does not tell. A text that cannot be read as a diff
    is shown line by line, and why. Lines beyond `most_lines` are left out, which is said.
    """
    show(diff_markup(diff, language, most_lines), _STYLE)


@st.cache_data(max_entries=64, show_spinner=False)
def diff_markup(diff: str, language: str | None, most_lines: int) -> Markup:
    """The markup of `diff_view`."""
    lines = diff_lines(diff, language, most_lines)
    return Markup(
        "{}"
        '<div class="typed-scroll" role="region" tabindex="0" aria-label="Diff">'
        '<table class="typed-diff"><caption class="typed-hidden">Diff</caption>'
        '<thead class="typed-hidden"><tr><th scope="col">old line</th>'
        '<th scope="col">new line</th><th scope="col">mark</th><th scope="col">text</th></tr>'
        "</thead><tbody>{}</tbody></table></div>"
        "{}"
    ).format(
        _PROBLEM.format(visible(lines.problem)) if lines.problem else Markup(),
        Markup().join(map(_row, lines.lines)),
        _LEFT_OUT.format(lines.left_out) if lines.left_out else Markup(),
    )


def _row(line: DiffLine) -> Markup:
    text = line.markup + LEFT_OUT.format(line.left_out) if line.left_out else line.markup
    if line.kind is None:
        return _HEAD.format("typed-hunk" if line.is_hunk_head else "typed-head", text)
    return _LINE.format(_CLASSES[line.kind], line.old or "", line.new or "", line.kind.value, text)
