"""How well one order agrees with another: Spearman's rho and Kendall's tau-b."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from crscore_core.statistics.sample import paired

__all__ = ["RankCorrelation", "rank_correlation"]


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Both rank correlations of `n` pairs, in [-1, 1], and their two-sided p-values.

    All four are None where one side is constant or there is one pair only: then there is no order
    to agree with, which is not a correlation of 0. The p-values are those of the null hypothesis
    of no correlation and **take the pairs as independent**, as the paper does (table 3). Reviews
    of one change are not: for inference use intervals that resample changes (`ClusterBootstrap`).
    """

    spearman: float | None
    kendall: float | None
    spearman_p: float | None
    kendall_p: float | None
    n: int


def rank_correlation(metric: ArrayLike, people: ArrayLike) -> RankCorrelation:
    """Correlate a metric with people's ratings of the same reviews, both (n,).

    Ties share the mean of their ranks (Spearman) and are corrected for on both sides (Kendall's
    tau-b). The values and p-values are scipy's.

    Raises:
        StatisticsError: the lengths differ, nothing is given, or a value is not a finite number.
    """
    from scipy import stats

    first, second = paired(("metric", metric), ("people", people))
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return RankCorrelation(None, None, None, None, first.size)
    spearman, kendall = stats.spearmanr(first, second), stats.kendalltau(first, second)
    return RankCorrelation(
        float(spearman.statistic),
        float(kendall.statistic),
        _number(spearman.pvalue),
        _number(kendall.pvalue),
        first.size,
    )


def _number(p_value: float) -> float | None:
    """A p-value, or None where there is none (Spearman's of two pairs)."""
    return None if math.isnan(p_value) else float(p_value)
