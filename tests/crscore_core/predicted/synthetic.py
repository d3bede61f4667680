"""Rated reviews with a known relation between features and ratings."""

import numpy as np

from crscore_core.predicted.features import FEATURES
from crscore_core.predicted.rated_reviews import RatedReviews


def synthetic_reviews(n_changes: int = 60, per_change: int = 8, seed: int = 0) -> RatedReviews:
    """Ratings by proportional odds: 6 x coverage (rising) - 2 x words; the rest is noise."""
    random = np.random.default_rng(seed)
    n = n_changes * per_change
    features = random.uniform(size=(n, len(FEATURES)))
    strength = 6 * features[:, 0] - 2 * features[:, 6]
    noise = random.logistic(size=n)
    ratings = 1 + np.searchsorted([0.5, 1.5, 2.5, 3.5], strength + noise)
    return RatedReviews(
        features,
        ratings.astype(np.intp),
        np.repeat(np.arange(n_changes), per_change),
        np.tile(np.array([f"system {number}" for number in range(per_change)]), n_changes),
        np.full(n, "claims"),
    )
