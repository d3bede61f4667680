"""Systems on the Rankings page: the choice of reviews, means, pairs, and changes."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from crscore_core.text import counted, shorten
from crscore_eval.export.shown import systems_caption, systems_table
from crscore_eval.formatting import capitalize_first
from crscore_eval.ranking.order import Order, changes_by_systems
from crscore_eval.table import Run, descriptive_columns, label_title
from crscore_eval.table.cells import escape_formula
from crscore_eval.table.one_review import change_title, find_change
from pages.components.charts import draw_intervals, show_chart
from pages.components.review_choice import show_review
from pages.components.review_view import step_through_reviews
from pages.components.tables import show_texts
from pages.components.text import (
    escape_markdown,
    is_yes_or_no,
    unique_labels,
    value_text,
    without_marks,
)
from pages.components.url import choose_option

_MAX_VALUES, _MAX_NUMBERS = 30, 5  # distinct strings or numbers in a column to filter by
_ALL = "all"


def choose_subset(run: Run) -> tuple[str, Run]:
    """Let the user filter the reviews by language or by a column of the file.

    Returns the key of the choice, stored in the URL as `part`, and a run with only the chosen
    reviews, whose name states the choice.
    """
    names = ("language", *descriptive_columns(run.reviews))
    columns = [name for name in names if _has_few_values(run, name)]
    texts = {name: _texts(run.reviews[name]) for name in columns}
    values = {
        f"{name}={value}": (name, value)
        for name in columns
        for value in sorted(texts[name].dropna().unique())
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
    is_in_part = texts[name] == value
    n_in_part, n_all = f"{int(is_in_part.sum()):,}", counted(len(run.reviews), "review")
    name = f"{run.settings['name']}, {titles[part]} ({n_in_part} of {n_all})"
    reviews = run.reviews[is_in_part].reset_index(drop=True)
    changes = run.changes[run.changes["change"].isin(reviews["change"])].reset_index(drop=True)
    return part, Run(reviews, changes, {**run.settings, "name": name})


def _texts(values: "pd.Series[Any]") -> "pd.Series[str]":
    text = partial(value_text, is_answer=is_yes_or_no(values))
    return values.map(text, na_action="ignore")


def _has_few_values(run: Run, name: str) -> bool:
    values = run.reviews[name].dropna()
    texts = values[values.map(np.isscalar)].astype(str)
    highest = _MAX_NUMBERS if pd.api.types.is_numeric_dtype(values) else _MAX_VALUES
    return len(texts) == len(values) and 1 < texts.nunique() <= highest


def show_systems(order: Order) -> pd.DataFrame:
    """Show a table of systems and charts of their means; return the table."""
    table = systems_table(order)
    show_texts(table, f"Reviewers by {order.by.title}. {systems_caption(order)}")
    measures = {"": order.by} | ({"other_": order.other_measure} if order.other_measure else {})
    for column, (prefix, measure) in zip(st.columns(2), measures.items(), strict=False):
        with column:
            figures = order.systems[[f"{prefix}{name}" for name in ("mean", "low", "high")]]
            figures = figures.set_axis(["value", "low", "high"], axis=1)
            chart = draw_intervals(table["reviewer"].tolist(), figures, measure.title)
            chart.update_xaxes(range=measure.axis(figures))
            alt = f"Mean {measure.title} of each reviewer, as in the table."
            show_chart(chart, f"rankings_{measure.name}", alt)
    return table


_MAX_CHANGES, _MAX_SYSTEMS = 20, 12
_HEIGHT, _MAX_UNSCROLLED = 390, 10  # pixels of a scrolling table; most rows without scrolling
_TABLE = "rankings_changes"
_COLOUR = "57, 121, 188"  # red, green, blue; text is readable on it in both themes
_MAX_OPACITY = 0.55


def show_changes(run: Run, order: Order, tau: float) -> None:
    """Show the changes on which systems differ most, and the review of the chosen cell."""
    systems = order.systems["system"].tolist()[:_MAX_SYSTEMS]
    means = changes_by_systems(run, order.by.name, tau).reindex(columns=systems)
    shown = means.iloc[:_MAX_CHANGES]
    low, high = order.by.axis(shown)
    titles = _labels(change_title(find_change(run, key)) for key in shown.index)
    names = _labels(systems)

    def shade(mean: Any) -> str:  # noqa: ANN401 - as in the Styler's type
        opacity = _MAX_OPACITY * (mean - low) / ((high - low) or 1)
        return "" if np.isnan(mean) else f"background-color: rgba({_COLOUR}, {opacity:.2f})"

    def show_cell_review() -> None:
        for row, name in st.session_state[_TABLE]["selection"]["cells"]:
            if name in names:
                _show_review(run, shown.index[row], systems[names.index(name)])

    table = shown.round(2).set_axis(names, axis=1).set_axis(titles)
    index = st.column_config.TextColumn(width=200 if len(names) < 8 else 140)  # all columns fit
    st.dataframe(
        table.style.map(shade).format("{:.2f}"),
        height=_HEIGHT if len(shown) > _MAX_UNSCROLLED else "auto",
        key=_TABLE,
        on_select=show_cell_review,
        selection_mode="single-cell",
        column_config={"_index": index},
        placeholder="–",
        alt=f"Mean {order.by.title} of each reviewer on {len(titles)} changes.",
    )
    st.caption(
        f"{escape_markdown(capitalize_first(order.by.title))} on {len(shown)} of {len(means):,} "
        "changes, the widest differences first; – means no value. Choose a cell to read its review."
    )
    step_through_reviews(run, _rows_in_order(run, shown), tau)


def _labels(texts: Iterable[str]) -> list[str]:
    return unique_labels(str(escape_formula(without_marks(text))) for text in texts)


def _show_review(run: Run, change: str, system: str) -> None:
    reviews = run.reviews
    matches = reviews[(reviews["change"] == change) & (reviews["system"] == system)]
    for review_id in matches["id"].iloc[:1]:
        show_review(review_id)


def _rows_in_order(run: Run, shown: pd.DataFrame) -> np.ndarray:
    order = {"change": shown.index, "system": shown.columns}
    positions = pd.DataFrame(
        {name: index.get_indexer(pd.Index(run.reviews[name])) for name, index in order.items()}
    )
    return positions[(positions >= 0).all(axis=1)].sort_values([*order]).index.to_numpy()
