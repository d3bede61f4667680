"""How far the metric agrees with people review by review (Tables 3, 9 and 11)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredPairs,
    Estimate,
    rank_correlation,
)

__all__ = ["Correlation", "correlate", "correlations", "correlations_by_language"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rho and Kendall's tau-b of `n` reviews, each with its interval and p-value.

    Intervals resample changes; p-values take reviews as independent, as the paper's do.
    """

    spearman: Estimate
    kendall: Estimate
    spearman_p: float | None
    kendall_p: float | None
    n: int


def correlate(
    metric: Array, people: Array, change: NDArray[np.intp], bootstrap: ClusterBootstrap
) -> Correlation | None:
    """Correlate scores with ratings, all (n reviews,); None where there are no reviews."""
    if not metric.size:
        return None
    found = rank_correlation(metric, people)
    spearman, kendall = ClusteredPairs(metric, people, change).both(bootstrap.weights)
    return Correlation(
        Estimate(found.spearman, bootstrap.interval_of(spearman)),
        Estimate(found.kendall, bootstrap.interval_of(kendall)),
        found.spearman_p,
        found.kendall_p,
        found.n,
    )


def correlations(
    comparison: CorpusComparison, scores: Array, bootstrap: ClusterBootstrap
) -> Mapping[str, Correlation | None]:
    """Con with Con, Comp with Comp and Rel with Rel as people rate them (Tables 3 and 9).

    `scores`, (n dimensions, n reviews), are those at one tau. The ground truth is left out, as in
    the paper's section 5.2.
    """
    found = {}
    for row, name in enumerate(DIMENSIONS):
        judged = comparison.is_judged_in(name)
        found[name] = correlate(
            scores[row, judged],
            comparison.ratings[judged, row],
            comparison.change[judged],
            bootstrap,
        )
    return found


def correlations_by_language(
    comparison: CorpusComparison, scores: Array, bootstrap: ClusterBootstrap
) -> Mapping[str, Correlation | None]:
    """Rel with people's relevance in each language (Table 11); `scores` as in `correlations`.

    Languages are in the order in which they first occur.
    """
    relevance = DIMENSIONS.index("relevance")
    found = {}
    for language in dict.fromkeys(change.language for change in comparison.changes):
        chosen = comparison.is_judged & (comparison.language == language)
        found[language] = correlate(
            scores[relevance, chosen],
            comparison.ratings[chosen, relevance],
            comparison.change[chosen],
            bootstrap,
        )
    return found
