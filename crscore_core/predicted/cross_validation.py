"""How well the model predicts ratings of changes, or of systems, that it was not fitted to."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.fit import RIDGE, fit_model
from crscore_core.predicted.rated_reviews import RatedReviews

__all__ = ["FOLDS", "SEEDS", "scores_by_change", "scores_by_system"]

FOLDS = 10
"""Groups of changes that are left out in turn."""

SEEDS = (0, 1, 2)
"""Each gives other groups, and so other scores."""

Array = NDArray[np.float64]


def scores_by_change(
    reviews: RatedReviews,
    *,
    folds: int = FOLDS,
    seeds: tuple[int, ...] = SEEDS,
    ridge: float = RIDGE,
    progress: Callable[[], None] = lambda: None,
) -> Array:
    """The score of each review by a model that was fitted without its change: (seeds, n).

    A change is left out with all its reviews and every kind of pseudo-references. A review that
    cannot be scored gets 0. `progress` is called after each fit.

    Raises:
        CalibrationError: there are fewer changes than folds, or a fit is impossible.
    """
    changes, place = np.unique(reviews.changes, return_inverse=True)
    if not 2 <= folds <= changes.size:
        raise CalibrationError(
            f"{changes.size} rated changes cannot be left out in {folds} groups; "
            "calibrate on the full study"
        )
    scores = []
    for seed in seeds:
        order = np.random.default_rng(seed).permutation(changes.size)
        scores.append(_held_out(reviews, (order % folds)[place], ridge, progress))
    return np.array(scores)


def scores_by_system(
    reviews: RatedReviews,
    *,
    ridge: float = RIDGE,
    progress: Callable[[], None] = lambda: None,
) -> Array:
    """The score of each review by a model that was fitted without its system: (1, n).

    Everything else as for `scores_by_change`.

    Raises:
        CalibrationError: a fit is impossible.
    """
    _, group = np.unique(reviews.systems, return_inverse=True)
    return _held_out(reviews, group, ridge, progress)[None]


def _held_out(
    reviews: RatedReviews, group: NDArray[np.intp], ridge: float, progress: Callable[[], None]
) -> Array:
    """Each review's score by a model fitted to the other groups; 0 where it cannot be scored."""
    scores = np.zeros(group.size)
    for number in range(int(group.max()) + 1):
        held_out = group == number
        model = fit_model(reviews.where(~held_out), ridge)
        scored = held_out & reviews.can_be_scored
        scores[scored] = model.score(reviews.features[scored])
        progress()
    return scores
