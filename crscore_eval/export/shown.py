"""Format tables and their captions for commands, pages, exports and the report."""

from collections.abc import Mapping, Sequence

import pandas as pd

from crscore_core.text import counted, listed
from crscore_eval.formatting import capitalize_first, figure_cells, format_p, p_in_words
from crscore_eval.metrics.registry import SIMPLE_METRICS
from crscore_eval.metrics.values import metric_title
from crscore_eval.ranking.order import Order
from crscore_eval.ranking.verdict import equal_differences_note, shared_changes
from crscore_eval.statistics.bootstrap import MIN_CHANGES, SIGNIFICANCE_LEVEL
from crscore_eval.table import DIMENSIONS, label_columns
from crscore_eval.table.measures import MEASURES, label_title
from crscore_eval.validity.compare import n_compared

_MISSING = "–"
_MAX_LABELS = 3  # in a table of systems, so that it fits a page
_INTERVALS = " In parentheses: 95% intervals over changes, not corrected."


def systems_table(order: Order) -> pd.DataFrame:
    """Return a row for each system: its place and name, numbers of reviews, and means."""
    systems = order.systems
    table = pd.DataFrame({"place": systems["place"], "reviewer": systems["system"]})
    table[order.by.title] = _cells(systems, "n", "mean", "low", "high")
    if order.other_measure:
        title = order.other_measure.title
        table[title] = _cells(systems, "other_n", "other_mean", "other_low", "other_high")
        table[f"rank by {title}"] = systems["other_ranks"].fillna("").replace("", _MISSING)
    for name in label_columns(order.systems)[:_MAX_LABELS]:
        table[f"label {label_title(name)}"] = _cells(systems, f"n_{name}", name)
    table["reviews"] = systems["n_reviews"].map("{:,}".format)
    if systems["empty"].any():
        table["empty"] = systems["empty"].map("{:,}".format)
    if "words" not in table:  # it may be the measure
        table["words"] = systems["words"].map("{:.0f}".format)
    return table


def systems_figures(order: Order) -> pd.DataFrame:
    """Return the numbers of `systems_table`, with intervals and counts in their own columns."""
    columns = {"place": ["place"], "reviewer": ["system"]}
    for prefix, measure in (("", order.by), ("other_", order.other_measure)):
        if measure:
            columns[measure.title] = [f"{prefix}{name}" for name in ("mean", "low", "high")]
            columns[f"reviews with {measure.title}"] = [f"{prefix}n"]
            columns[f"rank by {measure.title}"] = [f"{prefix}ranks"]
    for name in label_columns(order.systems):
        columns[f"label {label_title(name)}"] = [name]
        columns[f"reviews with label {label_title(name)}"] = [f"n_{name}"]
    columns |= {"reviews": ["n_reviews"], "empty": ["empty"], "words": ["words"]}
    return _numbers(order.systems, columns)


def _numbers(figures: pd.DataFrame, columns: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Return columns of figures by title; the ends of an interval have columns of their own."""
    ends = "", ", 95% from", ", 95% to"
    cells = [
        (title, *pair) for title, of in columns.items() for pair in zip(ends, of, strict=False)
    ]
    return pd.DataFrame({f"{title}{end}": figures[name] for title, end, name in cells})


def _cells(systems: pd.DataFrame, count: str, *figures: str) -> list[str]:
    """Return each system's figure with its interval, and its count unless all reviews have it."""
    cells = figure_cells(systems, *figures, missing=_MISSING)
    rows = zip(cells, systems[count], systems["n_reviews"], strict=True)
    return [cell if n == n_reviews else f"{cell}, n = {n:,.0f}" for cell, n, n_reviews in rows]


def pairs_table(order: Order) -> pd.DataFrame:
    """Return a row for each pair of systems: p, and the difference."""
    table = pd.DataFrame(
        {
            "higher": order.pairs["higher"],
            "lower": order.pairs["lower"],
            "p": [format_p(p, "too few changes") for p in order.pairs["p"]],
            "difference": figure_cells(order.pairs, "difference", "low", "high", missing=_MISSING),
            "changes": [shared_changes(row) for row in order.pairs.to_dict("records")],
        }
    )
    if order.other_measure:
        difference = figure_cells(order.pairs, "other_difference", missing=_MISSING)
        cells = zip(difference, order.pairs["other_p"].map(p_in_words), strict=True)
        title = f"difference by {order.other_measure.title}"
        table[title] = [", ".join(filter(None, cell)) for cell in cells]
    return table


def metrics_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each metric, from the rows of one label of `compare_metrics`."""
    table = pd.DataFrame({"metric": [*map(metric_title, rows["metric"])]})
    for title, names in _metric_columns(rows).items():
        table[title] = figure_cells(rows, *names, missing=_MISSING)
    table["p"] = [format_p(p, _MISSING) for p in rows["p"]]
    if rows["paper"].notna().any():
        table["paper"] = figure_cells(rows, "paper")
    return table


def metrics_figures(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of `metrics_table`, with intervals in columns of their own."""
    columns = {"metric": ["metric"], **_metric_columns(rows), "p": ["p"], "paper": ["paper"]}
    columns |= {"reviews": ["rows"], "changes": ["changes"], "remark": ["remark"]}
    return _numbers(rows.assign(metric=rows["metric"].map(metric_title)), columns)


def _metric_columns(rows: pd.DataFrame) -> dict[str, list[str]]:
    statistic = "AUC" if (rows["statistic"] == "auc").any() else "Spearman"
    minus = f"minus {metric_title(rows['base'].iloc[0])}"
    difference = ["difference", "difference_low", "difference_high"]
    within = {"within": ["within"]} if rows["within"].notna().any() else {}
    return {statistic: ["value", "low", "high"], **within, minus: difference}


def pairs_caption(order: Order) -> str:
    """Return the caption of a table of pairs of systems."""
    n_tests, note = int(order.pairs["p"].count()), equal_differences_note(order.pairs)
    if (order.pairs[["difference", "other_difference"]].round(3) < 0).any(axis=None):
        note += " Negative: on these changes, the order is reversed."
    if not n_tests:
        return f"Not tested: no two reviewers have the {MIN_CHANGES} changes needed.{note}"
    intervals = _INTERVALS if order.pairs["low"].notna().any() else ""
    if order.other_measure and (n_other := int(order.pairs["other_p"].count())) != n_tests:
        for_tests = f"for {counted(n_other, 'comparison')}" if n_other else "not tested"
        note += f" p by {order.other_measure.title}: {for_tests}."
    return (
        "p: of a t-test over changes, after Holm's correction for "
        f"{counted(n_tests, 'comparison')}, all pairs of reviewers; significant below "
        f"{SIGNIFICANCE_LEVEL}.{intervals} A difference is over the changes that both "
        f"reviewed, or over all changes of each if they share fewer than {MIN_CHANGES}.{note}"
    )


def systems_caption(order: Order) -> str:
    """Return the caption of a table of systems."""
    systems, other = order.systems, order.other_measure
    caption = f"Means over changes, {order.n_changes:,} in all; a reviewer's reviews of one change "
    caption += "count as their mean"
    if systems[["low", "other_low"]].notna().any(axis=None):
        caption += "; in parentheses: 95% intervals over changes, omitted for equal values or too "
        caption += "few changes"
    caption += ". Place: possible places, given the significant differences. Words: a mean."
    ends = {of.title: of.ends for of in (order.by, other) if of and of.ends}
    scales = [f"{title} {low:g} to {high:g}" for title, (low, high) in ends.items()]
    caption += f" Scales, the best last: {listed(scales)}." * bool(scales)
    if systems["empty"].any() and order.automatic.name in MEASURES:
        caption += f" Empty reviews count as 0 in {order.automatic.title}."
    if other:
        of = "the same" if systems["other_n"].equals(systems["n"]) else "n of these"
        at = f", at tau {order.tau:g}" if other.name in DIMENSIONS else ""
        caption += f" {capitalize_first(other.title)}: over {of} reviews{at}."
    labels = label_columns(systems)
    counts = ["n", *["other_n"] * bool(other), *(f"n_{name}" for name in labels[:_MAX_LABELS])]
    if systems[counts].ne(systems["n_reviews"], axis="index").any(axis=None):
        caption += " n: number of reviews with the figure, if not all of the reviewer's have it."
    if hidden := [*map(label_title, labels[_MAX_LABELS:])]:
        caption += f" Labels not shown: {listed(hidden)}."
    return caption


def metrics_caption(table: pd.DataFrame) -> str:
    """Return the caption of the rows of one label of `compare_metrics`; "" without a figure."""
    if not (n := n_compared(table)):
        return ""
    n_changes = counted(int(table["changes"].max()), "change")
    caption = f"All metrics are over the same {counted(n, 'review')} of {n_changes}."
    if table["low"].notna().any():
        caption += f"{_INTERVALS[:-1]}, and for these reviewers."
    if table["within"].notna().any():
        caption += " Within: over one reviewer's reviews; the mean over reviewers, by their number."
    tested = table.dropna(subset="p")
    n_simple = int(tested["metric"].isin(SIMPLE_METRICS).sum())
    kinds = {"simple metrics": n_simple, "other metrics": len(tested) - n_simple}
    if tests := [f"{counted(n, 'comparison')} with {kind}" for kind, n in kinds.items() if n]:
        base = metric_title(table["base"].iloc[0])
        caption += f" Difference: the figure minus that of {base}. p: two-sided, for the "
        caption += f"difference, after Holm's correction for {' and, separately, '.join(tests)}."
    return caption
