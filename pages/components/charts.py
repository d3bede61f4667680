"""How every chart is shown: with a text alternative, and a picture to download."""

from collections.abc import Sequence
from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st

__all__ = ["Mode", "Picture", "choose_points", "show_chart"]

Picture = Literal["svg", "png"]
"""What the tool bar of a chart downloads."""

Mode = Literal["points", "box", "lasso"]
"""How points of a chart are chosen: by clicking, or by drawing around them."""


def show_chart(figure: go.Figure, key: str, alt: str, picture: Picture = "svg") -> None:
    """Show a figure; `alt` says what it shows for whoever cannot see it."""
    st.plotly_chart(_laid_out(figure), key=key, alt=alt, config=_config(key, picture))


def choose_points(
    figure: go.Figure,
    key: str,
    alt: str,
    picture: Picture = "svg",
    modes: Sequence[Mode] = ("points",),
) -> list[Any]:
    """Show a figure whose points can be chosen, and return the `customdata` of those chosen."""
    state = st.plotly_chart(
        _laid_out(figure),
        key=key,
        alt=alt,
        config=_config(key, picture),
        on_select="rerun",
        selection_mode=list(modes),
    )
    points = state.get("selection", {}).get("points", [])
    return [point["customdata"] for point in points if "customdata" in point]


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
