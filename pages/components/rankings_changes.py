"""The changes on which systems differ most, on the Rankings page."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from crscore_eval.formatting import capitalize_first
from crscore_eval.ranking.order import Order, changes_by_systems
from crscore_eval.table import Run
from crscore_eval.table.cells import escape_formula
from crscore_eval.table.one_review import change_title, find_change
from pages.components.current_run import system_title
from pages.components.review_choice import show_review
from pages.components.review_view import step_through_reviews
from pages.components.text import escape_markdown, unique_labels

_MAX_CHANGES, _MAX_SYSTEMS = 20, 12
_HEIGHT, _MAX_UNSCROLLED = 390, 10  # pixels of a long table, and rows of a shorter table
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
    names = _labels(map(system_title, systems))

    def shade(mean: Any) -> str:  # noqa: ANN401 - as the Styler's type has it
        opacity = _MAX_OPACITY * (mean - low) / ((high - low) or 1)
        return "" if np.isnan(mean) else f"background-color: rgba({_COLOUR}, {opacity:.2f})"

    def show_cell_review() -> None:
        for row, name in st.session_state[_TABLE]["selection"]["cells"]:
            if name in names:
                _show_review(run, shown.index[row], systems[names.index(name)])

    table = shown.round(2).set_axis(names, axis=1).set_axis(titles)
    st.dataframe(
        table.style.map(shade).format("{:.2f}"),
        height=_HEIGHT if len(shown) > _MAX_UNSCROLLED else "auto",
        key=_TABLE,
        on_select=show_cell_review,
        selection_mode="single-cell",
        placeholder="–",
        alt=f"Mean {order.by.title} of each system on {len(titles)} changes.",
    )
    st.caption(
        f"{escape_markdown(capitalize_first(order.by.title))} on {len(shown)} of {len(means):,} "
        "changes, those with the widest differences first; – means no value. Choose a cell to read "
        "its review."
    )
    step_through_reviews(run, _rows_in_order(run, shown), tau)


def _labels(texts: Iterable[str]) -> list[str]:
    """Return different labels that no spreadsheet program interprets as a formula."""
    return unique_labels(str(escape_formula(text)) for text in texts)


def _show_review(run: Run, change: str, system: str) -> None:
    reviews = run.reviews
    matches = reviews[(reviews["change"] == change) & (reviews["system"] == system)]
    for review_id in matches["id"].iloc[:1]:
        show_review(review_id)


def _rows_in_order(run: Run, shown: pd.DataFrame) -> np.ndarray:
    """Return the rows of the shown reviews, change by change, with systems in order."""
    order = {"change": shown.index, "system": shown.columns}
    positions = pd.DataFrame(
        {name: index.get_indexer(pd.Index(run.reviews[name])) for name, index in order.items()}
    )
    return positions[(positions >= 0).all(axis=1)].sort_values([*order]).index.to_numpy()
