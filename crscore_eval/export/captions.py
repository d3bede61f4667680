"""Captions of tables, the same for commands, pages, exports and the report."""

import pandas as pd

from crscore_core.text import counted, listed
from crscore_eval.formatting import capitalize_first
from crscore_eval.metrics.values import metric_title
from crscore_eval.ranking.order import Order
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.statistics.difference import SIGNIFICANCE_LEVEL, is_sign_tested
from crscore_eval.table import DIMENSIONS, MEASURES, label_title
from crscore_eval.validity.compare import n_compared


def pairs_caption(order: Order) -> str:
    """Return the caption of a table of pairs of systems."""
    n_tests = int(order.pairs["p"].count())
    if not n_tests:
        return f"Not tested: no two systems share the {MIN_CHANGES} changes that a test needs."
    test, n_same = "a t-test over changes", int(is_sign_tested(order.pairs).sum())
    if n_same:
        test += f" or, for {counted(n_same, 'pair')} with the same difference on all, a sign test"
    return (
        f"Significant: p < {SIGNIFICANCE_LEVEL} in {test}, after Holm's correction "
        f"for {counted(n_tests, 'comparison')}, all pairs of systems. In "
        "parentheses: 95% intervals, not corrected. A difference is over the changes that both "
        "systems reviewed, or over all changes of each if they share fewer than "
        f"{MIN_CHANGES}."
    )


def systems_caption(order: Order) -> str:
    """Return the caption of a table of systems."""
    caption = (
        f"Means over changes, {order.n_changes:,} in all; in parentheses: 95% intervals over "
        "changes, none of equal values or of too few changes. Place: those that are possible, "
        "given the significant differences."
    )
    if order.systems["empty"].any() and order.scored_by.name in MEASURES:
        caption += f" Empty reviews count as 0 in {order.scored_by.title}."
    counts = [order.systems[f"n_{label}"] for label in order.labels]
    if order.other_measure:
        other_n = order.systems["other_n"]
        counts.append(other_n)
        of = "the same reviews"
        if not other_n.equals(order.systems["n"]):
            of = f"n of these reviews; systems share {counted(order.n_other_shared, 'change')}"
        at = f", at tau {order.tau:g}" if order.other_measure.name in DIMENSIONS else ""
        caption += f" {capitalize_first(order.other_measure.title)}: of {of}{at}."
    if any(not count.equals(order.systems["n"]) for count in counts):
        caption += " n: number of reviews with the figure, if it is not that in reviews."
    if order.other_labels:
        caption += f" Labels not shown: {listed([*map(label_title, order.other_labels)])}."
    return caption


def metrics_caption(table: pd.DataFrame) -> str:
    """Return the caption of the rows of one label of `compare_metrics`; "" without a figure."""
    if not (n := n_compared(table)):
        return ""
    n_changes = counted(int(table["changes"].max()), "change")
    caption = f"Each metric on the same {counted(n, 'review')} of {n_changes}."
    if table["low"].notna().any():
        caption += " In parentheses: 95% intervals over changes, not corrected."
    if n_tests := int(table["p"].count()):
        caption += (
            f" Difference: the figure minus that of {metric_title(table['base'].iloc[0])}. p: "
            f"two-sided, of the difference, after Holm's correction for "
            f"{counted(n_tests, 'comparison')}."
        )
    return caption
