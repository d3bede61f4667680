"""Charts of all that depends on tau, one under the other on one axis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.scoring import tau_preset
from crscore_core.scoring.metric import TAUS
from crscore_core.statistics import Correlation
from crscore_core.validity.addressed import MatchingRow
from crscore_core.validity.corpus_validity import CorpusValidity
from crscore_core.validity.thresholds import (
    ProcedureTaus,
    ThresholdSweep,
    procedure_taus,
    sweep_thresholds,
)
from pages.components.charts import show_chart
from pages.components.names import SHORT_NAMES, number
from pages.components.source.model import Source

_HEIGHT, _MARGIN = 215, 90
_NOW, _PRESET = "#c8691a", "#7d8896"
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Curves over tau of a source.

    `presets` are tau_gt and tau_best by the paper's procedure on these reviews; `matching` is
    there for the study alone. `no_threshold` is the agreement of the similarity without a threshold
    with people's relevance, review by review; None where nobody rated relevance.
    """

    sweep: ThresholdSweep
    presets: ProcedureTaus
    matching: tuple[MatchingRow, ...]
    no_threshold: Correlation | None


@dataclass(frozen=True, slots=True)
class _Panel:
    """One chart: its title, its curves by name, and the lower end of its axis."""

    title: str
    curves: Mapping[str, Sequence[float | None]]
    lowest: float = 0.0


def curves_of(source: Source) -> Curves:
    """Compute the curves of a source, which takes long; see `Source.once`."""
    with st.spinner("Trying every tau, once"):
        return Curves(
            sweep_thresholds(source.comparison, TAUS),
            procedure_taus(source.comparison, source.bootstrap),
            () if source.study is None else source.study.matching(TAUS.tolist()),
            CorpusValidity(source.comparison, source.bootstrap).no_threshold.correlations[
                "relevance"
            ],
        )


def show_panels(source: Source, curves: Curves, tau: float) -> None:
    """Show all charts that the source has."""
    panels = _panels(curves)
    n_panels = len(panels)
    figure = make_subplots(
        rows=n_panels,
        shared_xaxes=True,
        vertical_spacing=0.34 / n_panels,
        subplot_titles=[panel.title for panel in panels],
    )
    taus = curves.sweep.taus.tolist()
    legends = {}
    for row, panel in enumerate(panels, start=1):
        suffix = "" if row == 1 else str(row)
        for line, (name, values) in enumerate(panel.curves.items()):
            figure.add_scatter(
                x=taus,
                y=values,
                row=row,
                col=1,
                mode="lines",
                name=name,
                legend=f"legend{suffix}",
                line={"dash": _DASHES[line % len(_DASHES)], "width": 2.5},
                hovertemplate="%{y:.3f}",
            )
        figure.update_yaxes(range=[panel.lowest, 1.03], row=row, col=1)
        legends[f"legend{suffix}"] = {  # above its chart, beside the title
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": figure.layout[f"yaxis{suffix}"].domain[1],
            "yanchor": "bottom",
        }
    figure.update_annotations(x=0, xanchor="left", yshift=22)  # the titles, above the legends
    _mark(figure, source, curves, tau, n_panels)
    figure.update_xaxes(range=[0, 1], showticklabels=True)
    figure.update_xaxes(title="tau", row=n_panels, col=1)
    figure.update_layout(
        height=_MARGIN + _HEIGHT * n_panels,
        margin={"l": 10, "r": 10, "t": 70, "b": 10},
        hovermode="x unified",
        **legends,
    )
    show_chart(figure, "thresholds_panels", _in_words(panels, curves, tau))


def best_of(taus: Sequence[float], values: Sequence[float | None]) -> tuple[float, float] | None:
    """Return the lowest tau of the highest value, and the value; None if no value is defined."""
    known = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    if np.isnan(known).all():
        return None
    best = int(np.nanargmax(known))
    return float(taus[best]), float(known[best])


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
    if curves.no_threshold and curves.no_threshold.spearman.value is not None:
        value = round(curves.no_threshold.spearman.value, 5)
        rated["no threshold"] = [value] * curves.sweep.taus.size
    if rated:
        known = (value for values in rated.values() for value in values if value is not None)
        lowest = min(0.0, *known) * 1.05
        panels.append(_Panel("Agreement with people (Spearman)", rated, lowest))
    if curves.matching:
        matching = {
            name: [getattr(row, name.lower()).value for row in curves.matching]
            for name in ("Precision", "Recall", "F1")
        }
        panels.append(_Panel("Finding what people say a review addresses", matching))
    shares = {
        "with Rel 0": _defined(columns["share_zero"]),
        "with Rel 1": _defined(columns["share_one"]),
    }
    means = {f"mean {SHORT_NAMES[name]}": _defined(columns[name]) for name in DIMENSIONS}
    return [*panels, _Panel("Share of reviews", shares), _Panel("Mean score", means)]


def _mark(figure: go.Figure, source: Source, curves: Curves, tau: float, n_panels: int) -> None:
    """Draw bands and lines at taus of the procedure, of the product's presets, and at this tau.

    All of them are set at once, as adding one after the other takes Plotly half a second.
    """
    shapes: list[dict[str, Any]] = []

    def add(kind: str, start: float, end: float, **style: object) -> None:
        """Add a shape from one tau to another, as high as the chart, to each chart."""
        for row in range(1, n_panels + 1):
            suffix = "" if row == 1 else str(row)
            axes = {"xref": f"x{suffix}", "yref": f"y{suffix} domain"}
            place = {"type": kind, "x0": start, "x1": end, "y0": 0, "y1": 1}
            shapes.append({**place, **axes, **style})

    for name in ("tau_gt", "tau_best"):
        estimate = getattr(curves.presets, name)
        if estimate.interval is not None:
            low, high = estimate.interval.low, estimate.interval.high
            add("rect", low, high, fillcolor=_PRESET, opacity=0.18, line={"width": 0})
        if estimate.value is not None:
            value = estimate.value
            add("line", value, value, line={"color": _PRESET, "width": 1.5})
            figure.add_annotation(
                x=value,
                y=0,
                yref="y domain",
                xref="x",
                text=f"{name} here",
                showarrow=False,
                textangle=-90,
                xanchor="right",
                yanchor="bottom",
                font={"size": 11},
            )
    preset = tau_preset(source.comparison.encoder, source.comparison.claims)
    for value in () if preset is None else (preset.tau_gt, preset.tau_best):
        add("line", value, value, line={"color": _PRESET, "width": 1.5, "dash": "dot"})
    add("line", tau, tau, line={"color": _NOW, "width": 2.5})
    figure.update_layout(shapes=shapes)


def _defined(values: NDArray[np.float64]) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 5) for value in values]


def _in_words(panels: list[_Panel], curves: Curves, tau: float) -> str:
    taus = curves.sweep.taus.tolist()
    nearest = int(np.abs(curves.sweep.taus - tau).argmin())
    parts = []
    for panel in panels:
        for name, values in panel.curves.items():
            best = best_of(taus, values)
            if best is not None:
                parts.append(
                    f"{name}: {number(values[nearest])} at tau {taus[nearest]:.2f}, highest "
                    f"{best[1]:.3f} at {best[0]:.2f}."
                )
    return "Scores and agreement at every tau from 0 to 1. " + " ".join(parts)
