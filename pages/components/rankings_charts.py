"""Charts of the page Rankings: ranks, a column a metric and a line a system, and means."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.statistics import RankedSystem
from crscore_core.validity.rankings import MetricRanking, Rankings
from pages.components.charts import choose_points, error_bars, show_chart
from pages.components.names import between, number
from pages.components.rankings_choice import METRIC_NAMES, chosen_in_chart
from pages.components.text import escape_hover

_SURE = 0.95
"""Probability from which on the order of two neighbours is called sure."""

_ROW, _MARGIN = 34, 110
_LONGEST, _SHORTEST = 40, 24
_COLOURS = 10
_DASHES = ("solid", "dot", "dash", "dashdot", "longdash")
_UNSURE = "rgba(125, 136, 150, 0.45)"
_SYMBOLS = ("circle", "diamond", "square", "cross", "triangle-up", "x", "star", "hexagon")
_MEANS_MARGIN, _MEANS_ROW = 90, 15


def show_bump(rankings: Rankings, names: Mapping[str, str], chosen: str | None) -> None:
    """Show the chart of ranks; a click on a point chooses its system."""
    columns = list(rankings.by.values())
    figure = go.Figure([_unsure(columns), _between(columns, names)])
    for index, system in enumerate(rankings.systems):
        figure.add_trace(_line(columns, system, names, _style(index, system, chosen)))
    figure.add_scatter(x=[None], y=[None], yaxis="y2", showlegend=False, hoverinfo="skip")
    figure.update_layout(_layout(columns, names))
    choose_points(figure, chosen_in_chart(), _orders_in_words(columns, names))


def _orders_in_words(columns: list[MetricRanking], names: Mapping[str, str]) -> str:
    """Say the order by each metric, from best to worst, and how much of it is sure."""
    parts = []
    for column in columns:
        order = [names[ranked.system] for ranked in column.ranking.systems]
        neighbours = column.ranking.neighbours
        sure = sum((pair.probability or 0) >= _SURE for pair in neighbours)
        more = f" and {len(order) - 10} more" if len(order) > 10 else ""
        parts.append(
            f"By {METRIC_NAMES[column.metric]}: {', '.join(order[:10])}{more}; {sure} of "
            f"{len(neighbours)} pairs of neighbours are in a sure order."
        )
    return "Ranks of systems. " + " ".join(parts)


def _line(
    columns: list[MetricRanking], system: str, names: Mapping[str, str], style: dict[str, Any]
) -> go.Scatter:
    """Return the line of a system through its places, counted from 1, by each metric."""
    places: list[int | None] = []
    hover = []
    for column in columns:
        order = [ranked.system for ranked in column.ranking.systems]
        place = order.index(system) if system in order else None
        places.append(None if place is None else place + 1)
        hover.append(
            "" if place is None else _hover(column, column.ranking.systems[place], names[system])
        )
    return go.Scatter(
        x=list(range(len(columns))),
        y=places,
        mode="lines+markers",
        customdata=[system] * len(columns),
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>",
        name=escape_hover(names[system], _LONGEST),
        showlegend=False,
        unselected={"marker": {"opacity": style["opacity"]}},
        **style,
    )


def _style(index: int, system: str, chosen: str | None) -> dict[str, Any]:
    is_faint = chosen is not None and system != chosen
    colour = index + 2  # the two traces before the lines take a colour each
    return {
        "opacity": 0.35 if is_faint else 1.0,
        "line": {
            "width": 5 if system == chosen else 2.5,
            "dash": _DASHES[colour // _COLOURS % len(_DASHES)],
        },
        "marker": {"size": 15 if system == chosen else 11},
    }


def _hover(column: MetricRanking, ranked: RankedSystem, name: str) -> str:
    return (
        f"<b>{escape_hover(name, 60)}</b><br>"
        f"{METRIC_NAMES[column.metric]}: rank {ranked.rank.value:g} "
        f"(95 %: {between(ranked.rank.interval, 0)})<br>"
        f"mean {ranked.mean.value:.3f} (95 %: {between(ranked.mean.interval)})"
    )


def _unsure(columns: list[MetricRanking]) -> go.Scatter:
    """Return bars between neighbours whose order is not sure."""
    x: list[int | None] = []
    y: list[int | None] = []
    for index, column in enumerate(columns):
        for place, pair in enumerate(column.ranking.neighbours, start=1):
            if pair.probability is None or pair.probability < _SURE:
                x += [index, index, None]
                y += [place, place + 1, None]
    return go.Scatter(
        x=x or [None],
        y=y or [None],
        mode="lines",
        line={"width": 15, "color": _UNSURE},
        hoverinfo="skip",
        name=f"this order has a probability below {_SURE:.0%}",
        showlegend=True,
    )


def _between(columns: list[MetricRanking], names: Mapping[str, str]) -> go.Scatter:
    """Return invisible points between neighbours that say under the mouse how sure they are."""
    pairs = [
        (index, place + 0.5, pair)
        for index, column in enumerate(columns)
        for place, pair in enumerate(column.ranking.neighbours, start=1)
    ]
    return go.Scatter(
        x=[index for index, _, _ in pairs],
        y=[place for _, place, _ in pairs],
        mode="markers",
        marker={"size": 14, "color": _UNSURE, "opacity": 0},
        hovertext=[
            f"{escape_hover(names[pair.higher], 40)} above "
            f"{escape_hover(names[pair.lower], 40)}:<br>probability "
            f"{'not known' if pair.probability is None else f'{pair.probability:.0%}'}"
            for _, _, pair in pairs
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )


def _layout(columns: list[MetricRanking], names: Mapping[str, str]) -> dict[str, Any]:
    n_systems = max(len(column.ranking.systems) for column in columns)
    axis = {"range": [n_systems + 0.6, 0.4], "showgrid": False, "zeroline": False}
    left, right = columns[0].ranking.systems, columns[-1].ranking.systems
    left_labels = [
        f"{escape_hover(names[one.system], _LONGEST)}  {one.rank.value:g}" for one in left
    ]
    right_labels = [
        f"{one.rank.value:g}  {escape_hover(names[one.system], _SHORTEST)}" for one in right
    ]
    return {
        "height": _MARGIN + _ROW * n_systems,
        "margin": {"l": 10, "r": 10, "t": 70, "b": 10},
        "hovermode": "closest",
        "clickmode": "event+select",
        "dragmode": False,
        "legend": {"orientation": "h", "x": 0, "y": 0, "yanchor": "top", "xanchor": "left"},
        "xaxis": {
            "tickvals": list(range(len(columns))),
            "ticktext": [METRIC_NAMES[column.metric].replace(" ", "<br>", 1) for column in columns],
            "range": [-0.25, len(columns) - 0.75],
            "side": "top",
            "showgrid": True,
            "zeroline": False,
        },
        "yaxis": {
            **axis,
            "tickvals": list(range(1, len(left) + 1)),
            "ticktext": left_labels,
            "automargin": True,
        },
        "yaxis2": {
            **axis,
            "tickvals": list(range(1, len(right) + 1)),
            "ticktext": right_labels,
            "automargin": True,
            "overlaying": "y",
            "side": "right",
            "visible": len(columns) > 1,
        },
    }


def show_means(rankings: Rankings, names: Mapping[str, str]) -> None:
    """Show means with intervals, systems in the order of the first metric, ground truth last."""
    columns = list(rankings.by.values())
    rows = [ranked.system for ranked in columns[0].ranking.systems]
    rows += [system for system in rankings.systems if system not in rows]
    if rankings.ground_truth:
        rows.append(GROUND_TRUTH)
    figure = go.Figure()
    for index, column in enumerate(columns):
        means = {ranked.system: ranked.mean for ranked in column.ranking.systems}
        if column.metric in rankings.ground_truth:
            means[GROUND_TRUTH] = rankings.ground_truth[column.metric]
        shift = (index - (len(columns) - 1) / 2) * 0.7 / len(columns)
        shown = [(row, means[system]) for row, system in enumerate(rows) if system in means]
        name = METRIC_NAMES[column.metric]
        figure.add_scatter(
            x=[mean.value for _, mean in shown],
            y=[row + shift for row, _ in shown],
            mode="markers",
            cliponaxis=False,
            name=name,
            marker={"symbol": _SYMBOLS[index % len(_SYMBOLS)], "size": 8},
            error_x=error_bars([mean for _, mean in shown]) | {"thickness": 1.5, "width": 3},
            hovertext=[
                f"{name}: {number(mean.value)} (95 %: {between(mean.interval)})"
                for _, mean in shown
            ],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    figure.update_layout(
        height=_MEANS_MARGIN + len(rows) * (12 + _MEANS_ROW * len(columns)),
        margin={"l": 10, "r": 10, "t": 50, "b": 10},
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        xaxis={"title": "mean, from 0 to 1, with its 95 % interval", "rangemode": "tozero"},
        yaxis={
            "tickvals": list(range(len(rows))),
            "ticktext": [escape_hover(names[system], _LONGEST) for system in rows],
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
        f"{METRIC_NAMES[columns[0].metric]} is {names[best.system]} with {best.mean.value:.3f}, "
        f"interval {between(best.mean.interval)}.",
    )
