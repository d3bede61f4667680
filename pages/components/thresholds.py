"""Curves of scores and agreement over tau, and the figures at the current tau."""

from collections.abc import Mapping
from math import isnan, nan

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from crscore_core.text import counted
from crscore_eval.export.shown import metrics_caption, metrics_table
from crscore_eval.formatting import capitalize_first, format_figure
from crscore_eval.metrics.values import label_heading, labels_by_name
from crscore_eval.statistics.bootstrap import Estimate
from crscore_eval.table import DIMENSIONS, Run, run_signature
from crscore_eval.validity.agreement import procedure_taus, sweep
from crscore_eval.validity.compare import compare_metrics, label_notes
from crscore_eval.validity.shown_tables import column_title
from pages.components.charts import LEGEND_BELOW, show_chart
from pages.components.current_run import current_cache_key
from pages.components.downloads import show_signature
from pages.components.measure_choice import choose_label, require_labels
from pages.components.tables import show_texts
from pages.components.tau_slider import run_tau_slider
from pages.components.text import escape_markdown

_SCORES = DIMENSIONS[::-1]
_TAU_COLOUR, _PROCEDURE_COLOUR = "#d1352b", "#7d8896"
_DASHES = ("solid", "dash", "dot", "dashdot", "solid")
_SENTENCES = {"tau_gt": "the reference reviews", "tau_best": "the reviewer whom people rate best"}
_COMPARED = ("rel", "comp", "con", "no_threshold")


@st.fragment
def show_thresholds(run: Run) -> None:
    """Show scores and agreement with a label at every tau, and the figures at one tau."""
    tau = run_tau_slider(run)
    cache_key, found = current_cache_key(), labels_by_name(run.reviews)
    labels = {name: label_heading(run.reviews, name) for name in found}
    label = choose_label(labels) if labels else ""
    sweep_table = _sweep(cache_key, label, run)
    chosen = [found[label]] if labels else []
    if require_labels(run, chosen) and _show_best(labels[label], sweep_table):
        taus = _taus(cache_key, run)
        _show_agreement_at(cache_key, run, tau, label)
        left, right = st.columns(2)
        with left:
            _show_agreement(sweep_table, labels[label], taus, tau)
        with right:
            _show_means(sweep_table, taus, tau)
    else:
        _show_means(sweep_table, {}, tau)
    show_signature(run_signature(run.settings, tau))


@st.cache_data(max_entries=8, show_spinner="Scoring at every tau")
def _sweep(cache_key: str, label: str, _run: Run) -> pd.DataFrame:  # noqa: ARG001 - a key
    reviews = _run.reviews
    values = labels_by_name(reviews).get(label, pd.Series(nan, reviews.index))
    taus = sorted({*(n / 100 for n in range(101)), _run.settings["tau"]})
    return sweep(reviews, taus, values)


@st.cache_data(max_entries=4, show_spinner=False)
def _taus(cache_key: str, _run: Run) -> dict[str, Estimate]:  # noqa: ARG001 - a key
    return procedure_taus(_run.reviews)


def _show_best(title: str, sweep_table: pd.DataFrame) -> bool:
    """Show whether a threshold improves the agreement with a label.

    If that is unknown, show the reason and return False.
    """
    curve, is_binary = sweep_table["agreement_relevance"], sweep_table["statistic"][0] == "auc"
    if curve.isna().all():
        st.info(
            f"Agreement with {escape_markdown(title)} is undefined: all labels, or all scores, "
            "are equal."
        )
        return False
    best = curve.max()
    taus = sweep_table["tau"][curve.round(3) == round(best, 3)]
    at = f"tau {taus.min():g}"
    at = at if len(taus) == 1 else f"{len(taus)} of them, from {at} to {taus.max():g}"
    without = format_figure(sweep_table["agreement_no_threshold"][0], missing="undefined")
    statistic = column_title(sweep_table["statistic"][0])
    st.markdown(
        f"{capitalize_first(statistic)} of relevance with {escape_markdown(title)} is **{without} "
        f"without a threshold**. Of the thresholds in the chart, the best on these "
        f"{counted(sweep_table['rows'][0], 'review')} ({at}) has **{best:z.3f}**, which is "
        f"optimistic, as the best of many. Chance is {0.5 if is_binary else 0:g}."
    )
    return True


def _show_agreement(
    sweep_table: pd.DataFrame, title: str, taus: Mapping[str, Estimate], tau: float
) -> None:
    names = {f"agreement_{name}": name for name in _SCORES}
    names |= {"agreement_no_threshold": "relevance without a threshold"}
    _show_curves(f"Agreement with {title}", sweep_table, names, taus, tau)
    drawn = [name for name, estimate in taus.items() if not isnan(estimate.value)]
    meanings = "; ".join(
        f"*{name}* {format_figure(*taus[name])}, for {_SENTENCES[name]}" for name in drawn
    )
    grey = (
        "Grey: the thresholds that the paper's procedure yields on these reviews, with 95% "
        "intervals. Each is the mean similarity of sentences to their most similar "
        f"pseudo-references: {meanings}."
    )
    st.caption(grey * bool(drawn))


def _show_means(sweep_table: pd.DataFrame, taus: Mapping[str, Estimate], tau: float) -> None:
    names = {name: f"mean {name}" for name in _SCORES}
    _show_curves("Scores", sweep_table, names, taus, tau)
    st.caption("Means over all reviews except reference reviews.")


def _show_curves(
    title: str,
    sweep_table: pd.DataFrame,
    names: Mapping[str, str],
    taus: Mapping[str, Estimate],
    tau: float,
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
    axis = title.partition(" with ")[0]
    chart.update_yaxes(title=axis, range=[min(0.0, curves.min().min()) * 1.05, 1.03])
    chart.update_xaxes(title="tau", range=[min(0.0, tau), 1])
    for estimate in taus.values():
        _draw_estimate(chart, estimate)
    line, label = {"color": _TAU_COLOUR, "width": 2.5}, f"<b>tau {tau:.4g}</b>"
    chart.add_vline(tau, layer="below", line=line, annotation_text=label, annotation_position="top")
    chart.update_layout(height=440, hovermode="x unified", **LEGEND_BELOW)
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
def _figures(cache_key: str, tau: float, label: str, _run: Run) -> pd.DataFrame:  # noqa: ARG001 - a key
    return compare_metrics(_run, _COMPARED, labels=[label], tau=tau)


def _show_agreement_at(cache_key: str, run: Run, tau: float, label: str) -> None:
    figures = _figures(cache_key, tau, label, run)
    show_texts(metrics_table(figures).rename(columns={"metric": f"at tau {tau:.4g}"}))
    for note in (metrics_caption(figures), *label_notes(run.reviews, label, figures)):
        st.caption(escape_markdown(note))
