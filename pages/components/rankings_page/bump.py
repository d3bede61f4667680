"""The chart of ranks: a column a metric, a line a system."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from crscore_core.statistics import RankedSystem
from crscore_core.validity.rankings import MetricRanking, Rankings
from pages.components.charts import choose_points
from pages.components.figure_words import between
from pages.components.rankings_page.choice import chosen_in_chart
from pages.components.rankings_page.names import METRIC_NAMES
from pages.components.text import escape_hover

__all__ = ["SURE", "show_bump", "top_in_words"]

SURE = 0.95
"""With what probability two neighbours are in order before the chart calls that sure."""

_ROW, _MARGIN = 34, 110
_LONGEST, _SHORTEST = 26, 16
_COLOURS = 10
_BEFORE = 2
"""Traces before the lines, which take a colour each."""

_UNSURE = "rgba(125, 136, 150, 0.45)"


def show_bump(found: Rankings, names: Mapping[str, str], chosen: str | None) -> None:
    """Show it; a click on a point chooses its system."""
    columns = list(found.by.values())
    figure = go.Figure([_unsure(columns), _between(columns, names)])
    for at, system in enumerate(found.systems):
        figure.add_trace(_line(columns, system, names, _style(at, system, chosen)))
    figure.add_scatter(x=[None], y=[None], yaxis="y2", showlegend=False, hoverinfo="skip")
    figure.update_layout(_layout(columns, names))
    choose_points(figure, chosen_in_chart(), top_in_words(found, names))


def top_in_words(found: Rankings, names: Mapping[str, str]) -> str:
    """The order by each metric, from best to worst, and how much of it is sure."""
    parts = []
    for one in found.by.values():
        order = [names.get(system.system, system.system) for system in one.ranking.systems]
        sure = sum((pair.probability or 0) >= SURE for pair in one.ranking.neighbours)
        more = f" and {len(order) - 10} more" if len(order) > 10 else ""
        parts.append(
            f"By {METRIC_NAMES[one.metric]}: {', '.join(order[:10])}{more}; {sure} of "
            f"{len(one.ranking.neighbours)} pairs of neighbours are in a sure order."
        )
    return "Ranks of systems. " + " ".join(parts)


def _line(
    columns: list[MetricRanking], system: str, names: Mapping[str, str], style: dict[str, Any]
) -> go.Scatter:
    places = [_place(column, system) for column in columns]
    return go.Scatter(
        x=list(range(len(columns))),
        y=[None if place is None else place[0] for place in places],
        mode="lines+markers",
        customdata=[system] * len(columns),
        hovertext=[
            "" if place is None else _hover(column, place[1], names)
            for column, place in zip(columns, places, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name=escape_hover(names.get(system, system), _LONGEST),
        showlegend=False,
        unselected={"marker": {"opacity": style["opacity"]}},
        **style,
    )


def _style(at: int, system: str, chosen: str | None) -> dict[str, Any]:
    is_faint = chosen is not None and system != chosen
    dash = ("solid", "dot", "dash", "dashdot", "longdash")[(_BEFORE + at) // _COLOURS % 5]
    return {
        "opacity": 0.35 if is_faint else 1.0,
        "line": {"width": 5 if system == chosen else 2.5, "dash": dash},
        "marker": {"size": 15 if system == chosen else 11},
    }


def _place(column: MetricRanking, system: str) -> tuple[int, RankedSystem] | None:
    """Where it stands in the order, from 1; equal ranks follow each other."""
    for place, one in enumerate(column.ranking.systems, start=1):
        if one.system == system:
            return place, one
    return None


def _hover(column: MetricRanking, one: RankedSystem, names: Mapping[str, str]) -> str:
    return (
        f"<b>{escape_hover(names.get(one.system, one.system), 60)}</b><br>"
        f"{METRIC_NAMES[column.metric]}: rank {one.rank:g} "
        f"(95 %: {between(one.rank_interval, 0)})<br>"
        f"mean {one.mean:.3f} (95 %: {between(one.mean_interval)})"
    )


def _unsure(columns: list[MetricRanking]) -> go.Scatter:
    """A bar between neighbours whose order is not sure."""
    x: list[int | None] = []
    y: list[int | None] = []
    for at, column in enumerate(columns):
        for place, pair in enumerate(column.ranking.neighbours, start=1):
            if pair.probability is None or pair.probability < SURE:
                x += [at, at, None]
                y += [place, place + 1, None]
    return go.Scatter(
        x=x or [None],
        y=y or [None],
        mode="lines",
        line={"width": 15, "color": _UNSURE},
        hoverinfo="skip",
        name=f"this order has a probability below {SURE:.0%}",
        showlegend=True,
    )


def _between(columns: list[MetricRanking], names: Mapping[str, str]) -> go.Scatter:
    """What the mouse says between two neighbours."""
    pairs = [
        (at, place + 0.5, pair)
        for at, column in enumerate(columns)
        for place, pair in enumerate(column.ranking.neighbours, start=1)
    ]
    return go.Scatter(
        x=[at for at, _, _ in pairs],
        y=[place for _, place, _ in pairs],
        mode="markers",
        marker={"size": 14, "color": _UNSURE, "opacity": 0},
        hovertext=[
            f"{escape_hover(names.get(pair.higher, pair.higher), 40)} above "
            f"{escape_hover(names.get(pair.lower, pair.lower), 40)}:<br>probability "
            f"{'not known' if pair.probability is None else f'{pair.probability:.0%}'}"
            for _, _, pair in pairs
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )


def _layout(columns: list[MetricRanking], names: Mapping[str, str]) -> dict[str, Any]:
    n_systems = max(len(column.ranking.systems) for column in columns)
    axis = {"range": [n_systems + 0.6, 0.4], "showgrid": False, "zeroline": False}
    layout: dict[str, Any] = {
        "height": _MARGIN + _ROW * n_systems,
        "margin": {"l": 10, "r": 10, "t": 70, "b": 10},
        "hovermode": "closest",
        "clickmode": "event+select",
        "dragmode": False,
        "legend": {"orientation": "h", "x": 0, "y": 0, "yanchor": "top", "xanchor": "left"},
        "xaxis": {
            "tickvals": list(range(len(columns))),
            "ticktext": [_in_lines(METRIC_NAMES[column.metric]) for column in columns],
            "range": [-0.25, len(columns) - 0.75],
            "side": "top",
            "showgrid": True,
            "zeroline": False,
        },
        "yaxis": {**axis, **_ticks(columns[0], names), "automargin": True},
        "yaxis2": {**axis, "overlaying": "y", "side": "right", "visible": False},
    }
    if len(columns) > 1:
        layout["yaxis2"] |= {
            **_ticks(columns[-1], names, with_names=False),
            "visible": True,
            "automargin": True,
        }
    return layout


def _ticks(
    column: MetricRanking, names: Mapping[str, str], *, with_names: bool = True
) -> dict[str, Any]:
    systems = column.ranking.systems
    return {
        "tickvals": list(range(1, len(systems) + 1)),
        "ticktext": [
            f"{escape_hover(names.get(one.system, one.system), _LONGEST)}  {one.rank:g}"
            if with_names
            else f"{one.rank:g}  {escape_hover(names.get(one.system, one.system), _SHORTEST)}"
            for one in systems
        ],
    }


def _in_lines(name: str) -> str:
    return name.replace(" ", "<br>", 1)
