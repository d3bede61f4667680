"""Compare metrics by their agreement with each human label, on the same reviews."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from crscore_core.errors import InputError
from crscore_core.scoring.scorer import Progress, ignore_progress
from crscore_eval.data.ratings import agreement_of_raters, describe_agreement
from crscore_eval.formatting import capitalize_first, records
from crscore_eval.metrics.agreement import compare_with_label, why_no_value
from crscore_eval.metrics.values import (
    check_metrics,
    labels_by_name,
    metric_key,
    metric_names,
    metric_title,
    metric_values,
)
from crscore_eval.table import LABEL_PREFIX, PEOPLE, Run, columns_by_name_in_file, is_by_system
from crscore_eval.table.clusters import bootstrap_changes, clusters
from crscore_eval.validity.shown_tables import paper_figures

_MIN_SHARE = 0.5  # of the labelled reviews, which a metric must score unless it is named


def compare_metrics(  # noqa: PLR0913 - the options of the command
    run: Run,
    metrics: Sequence[str] = (),
    *,
    labels: Sequence[str] = (),
    tau: float | None = None,
    is_study: bool = False,
    on_progress: Progress = ignore_progress,
) -> pd.DataFrame:
    """Return the agreement of metrics with labels, a row for each label and metric.

    By default, all metrics and judges' relevance that have a value for at least half of the
    labelled reviews are compared with all labels. Columns:

        label, statistic: the label, and `spearman` or `auc`
        metric, rows, changes: the metric, and how many reviews of how many changes are compared,
            the same for all metrics; if it is not compared, its labelled reviews with a value
        value, low, high: the agreement and its interval, which needs `MIN_CHANGES`
        base: the metric that the others are compared with: `rel` or, if no review has it, the first
            metric with a value
        difference, difference_low, difference_high: the agreement minus that of the base, with the
            interval over the same resamples of changes; NaN for the base
        p: two-sided, for the difference, after Holm's correction for all metrics
        paper: the paper's figure for the same metric, over the whole study; only if `is_study`
        remark: why the metric has no figure; "" if it has one

    Raises:
        InputError: there is no such metric or label, nobody labelled the reviews, or no review has
            a value of every metric.
        UnavailableError: a metric needs an encoder that cannot be loaded.
    """
    labelled = check_comparison(run, metrics, labels)
    names = [*dict.fromkeys(map(metric_key, metrics))] or metric_names(run)
    if PEOPLE in names:
        raise InputError("people's ratings are not a metric", "name a metric")
    scores = pd.DataFrame(index=run.reviews.index)
    for done, name in enumerate(names):
        on_progress(done, len(names), metric_title(name))
        scores[name] = metric_values(run, name, tau).astype(float)
    if scores.isna().all(axis=None):
        raise InputError(f"no review has a value of {names[0]}: {why_no_value(names[0])}")
    on_progress(len(names), len(names), "agreement with people")
    change = pd.Series(clusters(run.reviews), scores.index)
    weights, min_share = bootstrap_changes(run.reviews), 0.0 if metrics else _MIN_SHARE
    tables = [
        compare_with_label(scores, ratings, change, weights, min_share).assign(label=label)
        for label, ratings in labelled.items()
    ]
    paper = paper_figures().query("table == 'metrics'")[["row", "column", "paper"]]
    paper = paper.rename(columns={"column": "label", "row": "metric"})
    return pd.concat(tables).merge(paper if is_study else paper[:0], "left")


def check_comparison(
    run: Run, metrics: Sequence[str], names: Sequence[str]
) -> Mapping[str, "pd.Series[float]"]:
    """Check the metrics, and return people's labels by name, by default all labels.

    Raises:
        InputError: there is no such metric or label, or the reviews have no labels.
    """
    check_metrics(run, metrics)
    available = labels_by_name(run.reviews)
    if not available:
        raise InputError(
            "no review has a rating or a label", "rate some, or add a column label_NAME"
        )
    in_table = columns_by_name_in_file(run.settings)
    names = [name if name in available else in_table.get(name, name) for name in names]
    names = [name.removeprefix(LABEL_PREFIX).removeprefix("human_") for name in names]
    if unknown := [name for name in names if name not in available]:
        raise InputError(
            f"no rating or label is called {unknown[0][:80]!r}",
            f"choose one of {', '.join(available)}; a label is a column called label_NAME",
        )
    return {name: available[name] for name in names or available}


def n_compared(table: pd.DataFrame) -> int:
    """Return the number of reviews compared, from the rows of one label of `compare_metrics`."""
    return int(table["rows"][table["metric"] == table["base"]].sum())


def label_notes(reviews: pd.DataFrame, label: str, table: pd.DataFrame) -> list[str]:
    """Describe the reviews that one label's rows of `compare_metrics` leave out, and its raters."""
    values = labels_by_name(reviews)[label]
    is_by = is_by_system(reviews)
    is_unclear = values.notna() & ~values.isin([0, 1]) & (table["statistic"].iloc[0] == "auc")
    counts = {
        "reference reviews": int((~is_by).sum()),
        "without this label": int((is_by & values.isna()).sum()),
        "on which raters disagree": int(is_unclear.sum()),
        "without a value of every metric": int((values.notna() & ~is_unclear).sum())
        - n_compared(table),
    }
    omitted = ", ".join(f"{kind} ({n:,})" for kind, n in counts.items() if n)
    raters = capitalize_first(describe_agreement(reviews, label))
    return [f"{one}." for one in (omitted and f"Left out: {omitted}", raters) if one]


def compare_document(run: Run, table: pd.DataFrame) -> dict[str, Any]:
    """Return the JSON object of `crscore compare`; undefined figures are null.

    The first label's metrics are at the top; with several labels, all are under `labels`.
    """
    counts = {name: int(values.count()) for name, values in labels_by_name(run.reviews).items()}
    blocks = {
        str(label): {
            "rows": counts[str(label)],
            "label": label,
            "raters": (found := agreement_of_raters(run.reviews, str(label))) and found.document(),
            "metrics": {row["metric"]: _metric_document(row) for row in records(rows)},
        }
        for label, rows in table.groupby("label", sort=False)
    }
    document = {"data": run.settings["name"], **next(iter(blocks.values()))}
    return document | ({"labels": blocks} if len(blocks) > 1 else {})


def _metric_document(row: dict[Any, Any]) -> dict[str, Any]:
    names = ("rows", "changes", "difference", "paper", "ci", "difference_ci")
    return {
        "title": metric_title(row["metric"]),
        row["statistic"]: row["value"],
        **{name: row[name] for name in names},
        "p_corrected": row["p"],
        "remark": row["remark"] or None,
    }
