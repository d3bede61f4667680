"""A review of a diff as the numbers and the sentences that harnesses take."""

from dataclasses import dataclass
from functools import lru_cache

from crscore_core.predicted.ratings import PREDICTED_COLUMNS
from crscore_core.scoring import CachedEncoder
from crscore_core.scoring.references import PseudoReference
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.scorer import CRScorer

MEASURES = (*PREDICTED_COLUMNS, "conciseness", "comprehensiveness", "relevance")
"""Names of all measures, the leading one first; each lies from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A scored review.

    `values` has each of `MEASURES` that could be computed; `explanation` says what the review
    misses, or why it has no score.
    """

    values: dict[str, float]
    explanation: str


def measure(diff: str, review: str) -> Measured:
    """Score a review of a diff at the presets.

    Raises:
        InputError: the diff cannot be read, or is none.
    """
    return measured(_scorer().score(diff, review))


def measured(score: ReviewScore) -> Measured:
    """Return the measures of a score, and its explanation."""
    predictions = score.predictions or (None,) * len(PREDICTED_COLUMNS)
    values = (*predictions, score.conciseness, score.comprehensiveness, score.relevance)
    known = {
        name: float(value)
        for name, value in zip(MEASURES, values, strict=True)
        if value is not None
    }
    said = [*score.warnings] if score.relevance is None else [score.feedback.summary]
    if score.predicted is not None:
        said += [f"To mend: the review {advice}." for advice in score.predicted.suggestions]
    return Measured(known, " ".join(said))


def topics(diff: str) -> tuple[PseudoReference, ...]:
    """Return the pseudo-references of a diff: what a good review could address.

    Raises:
        InputError: the diff cannot be read, or is none.
    """
    return _scorer().score(diff, "").pseudo_references


@lru_cache(maxsize=1)
def _scorer() -> CRScorer:
    """Return the scorer with the embedded defaults, made once a process."""
    return CRScorer(encoder=CachedEncoder())
