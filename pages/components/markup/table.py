"""A table of texts that wrap."""

import numbers
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
from markupsafe import Markup

from pages.components.markup.plain import bounded_text, show

MAX_ROWS = 200
"""Most rows of a table; for more, `st.dataframe` is faster."""

_STYLE = Markup("""
.typed-scroll { container-type: inline-size; }
.typed-table { --typed-gap: 2rem; border-collapse: collapse; min-width: 100%; }
.typed-table caption { color: var(--typed-muted); max-width: 100cqw; padding: 0 0 0.4rem;
  text-align: start; }
.typed-table th, .typed-table td { border-bottom: 1px solid var(--typed-line);
  overflow-wrap: anywhere; padding: 0.4rem 0.6rem; text-align: start; vertical-align: top;
  white-space: pre-wrap; }
.typed-table thead th { background: var(--typed-head); font-weight: 600; }
.typed-table tbody th { font-weight: 600; }
.typed-table .typed-amount { font-variant-numeric: tabular-nums; text-align: end; }
.typed-plots { font-variant-numeric: tabular-nums; width: 33%; }
.typed-plot { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; }
.typed-plot > :first-child { min-width: 11.5em; }
.typed-mean { border-inline: 1px solid var(--typed-line); color: var(--typed-name);
  background: linear-gradient(var(--typed-line) 0 0) 50% / 1px 100% no-repeat;
  flex: 1 1 6rem; height: 1.2rem; margin-inline: 0.4rem; position: relative; }
.typed-mean::before, .typed-mean::after { background: currentcolor; content: "";
  position: absolute; }
.typed-mean::before { inset: 0.35rem calc(100% - var(--typed-high)) 0.35rem var(--typed-low);
  opacity: 0.45; }
.typed-mean::after { inset: 0.15rem auto 0.15rem calc(var(--typed-at) - 1.5px); width: 3px; }
@media (max-width: 64rem) { .typed-table { --typed-gap: 0.9rem; font-size: 0.85em; }
  .typed-table th, .typed-table td { padding: 0.3rem 0.35rem; } }
""")
_LEFT_OUT = Markup('<p class="typed-note">{:,} more rows are not shown.</p>')
_LONG, _HYPHENATED = "comprehensiveness", "comprehen\u00adsiveness"
_MAX_NARROW = 16
_MAX_WIDE = 16
"""Least widths of columns in characters, if their texts are that long."""


@dataclass(frozen=True, slots=True)
class Plotted:
    """A mean in words, drawn next to them: `at` and its interval are shares of the axis, 0 to 1."""

    words: str
    low: float
    at: float
    high: float


Rows = pd.DataFrame | Sequence[Mapping[str, object]]


def text_table(
    rows: Rows,
    *,
    wide: Collection[str] = ("review",),
    caption: str | None = None,
    max_rows: int = MAX_ROWS,
) -> None:
    """Show a table, every text as typed; a table wider than the page scrolls in its own box.

    A `Markup` cell is inserted as it is. The columns named in `wide` get most of the width.
    The index of a data frame is shown as the names of its rows unless it is a range. Fractions
    have three digits, missing values are empty. Rows beyond `max_rows` are left out with a note.
    """
    show(table_markup(rows, wide=wide, caption=caption, max_rows=max_rows), _STYLE)


def table_markup(
    rows: Rows, *, wide: Collection[str], caption: str | None, max_rows: int
) -> Markup:
    """Return the markup of `text_table`."""
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows), dtype=object)
    shown = frame.iloc[:max_rows]
    columns = [
        _Column(str(name), list(shown.iloc[:, at]), is_wide=name in wide)
        for at, name in enumerate(frame.columns)
    ]
    corner, names = Markup(), [Markup()] * len(shown)
    if not isinstance(frame.index, pd.RangeIndex):
        texts = list(map(str, shown.index))
        corner = Markup('<td style="{}"></td>').format(_width(texts, is_wide=False))
        names = [Markup('<th scope="row">{}</th>').format(bounded_text(text)) for text in texts]
    body = Markup().join(
        Markup("<tr>{}{}</tr>").format(name, Markup().join(column.cell(at) for column in columns))
        for at, name in enumerate(names)
    )
    left_out = len(frame) - len(shown)
    return Markup(
        '<div class="typed-scroll" role="{}" tabindex="0" aria-label="{}">'
        '<table class="typed-table">{}<thead><tr>{}{}</tr></thead><tbody>{}</tbody></table></div>{}'
    ).format(
        "group" if caption is None else "region",  # landmarks need different names
        caption or "Table",
        Markup()
        if caption is None
        else Markup("<caption>{}</caption>").format(bounded_text(caption)),
        corner,
        Markup().join(column.head() for column in columns),
        body,
        _LEFT_OUT.format(left_out) if left_out else Markup(),
    )


@dataclass(frozen=True, slots=True)
class _Column:
    """One column: its name, its values, and whether it is wide."""

    name: str
    values: list[object]
    is_wide: bool

    @property
    def _kind(self) -> str:
        if self.is_wide:
            return "typed-wide"
        if any(isinstance(value, Plotted) for value in self.values):
            return "typed-plots"
        return "typed-amount" if any(map(_is_number, self.values)) else ""

    def head(self) -> Markup:
        """Return the head cell, which is as wide as the longest word of the column."""
        return Markup('<th scope="col" class="{}" style="{}">{}</th>').format(
            self._kind,
            _width([self.name, *map(_words, self.values)], is_wide=self.is_wide),
            bounded_text(self.name).replace(_LONG, _HYPHENATED),
        )

    def cell(self, at: int) -> Markup:
        """Return the cell of one row."""
        value = self.values[at]
        shown = value if isinstance(value, Markup) else bounded_text(_words(value))
        if isinstance(value, Plotted):
            shown = Markup(
                '<div class="typed-plot">{}<span class="typed-mean" style="--typed-low:{:.1%};'
                '--typed-at:{:.1%};--typed-high:{:.1%}"></span></div>'
            ).format(shown, value.low, value.at, value.high)
        return Markup('<td class="{}">{}</td>').format(self._kind, shown)


def _width(texts: Sequence[str], *, is_wide: bool) -> Markup:
    """Return the style of a column with these texts."""
    words = texts if is_wide else " ".join(texts).replace(_LONG, "comprehen- siveness").split()
    longest = max(map(len, words), default=0)
    return Markup("min-width:calc({}ch + var(--typed-gap))").format(
        min(longest, _MAX_WIDE if is_wide else _MAX_NARROW)
    )


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _words(value: object) -> str:
    if isinstance(value, Plotted):
        return value.words
    if value is None or (pd.api.types.is_scalar(value) and pd.isna(cast("float", value))):
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if _is_number(value) and not isinstance(value, numbers.Integral):
        return format(value, ".3f")
    return str(value)
