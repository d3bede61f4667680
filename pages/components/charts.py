"""How every chart is shown: with a text alternative, and a picture to download."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st

from crscore_core.statistics import Estimate

__all__ = ["Picture", "choose_many", "choose_points", "chosen_points", "error_bars", "show_chart"]

Picture = Literal["svg", "png"]
"""What the tool bar of a chart downloads."""


def show_chart(figure: go.Figure, key: str, alt: str, picture: Picture = "svg") -> None:
    """Show a figure; `alt` says what it shows for whoever cannot see it."""
    st.plotly_chart(_laid_out(figure), key=key, alt=alt, config=_config(key, picture))


def choose_points(figure: go.Figure, key: str, alt: str, picture: Picture = "svg") -> None:
    """Show a figure whose points can be clicked; `chosen_points` tells which one was."""
    st.plotly_chart(
        _laid_out(figure),
        key=key,
        alt=alt,
        config=_config(key, picture),
        on_select="rerun",
        selection_mode="points",
    )


def choose_many(
    figure: go.Figure, key: str, alt: str, on_choice: Callable[[list[Any]], None]
) -> None:
    """Show a figure whose points can be clicked, or drawn around.

    `on_choice` takes the `customdata` of those chosen each time that a person chooses some, or
    none. To Streamlit a figure that differs in anything is another chart, in which nothing is
    chosen; that is no choice of a person.
    """
    st.plotly_chart(
        _laid_out(figure),
        key=key,
        alt=alt,
        config=_config(key, "svg"),
        on_select=lambda: on_choice(chosen_points(key)),
        selection_mode=["points", "box", "lasso"],
    )


def chosen_points(key: str) -> list[Any]:
    """The `customdata` of what is chosen in the chart with this key, also before it is shown."""
    state = st.session_state.get(key) or {}
    points = state.get("selection", {}).get("points", [])
    return [point["customdata"] for point in points if "customdata" in point]


def error_bars(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """Plotly's error bars from each value to the ends of its interval; none where it has none."""
    known = [
        (one.value - one.interval.low, one.interval.high - one.value)
        if one.value is not None and one.interval is not None
        else (0.0, 0.0)
        for one in estimates
    ]
    return {
        "type": "data",
        "symmetric": False,
        "array": [above for _, above in known],
        "arrayminus": [below for below, _ in known],
    }


def _laid_out(figure: go.Figure) -> go.Figure:
    margin = figure.layout.margin
    if margin.l is None:
        figure.update_layout(margin={"l": 10, "r": 10, "t": 40, "b": 10})
    return figure


def _config(key: str, picture: Picture) -> dict[str, Any]:
    return {
        "displaylogo": False,
        "toImageButtonOptions": {"format": picture, "filename": f"crscore-{key}", "scale": 2},
    }
