"""Score a review of a diff as numbers and an explanation, the form that harnesses expect."""

from dataclasses import dataclass
from functools import lru_cache

from crscore_core.predicted.ratings import PREDICTED_COLUMNS
from crscore_core.scoring import CachedEncoder
from crscore_core.scoring.references import PseudoReference
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.scorer import CRScorer

MEASURES = (*PREDICTED_COLUMNS, "conciseness", "comprehensiveness", "relevance")
"""Names of all measures, the main one first; each is between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A scored review.

    `values` contains the `MEASURES` that could be computed; `explanation` says what the review
    misses, or why it has no score.
    """

    values: dict[str, float]
    explanation: str


def measure(diff: str, review: str) -> Measured:
    """Score a review of a diff with the default settings.

    Raises:
        InputError: the diff is invalid.
    """
    return measured(_scorer().score(diff, review))


def measured(score: ReviewScore) -> Measured:
    """Return the measures and the explanation of a score."""
    predictions = score.predictions or (None,) * len(PREDICTED_COLUMNS)
    values = (*predictions, score.conciseness, score.comprehensiveness, score.relevance)
    known = {
        name: float(value)
        for name, value in zip(MEASURES, values, strict=True)
        if value is not None
    }
    said = [*score.warnings] if score.relevance is None else [score.feedback.summary]
    if score.predicted is not None:
        said += [f"To improve: the review {advice}." for advice in score.predicted.suggestions]
    return Measured(known, " ".join(said))


def topics(diff: str) -> tuple[PseudoReference, ...]:
    """Return the pseudo-references of a diff: what a good review could address.

    Raises:
        InputError: the diff is invalid.
    """
    return _scorer().score(diff, "").pseudo_references


@lru_cache(maxsize=1)
def _scorer() -> CRScorer:
    """Return the scorer with the embedded defaults, created once per process."""
    return CRScorer(encoder=CachedEncoder())
