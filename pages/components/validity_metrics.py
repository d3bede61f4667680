"""How far this metric, others and plain baselines agree with people."""

import json
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from crscore_core.corpus.measures import measured_values
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reading import label_remark
from crscore_core.metrics import REFERENCE_METRICS
from crscore_core.validity.compare import Agreement, LabelComparison
from crscore_core.validity.compare_document import compare_csv, compare_document
from crscore_core.validity.metric_columns import BASELINES, CRSCORE, TITLES
from crscore_core.validity.paper import paper_agreement, paper_figure
from crscore_core.validity.workbench import Step, Workbench
from crscore_eval.statistics.disagreement import disagreement
from pages.components.job_view import say_end, show_progress, watch_job
from pages.components.source.load import default_encoder
from pages.components.source.model import Source

from crscore_eval.statistics import FEWEST_CHANGES, Estimate
from pages.components.charts import error_bars, show_chart
from pages.components.controls import two_columns
from pages.components.markup import text_table
from pages.components.offers import offer_file
from pages.components.review_choice import Positions
from pages.components.review_view import walk_through
from pages.components.text import (
    between,
    counted,
    escape_hover,
    escape_markdown,
    figure,
    keep_options,
    number,
)
from pages.components.validity_tables import contains

_LABEL, _METRICS, _APART = "validity_label", "validity_metrics", "validity_apart"
_STATISTICS = {
    "kendall": "Kendall's tau-b",
    "pairwise": "pairwise accuracy",
    "average_precision": "average precision",
    "balanced_accuracy": "balanced accuracy",
    "kappa": "Cohen's kappa",
}
_GROUPS = (
    ("CRScore", "circle", CRSCORE),
    ("needs a reference review", "square", REFERENCE_METRICS),
    ("baseline", "diamond-open", BASELINES),
)
_OF_DIMENSION = {"conciseness": "con", "comprehensiveness": "comp"}
_MOST_LABELS = 3
_TILE, _WIDE, _ROW, _AROUND = 355, 780, 26, 110
_GREY = "#808495"  # can be seen on both themes


def workbench(source: Source) -> Workbench:
    """Return the metrics of a source, for `Source.once`."""
    return Workbench(source.label, source.comparison, source.bootstrap, default_encoder())


def paper_role(source: Source, tau: float) -> str | None:
    """Return which of the paper's taus stands next to tau; None for data other than its study."""
    return None if source.study is None else source.study.role(tau) or "tau_gt"


def show_answer(source: Source, tau: float) -> None:
    """Show how far relevance agrees with people, else with each label, next to the paper's."""
    validity, bench = source.validity, source.once(workbench)
    role = paper_role(source, tau)
    with st.container(horizontal=True):
        if "relevance" not in validity.rated_dimensions:
            for label in bench.data.labels[:_MOST_LABELS]:
                table = bench.table(label, tau)
                own = _OF_DIMENSION.get(label, "rel")
                one = next(one for one in table.metrics if one.metric == own)
                _tile(f"{_main(table)} of {TITLES[own]} with {escape_markdown(label)}", one.main)
            return
        at, without = validity.at(tau), validity.no_threshold
        if found := at.correlations["relevance"]:
            paper = paper_agreement("rel", "relevance", role) if role else None
            _tile("Rel with people's relevance, Spearman's rho", found.spearman, paper, role)
        if found := without.correlations["relevance"]:
            _tile("The same without a threshold", found.spearman)
        if at.systems:
            paper = paper_figure("system_level", "Rel (tau_best)", "spearman") if role else None
            here = at.systems.correlation.spearman
            _tile("Order of systems, Spearman's rho", here, paper, "tau_best")


def _tile(title: str, here: Estimate, paper: float | None = None, role: str | None = None) -> None:
    """Show a figure; the paper's, if it prints one, is at its own tau of a role."""
    sign = contains(paper, here.interval)[:1]
    st.metric(
        title,
        number(here.value),
        f"95 %: {between(here.interval)}" if here.interval else None,
        delta_color="off",
        delta_arrow="off",
        delta_description=None if paper is None else f"paper at {role} {paper:.3f} {sign}",
        help="✓: the interval contains the paper's value; ✗: it does not." if sign else None,
        border=True,
        width=_TILE,
    )


def show_metrics(source: Source, tau: float) -> None:
    """Show the agreement of each metric with a label, as a table and a chart, the best first."""
    bench = source.once(workbench)
    with st.container(horizontal=True):
        keep_options(_LABEL, bench.data.labels)
        label = st.selectbox(
            "Agreement with",
            bench.data.labels,
            key=_LABEL,
            bind="query-params",
            help="What people, or outcomes, say of the reviews.",
            width=300,
        )
        names = _choose_metrics() if bench.has_references else []
    if bench.missing(names):
        _show_job(bench, names)
    with st.spinner("Resampling changes"):
        table = bench.table(label, tau, names)
    known = [one for one in table.metrics if one.main.value is not None]
    known.sort(key=lambda one: -(one.main.value or 0.0))
    if known:
        _say_baselines(table)
        left, right = two_columns()
        with left:
            _table(known, table, paper_role(source, tau))
        with right:
            _chart(known, table)
    else:
        st.info(f"{escape_markdown(label)} is the same for every review, so no metric can agree.")
    _say_remarks(bench, table)
    apart = f"Reviews that Rel and {escape_markdown(label)} rank most differently"
    section = st.expander(apart, key=_APART, on_change="rerun", icon=":material/compare_arrows:")
    if section.open:
        with section:
            walk_through(source, _apart(source, label, tau), tau)
    with st.expander("Other statistics, languages, files", icon=":material/download:"):
        if known:
            _more(known, table)
        with st.container(horizontal=True):
            offer_file(
                "Metrics as CSV", lambda: compare_csv(bench.data, [table]), "crscore-metrics.csv"
            )
            offer_file(
                "Metrics as JSON",
                lambda: json.dumps(compare_document(bench.data, [table]), indent=1),
                "crscore-metrics.json",
            )


def _apart(source: Source, label: str, tau: float) -> Positions:
    """Return the reviews of systems with a label, those first whose ranks differ most."""
    reviews = source.comparison
    if label in DIMENSIONS and label not in reviews.labels:
        said = reviews.ratings[:, DIMENSIONS.index(label)]
    else:
        said = reviews.label(label)
    of_systems = np.where(reviews.is_of_a_system, said, np.nan)
    return disagreement(measured_values(reviews, "relevance", tau), of_systems).positions


def _choose_metrics() -> list[str]:
    keep_options(_METRICS, REFERENCE_METRICS)
    return st.multiselect(
        "Metrics that need a reference review",
        list(REFERENCE_METRICS),
        format_func=TITLES.__getitem__,
        key=_METRICS,
        bind="query-params",
        placeholder="BLEU, ROUGE-L, BERTScore …",
        help="Computed once, which takes minutes for those that read tokens. p-values are "
        "corrected for the number of metrics, so choose before you look.",
        width=_WIDE,
    )


def _show_job(bench: Workbench, names: Sequence[str]) -> None:
    """Compute metrics, showing how far that is, or say why they are missing."""
    job = bench.job(names)
    end = job.now()
    if not end.is_over:
        watch_job(job, _step, _show_step)
        return
    if end.error is None:
        st.rerun()
    say_end(end)
    if st.button("Start again", icon=":material/play_arrow:"):
        bench.job(names, again=True)
        st.rerun()


def _show_step(step: Step) -> None:
    if step.within is not None:
        show_progress(step.within)


def _step(step: Step | None) -> str:
    now = f": {step.name}, {step.done} of {step.total} done" if step else ""
    return f"**Computing metrics{now}.**"


def _say_baselines(table: LabelComparison) -> None:
    """Say which baselines agree better than the metric that all are compared with, or may."""
    if table.changes < FEWEST_CHANGES:
        st.info(
            f"Reviews of {counted(table.changes, 'change')} have this label: too few for "
            "intervals, or to say that one metric agrees better than another "
            f"({FEWEST_CHANGES} are needed)."
        )
        return
    chosen = TITLES[table.chosen]
    baselines = [one for one in table.metrics if one.metric in BASELINES and one.against]
    better = [
        f"the {TITLES[one.metric]}, by {figure(one.against.difference)}"
        for one in baselines
        if one.against and one.sign > 0
    ]
    if better:
        st.warning(
            f"**Baselines that read no meaning agree better than {chosen}**: {'; '.join(better)}."
        )
    elif open_ones := [f"the {TITLES[one.metric]}" for one in baselines if one.sign == 0]:
        st.info(
            f"{chosen} is not shown to agree better than {' and '.join(open_ones)}, which "
            f"read{'s' * (len(open_ones) == 1)} no meaning: the difference may be chance."
        )


def _table(known: Sequence[Agreement], table: LabelComparison, role: str | None) -> None:
    main = _main(table)
    rows: list[dict[str, object]] = []
    for one in known:
        less = one.against.difference.value if one.against else None
        paper = paper_agreement(one.metric, table.label, role) if role else None
        rows.append(
            {
                "metric": _title(one.metric),
                **({"paper": paper} if role else {}),
                main: str(one.main),
                f"minus {TITLES[table.chosen]}": "" if less is None else f"{less:+.3f}",
            }
        )
    text_table(rows, wide=(main,), caption=f"Agreement with {table.label}, the best first")


def _main(table: LabelComparison) -> str:
    return "AUC" if table.is_binary else "Spearman's rho"


def _title(metric: str) -> str:
    return f"{TITLES[metric]} (baseline)" if metric in BASELINES else TITLES[metric]


def _chart(known: Sequence[Agreement], table: LabelComparison) -> None:
    chart = go.Figure()
    for group, symbol, names in _GROUPS:
        if of := [one for one in known if one.metric in names]:
            chart.add_scatter(
                x=[one.main.value for one in of],
                y=[TITLES[one.metric] for one in of],
                error_x=error_bars([one.main for one in of]),
                mode="markers",
                marker={"symbol": symbol, "size": 10},
                name=group,
                hovertemplate="%{y}: %{x:.3f}",
            )
    main = _main(table)
    chart.add_vline(0.5 if table.is_binary else 0.0, line_dash="dash", line_color=_GREY)
    chart.update_layout(
        height=_AROUND + _ROW * len(known), legend={"orientation": "h", "y": 1, "yanchor": "bottom"}
    )
    chart.update_xaxes(title=f"{main} with {escape_hover(table.label, 40)}; dashed: no agreement")
    order = [TITLES[one.metric] for one in reversed(known)]
    chart.update_yaxes(categoryorder="array", categoryarray=order, automargin=True)
    figures = "; ".join(f"{TITLES[one.metric]} {number(one.main.value)}" for one in known)
    show_chart(chart, "validity_agreement", f"{main} of each metric, the best first: {figures}")


def _say_remarks(bench: Workbench, table: LabelComparison) -> None:
    """Say what the figures rest on, and what is known of metrics; the same of several once."""
    basis = (
        f"{counted(table.rows, 'review')} of {counted(table.changes, 'change')} have this label. "
        f"Intervals: 95 %, percentiles of {bench.n_resamples:,} resamples of whole changes"
        f"{', so few that their ends are rough' if bench.n_resamples < 1_000 else ''}."
    )
    remarks: dict[str, list[str]] = {}
    for one in table.metrics:
        nothing = "the same for every review" if one.main.value is None else ""
        remarks.setdefault(one.remark or nothing, []).append(TITLES[one.metric])
    if not bench.has_references:
        basis += " BLEU, BERTScore and the like need a reference review, and there is none."
    said = (f"{', '.join(names)}: {remark}." for remark, names in remarks.items() if remark)
    st.caption(escape_markdown(" ".join([basis, label_remark(table.label), *said])))


def _more(known: Sequence[Agreement], table: LabelComparison) -> None:
    """Show the other statistics, and the main one by language where there are several."""
    languages = dict.fromkeys(of.language for one in known for of in one.by_language)
    rows: list[dict[str, object]] = []
    for one in known:
        _, *others = one.statistics.items()
        of_language = {of.language: str(of.main) for of in one.by_language}
        rows.append(
            {
                "metric": _title(one.metric),
                "reviews": one.rows,
                f"minus {TITLES[table.chosen]}": str(one.against.difference) if one.against else "",
                "p": one.against.p_corrected if one.against else None,
                **{_STATISTICS[name]: str(of) for name, of in others},
                **{
                    name or "language not known": of_language.get(name, "")
                    for name in (languages if len(languages) > 1 else ())
                },
            }
        )
    text_table(
        rows,
        wide=(),
        caption="Differences with a two-sided p by Holm's method, other statistics, and languages",
    )
