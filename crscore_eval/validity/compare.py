"""Compare metrics by their agreement with human labels, and state what that shows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from crscore_core.errors import InputError, quoted
from crscore_core.scoring.scorer import Progress, ignore_progress
from crscore_core.text import counted
from crscore_eval.data.ratings import agreement_of_raters, describe_agreement
from crscore_eval.formatting import capitalize_first, corrected_p, format_figure, records
from crscore_eval.judge.judge import describe_unjudged
from crscore_eval.metrics.registry import METRICS, SIMPLE_METRICS
from crscore_eval.metrics.values import (
    labels_by_name,
    metric_key,
    metric_names,
    metric_title,
    metric_values,
    named_measure,
)
from crscore_eval.statistics.bootstrap import (
    SIGNIFICANCE_LEVEL,
    Weights,
    bootstrap_changes,
    clusters,
    estimate,
    holm,
    standard_error,
    t_test,
)
from crscore_eval.statistics.correlation import mean_within, resampled, varied_changes
from crscore_eval.table import LABEL_PREFIX, Run, columns_by_name_in_file, is_by_system
from crscore_eval.table.measures import PEOPLE
from crscore_eval.validity.shown_tables import paper_figures

_FIGURES = ["value", "low", "high", "difference", "difference_low", "difference_high"]
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
        within: see `mean_within`; a group is the reviews of one reviewer
        base: the metric that the others are compared with: `rel` or, if no review has it, the first
            metric with a value
        difference, difference_low, difference_high: the agreement minus that of the base, with the
            interval over the same resamples of changes; NaN for the base
        p: two-sided, for the difference, after Holm's correction for `SIMPLE_METRICS` or, apart
            from these, for the other metrics
        paper: the paper's figure for the same metric, over the whole study; only if `is_study`
        remark: why the metric has no figure; "" if it has one

    Raises:
        InputError: there is no such metric or label, nobody labelled the reviews, or no review has
            a value of every metric.
        UnavailableError: a metric needs an encoder that cannot be loaded.
    """
    labelled = check_comparison(run, metrics, labels)
    names = [*dict.fromkeys(map(metric_key, metrics))] or metric_names(run)
    scores = pd.DataFrame(index=run.reviews.index)
    for done, name in enumerate(names):
        on_progress(done, len(names), metric_title(name))
        scores[name] = metric_values(run, name, tau).astype(float)
    if scores.isna().all(axis=None):
        raise InputError(f"no review has a value of {names[0]}: {_why_no_value(names[0])}")
    on_progress(len(names), len(names), "agreement with people")
    change = pd.Series(clusters(run.reviews), scores.index)
    given = change, bootstrap_changes(run.reviews), 0.0 if metrics else _MIN_SHARE
    tables = [
        compare_with_label(scores, ratings, *given, run.reviews["system"]).assign(label=label)
        for label, ratings in labelled.items()
    ]
    paper = paper_figures().query("table == 'metrics'")[["row", "column", "paper"]]
    paper = paper.rename(columns={"column": "label", "row": "metric"})
    return pd.concat(tables).merge(paper if is_study else paper[:0], "left")


def compare_with_label(  # noqa: PLR0913, PLR0917 - the columns of a comparison
    scores: pd.DataFrame,
    ratings: "pd.Series[float]",
    change: "pd.Series[int]",
    weights: Weights,
    min_share: float = 0.0,
    system: "pd.Series[str] | None" = None,
) -> pd.DataFrame:
    """Compare the metrics in the columns of `scores` with one label; NaN is a missing value.

    Metrics are compared on the labelled reviews for which all of them have a value. A metric with
    a value for less than `min_share` of the labelled reviews is left out. The statistic is
    Spearman's rho for graded labels, and the area under the ROC curve for binary ones. Returns a
    row for each metric, with the columns of `compare_metrics` from statistic to p, and remark;
    within needs `system`, the reviewer of each review.

    Raises:
        InputError: no review has a value of every metric.
    """
    given = ratings.dropna()
    is_class = given.isin([0, 1])
    is_binary = bool(given.between(0, 1).all() and 2 * is_class.sum() >= given.size)
    # With a binary label, reviews on which raters disagree belong to neither class.
    rated = scores.loc[given[is_class].index if is_binary else given.index]
    rows = rated.count()
    names = [name for name in rows.index if rows[name] and rows[name] >= min_share * len(rated)]
    common = rated[names].dropna()
    if names and common.empty:
        raise InputError(
            f"no review has a value of every metric; compare fewer metrics: {', '.join(names)}"
        )
    base = "rel" if "rel" in names else next(iter(names), "")
    of_common = ratings[common.index], change[common.index]
    n_changes = of_common[1].nunique()
    groups = np.zeros(len(common)) if system is None else system[common.index].factorize()[0]
    samples = {
        name: resampled(common[name], *of_common, weights, is_binary=is_binary) for name in names
    }
    figures = {}
    varied = {name: varied_changes(common[name], *of_common) for name in names}
    for name, values in samples.items():
        difference = values - (samples[base] if name != base else np.nan)
        ends, n_both = (0.0, 1.0) if is_binary else (-1.0, 1.0), min(varied[name], varied[base])
        intervals = *estimate(values, varied[name], *ends), *estimate(difference, n_both)
        p = t_test(difference[0], standard_error(difference, n_both), n_changes)
        within = mean_within(common[name], of_common[0], groups, is_binary=is_binary)
        figures[name] = [*intervals, p, within]
    found = pd.DataFrame.from_dict(figures, "index", float, [*_FIGURES, "p", "within"])
    reasons = pd.Series({name: _why_no_value(str(name), n) for name, n in rows.items()})
    same_labels = of_common[0].nunique() == 1
    reasons[names] = "all labels are equal" if same_labels else "all values are equal"
    rows[names] = len(common)
    table = pd.DataFrame({"statistic": "auc" if is_binary else "spearman", "rows": rows})
    found["p"] = found.groupby(found.index.isin(SIMPLE_METRICS))["p"].transform(holm)
    table = table.assign(changes=n_changes, base=base).join(found)
    table["remark"] = reasons.mask(table["value"].notna(), "")
    return table.rename_axis("metric").reset_index()


def _why_no_value(metric: str, n_rows: int = 0) -> str:
    """Explain why a metric with a value for `n_rows` labelled reviews is not compared."""
    if n_rows:
        return f"left out because it scores only {n_rows:,} labelled reviews; name it to compare it"
    needs = METRICS[metric].needs if metric in METRICS else "value"
    reasons = {"reference": "no review has a reference", "": "no review can be scored"}
    return reasons.get(needs, "no labelled review has a value")


def check_comparison(
    run: Run, metrics: Sequence[str], names: Sequence[str]
) -> Mapping[str, "pd.Series[float]"]:
    """Check the metrics, and return people's labels by name, by default all labels.

    Raises:
        InputError: there is no such metric or label, or the reviews have no labels.
    """
    for name in (key for key in map(metric_key, metrics) if key not in METRICS):
        if named_measure(run, name).name == PEOPLE:
            raise InputError("people's ratings are not a metric", "name a metric")
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
            f"no rating or label is called {quoted(unknown[0])}",
            f"choose one of {', '.join(available)}; a label is a column called label_NAME",
        )
    return {name: available[name] for name in names or available}


def n_compared(table: pd.DataFrame) -> int:
    """Return the number of reviews compared, from the rows of one label of `compare_metrics`."""
    return int(table["rows"][table["metric"] == table["base"]].sum())


def label_notes(reviews: pd.DataFrame, label: str, table: pd.DataFrame) -> list[str]:
    """Describe what one label's rows of `compare_metrics` leave out and why, and its raters."""
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
    unjudged = dict.fromkeys(describe_unjudged(reviews, metric) for metric in table["metric"])
    notes = (omitted and f"Left out: {omitted}.", *unjudged, raters and f"{raters}.")
    return [*filter(None, notes)]


def findings(table: pd.DataFrame, label: str) -> list[str]:
    """State what one label's rows of `compare_metrics` show about the base, main finding first.

    `label` is the label's title. The base is compared with chance and, unless it is a simple metric
    itself, with each simple metric. p-values are those of the table.
    """
    if table.empty or not (base := table["base"].iloc[0]):
        return []
    title = metric_title(base)
    label = f"the {label}" if label.startswith("label ") else label
    rows = table.set_index("metric")
    statistic, chance = (
        ("AUC", 0.5) if table["statistic"].iloc[0] == "auc" else ("Spearman's rho", 0.0)
    )
    own = rows.loc[base]
    value, *ends = own[["value", "low", "high"]].astype(float)
    low, high = np.round(ends, 3)  # as shown
    n = counted(n_compared(table), "review")
    figure = f"{statistic} {format_figure(value, *ends)} over {n}, chance {chance:g}"
    if not np.isnan(own["within"]):
        figure += f"; within one reviewer's reviews, on average {own['within']:z.3f}"
    said = f"{title} agrees with {label} better than chance: {figure}."
    if np.isnan(value):
        said = f"the agreement of {title} with {label} is undefined: {own['remark']}."
    elif np.isnan(low):
        said = f"the agreement of {title} with {label} has no interval: {figure}."
    elif high < chance:
        said = f"{title} contradicts {label}: {figure}."
    elif low <= chance:
        said = f"{title} is not shown to agree with {label}: {figure}."
    sentences = [said]
    is_compared = base not in SIMPLE_METRICS and not np.isnan(value)
    others = rows[rows.index.isin(SIMPLE_METRICS) & is_compared]
    for name, row in others.iterrows():
        simple, p = metric_title(str(name)), corrected_p(row["p"], int(others["p"].count()))
        both = f"{own['value']:z.3f} and {row['value']:z.3f}"
        if np.isnan(row["p"]):
            reason = row["remark"] or "too few changes, or too few distinct values"
            said = f"{title} was not tested against the {simple}: {reason}."
        elif row["p"] < SIGNIFICANCE_LEVEL:
            how = "less" if row["difference"] > 0 else "better"
            said = f"{title} agrees significantly {how} with {label} than the {simple}: "
            said += f"{both} ({p})."
        else:
            said = f"{title} and the {simple} do not differ significantly in agreement with "
            said += f"{label}: {both} ({p})."
        sentences.append(said)
    return [*map(capitalize_first, sentences)]


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
