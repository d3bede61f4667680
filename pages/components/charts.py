"""How every chart is shown: with a text alternative, and a picture to download."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

__all__ = ["show_chart"]


def show_chart(
    figure: go.Figure, key: str, alt: str, *, picture: str = "svg", **options: Any
) -> Any:
    """Show a figure; `alt` says what it shows for whoever cannot see it.

    Its tool bar downloads it as `picture`, `svg` or `png`. `options` are those of
    `st.plotly_chart`, such as `on_select`; what that returns is returned.
    """
    figure.update_layout(margin={"l": 10, "r": 10, "t": 40, "b": 10}, dragmode=False)
    config = {
        "displaylogo": False,
        "toImageButtonOptions": {"format": picture, "filename": f"crscore-{key}"},
    }
    return st.plotly_chart(figure, key=key, alt=alt, config=config, **options)
