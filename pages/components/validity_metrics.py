"""Metric comparison: the agreement of each with people."""

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from crscore_core.text import capital
from crscore_eval.export import figure_cell, latex_table, p_cells
from crscore_eval.metrics import METRICS, SIMPLE_METRICS, labels, metric_names, metric_title
from crscore_eval.statistics import SIGNIFICANCE_LEVEL
from crscore_eval.table import METRIC, Run
from crscore_eval.validity import N_RESAMPLES, column_title, compare, compared_with_base
from pages.components.charts import SAVE_HINT, show_chart
from pages.components.controls import two_columns
from pages.components.offers import offer_file
from pages.components.tables import show_figures
from pages.components.text import escape_hover, escape_markdown, keep_options, number, safe_table

_QUICK = ("con", "comp", "rel", "no_threshold", *SIMPLE_METRICS)
_MAIN = ("spearman", "auc")
_ROW = 26


@st.cache_data(max_entries=16, show_spinner="Comparing metrics")
def _compared(
    state: str,  # noqa: ARG001 - a key
    tau: float,
    label: str,
    names: tuple[str, ...],
    _run: Run,
) -> pd.DataFrame:
    return compare(_run, list(names), label_names=[label], tau=tau)


def show_metrics(state: str, tau: float, run: Run) -> None:
    """Show how well each metric agrees with the chosen label, in a chart and a table."""
    st.header("Metric comparison", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        known = list(labels(run.reviews))
        keep_options("validity_label", known)
        label = st.selectbox("People's rating or label", known, key="validity_label", width=220)
        names = _choose_metrics(run)
    if label is None or not names:
        return
    found = _compared(state, tau, label, tuple(names), run)
    main = found[found["statistic"].isin(_MAIN) & (found["language"] == "")]
    main = main.sort_values("value", ascending=False)
    statistic = column_title(main["statistic"].iloc[0] if len(main) else _MAIN[0])
    base, table = compared_with_base(found, int(main["rows"].max()))
    table = table.sort_values("value", ascending=False)
    values = [figure_cell(*row) for row in table[["value", "low", "high"]].to_numpy()]
    cells = pd.DataFrame(
        {
            "metric": table["metric"].map(metric_title),
            statistic: values,
            "difference": [figure_cell(*difference) for difference in table["difference"]],
            "p": p_cells(table["p"], N_RESAMPLES),
            "reviews": table["rows"],
        }
    )
    notes = [
        *(f"{capital(text)}." for text in dict.fromkeys(filter(None, table["remark"]))),
        (
            f"difference: {metric_title(base)} minus this, over the reviews that both have a value "
            f"for. p: two-sided, from {N_RESAMPLES:,} resamples of changes, corrected by Holm's "
            f"method for {int(table['p'].notna().sum())} comparisons."
        ),
    ]
    caption = f"{capital(statistic)} of metrics with people's {label}. {' '.join(notes)}"
    left, right = two_columns()
    with left:
        show_chart(_chart(main, statistic, label), "validity_metrics", _in_words(main, label))
        st.caption(f"Bars, and parentheses in the table: 95% intervals. {SAVE_HINT}")
        with st.container(horizontal=True):
            csv = safe_table(found)
            offer_file("Values (CSV)", lambda: csv.to_csv(index=False), "crscore-compare.csv")
            offer_file(
                "Table (LaTeX)",
                lambda: latex_table(cells, caption, f"compare-{label}", run, tau),
                "crscore-compare.tex",
            )
    with right:
        middles = [figure_cell(middle) for middle, _, _ in table["difference"]]
        show_figures(cells.assign(difference=middles))
        for text in notes:
            st.caption(text)
        _show_others(found)
    _warn_of_simple_metrics(found)


def _choose_metrics(run: Run) -> list[str]:
    """Offer the metrics that need no computing, and the others on demand."""
    ready = [name for name in metric_names(run) if _is_ready(run, name)]
    others = [name for name in metric_names(run) if name not in ready]
    if not others:
        return ready
    wanted = st.multiselect(
        "Also compute",
        others,
        format_func=metric_title,
        key="validity_also",
        help="Metrics that compare with a reference review can take minutes.",
    )
    return [*ready, *wanted]


def _is_ready(run: Run, name: str) -> bool:
    return name in _QUICK or name not in METRICS or f"{METRIC}{name}" in run.reviews


def _chart(main: pd.DataFrame, statistic: str, label: str) -> go.Figure:
    rows = main.dropna(subset=["value"])
    chart = go.Figure(
        go.Scatter(
            x=rows["value"].round(4),
            y=[escape_hover(metric_title(name), 40) for name in rows["metric"]],
            mode="markers",
            marker={"size": 9},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": (rows["high"] - rows["value"]).fillna(0),
                "arrayminus": (rows["value"] - rows["low"]).fillna(0),
            },
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    chart.update_xaxes(
        title=f"{statistic} with people's {escape_hover(label, 30)}<br>and 95% intervals"
    )
    chart.update_yaxes(automargin=True, autorange="reversed")
    chart.update_layout(height=140 + _ROW * len(rows), showlegend=False)
    return chart


def _in_words(main: pd.DataFrame, label: str) -> str:
    rows = main.dropna(subset=["value"])
    parts = [
        f"{metric_title(name)} {value:.3f}" for name, value in rows[["metric", "value"]].to_numpy()
    ]
    return f"Agreement with {label}: {', '.join(parts)}."


def _show_others(found: pd.DataFrame) -> None:
    """Show the figures that the chart lacks."""
    shown = (*_MAIN, "difference", "p", "p_corrected")
    others = found[~found["statistic"].isin(shown) | (found["language"] != "")].assign(
        metric=found["metric"].map(metric_title), statistic=found["statistic"].map(column_title)
    )
    with st.expander("Other statistics, and by language"):
        show_figures(others.drop(columns="label").rename(columns={"rows": "reviews"}))


def _warn_of_simple_metrics(found: pd.DataFrame) -> None:
    """Warn of simple metrics that relevance does not clearly beat."""
    simple = found[found["metric"].isin(SIMPLE_METRICS) & (found["language"] == "")]
    tests = simple.pivot_table("value", "metric", "statistic", sort=False)
    for name, row in tests.reindex(columns=["difference", "p_corrected"]).dropna().iterrows():
        # The difference is the simple metric's agreement less that of relevance.
        if row["difference"] >= 0 or row["p_corrected"] >= SIGNIFICANCE_LEVEL:
            st.warning(
                escape_markdown(
                    f"Relevance does not agree significantly better with people than the "
                    f"{metric_title(str(name))} (p {number(row['p_corrected'])} after Holm's "
                    "correction)."
                )
            )
