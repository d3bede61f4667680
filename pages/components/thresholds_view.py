"""Curves of all that depends on tau, and the figures at one tau."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.validity.paper import paper_figure
from crscore_core.validity.thresholds import ThresholdSweep, sweep_thresholds
from numpy.typing import NDArray
from pages.components.source.model import Source

from crscore_core.scoring.metric import TAUS
from crscore_eval.statistics import Estimate
from pages.components.charts import show_chart
from pages.components.markup import text_table
from pages.components.offers import choose_view
from pages.components.text import SHORT_NAMES, figure, number

Curve = list[float | None]
"""Values at each of `TAUS`; None where none is defined."""

_SCORES = DIMENSIONS[::-1]
_NOW, _PROCEDURE = "#c8691a", "#7d8896"
_DASHES = ("solid", "dash", "dot", "dashdot")
_NO_THRESHOLD = "no threshold"
_HEIGHT, _LOWER_HEIGHT = 400, 250


def sweep_of(source: Source) -> ThresholdSweep:
    """Compute everything at each of `TAUS`, which takes long; see `Source.once`."""
    with st.spinner("Trying every tau, once"):
        return sweep_thresholds(source.comparison, TAUS)


def panels_of(source: Source) -> Mapping[str, Mapping[str, Curve]]:
    """Return the curves by name, by the title of their chart; agreement with people comes first."""
    columns, has_value = source.once(sweep_of).columns, source.once(sweep_of).best
    agreement = {
        SHORT_NAMES[name]: _defined(columns[f"spearman_{name}"])
        for name in _SCORES
        if f"spearman_{name}" in has_value
    }
    if "system_spearman" in has_value:
        agreement["systems by Rel"] = _defined(columns["system_spearman"])
    value = without_threshold(source).value
    if value is not None:
        agreement[_NO_THRESHOLD] = [round(value, 5)] * len(TAUS)
    rows = () if source.study is None else source.study.matching(TAUS.tolist())
    matching = {
        name: [getattr(row, name.lower()).value for row in rows]
        for name in ("Precision", "Recall", "F1")
    }
    return {
        **({"Spearman with people": agreement} if agreement else {}),
        **({"Matching": matching} if rows else {}),
        "Share of reviews": {
            "with Rel 0": _defined(columns["share_zero"]),
            "with Rel 1": _defined(columns["share_one"]),
        },
        "Mean score": {f"mean {SHORT_NAMES[name]}": _defined(columns[name]) for name in _SCORES},
    }


def without_threshold(source: Source) -> Estimate:
    """Return Spearman's rho of the similarity without a threshold with people's relevance."""
    found = source.validity.no_threshold.correlations["relevance"]
    return Estimate(None, None) if found is None else found.spearman


def best_of(curve: Sequence[float | None]) -> tuple[float, float] | None:
    """Return the lowest tau of the highest value, and the value; None if no value is defined."""
    known = np.array([np.nan if value is None else value for value in curve], dtype=np.float64)
    if np.isnan(known).all():
        return None
    best = int(np.nanargmax(known))
    return float(TAUS[best]), float(known[best])


def show_curves(source: Source, tau: float) -> None:
    """Show the agreement with people, and below it the curves that a person chooses."""
    first, *others = panels = source.once(panels_of)
    _draw(source, first, panels[first], tau, _HEIGHT)
    chosen = choose_view("Other curves", others, "threshold_curves")
    _draw(source, chosen, panels[chosen], tau, _LOWER_HEIGHT)


def _draw(source: Source, title: str, curves: Mapping[str, Curve], tau: float, height: int) -> None:
    chart = go.Figure()
    for line, (name, values) in enumerate(curves.items()):
        is_flat = name == _NO_THRESHOLD
        chart.add_scatter(
            x=TAUS,
            y=values,
            mode="lines",
            name=name,
            line={"dash": "solid" if is_flat else _DASHES[line], "width": 1.5 if is_flat else 3},
            hovertemplate="%{y:.3f}",
        )
    known = (value for values in curves.values() for value in values if value is not None)
    chart.update_yaxes(title=title, range=[min(0.0, *known) * 1.05, 1.03])
    chart.update_xaxes(title="tau", range=[0, 1])
    shapes, labels = _marks(source, tau)
    chart.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 30, "b": 65},
        hovermode="x unified",
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        shapes=shapes,
        annotations=labels,
    )
    show_chart(chart, title.replace(" ", "_"), _in_words(title, curves, tau))


def _marks(source: Source, tau: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return bands and lines at tau and at the taus of the paper's procedure, and their labels.

    A figure gets all of them at once, as adding one after the other takes Plotly half a second.
    """
    shapes: list[dict[str, Any]] = []
    labels: list[dict[str, Any]] = []
    of_chart = {"y0": 0, "y1": 1, "yref": "y domain", "layer": "below"}
    presets = source.validity.presets
    lines = {"tau_gt": presets.tau_gt, "tau_best": presets.tau_best, "tau": Estimate(tau, None)}
    for name, estimate in lines.items():
        at, interval = estimate.value, estimate.interval
        is_now = name == "tau"
        if interval is not None:
            band = {"fillcolor": _PROCEDURE, "opacity": 0.18, "line": {"width": 0}}
            ends = {"x0": interval.low, "x1": interval.high}
            shapes.append({"type": "rect", **ends, **of_chart, **band})
        if at is not None:
            style = {"color": _NOW if is_now else _PROCEDURE, "width": 2.5 if is_now else 1.5}
            shapes.append({"type": "line", "x0": at, "x1": at, **of_chart, "line": style})
            labels.append(
                {
                    "x": at,
                    "y": 1 if is_now else 0,
                    "yref": "y domain",
                    "text": f"<b>tau {at:.3f}</b>" if is_now else name,
                    "textangle": 0 if is_now else -90,
                    "xanchor": "center" if is_now else "right" if at < tau else "left",
                    "yanchor": "bottom",
                    "showarrow": False,
                }
            )
    return shapes, labels


def _defined(values: NDArray[np.float64]) -> Curve:
    return [None if np.isnan(value) else round(float(value), 5) for value in values]


def _in_words(title: str, curves: Mapping[str, Curve], tau: float) -> str:
    nearest = int(np.abs(TAUS - tau).argmin())
    parts = [
        f"{name}: {number(values[nearest])} at tau {TAUS[nearest]:.2f}, highest {best[1]:.3f} at "
        f"{best[0]:.2f}."
        for name, values in curves.items()
        if (best := best_of(values)) is not None
    ]
    return " ".join([f"{title}, at every tau from 0 to 1.", *parts])


def show_figures(source: Source, tau: float) -> None:
    """Show the figures at this tau with their intervals, those of the study next to the paper's."""
    study = source.study
    role = (study.role(tau) or "tau_gt") if study else ""
    head = f"paper at {role}"
    text_table(
        [
            {
                f"at tau {tau:.3f}": name,
                "value (95 %)": figure(estimate),
                **({head: number(paper_figure(*path))} if study else {}),
            }
            for name, estimate, path in _figures(source, tau, role)
        ],
        wide=("value (95 %)",),
    )


def _figures(
    source: Source, tau: float, role: str
) -> Iterator[tuple[str, Estimate, tuple[str, ...]]]:
    """Yield each figure with its name, and where the paper's data have the paper's."""
    validity = source.validity
    figures, presets = validity.at(tau).figures, validity.presets
    path: tuple[str, ...]
    for name in _SCORES:
        if f"spearman_{name}" in figures:
            path = "review_level", name, role, "spearman"
            yield f"{SHORT_NAMES[name]}, people", figures[f"spearman_{name}"], path
    if without_threshold(source).value is not None:
        yield _NO_THRESHOLD, without_threshold(source), ()
    if "system_spearman" in figures:
        path = "system_level", f"Rel ({role})", "spearman"
        yield "systems by Rel", figures["system_spearman"], path
    for row in () if source.study is None else source.study.matching([tau]):
        for name in ("precision", "recall", "F1"):
            path = "matching", role, name.lower()
            yield name, getattr(row, name.lower()), path
    yield "share with Rel 0", figures["share_zero"], ()
    yield "share with Rel 1", figures["share_one"], ()
    for name in _SCORES:
        yield f"mean {SHORT_NAMES[name]}", figures[name], ()
    for name in ("tau_gt", "tau_best"):
        if getattr(presets, name).value is not None:
            yield name, getattr(presets, name), ("presets", name)
