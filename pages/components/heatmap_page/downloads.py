"""What the heatmap page gives to take along."""

from typing import cast

import plotly.graph_objects as go
import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix, matrix_csv
from pages.components.charts import Picture

__all__ = ["heatmap_page_of", "offer_files", "picture_format"]

_PICTURES = ("svg", "png")


def picture_format() -> Picture:
    """Choose what the chart's own tool bar makes, by its camera."""
    chosen = st.segmented_control(
        "Picture",
        _PICTURES,
        default=_PICTURES[0],
        format_func=str.upper,
        key="heatmap_picture",
        bind="query-params",
        help="What the camera in the tool bar of the heatmap downloads; the bar is above the "
        "heatmap while the mouse is over it.",
    )
    return cast("Picture", (chosen or _PICTURES[0]))


def offer_files(matrix: ChangeMatrix, figure: go.Figure | None) -> None:
    """Buttons for the matrix as CSV, and the figure, if there is one, as a page of its own."""
    files = [("CSV", lambda: matrix_csv(matrix), "text/csv")]
    if figure is not None:
        files.append(("HTML", lambda: heatmap_page_of(figure), "text/html"))
    for kind, make, mime in files:
        st.download_button(
            kind,
            make,
            f"crscore-heatmap.{kind.lower()}",
            mime,
            icon=":material/download:",
            key=f"heatmap_download_{kind.lower()}",
            on_click="ignore",
        )


def heatmap_page_of(figure: go.Figure) -> str:
    """A page that shows the figure anywhere, with all that it needs in it."""
    alone = go.Figure(figure)
    alone.update_layout(template="plotly_white", title="Similarity matrix")
    alone.update_layout(margin_t=(figure.layout.margin.t or 0) + 50)
    alone.update_layout(height=(figure.layout.height or 0) + 50)
    alone.update_traces(colorscale="Blues", selector={"type": "heatmap"})
    page: str = alone.to_html(include_plotlyjs=True, config={"displaylogo": False})
    return page
