"""Means of systems over changes, with intervals, and differences between pairs of systems.

A mean is the mean over changes of the mean within a change, so a change with many reviews counts
once. The difference of two means is a sum of contributions, one from each change; over six or more
independent changes it closely follows Student's t.
"""

import itertools
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from crscore_eval.statistics.bootstrap import (
    MIN_CHANGES,
    ROUNDING,
    SIGNIFICANCE_LEVEL,
    holm,
    ratio,
    t_quantile,
    t_test,
)


def means_by_change(values: ArrayLike, system: ArrayLike, change: ArrayLike) -> pd.DataFrame:
    """Return the mean value of each system (column) within each change (row), or NaN.

    Systems are in order of first occurrence.
    """
    columns = {"system": system, "change": change, "value": values}
    reviews = pd.DataFrame({name: np.asarray(column) for name, column in columns.items()}).dropna()
    return reviews.pivot_table("value", "change", "system")[reviews["system"].unique()]


def mean_estimates(
    means: pd.DataFrame, lowest: float | None = None, highest: float | None = None
) -> pd.DataFrame:
    """Return mean, low and high of each system (index), with a t interval.

    `means` is the result of `means_by_change`. Within a range, it is Wilson's interval: the
    variance of a mean m is proportional to (m - lowest) * (highest - m). A system has no interval
    if it has fewer than `MIN_CHANGES` changes, or if all of them have the same mean.
    """
    mean, error, n = means.mean(), means.sem(), means.count()
    half_width = (error * t_quantile(n)).where((n >= MIN_CHANGES) & (error >= ROUNDING))
    middle = mean
    if lowest is not None and highest is not None:
        spread = (mean - lowest) * (highest - mean)
        weight = half_width**2 / spread
        middle = (mean + weight * (lowest + highest) / 2) / (1 + weight)
        half_width = np.sqrt(weight * spread + (weight * (highest - lowest) / 2) ** 2)
        half_width /= 1 + weight
    return pd.DataFrame({"mean": mean, "low": middle - half_width, "high": middle + half_width})


def difference_table(tables: Iterable[pd.DataFrame], widest: float = math.inf) -> pd.DataFrame:
    """Compare the means of two columns, over the changes (rows) of each table.

    `widest` is the widest possible difference, at which intervals end. Returns a row for each
    table. Columns:

        first, second: the two means; only over the changes that have both, unless these are fewer
            than `MIN_CHANGES`
        difference, low, high: the first minus the second, and its t interval; no interval without
            a p, or if every change has the same difference
        p: two-sided, corrected by Holm's method; NaN below `MIN_CHANGES` changes; if every change
            has the same difference, one counts as if it had none, see `t_test`
        changes: number of changes; the smaller number if the means are over different changes
        same_changes: True if both means are over the changes that both sides have
        probability: one minus the uncorrected one-sided p that the first mean is higher
        sign: 1 if the first mean is significantly higher, -1 if lower, else 0
    """
    figures = ["first", "second", "difference", "low", "high", "p", "probability"]
    rows = [_compare_means(table) for table in tables]
    found = pd.DataFrame(rows, columns=[*figures, "changes", "same_changes"])
    found = found.astype(dict.fromkeys(figures, float)).assign(p=holm(found["p"]))
    sign = np.where(found["difference"] > 0, 1, -1) * (found["p"] < SIGNIFICANCE_LEVEL)
    found[["low", "high"]] = found[["low", "high"]].clip(-widest, widest)
    return found.assign(sign=sign.astype(int))


def _compare_means(means: pd.DataFrame) -> dict[str, Any]:
    values = means.to_numpy(dtype=np.float64)
    is_shared = ~np.isnan(values).any(axis=1)
    same_changes = bool(is_shared.sum() >= MIN_CHANGES or is_shared.all())
    if same_changes:
        values = np.where(is_shared[:, np.newaxis], values, np.nan)
    counts = (~np.isnan(values)).sum(axis=0)
    averages = ratio(np.nansum(values, axis=0), counts)
    (first, second), n = averages.tolist(), int(counts.min())
    row = {"first": first, "second": second, "difference": first - second}
    row |= {"changes": n, "same_changes": same_changes}
    if n < MIN_CHANGES:
        return row
    squares = np.diff(np.nan_to_num((values - averages) / counts)) ** 2
    error = math.sqrt(squares.sum() * n / (n - 1))
    row["p"] = t_test(first - second, error, n)
    row["probability"] = 1 - row["p"] / 2 if first >= second else row["p"] / 2
    if error > ROUNDING:
        half_width = float(t_quantile(n)) * error
        row |= {"low": first - second - half_width, "high": first - second + half_width}
    return row


def compare_all(means: pd.DataFrame, widest: float = math.inf) -> pd.DataFrame:
    """Compare the means of all pairs of systems; each system is a column of `means`.

    `widest` is as in `difference_table`. Returns a row for each pair in column order: higher and
    lower (the systems), and the columns of `difference_table`.
    """
    pairs = [*itertools.combinations(means, 2)]
    table = difference_table((means[[*pair]] for pair in pairs), widest)
    table = table.drop(columns=["first", "second"])
    return pd.DataFrame(pairs, columns=["higher", "lower"]).join(table)
