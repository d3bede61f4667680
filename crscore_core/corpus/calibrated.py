"""The calibrated relevance of every review of a corpus."""

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import ComparedReview, CorpusComparison
from crscore_core.predicted.features import FEATURES, review_features
from crscore_core.predicted.shipped import calibrated_model

__all__ = ["calibrated_relevance", "calibration_features"]


def calibrated_relevance(comparison: CorpusComparison) -> NDArray[np.float64] | None:
    """What the shipped model predicts that people would say, (n reviews,), from 0 to 1.

    None where no model is shipped for the encoder. A review without sentences counts as 0. On
    reviews that the model was fitted to, it flatters itself.
    """
    model = calibrated_model(comparison.encoder)
    if model is None:
        return None
    scores = model.ordinal.score(calibration_features(comparison))
    return np.nan_to_num(scores, nan=0.0)


def calibration_features(comparison: CorpusComparison) -> NDArray[np.float64]:
    """What that model reads of each review, (n reviews, n features); NaN without sentences."""
    rows = [_features(review) for review in comparison.reviews]
    return np.array(rows, dtype=np.float64).reshape(-1, len(FEATURES))


def _features(review: ComparedReview) -> list[float]:
    if not review.similarity.size:
        return [float("nan")] * len(FEATURES)
    features = review_features(review.references, review.sentences, review.similarity)
    return [float(value) for value in features]
