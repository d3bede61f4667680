"""How far two people agree who rated the same reviews on their own (section 4.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.datasets.study.model import DoubleRating
from crscore_core.statistics import ClusterBootstrap, ClusteredRatings, Estimate, number_or_none

__all__ = ["RaterAgreement", "rater_agreement"]


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Krippendorff's alpha on the ordinal scale, by dimension, over doubly rated reviews.

    `reviews` of so many `changes` have two ratings. The intervals resample changes; with the few
    that the study has they are rough, and rather too narrow than too wide.
    """

    reviews: int
    changes: int
    alpha: Mapping[str, Estimate]


def rater_agreement(
    ratings: Sequence[DoubleRating], n_resamples: int = 1000
) -> RaterAgreement | None:
    """The agreement of two raters in each of `DIMENSIONS`; None where they share no review."""
    if not ratings:
        return None
    cluster = np.array([rating.change for rating in ratings])
    bootstrap = ClusterBootstrap(int(cluster.max()) + 1, n_resamples)
    return RaterAgreement(
        len(ratings),
        len(set(cluster.tolist())),
        {name: _alpha(ratings, name, cluster, bootstrap) for name in DIMENSIONS},
    )


def _alpha(
    ratings: Sequence[DoubleRating],
    dimension: str,
    cluster: np.ndarray[tuple[int], np.dtype[np.intp]],
    bootstrap: ClusterBootstrap,
) -> Estimate:
    table = [[getattr(one.first, dimension), getattr(one.second, dimension)] for one in ratings]
    clustered = ClusteredRatings(table, cluster)
    observed = clustered.alpha(np.ones((1, bootstrap.weights.shape[1])))[0]
    return Estimate(number_or_none(observed), bootstrap.interval(clustered.alpha))
