"""Predictions for changes or systems that a model was not fitted to, and how good they are."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.fit import RatedReviews, fit_model
from crscore_core.statistics import ClusterBootstrap, ClusteredPairs, Estimate

FOLDS = 10
"""Number of groups of changes that are left out in turn."""

SEEDS = (0, 1, 2)
"""Seeds of the grouping; each gives other groups, and so other scores."""

Array = NDArray[np.float64]


def scores_by_change(
    reviews: RatedReviews,
    *,
    folds: int = FOLDS,
    seeds: tuple[int, ...] = SEEDS,
    progress: Callable[[], None] = lambda: None,
) -> Array:
    """Score each review by a model that was fitted without its change: (seeds, n).

    A change is left out with all its reviews and every kind of pseudo-references. A review that
    cannot be scored gets NaN. `progress` is called after each fit.

    Raises:
        CalibrationError: there are fewer changes than folds, or a fit is impossible.
    """
    changes, change_of_review = np.unique(reviews.changes, return_inverse=True)
    if not 2 <= folds <= changes.size:
        raise CalibrationError(
            f"{changes.size} rated changes cannot be left out in {folds} groups; "
            "calibrate on the full study"
        )
    scores = []
    for seed in seeds:
        order = np.random.default_rng(seed).permutation(changes.size)
        scores.append(_held_out(reviews, (order % folds)[change_of_review], progress))
    return np.array(scores)


def scores_by_system(reviews: RatedReviews, progress: Callable[[], None] = lambda: None) -> Array:
    """Score each review by a model that was fitted without its system: (1, n).

    Everything else as for `scores_by_change`.

    Raises:
        CalibrationError: a fit is impossible.
    """
    _, group = np.unique(reviews.systems, return_inverse=True)
    return _held_out(reviews, group, progress)[None]


def _held_out(
    reviews: RatedReviews, group: NDArray[np.intp], progress: Callable[[], None]
) -> Array:
    """Score each review by a model fitted to the other groups; NaN if it cannot be scored."""
    scores = np.full(group.size, np.nan)
    for number in range(int(group.max()) + 1):
        is_held_out = group == number
        model = fit_model(reviews.where(~is_held_out))
        scored = is_held_out & reviews.can_be_scored
        scores[scored] = model.score(reviews.features[scored])
        progress()
    return scores


def agreement(
    reviews: RatedReviews, scores: Array, chosen: NDArray[np.bool_], bootstrap: ClusterBootstrap
) -> Estimate:
    """Spearman's rho of scores, (predictions, n), with the ratings of the chosen reviews, (n,).

    The value is the mean over the predictions. `bootstrap` resamples as many changes as the
    numbers of changes reach.

    Raises:
        CalibrationError: the ratings or the scores do not differ, so that there is no order.
    """
    ratings, changes = reviews.ratings[chosen], reviews.changes[chosen]
    pairs = [ClusteredPairs(row[chosen], ratings, changes) for row in scores]

    def mean(weights: NDArray[np.int16]) -> Array:
        return np.asarray(np.mean([each.spearman(weights) for each in pairs], axis=0))

    spearman = bootstrap.estimate(mean)
    if spearman.value is None:
        raise CalibrationError("scores or ratings that are all the same have no order to agree on")
    return spearman
