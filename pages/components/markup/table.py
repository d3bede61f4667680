"""A table of texts that wrap."""

import numbers
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
from markupsafe import Markup

from pages.components.markup.plain import bounded_text, show_markup

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
_MIN_WIDTH = 16
"""Minimum width of a column in characters, if its texts are that long."""


@dataclass(frozen=True, slots=True)
class Plotted:
    """A mean as text and drawn: the positions of mean and interval on the axis are from 0 to 1."""

    text: str
    low: float
    mean: float
    high: float


TableRows = pd.DataFrame | Sequence[Mapping[str, object]]


def text_table(
    rows: TableRows,
    *,
    wide: Collection[str] = ("review",),
    caption: str | None = None,
    max_rows: int = MAX_ROWS,
) -> None:
    """Show a table with every text as typed, which scrolls if it is wider than the page.

    A `Markup` cell is not escaped. The columns named in `wide` get most of the width. The index of
    a data frame is shown as the names of its rows unless it is a range. Fractions have three
    digits, missing values are empty. A note counts the rows beyond `max_rows`.
    """
    show_markup(table_markup(rows, wide=wide, caption=caption, max_rows=max_rows), _STYLE)


def table_markup(
    rows: TableRows, *, wide: Collection[str], caption: str | None, max_rows: int
) -> Markup:
    """Return the markup of `text_table`."""
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows), dtype=object)
    first_rows = frame.iloc[:max_rows]
    columns = [
        _Column(str(name), list(first_rows.iloc[:, number]), is_wide=name in wide)
        for number, name in enumerate(frame.columns)
    ]
    corner, names = Markup(), [Markup()] * len(first_rows)
    if not isinstance(frame.index, pd.RangeIndex):
        texts = list(map(str, first_rows.index))
        corner = Markup('<td style="{}"></td>').format(_width(texts, is_wide=False))
        names = [Markup('<th scope="row">{}</th>').format(bounded_text(text)) for text in texts]
    body = Markup().join(
        Markup("<tr>{}{}</tr>").format(name, Markup().join(column.cell(row) for column in columns))
        for row, name in enumerate(names)
    )
    left_out = len(frame) - len(first_rows)
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
    def _css_class(self) -> str:
        if self.is_wide:
            return "typed-wide"
        if any(isinstance(value, Plotted) for value in self.values):
            return "typed-plots"
        return "typed-amount" if any(map(_is_number, self.values)) else ""

    def head(self) -> Markup:
        """Return the head cell, which is as wide as the longest word of the column."""
        return Markup('<th scope="col" class="{}" style="{}">{}</th>').format(
            self._css_class,
            _width([self.name, *map(_cell_text, self.values)], is_wide=self.is_wide),
            bounded_text(self.name).replace(_LONG, _HYPHENATED),
        )

    def cell(self, row: int) -> Markup:
        """Return the cell of one row."""
        value = self.values[row]
        text = value if isinstance(value, Markup) else bounded_text(_cell_text(value))
        if isinstance(value, Plotted):
            text = Markup(
                '<div class="typed-plot">{}<span class="typed-mean" style="--typed-low:{:.1%};'
                '--typed-at:{:.1%};--typed-high:{:.1%}"></span></div>'
            ).format(text, value.low, value.mean, value.high)
        return Markup('<td class="{}">{}</td>').format(self._css_class, text)


def _width(texts: Sequence[str], *, is_wide: bool) -> Markup:
    """Return the style of a column with these texts."""
    words = texts if is_wide else " ".join(texts).replace(_LONG, "comprehen- siveness").split()
    longest = max(map(len, words), default=0)
    return Markup("min-width:calc({}ch + var(--typed-gap))").format(min(longest, _MIN_WIDTH))


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _cell_text(value: object) -> str:
    if isinstance(value, Plotted):
        return value.text
    if value is None or (pd.api.types.is_scalar(value) and pd.isna(cast("float", value))):
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if _is_number(value) and not isinstance(value, numbers.Integral):
        return format(value, ".3f")
    return str(value)
