"""Charts of all that depends on tau, one under the other on one axis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.scoring import PRESETS
from crscore_core.scoring.metric import TAUS
from crscore_core.validity.addressed import MatchingRow
from crscore_core.validity.thresholds import (
    ProcedureTaus,
    ThresholdSweep,
    procedure_taus,
    sweep_thresholds,
)
from pages.components.charts import show_chart
from pages.components.names import SHORT_NAMES, number
from pages.components.source.kept import KeptBeside
from pages.components.source.model import Source

__all__ = ["Curves", "best_of", "curves_of", "show_panels"]


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """The sweep, where the procedure puts tau, and the encoder's matching, of the study alone."""

    sweep: ThresholdSweep
    presets: ProcedureTaus
    matching: tuple[MatchingRow, ...]


_KNOWN: KeptBeside[Curves] = KeptBeside()


def curves_of(source: Source) -> Curves:
    """The curves of a source; only the first time takes long."""
    return _KNOWN.get(source, lambda: _curves(source))


def _curves(source: Source) -> Curves:
    with st.spinner("Trying every tau, once"):
        return Curves(
            sweep_thresholds(source.comparison.rated_maxima, TAUS),
            procedure_taus(source.comparison, source.bootstrap),
            () if source.study is None else source.study.matching(TAUS.tolist()),
        )


_HEIGHT, _MARGIN = 215, 90
_NOW, _PRESET = "#c8691a", "#7d8896"
_DASHES = ("solid", "dash", "dot", "dashdot")


@dataclass(frozen=True, slots=True)
class _Panel:
    """One chart: its title, its curves by name, and the ends of its axis."""

    title: str
    curves: Mapping[str, Sequence[float | None]]
    lowest: float = 0.0


def show_panels(source: Source, curves: Curves, tau: float) -> None:
    """Show all that the source has."""
    panels = _panels(curves)
    figure = make_subplots(
        rows=len(panels),
        shared_xaxes=True,
        vertical_spacing=0.34 / len(panels),
        subplot_titles=[panel.title for panel in panels],
    )
    taus = curves.sweep.taus.tolist()
    for row, panel in enumerate(panels, start=1):
        for at, (name, values) in enumerate(panel.curves.items()):
            figure.add_scatter(
                x=taus,
                y=values,
                row=row,
                col=1,
                mode="lines",
                name=name,
                legend="legend" if row == 1 else f"legend{row}",
                line={"dash": _DASHES[at % len(_DASHES)], "width": 2.5},
                hovertemplate="%{y:.3f}",
            )
        figure.update_yaxes(range=[panel.lowest, 1.03], row=row, col=1)
    figure.update_annotations(x=0, xanchor="left", yshift=22)  # the titles, above the legends
    _mark(figure, source, curves, tau, len(panels))
    figure.update_xaxes(range=[0, 1], showticklabels=True)
    figure.update_xaxes(title="tau", row=len(panels), col=1)
    figure.update_layout(
        height=_MARGIN + _HEIGHT * len(panels),
        margin={"l": 10, "r": 10, "t": 70, "b": 10},
        hovermode="x unified",
        **_legends(figure, len(panels)),
    )
    show_chart(figure, "thresholds_panels", _in_words(panels, curves, tau))


def best_of(taus: Sequence[float], values: Sequence[float | None]) -> tuple[float, float] | None:
    """The tau with the highest value, the lowest of several, and that value; None of none."""
    known = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    if np.isnan(known).all():
        return None
    at = int(np.nanargmax(known))
    return float(taus[at]), float(known[at])


def _panels(curves: Curves) -> list[_Panel]:
    columns, has_value = curves.sweep.columns, curves.sweep.best
    panels = []
    rated = {
        SHORT_NAMES[name]: _defined(columns[f"spearman_{name}"])
        for name in DIMENSIONS
        if f"spearman_{name}" in has_value
    }
    if "system_spearman" in has_value:
        rated["systems by Rel"] = _defined(columns["system_spearman"])
    if rated:
        lowest = min(0.0, *(value for one in rated.values() for value in one if value is not None))
        panels.append(_Panel("Agreement with people (Spearman)", rated, lowest * 1.05))
    if curves.matching:
        panels.append(
            _Panel(
                "Finding what people say a review addresses",
                {
                    name: [getattr(one, name.lower()).value for one in curves.matching]
                    for name in ("Precision", "Recall", "F1")
                },
            )
        )
    return [
        *panels,
        _Panel(
            "Share of reviews",
            {
                "with Rel 0": _defined(columns["share_zero"]),
                "with Rel 1": _defined(columns["share_one"]),
            },
        ),
        _Panel(
            "Mean score",
            {f"mean {SHORT_NAMES[name]}": _defined(columns[name]) for name in DIMENSIONS},
        ),
    ]


def _mark(figure: go.Figure, source: Source, curves: Curves, tau: float, n: int) -> None:
    """Bands where the procedure puts tau, and lines at the product's presets and this tau.

    All of the `n` charts' at once, as adding one after the other takes Plotly half a second.
    """
    shapes: list[dict[str, Any]] = []
    for name, one in (("tau_gt", curves.presets.tau_gt), ("tau_best", curves.presets.tau_best)):
        if one.value is not None and one.interval is not None:
            band = {"fillcolor": _PRESET, "opacity": 0.18, "line": {"width": 0}}
            shapes += _across(one.interval.low, one.interval.high, "rect", band, n)
        if one.value is not None:
            shapes += _line(one.value, {"color": _PRESET, "width": 1.5}, n)
            _label(figure, one.value, f"{name} here")
    preset = PRESETS.get(source.comparison.encoder)
    if preset is not None:
        for value in (preset.tau_gt, preset.tau_best):
            shapes += _line(value, {"color": _PRESET, "width": 1.5, "dash": "dot"}, n)
    shapes += _line(tau, {"color": _NOW, "width": 2.5}, n)
    figure.update_layout(shapes=shapes)


def _line(x: float, line: Mapping[str, Any], n: int) -> list[dict[str, Any]]:
    return _across(x, x, "line", {"line": line}, n)


def _across(
    start: float, end: float, kind: str, style: Mapping[str, Any], n: int
) -> list[dict[str, Any]]:
    """A shape from one tau to another, as high as the chart, in each of `n` charts."""
    return [
        {
            "type": kind,
            "x0": start,
            "x1": end,
            "xref": f"x{row}" if row > 1 else "x",
            "y0": 0,
            "y1": 1,
            "yref": f"y{row} domain" if row > 1 else "y domain",
            **style,
        }
        for row in range(1, n + 1)
    ]


def _label(figure: go.Figure, x: float, text: str) -> None:
    figure.add_annotation(
        x=x,
        y=0,
        yref="y domain",
        xref="x",
        text=text,
        showarrow=False,
        textangle=-90,
        xanchor="right",
        yanchor="bottom",
        font={"size": 11},
        name="mark",
    )


def _legends(figure: go.Figure, n: int) -> dict[str, Any]:
    """A legend above each chart, beside its title."""
    return {
        ("legend" if row == 1 else f"legend{row}"): {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": figure.layout["yaxis" if row == 1 else f"yaxis{row}"].domain[1],
            "yanchor": "bottom",
        }
        for row in range(1, n + 1)
    }


def _defined(values: np.ndarray[Any, np.dtype[np.float64]]) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 5) for value in values]


def _in_words(panels: list[_Panel], curves: Curves, tau: float) -> str:
    taus = curves.sweep.taus.tolist()
    at = int(np.abs(curves.sweep.taus - tau).argmin())
    parts = []
    for panel in panels:
        for name, values in panel.curves.items():
            best = best_of(taus, values)
            if best is not None:
                parts.append(
                    f"{name}: {number(values[at])} at tau {taus[at]:.2f}, highest "
                    f"{best[1]:.3f} at {best[0]:.2f}."
                )
    return "Scores and agreement at every tau from 0 to 1. " + " ".join(parts)
