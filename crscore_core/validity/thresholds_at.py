"""What holds at one tau, with intervals."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_table import ReviewTable
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    clustered_mean,
    rank_correlation,
)
from crscore_core.validity.rankings import RankingRequest, rank_by
from crscore_core.validity.thresholds_sweep import is_swept

__all__ = ["ThresholdFigures", "figures_at"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ThresholdFigures:
    """What holds at `tau`; intervals resample changes.

    `spearman` is the correlation with people review by review, of those of `DIMENSIONS` that they
    rated; `system_spearman` that of the mean relevance of the systems that are ranked, those with
    the most reviews, without value where nobody rated it.
    `means` are the mean scores by dimension, `share_zero` and `share_one` the shares of reviews
    whose Rel is 0 and 1, all over the reviews of `is_swept`.
    """

    tau: float
    spearman: Mapping[str, Estimate]
    system_spearman: Estimate
    means: Mapping[str, Estimate]
    share_zero: Estimate
    share_one: Estimate


def figures_at(table: ReviewTable, tau: float, bootstrap: ClusterBootstrap) -> ThresholdFigures:
    """Everything that hangs on tau, at one of them.

    Raises:
        StatisticsError: the bootstrap is of another number of changes.
    """
    comparison = table.comparison
    scores = comparison.scores([tau])[:, 0]
    swept = is_swept(comparison.rated_maxima)

    def mean(values: Array) -> Estimate:
        return clustered_mean(values[swept], comparison.change[swept], bootstrap)

    relevance = scores[DIMENSIONS.index("relevance")]
    return ThresholdFigures(
        tau,
        {
            name: _spearman(comparison, row, scores[row], bootstrap)
            for row, name in enumerate(DIMENSIONS)
            if comparison.is_judged_in(name).any()
        },
        _of_systems(table, tau, bootstrap),
        {name: mean(scores[row]) for row, name in enumerate(DIMENSIONS)},
        mean((relevance == 0).astype(np.float64)),
        mean((relevance == 1).astype(np.float64)),
    )


def _spearman(
    comparison: CorpusComparison, row: int, scores: Array, bootstrap: ClusterBootstrap
) -> Estimate:
    rated = comparison.is_judged_in(DIMENSIONS[row])
    people, metric = comparison.ratings[rated, row], scores[rated]
    value = rank_correlation(metric, people).spearman
    if value is None:
        return Estimate(None, None)
    pairs = ClusteredPairs(metric, people, comparison.change[rated])
    return Estimate(value, bootstrap.interval(pairs.spearman))


def _of_systems(table: ReviewTable, tau: float, bootstrap: ClusterBootstrap) -> Estimate:
    request = RankingRequest(("relevance",))
    found = rank_by(table.comparison, table.at(tau), request, bootstrap).by.get("relevance")
    if found is None or found.with_people is None:
        return Estimate(None, None)
    return Estimate(found.with_people.observed.spearman, found.with_people.spearman_interval)
