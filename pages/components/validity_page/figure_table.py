"""A table of figures: the paper's, ours, its interval, and whether that holds the paper's."""

import streamlit as st

from crscore_core.statistics import Estimate
from crscore_core.validity.figures import Figure, FigureTable
from pages.components.figure_words import between
from pages.components.markup import text_table

__all__ = ["MOST_DIGITS", "figure_rows", "show_figures"]

MOST_DIGITS = 3
"""Decimals that are shown; files have all."""

_SMALL = 0.001


def show_figures(table: FigureTable, note: str = "") -> None:
    """Show a table under its title; nothing of one without figures."""
    if not table.figures:
        return
    st.subheader(table.title, anchor=False)
    where = f"In the paper: {table.source}. " if table.source else ""
    if where or note:
        st.caption(f"{where}{note}")
    text_table(figure_rows(table), wide=())


def figure_rows(table: FigureTable) -> list[dict[str, object]]:
    """The rows of a table; without the columns of the paper where it prints none of them."""
    with_paper = any(figure.paper is not None for figure in table.figures)
    return [_row(figure, table.digits, with_paper=with_paper) for figure in table.figures]


def _row(figure: Figure, digits: int, *, with_paper: bool) -> dict[str, object]:
    whole = figure.is_count or digits <= 1  # the interval of a rank has whole ends
    here = {
        "here": _number(figure.here.value, is_whole=whole),
        "95 % interval": between(figure.here.interval, 0 if whole else MOST_DIGITS, nothing=""),
    }
    if not with_paper:
        return {"figure": figure.name, **here}
    return {
        "figure": figure.name,
        "paper": _number(figure.paper, is_whole=whole),
        **here,
        "holds the paper's": _holds(figure.paper, figure.here),
    }


def _holds(paper: float | None, here: Estimate) -> str:
    """Whether our interval holds the paper's figure, in words and by a sign."""
    if paper is None or here.interval is None:
        return ""
    if paper < here.interval.low:
        return "✗ paper is lower"
    if paper > here.interval.high:
        return "✗ paper is higher"
    return "✓ yes"


def _number(value: float | None, *, is_whole: bool) -> float | int | str | None:
    if value is None:
        return None
    if is_whole:
        return round(value) if value == round(value) else f"{value:.1f}"  # equal ranks share one
    return f"{value:.1e}" if 0 < abs(value) < _SMALL else float(value)
