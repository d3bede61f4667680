"""Format figures with their intervals, p-values, titles and table rows."""

from math import isnan, nan
from typing import TYPE_CHECKING, Any

from crscore_core.text import counted
from crscore_eval.statistics.bootstrap import SIGNIFICANCE_LEVEL

if TYPE_CHECKING:
    import pandas as pd


def format_figure(
    value: float | None, low: float = nan, high: float = nan, digits: int = 3, missing: str = ""
) -> str:
    """Return a figure and its interval as a table cell, or `missing` without a figure."""
    if value is None or isnan(value):
        return missing
    interval = "" if isnan(low) else f" ({low:z.{digits}f} to {high:z.{digits}f})"
    is_tiny = 0 < value < 0.001 and digits > 2 and not interval
    return "<0.001" if is_tiny else f"{value:z.{digits}f}{interval}"


def figure_cells(table: "pd.DataFrame", *columns: str, missing: str = "") -> list[str]:
    """Return a figure and its interval for each row, see `format_figure`.

    `columns` are those of value, low, high and digits. Minus signs are true ones, so that no cell
    reads as a formula.
    """
    texts = (format_figure(*figure) for figure in table[[*columns]].itertuples(index=False))
    return [text.replace("-", "\N{MINUS SIGN}") or missing for text in texts]


def format_p(p: float, missing: str = "") -> str:
    """Return a p-value with decimals that show on which side of the significance level it is."""
    digits = next((n for n in range(3, 17) if round(p, n) != SIGNIFICANCE_LEVEL), 3)
    return format_figure(p, digits=digits, missing=missing)


def p_in_words(p: float) -> str:
    """Return a p-value as in `p = 0.012` or `p < 0.001`; "" for NaN."""
    return f"p = {format_p(p)}".replace("= <", "< ") * (not isnan(p))


def corrected_p(p: float, n_tests: int) -> str:
    """Return a p-value in words, with the number of comparisons that it is corrected for."""
    return f"{p_in_words(p)} after Holm's correction for {counted(n_tests, 'comparison')}"


def records(frame: "pd.DataFrame") -> list[dict[Any, Any]]:
    """Return rows as JSON objects; NaN becomes null, and `low` and `high` become a list, `ci`.

    These columns may also have the prefix `other_` or `difference_`.
    """
    cells = frame.astype(object).where(frame.notna(), None)
    for prefix in [one for one in ("", "other_", "difference_") if f"{one}low" in cells]:
        ends = [f"{prefix}low", f"{prefix}high"]
        intervals: Any = [None if None in row else row for row in cells[ends].to_numpy().tolist()]
        cells = cells.drop(columns=ends).assign(**{f"{prefix}ci": intervals})
    return cells.to_dict("records")


def capitalize_first(text: str) -> str:
    """Return text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
