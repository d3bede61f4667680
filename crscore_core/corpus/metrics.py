"""Metrics that give each review a number, beside conciseness, comprehensiveness and relevance.

Tables, rankings and exports take every metric from `METRICS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.predicted.features import FEATURES, review_features
from crscore_core.predicted.model_file import calibrated_model
from crscore_core.scoring.metric import harmonic_mean

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Metric:
    """A number for each review that needs no tau.

    `title` is the name that people read. `compute` gives (n reviews,) float64 from 0 to 1, NaN for
    a review without a value.
    """

    title: str
    compute: Callable[[CorpusComparison], Array]


def calibrated_relevance(comparison: CorpusComparison) -> Array:
    """Relevance that the shipped model predicts people would see, (n reviews,), from 0 to 1.

    NaN for a review without sentences, and for all where no model is shipped for the encoder. The
    prediction is too good on reviews that the model was fitted to.
    """
    model = calibrated_model(comparison.encoder)
    if model is None:
        return np.full(len(comparison.reviews), np.nan)
    known = [review.calibrated_relevance for review in comparison.reviews]
    if None not in known:
        return np.array(known, dtype=np.float64)
    return model.ordinal.score(calibration_features(comparison))


def calibration_features(comparison: CorpusComparison) -> Array:
    """Features of each review for that model, (n reviews, n features); NaN without sentences."""
    features = np.full((len(comparison.reviews), len(FEATURES)), np.nan)
    for row, review in enumerate(comparison.reviews):
        if review.similarity.size:
            features[row] = review_features(review.references, review.sentences, review.similarity)
    return features


def _similarity_without_threshold(comparison: CorpusComparison) -> Array:
    """Harmonic mean of the mean best similarities of sentences and of pseudo-references."""
    means = np.full((2, len(comparison.reviews)), np.nan)
    for column, review in enumerate(comparison.reviews):
        if review.similarity.size:
            for axis in (0, 1):
                means[axis, column] = review.similarity.max(axis=axis).mean()
    return harmonic_mean(*np.maximum(means, 0))


METRICS: Mapping[str, Metric] = {
    "calibrated_relevance": Metric("calibrated relevance", calibrated_relevance),
    "no_threshold": Metric("similarity without threshold", _similarity_without_threshold),
}
"""The metrics by the name of their column, in the order in which people are shown them."""
