"""Reviewers over time: predicted relevance by month, for comments of pull requests."""

from collections.abc import Collection

import plotly.graph_objects as go
import streamlit as st

from crscore_core.datasets.pulls.months import MonthMean, means_by_month
from crscore_core.statistics import FEWEST_CHANGES
from pages.components.charts import error_bars, show_chart
from pages.components.markup import text_table
from pages.components.names import between, number
from pages.components.source.model import Source
from pages.components.text import counted, escape_hover

_LONGEST = 26
_SYMBOLS = ("circle", "diamond", "square", "cross", "triangle-up", "x", "star", "hexagon")


def show_months(source: Source, systems: Collection[str]) -> None:
    """Show predicted relevance of systems by month; nothing where there are no two months."""
    means = [mean for mean in source.once(_means) if mean.system in systems]
    months = sorted({mean.month for mean in means})
    if len(months) < 2:
        return
    st.header("By month", anchor=False)
    figure = go.Figure([_line(means, system, place) for place, system in enumerate(systems)])
    figure.update_layout(
        height=360,
        xaxis={"type": "category", "categoryorder": "array", "categoryarray": months},
        yaxis={"title": "predicted relevance"},
        legend={"orientation": "h", "y": -0.15},
    )
    last = [
        f"{mean.system} {number(mean.mean.value)}" for mean in means if mean.month == months[-1]
    ]
    show_chart(
        figure,
        "rankings_months",
        f"Predicted relevance by month, {months[0]} to {months[-1]}; in the last: "
        f"{', '.join(last[:10])}.",
    )
    st.caption(
        "Mean predicted relevance of the comments written in a month, with 95 % t intervals over "
        f"changes where there are {FEWEST_CHANGES} changes or more. Months differ in "
        "what was reviewed, too."
    )
    with st.expander("By month as a table"):
        text_table(
            [
                {
                    "month": mean.month,
                    "system": mean.system,
                    "comments": mean.reviews,
                    "changes": mean.changes,
                    "predicted relevance": number(mean.mean.value),
                    "interval": between(mean.mean.interval),
                }
                for mean in means
            ]
        )


def _means(source: Source) -> list[MonthMean]:
    values = source.table.metric("predicted_relevance")
    return means_by_month(source.comparison, values)


def _line(means: list[MonthMean], system: str, place: int) -> go.Scatter:
    own = [mean for mean in means if mean.system == system]
    return go.Scatter(
        x=[mean.month for mean in own],
        y=[mean.mean.value for mean in own],
        error_y=error_bars([mean.mean for mean in own]),
        mode="lines+markers",
        marker={"symbol": _SYMBOLS[place % len(_SYMBOLS)], "size": 9},
        name=escape_hover(system, _LONGEST),
        hovertext=[
            f"{escape_hover(system)}<br>{mean.month}: {number(mean.mean.value)} "
            f"({between(mean.mean.interval)}), {counted(mean.reviews, 'comment')}"
            for mean in own
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
