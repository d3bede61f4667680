"""Metrics that give each review a number, beside conciseness, comprehensiveness and relevance.

Tables, rankings and exports take every metric from `METRICS`.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.predicted.features import FEATURES, ReviewText, review_features
from crscore_core.predicted.ratings import PREDICTED_COLUMNS, can_predict, predicted_scores
from crscore_core.scoring.metric import harmonic_mean

Array = NDArray[np.float64]

_predictions: WeakKeyDictionary[CorpusComparison, Mapping[str, Array]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Metric:
    """A number for each review that needs no tau.

    `title` is the name that people read. `compute` gives (n reviews,) float64 from 0 to 1, NaN for
    a review without a value.
    """

    title: str
    compute: Callable[[CorpusComparison], Array]


def predicted(comparison: CorpusComparison) -> Mapping[str, Array]:
    """Predict what people would say of each review: the columns of `PREDICTED_COLUMNS`.

    Each is (n reviews,), from 0 to 1; NaN for a review without sentences, and for all where no
    model is shipped for the encoder. A prediction is too good on reviews that its model was
    fitted to. What a run that was read says of its reviews is taken from there. Features are
    computed once for each comparison.
    """
    if comparison not in _predictions:
        _predictions[comparison] = _predicted(comparison)
    return _predictions[comparison]


def _predicted(comparison: CorpusComparison) -> Mapping[str, Array]:
    known = [review.predicted for review in comparison.reviews]
    if None not in known:
        rows = np.array(known, dtype=np.float64).reshape(-1, len(PREDICTED_COLUMNS))
        return dict(zip(PREDICTED_COLUMNS, rows.T, strict=True))
    if not can_predict(comparison.encoder):
        return {name: np.full(len(known), np.nan) for name in PREDICTED_COLUMNS}
    scores = predicted_scores(prediction_features(comparison), comparison.encoder)
    return {column: scores[name] for column, name in PREDICTED_COLUMNS.items()}


def prediction(name: str, comparison: CorpusComparison) -> Array:
    """One of `PREDICTED_COLUMNS` of each review, (n reviews,); see `predicted`."""
    return predicted(comparison)[name]


def predicted_relevance(comparison: CorpusComparison) -> Array:
    """Relevance that people would see, as a model predicts it, (n reviews,); see `predicted`."""
    return prediction("predicted_relevance", comparison)


def predicted_rows(comparison: CorpusComparison) -> list[tuple[float, ...]]:
    """Return predictions of each review in the order of `PREDICTED_COLUMNS`; see `predicted`."""
    columns = (values.tolist() for values in predicted(comparison).values())
    return list(zip(*columns, strict=True))


def prediction_features(comparison: CorpusComparison) -> Array:
    """Features of each review for the models, (n reviews, n features); NaN without sentences."""
    features = np.full((len(comparison.reviews), len(FEATURES)), np.nan)
    for row, review in enumerate(comparison.reviews):
        if review.similarity.size:
            features[row] = review_features(
                ReviewText(
                    review.text,
                    comparison.changes[review.change].diff,
                    review.references,
                    review.sentences,
                    review.similarity,
                )
            )
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
    **{
        name: Metric(title, functools.partial(prediction, name))
        for name, title in zip(
            PREDICTED_COLUMNS,
            (
                "predicted relevance",
                "probably relevant",
                "probably informative",
                "probably well expressed",
            ),
            strict=True,
        )
    },
    "no_threshold": Metric("similarity without threshold", _similarity_without_threshold),
}
"""The metrics by the name of their column, in the order in which people are shown them."""
