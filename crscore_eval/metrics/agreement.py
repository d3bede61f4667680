"""Compare metrics by their agreement with one human label, and state what that shows."""

import numpy as np
import pandas as pd

from crscore_core.errors import InputError
from crscore_core.text import counted
from crscore_eval.formatting import capitalize_first, format_figure
from crscore_eval.metrics.registry import METRICS, SIMPLE_METRICS
from crscore_eval.metrics.values import metric_title
from crscore_eval.statistics.bootstrap import Weights, estimate, holm, standard_error, t_test
from crscore_eval.statistics.correlation import resampled
from crscore_eval.statistics.difference import SIGNIFICANCE_LEVEL

_FIGURES = ["value", "low", "high", "difference", "difference_low", "difference_high", "p"]


def compare_with_label(
    scores: pd.DataFrame,
    ratings: "pd.Series[float]",
    change: "pd.Series[int]",
    weights: Weights,
    min_share: float = 0.0,
) -> pd.DataFrame:
    """Compare the metrics in the columns of `scores` with one label; NaN is a missing value.

    Metrics are compared on the labelled reviews for which all of them have a value. A metric with
    a value for less than `min_share` of the labelled reviews is left out. The statistic is
    Spearman's rho for graded labels, and the area under the ROC curve for binary ones. Returns a
    row for each metric, with the columns of `compare_metrics` from statistic to p, and remark.

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
    samples = {
        name: resampled(common[name], *of_common, weights, is_binary=is_binary) for name in names
    }
    figures = {}
    for name, values in samples.items():
        difference = values - (samples[base] if name != base else np.nan)
        ends = (0.0, 1.0) if is_binary else (-1.0, 1.0)
        intervals = *estimate(values, n_changes, *ends), *estimate(difference, n_changes)
        p = t_test(difference[0], standard_error(difference, n_changes), n_changes)
        figures[name] = [*intervals, p]
    found = pd.DataFrame.from_dict(figures, "index", float, _FIGURES)
    reasons = pd.Series({name: why_no_value(str(name), n) for name, n in rows.items()})
    same_labels = of_common[0].nunique() == 1
    reasons[names] = "all labels are equal" if same_labels else "all values are equal"
    rows[names] = len(common)
    table = pd.DataFrame({"statistic": "auc" if is_binary else "spearman", "rows": rows})
    found = found.assign(p=holm(found["p"]))
    table = table.assign(changes=n_changes, base=base).join(found)
    table["remark"] = reasons.mask(table["value"].notna(), "")
    return table.rename_axis("metric").reset_index()


def why_no_value(metric: str, n_rows: int = 0) -> str:
    """Explain why a metric with a value for `n_rows` labelled reviews is not compared."""
    if n_rows:
        return f"left out because it scores only {n_rows:,} labelled reviews; name it to compare it"
    needs = METRICS[metric].needs if metric in METRICS else "value"
    reasons = {"reference": "no review has a reference", "": "no review can be scored"}
    return reasons.get(needs, "no labelled review has a value")


def findings(table: pd.DataFrame, label: str, title: str = "") -> list[str]:
    """State what one label's rows of `compare_metrics` show about the base, main finding first.

    `label` is the label's title, and `title` the base's title, by default from `metric_title`.
    The base is compared with chance and, unless it is a simple metric itself, with each simple
    metric that has a figure. p-values are those of the table.
    """
    if table.empty or not (base := table["base"].iloc[0]):
        return []
    title = title or metric_title(base)
    label = f"the {label}" if label.startswith("label ") else label
    rows = table.set_index("metric")
    statistic, chance = (
        ("AUC", 0.5) if table["statistic"].iloc[0] == "auc" else ("Spearman's rho", 0.0)
    )
    own = rows.loc[base]
    value, *ends = own[["value", "low", "high"]].astype(float)
    low, high = np.round(ends, 3)  # as shown
    figure = f"{statistic} {format_figure(value, *ends)}, chance {chance:g}"
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
    others = rows[rows.index.isin(SIMPLE_METRICS) & (base not in SIMPLE_METRICS)]
    for name, row in others.dropna(subset="difference").iterrows():
        simple, p = metric_title(str(name)), corrected_p(row["p"], int(table["p"].count()))
        both = f"{own['value']:z.3f} and {row['value']:z.3f}"
        if np.isnan(row["p"]):
            said = f"{title} was not tested against the {simple}: too few changes."
        elif row["p"] < SIGNIFICANCE_LEVEL:
            how = "less" if row["difference"] > 0 else "better"
            said = f"{title} agrees significantly {how} with {label} than the {simple} ({p})."
        else:
            said = f"{title} and the {simple} do not differ significantly in agreement with "
            said += f"{label}: {both} ({p})."
        sentences.append(said)
    return [*map(capitalize_first, sentences)]


def corrected_p(p: float, n_tests: int) -> str:
    """Return a p-value in words, with the number of comparisons that it is corrected for."""
    return f"{p_in_words(p)} after Holm's correction for {counted(n_tests, 'comparison')}"


def p_in_words(p: float) -> str:
    """Return a p-value as in `p = 0.012` or `p < 0.001`; "" for NaN."""
    return f"p = {format_figure(p, digits=p_digits(p))}".replace("= <", "< ") * (not np.isnan(p))


def p_digits(p: float) -> int:
    """Return how many decimals show on which side of the significance level a p-value is."""
    return next((n for n in range(3, 17) if round(p, n) != SIGNIFICANCE_LEVEL), 3)
