"""Agreement of metrics with a label: sentences, chart, tables, downloads, and distributions."""

import json
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from crscore_core.corpus.reading import label_remark
from crscore_core.datasets.labelled import LabelledData
from crscore_core.statistics import FEWEST_CHANGES
from crscore_core.validity.compare import Agreement, LabelComparison, behind_baselines
from crscore_core.validity.compare_document import compare_csv, compare_document
from crscore_core.validity.metric_columns import BASELINES, CRSCORE, TITLES, MetricColumn
from pages.components.charts import error_bars, show_chart
from pages.components.markup import text_table
from pages.components.names import between, keep_options, number
from pages.components.offers import offer_file
from pages.components.text import counted, escape_hover, escape_markdown

STATISTICS = {
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "pairwise": "pairwise accuracy",
    "auc": "AUC",
    "average_precision": "average precision",
    "balanced_accuracy": "balanced accuracy",
    "kappa": "Cohen's kappa",
}
_GROUPS = (
    ("CRScore", "circle", CRSCORE),
    ("beside a reference review", "square", tuple(set(TITLES) - {*CRSCORE, *BASELINES})),
    ("baseline", "diamond-open", tuple(BASELINES)),
)
_INTERVALS = ("95 % interval", "its interval")
_MOST_VALUES = 12
_ROW, _AROUND, _HEIGHT = 26, 110, 380
_GREY = "#808495"  # can be seen on both themes


def show_comparison(data: LabelledData, table: LabelComparison) -> None:
    """Show how far each metric agrees with the label, the best first, and offer it as files."""
    label = escape_markdown(table.label)
    st.header(f"Agreement with {label}", anchor=False)
    kind = "0 or 1" if table.is_binary else "graded"
    changes = counted(len(data.corpus.changes), "change")
    st.caption(
        f"{counted(table.rows, 'review')} of {changes} with this label ({kind}). Intervals: 95 %, "
        "percentiles of resamples of whole changes; p is two-sided, corrected by Holm's method. "
        + label_remark(table.label)
    )
    known = [one for one in table.metrics if one.main.value is not None]
    if not known:
        st.info(f"No metric has a value here, or {label} is the same for every review.")
    else:
        known.sort(key=lambda one: -(one.main.value or 0.0))
        _say_baselines(table, label)
        _chart(known, table)
        _table(known, table)
    _say_remarks(table)
    if known:
        _by_language(known)
    with st.container(horizontal=True):
        name = f"crscore-compare-{data.name}"
        offer_file("Table as CSV", lambda: compare_csv(data, [table]), f"{name}.csv")
        offer_file(
            "Table as JSON",
            lambda: json.dumps(compare_document(data, [table]), indent=1),
            f"{name}.json",
        )


def _say_baselines(table: LabelComparison, label: str) -> None:
    if table.changes < FEWEST_CHANGES:
        st.info(
            f"Reviews of {counted(table.changes, 'change')} have this label: too few for "
            "intervals, or to say that one metric agrees better than another "
            f"({FEWEST_CHANGES} are needed)."
        )
        return
    values = {
        one.metric: f"{TITLES[one.metric]} ({number(one.main.value)})" for one in table.metrics
    }
    lines = []
    for baseline, behind in behind_baselines(table).items():
        scores = ", ".join(values[name] for name in behind if name in CRSCORE)
        others = sum(name not in CRSCORE for name in behind)
        words = [scores, f"{counted(others, 'metric')} beside a reference" if others else ""]
        than = " and ".join(filter(None, words))
        lines.append(f"- The {values[baseline]} agrees better with {label} than {than}.")
    if lines:
        st.warning(
            "**A baseline that reads no meaning does better**; how surely, the intervals say:\n"
            + "\n".join(lines)
        )


def _chart(known: Sequence[Agreement], table: LabelComparison) -> None:
    figure = go.Figure()
    for group, symbol, names in _GROUPS:
        if of := [one for one in known if one.metric in names]:
            figure.add_scatter(
                x=[one.main.value for one in of],
                y=[TITLES[one.metric] for one in of],
                error_x=error_bars([one.main for one in of]),
                mode="markers",
                marker={"symbol": symbol, "size": 10},
                name=group,
                hovertemplate="%{y}: %{x:.3f}",
            )
    main = STATISTICS[next(iter(known[0].statistics))]
    nothing = 0.5 if table.is_binary else 0.0
    figure.add_vline(nothing, line_dash="dash", line_color=_GREY)
    figure.update_layout(
        height=_AROUND + _ROW * len(known), legend={"orientation": "h", "y": 1, "yanchor": "bottom"}
    )
    figure.update_xaxes(title=f"{main} with {escape_hover(table.label, 40)}; dashed: no agreement")
    order = [TITLES[one.metric] for one in reversed(known)]
    figure.update_yaxes(categoryorder="array", categoryarray=order, automargin=True)
    figures = "; ".join(f"{TITLES[one.metric]} {number(one.main.value)}" for one in known)
    show_chart(figure, "compare_chart", f"{main} of each metric, the best first: {figures}")


def _table(known: Sequence[Agreement], table: LabelComparison) -> None:
    rows = []
    for one in known:
        main, *others = [(STATISTICS[name], of) for name, of in one.statistics.items()]
        against = one.against
        value = against.difference.value if against else None
        p = against.p_corrected if against else None
        mark = " (baseline)" if one.metric in BASELINES else ""
        rows.append(
            {
                "metric": f"{TITLES[one.metric]}{mark}",
                "rows": one.rows,
                main[0]: main[1].value,
                _INTERVALS[0]: between(main[1].interval, nothing=""),
                **{name: of.value for name, of in others},
                f"less {TITLES[table.chosen]}": "" if value is None else f"{value:+.3f}",
                _INTERVALS[1]: between(
                    against.difference.interval if against else None, nothing=""
                ),
                "p": p,
                "s / 1,000": f"{one.seconds:.2f}",
            }
        )
    text_table(rows, wide=_INTERVALS, caption="The same as a table, the best first")
    st.caption(
        f"Differences from {TITLES[table.chosen]} are over the reviews that have both values. "
        "Seconds for 1,000 reviews are those of the first time on this server: texts that were "
        "encoded before take none, and of metrics that read the same tokens the first reads them."
    )


def _say_remarks(table: LabelComparison) -> None:
    """Say what is known of metrics, those without a figure last; the same of several once."""
    for has_figure, start in ((True, ""), (False, "**Without a figure**, as ")):
        remarks: dict[str, list[str]] = {}
        for one in table.metrics:
            if (one.main.value is not None) is has_figure:
                nothing = "" if has_figure else "its values or the labels are all the same"
                remarks.setdefault(one.remark or nothing, []).append(TITLES[one.metric])
        for remark, names in remarks.items():
            if remark:
                st.markdown(f"{start}{escape_markdown(remark)}: {', '.join(names)}.")


def _by_language(known: Sequence[Agreement]) -> None:
    languages = list(dict.fromkeys(of.language for one in known for of in one.by_language))
    if len(languages) < 2:
        return
    with st.expander("By language"):
        rows = []
        for one in known:
            of_metric = {of.language: str(of.main) for of in one.by_language}
            cells = {name or "not known": of_metric.get(name, "") for name in languages}
            rows.append({"metric": TITLES[one.metric], **cells})
        main = STATISTICS[next(iter(known[0].statistics))]
        text_table(rows, wide=(), caption=f"{main} and its 95 % interval")


def choose_metric(
    label: str, key: str, columns: Sequence[MetricColumn], usual: str
) -> MetricColumn:
    """Choose one of the columns, `usual` where it is among them unless the URL has another."""
    by_name = {column.name: column for column in columns}
    names = list(by_name)
    keep_options(key, names)
    chosen = st.selectbox(
        label,
        names,
        index=names.index(usual) if usual in names else 0,
        format_func=TITLES.__getitem__,
        key=key,
        bind="query-params",
        width=320,
    )
    return by_name[chosen]


def show_distribution(
    data: LabelledData, columns: Sequence[MetricColumn], table: LabelComparison
) -> None:
    """Show the values of a metric at each value of the label."""
    label = data.reviews.labels[table.label]
    st.header(f"Values by {escape_markdown(table.label)}", anchor=False)
    column = choose_metric("Metric", "compare_distribution", columns, table.chosen)
    known = label.is_given & ~np.isnan(column.values)
    given, values = label.values[known], column.values[known]
    levels = np.empty(given.size, dtype=object)
    words = []
    for group in groups_of(given):
        low, high = given[group].min(), given[group].max()
        level = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        levels[group] = f"{level} ({counted(int(group.sum()), 'review')})"
        words.append(f"{level}: median {np.median(values[group]):.3f}")
    order = list(dict.fromkeys(levels[np.argsort(given, kind="stable")]))
    figure = go.Figure(go.Box(x=levels.tolist(), y=values.tolist(), boxpoints=False))
    figure.update_layout(height=_HEIGHT)
    figure.update_xaxes(title=escape_hover(table.label, 40), categoryarray=order)
    figure.update_yaxes(title=TITLES[column.name])
    alt = f"{TITLES[column.name]} at each value of {table.label}. {'; '.join(words)}"
    show_chart(figure, "compare_boxes", alt)
    st.caption("A box holds the middle half, with a line at the median; its whiskers hold all.")


def groups_of(given: NDArray[np.float64]) -> list[NDArray[np.bool_]]:
    """Mark the reviews of each value of a label, or of each fifth where there are many values."""
    distinct, group = np.unique(given, return_inverse=True)
    if distinct.size > _MOST_VALUES:
        group = np.searchsorted(np.quantile(given, (0.2, 0.4, 0.6, 0.8)), given, side="right")
    return [group == number for number in np.unique(group)]
