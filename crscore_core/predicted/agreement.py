"""How well predicted relevance agrees with what people said."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.rated_reviews import RatedReviews
from crscore_core.statistics.bootstrap import ClusterBootstrap, Interval
from crscore_core.statistics.clustered_pairs import ClusteredPairs

__all__ = ["Agreement", "agreement"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Spearman's rho of predicted with human relevance over `n` reviews.

    `interval` resamples changes, and holds the predictions fixed; None where it is undefined.
    """

    spearman: float
    interval: Interval | None
    n: int


def agreement(
    reviews: RatedReviews, scores: Array, chosen: NDArray[np.bool_], bootstrap: ClusterBootstrap
) -> Agreement:
    """How well scores of (predictions, n) agree with the ratings of the chosen reviews, (n,).

    The value is the mean over the predictions. `bootstrap` resamples as many changes as the
    numbers of changes reach.

    Raises:
        CalibrationError: the ratings or the scores do not differ, so that there is no order.
    """
    people, changes = reviews.ratings[chosen], reviews.changes[chosen]
    pairs = [ClusteredPairs(row[chosen], people, changes) for row in scores]

    def mean(weights: NDArray[np.int16]) -> Array:
        return np.asarray(np.mean([each.spearman(weights) for each in pairs], axis=0))

    everything = np.ones((1, bootstrap.weights.shape[1]), dtype=np.int16)
    spearman = float(mean(everything)[0])
    if np.isnan(spearman):
        raise CalibrationError("scores or ratings that are all the same have no order to agree on")
    return Agreement(spearman, bootstrap.interval(mean), people.size)
