"""Agreement of scores and other metrics with people, compared with the paper's figures."""

import pandas as pd
import streamlit as st

from crscore_core.errors import InputError
from crscore_core.text import counted, listed
from crscore_eval.data.shipped import shipped_pairs, shipped_study
from crscore_eval.export.shown import metrics_caption, metrics_figures, metrics_table
from crscore_eval.formatting import capitalize_first, figure_cells
from crscore_eval.metrics.registry import METRICS
from crscore_eval.metrics.values import (
    figures_signature,
    label_heading,
    labels_by_name,
    metric_names,
    metric_title,
    reference_reviews,
)
from crscore_eval.table import DEFAULT_MEASURE, METRIC_PREFIX, Run, is_by_system, run_signature
from crscore_eval.validity.compare import compare_metrics, findings, label_notes, n_compared
from crscore_eval.validity.figures import agreement_rows, validity_tables
from crscore_eval.validity.shown_tables import (
    INTERVALS_NOTE,
    PAPER_NOTE,
    PAPER_SETTING_NOTE,
    PRESETS_NOTE,
    column_title,
    shown_tables,
    wide_table,
)
from pages.components.charts import draw_intervals, show_chart
from pages.components.current_run import STUDY, current_cache_key, current_key
from pages.components.downloads import offer_tables, show_signature
from pages.components.measure_choice import choose_label, require_labels
from pages.components.tables import show_texts
from pages.components.tau_slider import run_tau_slider
from pages.components.text import describe_error, escape_markdown
from pages.components.url import choose_option

_FIGURES = {"table": "table", "tau": "tau", "row_title": "row", "column_title": "figure"}
_FIGURES |= {"recomputed": "recomputed", "low": "95% from", "high": "95% to", "paper": "paper"}


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
    label = choose_label(labels)
    names, later = _ready_metrics(run)
    table = _compare(cache_key, tau, label, tuple(names), run, is_study=is_study)
    statistic, title = column_title(table["statistic"].iloc[0]), labels[label]
    n, n_rated = n_compared(table), int(labels_by_name(run.reviews)[label].count())
    notes = [*_notes(table), *label_notes(run.reviews, label, table)]
    if n < n_rated:
        same = f"Every metric is compared on the same {n:,} of {n_rated:,} rated reviews."
        above = " Relevance above is compared on all of them, so its figure may differ."
        st.write(f"{same}{above * (label == DEFAULT_MEASURE)}")
    drawn = table.dropna(subset=["value"])
    left, right = st.columns([2, 3])
    with right:
        if not drawn.empty:
            names = drawn["metric"].map(metric_title).tolist()
            chart = draw_intervals(names, drawn, f"{statistic} with {title}")
            alt = f"Agreement of metrics with {title}, as in the table."
            with left:
                show_chart(chart, "validity_metrics", alt)
            cells = metrics_table(table).loc[drawn.index]
            show_texts(cells)
            name = f"Agreement of metrics with {title}"
            signature = figures_signature(run.settings, table["metric"], tau)
            figures = metrics_figures(table)
            offer_tables("Metrics", figures, {name: cells}, {name: " ".join(notes)}, signature)
        for note in notes:
            st.caption(escape_markdown(note))
        if later:
            has_references = (reference_reviews(run.reviews) != "").any()
            why = (
                "`crscore compare` computes them" if has_references else "no review has a reference"
            )
            st.caption(f"Not computed here: {listed([*map(metric_title, later)])}; {why}.")
    for sentence in findings(table, title):
        st.info(escape_markdown(sentence))


def _notes(table: pd.DataFrame) -> list[str]:
    lacking = table[table["remark"] != ""].groupby("remark", sort=False)["metric"]
    notes = [f"Not shown, since {why}: {listed([*map(metric_title, of)])}." for why, of in lacking]
    notes += filter(None, [metrics_caption(table.dropna(subset=["value"]))])
    if table["paper"].notna().any():
        notes.append(capitalize_first(PAPER_NOTE))
    return notes


def _ready_metrics(run: Run) -> tuple[list[str], list[str]]:
    names = metric_names(run)
    later = [
        name
        for name in names
        if name in METRICS
        and METRICS[name].needs == "reference"
        and f"{METRIC_PREFIX}{name}" not in run.reviews
    ]
    return [name for name in names if name not in later], later


@st.cache_data(max_entries=16, show_spinner="Resampling changes")
def _tables(cache_key: str, tau: float, _run: Run, *, is_study: bool) -> pd.DataFrame:  # noqa: ARG001 - a key
    study = (shipped_study(), shipped_pairs()) if is_study else ()
    return validity_tables(_run, tau, *study)


def _show_agreement(tables: pd.DataFrame) -> None:
    rows = agreement_rows(tables)
    if rows.empty:
        return
    st.header("Spearman's correlation of relevance with people", anchor=False)
    table = pd.DataFrame({"of": rows["of"], "at": rows["at"]}).assign(
        **{"correlation (95% interval)": figure_cells(rows, "recomputed", "low", "high")},
        n=rows["n"].astype(int),
        paper=rows["paper"],
    )
    show_texts(table.dropna(axis="columns", how="all").reset_index(drop=True))
    notes = f"{PRESETS_NOTE} {capitalize_first(PAPER_SETTING_NOTE)}"
    st.caption(f"{INTERVALS_NOTE} {notes if tables['paper'].notna().any() else ''}")


def _show_tables(tables: pd.DataFrame, run: Run, tau: float) -> None:
    st.header("Tables", anchor=False)
    shown = shown_tables(tables, tau)
    texts = {heading: wide_table(figures) for heading, figures in shown.items()}
    titles = dict(zip(map(str, range(len(texts))), texts, strict=True))
    chosen = choose_option("Table", titles, "table", "0", label_visibility="collapsed")
    show_texts(texts[titles[chosen]])
    paper = " The paper's figures have their own rows." if tables["paper"].notna().any() else ""
    notes = {
        title: f"In parentheses: 95% intervals. {INTERVALS_NOTE} n: reviews, or reviewers.{paper}"
        if "reviewers" in text.to_csv()
        else f"In parentheses: 95% intervals, over changes.{' n: reviews.' * ('n' in text)}{paper}"
        for title, text in texts.items()
    }
    st.caption(notes[titles[chosen]])
    signature = str(run_signature(run.settings, tau))
    figures = pd.concat([of.assign(table=heading) for heading, of in shown.items()])
    figures = figures[[*_FIGURES]].rename(columns=_FIGURES)
    offer_tables("All tables", figures, texts, notes, signature)
    show_signature(signature)


@st.fragment
def show_validity(run: Run) -> None:
    """Show the agreement of scores and other metrics with people."""
    is_study, cache_key = current_key() == STUDY, current_cache_key()
    reviews = run.reviews[is_by_system(run.reviews)]
    by = counted(reviews["system"].nunique(), "reviewer")
    of = f"of {counted(len(run.changes), 'change')} in {run.settings['name']}"
    st.markdown(f"**{counted(len(reviews), 'review')} by {by}** {escape_markdown(of)}")
    tau = run_tau_slider(run)
    if not require_labels(run, labels_by_name(run.reviews).values()):
        return
    try:
        tables = _tables(cache_key, tau, run, is_study=is_study)
    except InputError as error:
        st.info(describe_error(error))
        return
    _show_agreement(tables)
    show_metrics(cache_key, tau, run, is_study=is_study)
    _show_tables(tables, run, tau)
