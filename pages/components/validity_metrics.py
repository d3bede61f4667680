"""Comparison of metrics by their agreement with people."""

import pandas as pd
import streamlit as st

from crscore_core.text import listed
from crscore_eval.export.captions import metrics_caption
from crscore_eval.formatting import capitalize_first, figure_cell, format_figure
from crscore_eval.metrics.agreement import findings
from crscore_eval.metrics.registry import METRICS, SIMPLE_METRICS
from crscore_eval.metrics.values import (
    figures_signature,
    label_heading,
    labels_by_name,
    metric_names,
    metric_title,
)
from crscore_eval.table import DEFAULT_MEASURE, METRIC_PREFIX, Run
from crscore_eval.validity.compare import compare_metrics, left_out, n_compared
from crscore_eval.validity.paper import PAPER_NOTE
from crscore_eval.validity.shown_tables import column_title
from pages.components.charts import draw_intervals, show_chart
from pages.components.downloads import offer_tables
from pages.components.tables import show_texts
from pages.components.text import escape_markdown
from pages.components.url import choose_option

_ALWAYS_READY = ("con", "comp", "rel", "no_threshold", *SIMPLE_METRICS)


@st.cache_data(max_entries=16, show_spinner="Comparing metrics")
def _compare(
    cache_key: str,  # noqa: ARG001 - a key
    tau: float,
    label: str,
    names: tuple[str, ...],
    _run: Run,
    *,
    is_study: bool,
) -> pd.DataFrame:
    table = compare_metrics(_run, list(names), labels=[label], tau=tau, is_study=is_study)
    return table.sort_values("value", ascending=False, ignore_index=True)


def show_metrics(cache_key: str, tau: float, run: Run, *, is_study: bool) -> None:
    """Show how well each metric agrees with the chosen label, in a chart and a table."""
    st.header("Metric comparison", anchor=False)
    labels = {name: label_heading(run.reviews, name) for name in labels_by_name(run.reviews)}
    first = next(iter(labels), "")
    label = choose_option("People's rating or label", labels, "label", first, width=330)
    names, later = _ready_metrics(run)
    table = _compare(cache_key, tau, label, tuple(names), run, is_study=is_study)
    statistic, title = column_title(table["statistic"].iloc[0]), labels[label]
    n, n_rated = n_compared(table), int(labels_by_name(run.reviews)[label].count())
    omitted = f"Left out: {left_out(run.reviews, label, table)}."
    if n < n_rated:
        same = f"Every metric is compared on the same {n:,} of {n_rated:,} rated reviews."
        above = " Relevance above is over all of them, so its figure differs."
        st.write(f"{same}{above * (label == DEFAULT_MEASURE)} {omitted}")
    left, right = st.columns(2)
    with left:
        drawn = table.dropna(subset=["value"])
        names = drawn["metric"].map(metric_title).tolist()
        chart = draw_intervals(names, drawn, f"{statistic} with {title}")
        alt = f"Agreement of metrics with {title}, as in the table."
        show_chart(chart, "validity_metrics", alt)
    with right:
        cells = _cells(drawn, statistic)
        show_texts(cells)
        notes = _notes(table)
        name = f"Agreement of metrics with {title}"
        signature = figures_signature(run.settings, table["metric"], tau)
        with_omitted = {name: " ".join([*notes, omitted])}
        offer_tables("Metrics", table, {name: cells}, with_omitted, signature)
        for note in notes:
            st.caption(escape_markdown(note))
        if later:
            titles = listed([metric_title(name) for name in later])
            st.caption(f"Not computed here: {titles}. `crscore compare` computes them.")
    for sentence in findings(table, title):
        st.info(escape_markdown(sentence))


def _cells(table: pd.DataFrame, statistic: str) -> pd.DataFrame:
    cells = {
        "metric": table["metric"].map(metric_title),
        statistic: [figure_cell(*row) for row in table[["value", "low", "high"]].to_numpy()],
        "difference": list(map(figure_cell, table["difference"])),
        "p": list(map(format_figure, table["p"])),
    }
    if table["paper"].notna().any():
        cells["paper"] = list(map(figure_cell, table["paper"]))
    return pd.DataFrame(cells)


def _notes(table: pd.DataFrame) -> list[str]:
    notes = [
        f"{capitalize_first(metric_title(row['metric']))}: {row['remark']}."
        for row in table[table["remark"] != ""].to_dict("records")
    ]
    notes += filter(None, [metrics_caption(table)])
    if table["paper"].notna().any():
        notes.append(capitalize_first(PAPER_NOTE))
    return notes


def _ready_metrics(run: Run) -> tuple[list[str], list[str]]:
    """Return the metrics that the page shows, and those that take minutes to compute."""
    names = metric_names(run)
    later = [
        name
        for name in names
        if name in METRICS
        and name not in _ALWAYS_READY
        and f"{METRIC_PREFIX}{name}" not in run.reviews
    ]
    return [name for name in names if name not in later], later
