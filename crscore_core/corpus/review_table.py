"""One row a review: scores, people's ratings, and plain facts about the text."""

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from crscore_core.corpus.comparison import ComparedReview, CorpusComparison
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.predicted.features import FEATURES, review_features
from crscore_core.predicted.model_file import calibrated_model
from crscore_core.scoring.metric import harmonic_mean

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ReviewTable", "calibrated_relevance", "calibration_features", "has_inline_code"]

_CODE = re.compile(r"`[^`\n]+`|^ {0,3}(?:```|~~~)", re.MULTILINE)


class ReviewTable:
    """All reviews of a comparison as rows, in its order; only the scores depend on tau.

    Columns: `review` (its id), `change` (id), `language`, `system`, `text`; `human_` and each of
    `DIMENSIONS`, from 1 to 5, NaN where nobody rated; `pseudo_references`, `sentences` and `words`
    (numbers); `inline_code`; `no_threshold`, the harmonic mean of the mean best similarities of
    sentences and pseudo-references, which needs no tau; `calibrated_relevance`, NaN without a
    model for the encoder; and from `at` each of `DIMENSIONS`, from 0 to 1.
    """

    def __init__(self, comparison: CorpusComparison) -> None:
        self.comparison = comparison

    def at(self, tau: float) -> "pd.DataFrame":
        """The rows with the scores at `tau`; the index is the position in the comparison."""
        import pandas as pd

        scores = self.comparison.scores([tau])[:, 0]
        return pd.DataFrame({**self._fixed, **dict(zip(DIMENSIONS, scores, strict=True))})

    @property
    def calibrated(self) -> NDArray[np.float64]:
        """The column `calibrated_relevance`, (n reviews,); no score is computed for it."""
        column: NDArray[np.float64] = self._fixed["calibrated_relevance"]
        return column

    @cached_property
    def _fixed(self) -> dict[str, Any]:
        comparison, reviews = self.comparison, self.comparison.reviews
        ratings = comparison.ratings.T
        calibrated = calibrated_relevance(comparison)
        if calibrated is None:
            calibrated = np.full(len(reviews), np.nan)
        return {
            "review": [review.id for review in reviews],
            "change": [comparison.changes[review.change].id for review in reviews],
            "language": comparison.language,
            "system": comparison.system,
            "text": [review.text for review in reviews],
            **{f"human_{name}": row for name, row in zip(DIMENSIONS, ratings, strict=True)},
            "pseudo_references": [len(review.references) for review in reviews],
            "sentences": [len(review.sentences) for review in reviews],
            "words": [len(review.text.split()) for review in reviews],
            "inline_code": [has_inline_code(review.text) for review in reviews],
            "no_threshold": _without_threshold(reviews),
            "calibrated_relevance": calibrated,
        }


def has_inline_code(review: str) -> bool:
    """Return True if a review quotes code as Markdown does: in backticks or a fenced block."""
    return _CODE.search(review) is not None


def calibrated_relevance(comparison: CorpusComparison) -> NDArray[np.float64] | None:
    """Relevance that the shipped model predicts people would see, (n reviews,), from 0 to 1.

    None where no model is shipped for the encoder. A review without sentences counts as 0. The
    prediction is too good on reviews that the model was fitted to.
    """
    model = calibrated_model(comparison.encoder)
    if model is None:
        return None
    return np.nan_to_num(model.ordinal.score(calibration_features(comparison)), nan=0.0)


def calibration_features(comparison: CorpusComparison) -> NDArray[np.float64]:
    """Features of each review for that model, (n reviews, n features); NaN without sentences."""
    features = np.full((len(comparison.reviews), len(FEATURES)), np.nan)
    for row, review in enumerate(comparison.reviews):
        if review.similarity.size:
            features[row] = review_features(review.references, review.sentences, review.similarity)
    return features


def _without_threshold(reviews: tuple[ComparedReview, ...]) -> NDArray[np.float64]:
    means = np.zeros((2, len(reviews)))
    for column, review in enumerate(reviews):
        if review.similarity.size:
            for axis in (0, 1):
                means[axis, column] = review.similarity.max(axis=axis).mean()
    return harmonic_mean(*np.maximum(means, 0))
