"""The scores of the reviews at every tau."""

import plotly.graph_objects as go
import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.scoring import PRESETS, resolve_tau
from crscore_core.scoring.metric import TAUS, Sweep
from pages.components.charts import show_chart
from pages.components.names import system_name
from pages.components.source.model import Source
from pages.components.text import escape_hover

__all__ = ["show_curves"]

_MOST_LINES = 12
_NAME_WIDTH = 30
_HEIGHT = 360
_DASHES = {"conciseness": "dash", "comprehensiveness": "dot", "relevance": "solid"}


def show_curves(source: Source, matrix: ChangeMatrix, tau: float) -> None:
    """The scores over tau, with the tau that is chosen and its presets.

    Of one review all three, of several one that is chosen.
    """
    st.subheader("Scores over tau")
    curves = [
        (system_name(source, review.system), curve)
        for review, curve in zip(matrix.reviews, matrix.curves(), strict=True)
        if curve is not None
    ]
    if len(matrix.reviews) == 1:
        lines = [(name, curves[0][1], name) for name in DIMENSIONS]
    else:
        dimension = (
            st.segmented_control(
                "Score",
                DIMENSIONS,
                default="relevance",
                key="heatmap_curve",
                bind="query-params",
            )
            or "relevance"
        )
        lines = [(name, curve, dimension) for name, curve in curves[:_MOST_LINES]]
        if len(curves) > _MOST_LINES:
            st.caption(f"The first {_MOST_LINES} of {len(curves)} reviews.")
    figure = _figure(lines, is_one=len(matrix.reviews) == 1)
    _mark_taus(figure, source.comparison.encoder, tau)
    show_chart(figure, "heatmap-curves", _describe(lines, tau))


def _figure(lines: list[tuple[str, Sweep, str]], *, is_one: bool) -> go.Figure:
    figure = go.Figure()
    for name, curve, dimension in lines:
        figure.add_scatter(
            x=curve.taus.tolist(),
            y=getattr(curve, dimension).tolist(),
            name=escape_hover(name, _NAME_WIDTH),
            mode="lines",
            line={"shape": "vh", "dash": _DASHES[dimension] if is_one else "solid"},
            hovertemplate="%{y:.3f}",
        )
    figure.update_layout(
        height=_HEIGHT,
        hovermode="x unified",
        legend={"orientation": "h", "y": -0.28, "yanchor": "top"},
        showlegend=True,
    )
    figure.update_xaxes(title="tau", range=[0, 1])
    figure.update_yaxes(title="score", range=[-0.03, 1.05])
    return figure


def _mark_taus(figure: go.Figure, encoder: str, tau: float) -> None:
    marks = [(f"tau {tau:.3f}", tau, "solid")]
    if encoder in PRESETS:
        marks += [(name, resolve_tau(name, encoder), "dot") for name in ("tau_gt", "tau_best")]
    for at, (name, value, dash) in enumerate(marks):
        figure.add_vline(
            value,
            line={"dash": dash, "width": 1.5, "color": "gray"},
            annotation={"text": name, "y": 1.06 + 0.06 * at, "yanchor": "bottom"},
        )
    figure.update_layout(margin={"l": 10, "r": 10, "t": 80, "b": 10})


def _describe(lines: list[tuple[str, Sweep, str]], tau: float) -> str:
    nearest = int(abs(TAUS - tau).argmin())
    parts = []
    for name, curve, dimension in lines:
        values = getattr(curve, dimension)
        zero = next(
            (
                f"0 from tau {at:.2f} on"
                for at, value in zip(curve.taus, values, strict=True)
                if value == 0
            ),
            "never 0",
        )
        parts.append(f"{name} {values[nearest]:.3f}, {zero}")
    what = "The scores" if len({line[2] for line in lines}) > 1 else lines[0][2].capitalize()
    return f"{what} over tau from 0 to 1; at tau {TAUS[nearest]:.2f}: {'; '.join(parts)}."
