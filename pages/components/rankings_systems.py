"""The systems on the Rankings page: the reviews that count, means, agreement and pairs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from crscore_core.text import counted, listed, shorten
from crscore_eval.formatting import figure_cell, format_figure
from crscore_eval.ranking.order import Order
from crscore_eval.ranking.verdict import significance
from crscore_eval.statistics.difference import SIGNIFICANCE_LEVEL
from crscore_eval.table import (
    Run,
    descriptive_columns,
    label_title,
)
from pages.components.charts import draw_intervals, show_chart
from pages.components.current_run import system_title
from pages.components.tables import show_texts
from pages.components.url import choose_option

_MAX_VALUES, _MAX_NUMBERS = 30, 5  # different texts or numbers of a column to filter by
_ALL = "all"
_INTERVAL = ["low", "value", "high"]


def choose_subset(run: Run) -> tuple[str, Run]:
    """Let the user choose the reviews that count: by language or a column of the file.

    Returns the key of the choice, in the URL as `part`, and a run with only these reviews, whose
    name says which they are.
    """
    names = ("language", *descriptive_columns(run.reviews))
    columns = [name for name in names if _has_few_values(run, name)]
    values = {
        f"{name}={value}": (name, value)
        for name in columns
        for value in sorted(run.reviews[name].dropna().map(_value_text).unique())
    }
    titles = {_ALL: "all reviews"} | {
        key: f"{label_title(name)}: {value}" for key, (name, value) in values.items()
    }
    if not columns:
        return _ALL, run
    label = f"Filter by {shorten(', '.join(map(label_title, columns)), 26)}"
    part = choose_option(label, titles, "part", _ALL, width=250)
    if part == _ALL:
        return part, run
    name, value = values[part]
    is_in_part = run.reviews[name].map(_value_text) == value
    n_in_part, n_all = f"{int(is_in_part.sum()):,}", counted(len(run.reviews), "review")
    name = f"{run.settings['name']}, {titles[part]} ({n_in_part} of {n_all})"
    reviews = run.reviews[is_in_part].reset_index(drop=True)
    changes = run.changes[run.changes["change"].isin(reviews["change"])].reset_index(drop=True)
    # The numbers of raters are those of the whole run.
    return part, Run(reviews, changes, {**run.settings, "name": name, "raters": {}})


def _value_text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _has_few_values(run: Run, name: str) -> bool:
    """Return True if a column divides the reviews into a few groups."""
    values = run.reviews[name].dropna()
    texts = values[values.map(np.isscalar)].astype(str)
    highest = _MAX_NUMBERS if pd.api.types.is_numeric_dtype(values) else _MAX_VALUES
    return len(texts) == len(values) and 1 < texts.nunique() <= highest


def show_systems(order: Order, words: "pd.Series[float]") -> pd.DataFrame:
    """Show one row per system, the highest first, and charts of the means; return the table.

    `words` has the mean number of words of each system.
    """
    systems = order.systems
    names = systems["system"].map(system_title)
    means = [(order.by, systems[["low", "mean", "high"]].set_axis(_INTERVAL, axis=1))]
    counts = {order.by.title: systems["n"]}
    if order.other_measure is not None:
        others = systems[["other_low", "other_mean", "other_high"]].set_axis(_INTERVAL, axis=1)
        means.append((order.other_measure, others))
        counts[order.other_measure.title] = systems["other_n"]
    columns = {measure.title: _interval_cells(figures, "value") for measure, figures in means}
    for name in order.labels:
        title = f"label {label_title(name)}"
        columns[title] = [format_figure(mean, missing="–") for mean in systems[name]]
        counts[title] = systems[f"n_{name}"]
    table = pd.DataFrame(
        {
            "place": systems["place"],
            "system": names,
            **{
                title: _with_counts(columns[title], counts[title], systems["n"])
                for title in columns
            },
            "reviews": systems["n"],
            "empty": systems["empty"],
        }
    )
    if "words" not in table:  # they may be the measure
        table["words"] = systems["system"].map(words).round().astype(int)
    show_texts(
        table,
        f"Systems by {order.by.title}: means with 95% intervals over changes. Place: those "
        "that are possible, given the significant differences. n: number of reviews with the "
        f"figure, where the column reviews has another number.{_left_out(order)}",
    )
    for column, (measure, figures) in zip(st.columns(2), means, strict=False):
        with column:
            chart = draw_intervals(names.tolist(), figures, measure.title)
            chart.update_xaxes(range=measure.axis(figures))
            alt = f"Mean {measure.title} of each system, as in the table."
            show_chart(chart, f"rankings_{measure.name}", alt)
    return table


def _left_out(order: Order) -> str:
    """Name the labels that the table leaves out."""
    titles = [label_title(name) for name in order.other_labels]
    return f" Labels not shown: {listed(titles)}." if titles else ""


def _with_counts(
    cells: Sequence[str], counts: "pd.Series[int]", n_reviews: "pd.Series[int]"
) -> list[str]:
    """Add the number of reviews to the cells of a column, if any of them has another number."""
    if counts.equals(n_reviews.astype(counts.dtype)):
        return [*cells]
    return [f"{cell}, n = {n:,}" for cell, n in zip(cells, counts, strict=True)]


def _interval_cells(figures: pd.DataFrame, name: str) -> list[str]:
    """Return the values of a column with their intervals as texts."""
    return [figure_cell(*row) or "–" for row in figures[[name, "low", "high"]].to_numpy().tolist()]


def show_pairs(order: Order) -> pd.DataFrame:
    """Show the difference of each pair of systems and whether it is significant; return it."""
    pairs = order.pairs
    table = pd.DataFrame(
        {
            "higher": pairs["higher"].map(system_title),
            "lower": pairs["lower"].map(system_title),
            "difference": _interval_cells(pairs, "difference"),
            "significant": [significance(row) for row in pairs.to_dict("records")],
            "changes": pairs["changes"],
        }
    )
    if order.other_measure is not None:
        title = f"difference by {order.other_measure.title}"
        table[title] = list(map(figure_cell, pairs["other_difference"]))
    show_texts(table)
    st.caption(
        f"Significant: the p-value is below {SIGNIFICANCE_LEVEL} after Holm's correction. "
        "The 95% interval of a difference is over the changes that both systems reviewed."
    )
    return table
