"""Agreement of metrics with people's ratings or labels of the same reviews."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from crscore_eval.statistics.bootstrap import (
    Array,
    ClusterBootstrap,
    holm,
    p_value,
    percentile_interval,
)
from crscore_eval.statistics.correlation import ClusteredPairs

_VALUE = ["value", "low", "high"]
_DIFFERENCE = ["difference", "difference_low", "difference_high"]


def compare_agreement(  # noqa: PLR0913 - all describe the same reviews
    scores: Sequence[ArrayLike],
    ratings: ArrayLike,
    cluster: ArrayLike,
    bootstrap: ClusterBootstrap,
    base: int = 0,
    *,
    is_binary: bool = False,
) -> pd.DataFrame:
    """Return the agreement of each of `scores` with `ratings`, all (n reviews,) and without NaN.

    It is Spearman's rho or, if `is_binary`, the area under the ROC curve of ratings 0 and 1.
    Differences are over the same resamples of the changes, which `cluster` numbers. Columns:

        value, low, high: the agreement and its interval
        difference, difference_low, difference_high: the agreement minus that of the row `base`,
            and its interval; NaN in that row
        p: of the difference, two-sided, after Holm's correction for the number of rows
    """
    if not len(scores):
        return pd.DataFrame(columns=[*_VALUE, *_DIFFERENCE, "p"], dtype=float)
    pairs = [ClusteredPairs(values, ratings, cluster) for values in scores]
    statistics = [pair.auc if is_binary else pair.spearman for pair in pairs]
    samples = np.array([compute(bootstrap.observed_and_resampled) for compute in statistics])
    differences, n_changes = samples - samples[base], pairs[0].n_changes
    differences[base] = np.nan
    p = holm({row: p_value(values, n_changes) for row, values in enumerate(differences)})
    table = _estimates(_VALUE, samples, n_changes)
    table = table.join(_estimates(_DIFFERENCE, differences, n_changes))
    return table.assign(p=pd.Series(p, dtype=float))


def _estimates(names: list[str], samples: Array, n_changes: int) -> pd.DataFrame:
    """Return values and intervals of figures, (n figures, 1 + n resamples), as three columns."""
    intervals = (percentile_interval(row[1:], n_changes) or (np.nan, np.nan) for row in samples)
    rows = [(row[0], *interval) for row, interval in zip(samples, intervals, strict=True)]
    return pd.DataFrame(rows, columns=names, dtype=float)
