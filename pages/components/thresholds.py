"""Curves of scores and agreement over tau, and the figures at the current tau."""

from collections.abc import Mapping
from math import isnan

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from crscore_core.text import counted
from crscore_eval.formatting import figure_cells, format_figure
from crscore_eval.statistics.bootstrap import Estimate
from crscore_eval.statistics.correlation import correlate
from crscore_eval.table import DIMENSIONS, Run, run_signature, scores_without_threshold
from crscore_eval.table.clusters import bootstrap_changes
from crscore_eval.validity.agreement import (
    procedure_taus,
    sweep,
    system_ratings,
    with_pseudo_references,
)
from crscore_eval.validity.figures import tables_at_tau
from crscore_eval.validity.shown_tables import column_title, row_title
from pages.components.charts import LEGEND_BELOW, show_chart
from pages.components.current_run import STUDY, current_cache_key, current_key
from pages.components.downloads import show_signature
from pages.components.measure_choice import require_labels
from pages.components.tables import show_texts
from pages.components.tau_slider import run_tau_slider

_SCORES = DIMENSIONS[::-1]
_TAU_COLOUR, _PROCEDURE_COLOUR = "#d1352b", "#7d8896"
_DASHES = ("solid", "dash", "dot", "solid", "dashdot")
_SENTENCES = {"tau_gt": "the reference reviews", "tau_best": "the system that people rate highest"}
_NO_THRESHOLD = "relevance without a threshold"
_HEIGHT, _LOW_HEIGHT = 440, 270


@st.fragment
def show_thresholds(run: Run) -> None:
    """Show scores and agreement with people at every tau, and the figures at one tau."""
    tau = run_tau_slider(run)
    cache_key = current_cache_key()
    sweep_table = _sweep(cache_key, run)
    if _show_best(run, sweep_table):
        _show_with_people(run, cache_key, sweep_table, tau)
    else:
        _show_means(sweep_table, {}, tau)
    show_signature(run_signature(run.settings, tau))


def _show_with_people(run: Run, cache_key: str, sweep_table: pd.DataFrame, tau: float) -> None:
    taus = _taus(cache_key, run)
    left, right = st.columns(2)
    with left:
        _show_agreement(sweep_table, taus, tau)
        drawn = [name for name, estimate in taus.items() if not isnan(estimate.value)]
        if drawn:
            meanings = "; ".join(
                f"*{name}* {format_figure(*taus[name])}, for {_SENTENCES[name]}" for name in drawn
            )
            st.caption(
                "Grey: the thresholds that the paper's procedure yields on these reviews, with 95% "
                "intervals. Each is the mean similarity of sentences to their most similar "
                f"pseudo-references: {meanings}."
            )
    with right:
        _show_agreement_at(cache_key, run, tau)
        _show_means(sweep_table, taus, tau)


@st.cache_data(max_entries=4, show_spinner="Scoring at every tau")
def _sweep(cache_key: str, _run: Run) -> pd.DataFrame:  # noqa: ARG001 - a key
    reviews = with_pseudo_references(_run.reviews)
    table = sweep(reviews, sorted({*(n / 100 for n in range(101)), _run.settings["tau"]}))
    people = system_ratings(reviews, "relevance")
    if people.notna().any():
        values = scores_without_threshold(reviews, count_empty=True)["relevance"]
        table[_NO_THRESHOLD] = correlate(values, people)["spearman"].value
    return table


@st.cache_data(max_entries=4, show_spinner=False)
def _taus(cache_key: str, _run: Run) -> dict[str, Estimate]:  # noqa: ARG001 - a key
    reviews = with_pseudo_references(_run.reviews)
    return procedure_taus(reviews, bootstrap_changes(reviews))


def _show_best(run: Run, sweep_table: pd.DataFrame) -> bool:
    """Show whether a threshold improves the agreement with people.

    If that is unknown, show the reason and return False.
    """
    people = system_ratings(run.reviews, "relevance")
    people = people.where(run.reviews["n_pseudo_references"] > 0)
    curve = sweep_table["spearman_relevance"]
    if not require_labels(run, [people]):
        return False
    if curve.isna().all():
        st.info("The correlation with people is undefined: all ratings, or all scores, are equal.")
        return False
    best = curve.max()
    taus = sweep_table["tau"][curve >= best - 0.0005]
    at = f"{taus.min():g}" if len(taus) == 1 else f"{taus.min():g} to {taus.max():g}"
    without = format_figure(sweep_table[_NO_THRESHOLD].iloc[0], missing="undefined")
    st.markdown(
        f"Spearman's correlation of relevance with people's ratings is **{without} without a "
        f"threshold**. Of the thresholds in the chart, {at} is the best on these "
        f"{counted(int(people.notna().sum()), 'rated review')}: **{best:.3f}**."
    )
    return True


def _show_agreement(sweep_table: pd.DataFrame, taus: Mapping[str, Estimate], tau: float) -> None:
    names = {f"spearman_{name}": name for name in _SCORES}
    names |= {"system_spearman": "systems by relevance", _NO_THRESHOLD: _NO_THRESHOLD}
    _show_curves("Spearman with people", sweep_table, names, taus, tau, _HEIGHT)


def _show_means(sweep_table: pd.DataFrame, taus: Mapping[str, Estimate], tau: float) -> None:
    names = {name: f"mean {name}" for name in _SCORES}
    names |= {"share_zero": "share with relevance 0", "share_one": "share with relevance 1"}
    _show_curves("Scores", sweep_table, names, taus, tau, _LOW_HEIGHT)
    st.caption("Means and shares over all reviews except reference reviews.")


def _show_curves(  # noqa: PLR0913, PLR0917 - the two charts differ in these
    title: str,
    sweep_table: pd.DataFrame,
    names: Mapping[str, str],
    taus: Mapping[str, Estimate],
    tau: float,
    height: int,
) -> None:
    """Show a curve for each column in `names`, the three scores first, in the same colours."""
    curves = sweep_table.set_index("tau")[[*names]].rename(columns=names)
    chart = go.Figure()
    for number, (name, values) in enumerate(curves.items()):
        chart.add_scatter(
            x=curves.index,
            y=values.round(5),
            mode="lines",
            name=str(name),
            line={"dash": _DASHES[number], "width": 3 if number < len(_SCORES) else 1.5},
            hovertemplate="%{y:.3f}",
            visible=bool(values.notna().any()),  # hiding a curve keeps the colours of the others
        )
    chart.update_yaxes(title=title, range=[min(0.0, curves.min().min()) * 1.05, 1.03])
    chart.update_xaxes(title="tau", range=[min(0.0, tau), 1])
    for estimate in taus.values():
        _draw_estimate(chart, estimate)
    line, label = {"color": _TAU_COLOUR, "width": 2.5}, f"<b>tau {tau:.4g}</b>"
    chart.add_vline(tau, layer="below", line=line, annotation_text=label, annotation_position="top")
    chart.update_layout(height=height, hovermode="x unified", **LEGEND_BELOW)
    alt = f"{title}, at every tau from 0 to 1: {', '.join(names.values())}."
    show_chart(chart, title.replace(" ", "_"), alt)


def _draw_estimate(chart: go.Figure, estimate: Estimate) -> None:
    if not isnan(estimate.low):
        band = {"fillcolor": _PROCEDURE_COLOUR, "opacity": 0.18, "line_width": 0}
        chart.add_vrect(estimate.low, estimate.high, layer="below", **band)
    if not isnan(estimate.value):
        line = {"color": _PROCEDURE_COLOUR, "width": 1.5}
        chart.add_vline(estimate.value, layer="below", line=line)


@st.cache_data(max_entries=32, show_spinner="Resampling changes")
def _figures(cache_key: str, tau: float, _run: Run, *, is_study: bool) -> pd.DataFrame:  # noqa: ARG001 - a key
    return tables_at_tau(_run, tau, is_study=is_study)


def _show_agreement_at(cache_key: str, run: Run, tau: float) -> None:
    figures = _figures(cache_key, tau, run, is_study=current_key() == STUDY)
    is_shown = figures["table"].isin(["review_level", "system_level"])
    figures = figures[is_shown & (figures["column"] == "spearman")]
    if not figures.empty:
        table = pd.DataFrame(
            {
                f"at tau {tau:.4g}": figures["row"].map(row_title),
                column_title("spearman"): figure_cells(figures, "recomputed", "low", "high"),
                "paper": figures["paper"],
            }
        )
        show_texts(table.iloc[::-1].dropna(axis="columns", how="all").reset_index(drop=True))
        systems = " For systems: the correlation of mean relevance with people's, over changes."
        has_systems = (figures["table"] == "system_level").any()
        st.caption(
            "Each score's correlation with people's ratings of the same name."
            + (systems if has_systems else "")
        )
