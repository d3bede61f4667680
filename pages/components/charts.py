"""Charts with a text alternative and a downloadable picture."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from pages.components.text import wrap_hover

TEXT_COLOURS = {"light": "#3d4757", "dark": "#b9c3cf"}
"""Text colours. Streamlit's own are too faint to read, especially in a downloaded picture."""
FONTS = "Arial, Helvetica, Liberation Sans, sans-serif"
"""Fonts that every machine has, so a downloaded SVG looks the same in a paper."""

LEGEND_BELOW = {
    "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
    "margin": {"l": 10, "r": 10, "t": 30, "b": 65},
}
"""Layout with a legend below the chart, where the toolbar does not cover it."""

_ROW_HEIGHT, _NAME_WIDTH, _TITLE_WIDTH = 36, 28, 26  # in pixels, and in characters


def show_chart(
    chart: go.Figure,
    key: str,
    alt: str,
    **selection: Any,  # noqa: ANN401 - passed to Streamlit
) -> None:
    """Show a chart with a camera that saves it; `alt` describes it for users who cannot see it.

    `selection` holds the arguments of `st.plotly_chart` for selecting points. If the chart changes
    in any way, Streamlit clears the selection.
    """
    colour = TEXT_COLOURS.get(st.context.theme.type or "", "#767676")
    # Plotly's update methods would take twice as long.
    colour_bars = [trace.colorbar for trace in chart.select_traces({"type": "heatmap"})]
    axes = [*chart.select_xaxes(), *chart.select_yaxes()]
    for axis in (*axes, *colour_bars):
        axis.tickfont.color = axis.title.font.color = colour
    for axis in axes:
        axis.fixedrange = True  # a swipe or drag scrolls the page, not the chart
    chart.layout.dragmode = False
    chart.update_annotations(font_color=colour)
    chart.layout.legend.font.color = colour
    chart.layout.font.family = FONTS
    if chart.layout.margin.l is None:
        chart.update_layout(margin={"l": 10, "r": 10, "t": 40, "b": 10})
    config = {
        "displayModeBar": True,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": f"crscore-{key}"},
    }
    st.plotly_chart(chart, key=key, alt=alt, config=config, **selection)


def draw_intervals(names: Sequence[str], figures: pd.DataFrame, title: str) -> go.Figure:
    """Draw one point with its interval per row, the first row at the top.

    `figures` has one row per name and the columns `value`, `low` and `high`; `title` is the axis
    title.
    """
    value = figures["value"]
    chart = go.Figure(
        go.Scatter(
            x=value.round(4),
            y=[wrap_hover(name, _NAME_WIDTH, 2) for name in names],
            mode="markers",
            marker={"size": 9},
            cliponaxis=False,  # a mean may be at the end of the axis
            error_x={
                "type": "data",
                "symmetric": False,
                "array": (figures["high"] - value).fillna(0),
                "arrayminus": (value - figures["low"]).fillna(0),
            },
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    intervals = "<br>and 95% intervals" if figures["low"].notna().any() else ""
    chart.update_xaxes(title=f"{wrap_hover(title, _TITLE_WIDTH, 3)}{intervals}")
    chart.update_yaxes(automargin=True, autorange="reversed")
    chart.update_layout(height=140 + _ROW_HEIGHT * len(names), showlegend=False)
    return chart


def chosen_points(key: str) -> list[Any]:
    """Return the `customdata` of a chart's selected points, even before the chart is shown."""
    state = st.session_state.get(key) or {}
    points = state.get("selection", {}).get("points", [])
    return [point["customdata"] for point in points if "customdata" in point]
