"""Charts on a page: each with a text alternative, and a picture to download."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st

from crscore_core.statistics import Estimate

Picture = Literal["svg", "png"]
"""Format that the tool bar of a chart downloads."""


def show_chart(
    figure: go.Figure,
    key: str,
    alt: str,
    picture: Picture = "svg",
    **selection: Any,  # noqa: ANN401 - Streamlit's own
) -> None:
    """Show a figure; `alt` says what it shows for whoever cannot see it.

    `selection` are the arguments of `st.plotly_chart` by which points are chosen.
    """
    if figure.layout.margin.l is None:
        figure.update_layout(margin={"l": 10, "r": 10, "t": 40, "b": 10})
    image = {"format": picture, "filename": f"crscore-{key}", "scale": 2}
    config = {"displaylogo": False, "toImageButtonOptions": image}
    st.plotly_chart(figure, key=key, alt=alt, config=config, **selection)


def choose_points(figure: go.Figure, key: str, alt: str, picture: Picture = "svg") -> None:
    """Show a figure whose points can be clicked; `chosen_points` tells which one was."""
    show_chart(figure, key, alt, picture, on_select="rerun", selection_mode="points")


def choose_many(
    figure: go.Figure, key: str, alt: str, on_choice: Callable[[list[Any]], None]
) -> None:
    """Show a figure whose points can be clicked, or drawn around.

    `on_choice` takes the `customdata` of the chosen points each time that a person chooses some,
    or none. To Streamlit a figure that differs in anything is another chart, in which nothing is
    chosen; that is no choice of a person.
    """
    show_chart(
        figure,
        key,
        alt,
        on_select=lambda: on_choice(chosen_points(key)),
        selection_mode=["points", "box", "lasso"],
    )


def chosen_points(key: str) -> list[Any]:
    """Return the `customdata` of the points chosen in a chart, also before it is shown."""
    state = st.session_state.get(key) or {}
    points = state.get("selection", {}).get("points", [])
    return [point["customdata"] for point in points if "customdata" in point]


def error_bars(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """Return Plotly's error bars from each value to the ends of its interval, if it has one."""
    above, below = [], []
    for estimate in estimates:
        value, interval = estimate.value, estimate.interval
        above.append(0.0 if value is None or interval is None else interval.high - value)
        below.append(0.0 if value is None or interval is None else value - interval.low)
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below}
