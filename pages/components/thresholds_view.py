"""Curves of everything that depends on tau, and the figures at the current tau."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from crscore_core.scoring.metric import TAUS
from crscore_core.text import counted
from crscore_eval.statistics import MIN_CHANGES, Estimate
from crscore_eval.table import DIMENSIONS, Run, no_threshold
from crscore_eval.validity import (
    bootstrap_of,
    column_title,
    correlation,
    procedure_taus,
    ratings,
    row_title,
    scored,
    sweep,
    tables_at_tau,
)
from pages.components.charts import show_chart
from pages.components.data import STUDY, current_key
from pages.components.offers import choose_view
from pages.components.tables import show_figures
from pages.components.text import number

_SCORES = DIMENSIONS[::-1]
_NOW, _PROCEDURE = "#c8691a", "#7d8896"
_DASHES = ("solid", "dash", "dot", "dashdot")
_NO_THRESHOLD = "without a threshold"
_HEIGHT, _LOWER_HEIGHT = 400, 250
_SHOWN = ("review_level", "system_level")

Curves = Mapping[str, "pd.Series[float]"]


@st.cache_data(max_entries=4, show_spinner="Scoring at every tau")
def sweep_of(state: str, _run: Run) -> pd.DataFrame:  # noqa: ARG001 - a key
    """Return scores and agreement at each of `TAUS`; see `validity.sweep`."""
    reviews = scored(_run.reviews)
    swept = sweep(reviews, TAUS.tolist())
    people = ratings(reviews, "relevance")
    if people.notna().any():
        values = no_threshold(reviews, count_empty=True)["relevance"]
        found = correlation(reviews, values, people, bootstrap_of(reviews))
        swept[_NO_THRESHOLD] = found.spearman.value
    return swept


@st.cache_data(max_entries=4, show_spinner=False)
def taus_of_data(state: str, _run: Run) -> dict[str, Estimate]:  # noqa: ARG001 - a key
    """Return the taus that the paper's procedure gives on these reviews."""
    reviews = scored(_run.reviews)
    return procedure_taus(reviews, bootstrap_of(reviews))


def show_best(run: Run, swept: pd.DataFrame) -> None:
    """Show whether a threshold improves the agreement with people, or why that is unknown."""
    people = ratings(run.reviews, "relevance")
    curve = swept["spearman_relevance"]
    if people.notna().sum() == 0:
        st.info("Nobody has rated these reviews, so the best tau is unknown.")
        return
    if curve.isna().all():
        st.info("The correlation with people's ratings is undefined at every tau.")
        return
    changes = run.reviews.loc[people.notna(), "change"].nunique()
    if changes < MIN_CHANGES:
        st.info(
            f"People rated reviews of {counted(changes, 'change')}: too few to say which tau "
            f"agrees best with them ({MIN_CHANGES} are needed)."
        )
        return
    best, none = int(curve.argmax()), swept[_NO_THRESHOLD].iloc[0]
    st.markdown(
        f"Spearman's correlation with people is **{none:.2f} without a threshold** and at most "
        f"**{curve[best]:.2f} with one** (tau {swept['tau'][best]:.2f}, chosen on these reviews)."
    )


def show_curves(swept: pd.DataFrame, of_data: Mapping[str, Estimate], run: Run, tau: float) -> None:
    """Show the agreement with people, and below it the chosen curves."""
    panels = _panels(swept, is_rated=bool(ratings(run.reviews, "relevance").notna().any()))
    first, *others = panels
    _draw(first, panels[first], of_data, tau, _HEIGHT)
    chosen = choose_view("Other curves", others, "threshold_curves")
    _draw(chosen, panels[chosen], of_data, tau, _LOWER_HEIGHT)


def _panels(swept: pd.DataFrame, *, is_rated: bool) -> dict[str, Curves]:
    panels: dict[str, Curves] = {}
    if is_rated:
        names = {f"spearman_{name}": name for name in _SCORES}
        names |= {"system_spearman": "systems by relevance", _NO_THRESHOLD: _NO_THRESHOLD}
        shown = swept.dropna(axis="columns", how="all")
        panels["Spearman with people"] = {
            title: shown[name] for name, title in names.items() if name in shown
        }
    panels["Share of reviews"] = {
        "with relevance 0": swept["share_zero"],
        "with relevance 1": swept["share_one"],
    }
    panels["Mean score"] = {f"mean {name}": swept[name] for name in _SCORES}
    return panels


def _draw(
    title: str, curves: Curves, of_data: Mapping[str, Estimate], tau: float, height: int
) -> None:
    chart = go.Figure()
    for line, (name, values) in enumerate(curves.items()):
        is_flat = name == _NO_THRESHOLD
        chart.add_scatter(
            x=TAUS,
            y=values.round(5),
            mode="lines",
            name=name,
            line={
                "dash": "solid" if is_flat else _DASHES[line % len(_DASHES)],
                "width": 1.5 if is_flat else 3,
            },
            hovertemplate="%{y:.3f}",
        )
    lowest = min(float(values.min()) for values in curves.values())
    chart.update_yaxes(title=title, range=[min(0.0, lowest) * 1.05, 1.03])
    chart.update_xaxes(title="tau", range=[0, 1])
    for name, estimate in of_data.items():
        label = f"{name} here: {number(estimate.value)}" if height == _HEIGHT else ""
        _mark(chart, estimate, label, tau)
    _mark(chart, Estimate(tau), f"<b>tau {tau:.3f}</b>", tau)
    chart.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 30, "b": 65},
        hovermode="x unified",
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
    )
    show_chart(chart, title.replace(" ", "_"), _in_words(title, curves, tau))


def _mark(chart: go.Figure, estimate: Estimate, label: str, tau: float) -> None:
    """Draw a line with a label at an estimate, and a band over its interval."""
    at, is_now = estimate.value, estimate.value == tau and estimate.interval is None
    if estimate.interval is not None:
        band = {"fillcolor": _PROCEDURE, "opacity": 0.18, "line_width": 0}
        chart.add_vrect(*estimate.interval, layer="below", **band)
    if at is not None:
        line = {"color": _NOW if is_now else _PROCEDURE, "width": 2.5 if is_now else 1.5}
        side = "top" if is_now else "bottom left" if at < tau else "bottom right"
        words = {"annotation_text": label, "annotation_position": side} if label else {}
        angle = {} if is_now or not label else {"annotation_textangle": -90}
        chart.add_vline(at, layer="below", line=line, **words, **angle)


def _in_words(title: str, curves: Curves, tau: float) -> str:
    nearest = int(np.abs(TAUS - tau).argmin())
    parts = [
        f"{name}: {number(float(values.iloc[nearest]))} at tau {TAUS[nearest]:.2f}, highest "
        f"{values.max():.3f} at {TAUS[int(values.argmax())]:.2f}."
        for name, values in curves.items()
        if values.notna().any()
    ]
    return " ".join([f"{title}, at every tau from 0 to 1.", *parts])


@st.cache_data(max_entries=32, show_spinner="Resampling changes")
def _figures(state: str, tau: float, _run: Run, *, is_study: bool) -> pd.DataFrame:  # noqa: ARG001 - a key
    return tables_at_tau(_run, tau, is_study=is_study)


def show_at_tau(state: str, run: Run, tau: float) -> None:
    """Show the figures at this tau with their intervals, those of the study next to the paper's."""
    found = _figures(state, tau, run, is_study=current_key() == STUDY)
    found = found[found["table"].isin(_SHOWN) & found["column"].isin(["spearman", "kendall"])]
    if not found.empty:
        table = pd.DataFrame(
            {
                f"at tau {tau:.3f}": found["row"].map(row_title),
                "": found["column"].map(column_title),
                **{name: found[name] for name in ("here", "low", "high", "paper")},
            }
        )
        show_figures(table.dropna(axis="columns", how="all"))
        st.caption("Agreement with people on the order of systems, and review by review.")
