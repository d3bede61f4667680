"""Predicted ratings of a review: predicted relevance, and three probabilities."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.predicted.features import (
    FEATURES,
    ReviewText,
    evidence,
    review_features,
    suggestions,
)
from crscore_core.predicted.model_file import PREDICTIONS, fitted_model

PREDICTED_COLUMNS = {
    "predicted_relevance": "relevance",
    "probability_relevant": "relevant",
    "probability_informative": "informative",
    "probability_well_expressed": "well_expressed",
}
"""Columns of tables, each with the prediction that it holds."""

PROBABILITY_CAUTION = (
    "Probabilities are a model's that was fitted to ClearCRC, comments of real reviewers, nearly "
    "all about their change. They may be high for an off-topic review; predicted relevance decides."
)
"""A caution for readers wherever probabilities are shown."""

STRONGEST = 3
"""Number of reasons, for better and for worse, that people are told at once."""

_MEANINGS = {feature.name: feature.meaning for feature in FEATURES}


@dataclass(frozen=True, slots=True)
class Reason:
    """One feature that raises or lowers predicted relevance, in words.

    `contribution` is in log odds, above 0 where the feature raises the prediction; `parts` are
    the parts of the review that the feature comes from.
    """

    name: str
    meaning: str
    value: float
    contribution: float
    parts: tuple[str, ...]

    def __str__(self) -> str:
        """Say the feature, its value, and the parts of the review: people's text, as it came."""
        amount = f"{self.value:.2f}"
        if self.meaning.startswith("number of"):
            # Numbers of things count as logarithms, see `FEATURES`.
            amount = f"{np.exp(self.value) - (self.name != 'pseudo_references'):.0f}"
        parts = ", ".join(f"“{part}”" for part in self.parts)
        return f"{self.meaning}: {amount}{parts and f' ({parts})'}"


@dataclass(frozen=True, slots=True)
class PredictedRatings:
    """Predictions for one review, each from 0 to 1.

    `relevance` is (relevance from 1 to 5 that people would give - 1) / 4; `relevant`,
    `informative` and `well_expressed` are probabilities. `outside` names the features that lie
    outside what a model was fitted to: there, a prediction is a guess. `reasons` are the
    features by falling effect on relevance, and `suggestions` follow from them.
    """

    relevance: float
    relevant: float
    informative: float
    well_expressed: float
    outside: tuple[str, ...]
    reasons: tuple[Reason, ...]
    suggestions: tuple[str, ...]

    @property
    def rating(self) -> float:
        """Predicted relevance on people's scale, from 1 to 5."""
        return 1 + 4 * self.relevance

    @property
    def raised_by(self) -> tuple[Reason, ...]:
        """The reasons that raise relevance most, `STRONGEST` at most."""
        return tuple(reason for reason in self.reasons if reason.contribution > 0)[:STRONGEST]

    @property
    def lowered_by(self) -> tuple[Reason, ...]:
        """The reasons that lower relevance most, `STRONGEST` at most."""
        return tuple(reason for reason in self.reasons if reason.contribution < 0)[:STRONGEST]

    @property
    def remark(self) -> str:
        """Say where the review lies outside what the models know; empty where it does not."""
        if not self.outside:
            return ""
        unlike = "; ".join(_MEANINGS[name] for name in self.outside)
        return f"A guess, as the review is unlike those that the models know in {unlike}."


def can_predict(encoder: str) -> bool:
    """Return True if this package has models for the similarities of an encoder."""
    return fitted_model("relevance", encoder) is not None


def predicted_ratings(text: ReviewText, encoder: str) -> PredictedRatings | None:
    """Predict people's ratings of a review; None where nothing can be predicted.

    That is without a model for the encoder of this name, without pseudo-references and without
    sentences.

    Raises:
        CalibrationError: a model file of this package is damaged.
        SimilarityError: the matrix is not finite, or not of this shape.
    """
    models = {name: fitted_model(name, encoder) for name in PREDICTIONS}
    relevance = models["relevance"]
    if relevance is None or not np.size(text.similarity):
        return None
    features = review_features(text)
    scores = predicted_scores(features, encoder)
    reasons = [
        Reason(
            part.name,
            _MEANINGS[part.name],
            part.value,
            part.contribution,
            evidence(part.name, text),
        )
        for part in relevance.model.contributions(features)
        if part.contribution
    ]
    outside = {
        name for fitted in models.values() if fitted for name in fitted.model.outside(features)
    }
    return PredictedRatings(
        **{name: float(scores[name]) for name in PREDICTIONS},
        outside=tuple(name for name in _MEANINGS if name in outside),
        reasons=tuple(sorted(reasons, key=lambda reason: -abs(reason.contribution))),
        suggestions=suggestions(features, lambda row: float(relevance.model.score(row))),
    )


def predicted_scores(features: ArrayLike, encoder: str) -> dict[str, NDArray[np.float64]]:
    """Predict for rows of features, (..., n features): an array for each of `PREDICTIONS`.

    NaN for rows with NaN, and for all where there is no model for the encoder.
    """
    rows = np.asarray(features, dtype=np.float64)
    scores = {}
    for name in PREDICTIONS:
        fitted = fitted_model(name, encoder)
        scores[name] = fitted.model.score(rows) if fitted else np.full(rows.shape[:-1], np.nan)
    return scores
