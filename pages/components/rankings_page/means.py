"""The chart of systems' means with their intervals."""

from collections.abc import Mapping

import plotly.graph_objects as go

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.statistics import Estimate
from crscore_core.validity.rankings import Rankings
from pages.components.charts import error_bars, show_chart
from pages.components.figure_words import between, number
from pages.components.rankings_page.names import METRIC_NAMES
from pages.components.text import escape_hover

__all__ = ["show_means"]

_SYMBOLS = ("circle", "diamond", "square", "cross", "triangle-up", "x", "star", "hexagon")
_LONGEST = 26
_MARGIN, _ROW = 90, 15


def show_means(found: Rankings, names: Mapping[str, str]) -> None:
    """Show it, systems in the order of the first metric and the ground truth below them."""
    columns = list(found.by.values())
    ranked = [one.system for one in columns[0].ranking.systems]
    rows = ranked + [system for system in found.systems if system not in ranked]
    if found.ground_truth:
        rows.append(GROUND_TRUTH)
    figure = go.Figure()
    for at, column in enumerate(columns):
        means = {
            one.system: Estimate(one.mean, one.mean_interval) for one in column.ranking.systems
        }
        if column.metric in found.ground_truth:
            means[GROUND_TRUTH] = found.ground_truth[column.metric]
        shift = (at - (len(columns) - 1) / 2) * 0.7 / len(columns)
        figure.add_trace(_dots(METRIC_NAMES[column.metric], at, shift, rows, means))
    figure.update_layout(
        height=_MARGIN + len(rows) * (12 + _ROW * len(columns)),
        margin={"l": 10, "r": 10, "t": 50, "b": 10},
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        xaxis={"title": "mean, from 0 to 1, with its 95 % interval", "rangemode": "tozero"},
        yaxis={
            "tickvals": list(range(len(rows))),
            "ticktext": [escape_hover(names.get(system, system), _LONGEST) for system in rows],
            "range": [len(rows) - 0.5, -0.5],
            "automargin": True,
            "zeroline": False,
        },
    )
    best = columns[0].ranking.systems[0]
    show_chart(
        figure,
        "rankings_means",
        f"Means of {len(rows)} systems by {len(columns)} metrics. The highest by "
        f"{METRIC_NAMES[columns[0].metric]} is {names.get(best.system, best.system)} with "
        f"{best.mean:.3f}, interval {between(best.mean_interval)}.",
    )


def _dots(
    name: str, at: int, shift: float, rows: list[str], means: Mapping[str, Estimate]
) -> go.Scatter:
    shown = [(row, means[system]) for row, system in enumerate(rows) if system in means]
    return go.Scatter(
        x=[one.value for _, one in shown],
        y=[row + shift for row, _ in shown],
        mode="markers",
        name=name,
        marker={"symbol": _SYMBOLS[at % len(_SYMBOLS)], "size": 8},
        error_x=error_bars([one for _, one in shown]) | {"thickness": 1.5, "width": 3},
        hovertext=[
            f"{name}: {number(one.value)} (95 %: {between(one.interval)})" for _, one in shown
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
